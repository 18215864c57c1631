// Compares the kernels of layers, routes and rows of CSV that this CPU has with plain C, on awkward shapes and random
// rows: the same promise as Tests/BridgecastEngineTests/KernelTests.swift, where there is no Swift. Run by
// tools/checks/kernels.
#include "check.h"

const char *const names[BCK_ISA_COUNT] = {"scalar", "neon", "avx2", "avxvnni", "avx512vnni"};
static uint32_t state = 20261121;
double worst;
long compared;

uint32_t next(void) {
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}
float uniform(void) { return (float)next() / (1 << 24); }

void *part(size_t bytes) {
    void *memory = calloc(bytes ? bytes : 1, 1);
    if (!memory) exit(74);
    return memory;
}

void compare(const char *what, const char *isa, const float *a, const float *b, size_t count, double tolerance) {
    for (size_t i = 0; i < count; i++, compared++) {
        int both = isnan(a[i]) && isnan(b[i]);
        double difference = both ? 0 : fabs((double)a[i] - (double)b[i]);
        if (!both && tolerance > 0) worst = difference > worst ? difference : worst;
        if (!(difference <= tolerance)) {
            printf("%s, %s: number %zu is %g, plain C gives %g\n", isa, what, i, a[i], b[i]);
            exit(1);
        }
    }
}

int main(void) {
    for (int isa = BCK_SCALAR; isa < BCK_ISA_COUNT; isa++) {
        if (!bck_kernels_of(isa)) {
            printf("%-10s  not on this CPU\n", names[isa]);
            continue;
        }
        compared = 0, worst = 0;
        check_networks(isa);
        const double network = worst;
        check_routes(isa);
        check_rows(isa);
        printf("%-10s  routes agree with plain C within %.1e\n", names[isa], worst);
        printf("%-10s  agrees with plain C: int8 to the last bit, fp32 within %.1e (%ld numbers)\n", names[isa],
               network, compared);
    }
    return 0;
}

// Compares the kernels of layers, lists, routes and rows of CSV that this CPU has with plain C, on awkward shapes and
// random rows: the same promise as KernelTests.swift and ListKernelTests.swift in Tests/BridgecastEngineTests, where
// there is no Swift. The argument is the number of rows through whole networks. Run by tools/checks/kernels.
#include "check.h"

const char *const names[BCK_ISA_COUNT] = {"scalar", "neon", "avx2", "avxvnni", "avx512vnni"};
static const uint32_t seed = 20261121;
static uint32_t state;
double worst;
long compared;

uint32_t next(void) {
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}
float uniform(void) { return (float)next() / (1 << 24); }

size_t awkward(size_t max) {
    const size_t counts[] = {0, 1, 3, 4, 5, max, next() % (max + 1), next() % (max + 1)};
    const size_t count = counts[next() % (sizeof counts / sizeof *counts)];
    return count < max ? count : max;
}

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

void compare_bytes(const char *what, const char *isa, const void *a, const void *b, size_t bytes) {
    compared += (long)bytes;
    if (bytes == 0 || !memcmp(a, b, bytes)) return;
    printf("%s, %s: differs from plain C\n", isa, what);
    exit(1);
}

int main(int argc, char **argv) {
    const long rows = argc > 1 ? atol(argv[1]) : 10000;
    for (int isa = BCK_SCALAR; isa < BCK_ISA_COUNT; isa++) {
        if (!bck_kernels_of(isa)) {
            printf("%-10s  not on this CPU\n", names[isa]);
            continue;
        }
        compared = 0, worst = 0, state = seed;
        // Plain C itself is held to what a layer means; the rest would be compared with itself.
        check_lists(isa);
        check_forward(isa, rows);
        if (isa != BCK_SCALAR) check_networks(isa);
        printf("%-10s  agrees with plain C: int8 to the last bit, fp32 within %.1e (%ld numbers)\n", names[isa],
               worst, compared);
        if (isa == BCK_SCALAR) continue;
        // The same routes however many rows have run.
        worst = 0, state = seed;
        check_routes(isa);
        check_rows(isa);
        printf("%-10s  finds the same rows, and routes within %.1e cells\n", names[isa], worst);
    }
    return 0;
}

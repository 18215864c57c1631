// What the checks of kernels share: random numbers, memory, and how a kernel's numbers are held against plain C's.
#include "kernels.h"
#include <stdio.h>
#include <stdlib.h>

extern const char *const names[BCK_ISA_COUNT];

uint32_t next(void);
float uniform(void);
// At most `max`, often an awkward number.
size_t awkward(size_t max);
// Each part has memory of its own, so that a sanitizer sees every byte that is read astray.
void *part(size_t bytes);

// The largest difference, and how many numbers were compared.
extern double worst;
extern long compared;

// Ends the program where a number differs by more than the tolerance.
void compare(const char *what, const char *isa, const float *a, const float *b, size_t count, double tolerance);

// Ends the program where bytes differ.
void compare_bytes(const char *what, const char *isa, const void *a, const void *b, size_t bytes);

void check_networks(bck_isa isa);
void check_lists(bck_isa isa);
// Runs at least `rows` rows.
void check_forward(bck_isa isa, long rows);
void check_routes(bck_isa isa);
void check_rows(bck_isa isa);

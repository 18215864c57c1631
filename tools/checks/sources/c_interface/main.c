/* What bridgecast.h promises, asked of the library as a C program asks it: contracts one by one, random
 * calls, and many threads at once. tools/checks/c_interface compiles and runs it. */
#include "check.h"

#include <inttypes.h>

const char *model_path, *text_path;
double seconds;
uint64_t seed;

static void check_all(void) {
    check_arguments();
    check_times();
    check_what_is_known();
    check_structs();
    check_names();
    check_random_calls();
    check_many_threads();
}

int main(int argument_count, char **arguments) {
    if (argument_count != 5) return fputs("usage: MODEL TEXT_FILE SECONDS SEED\n", stderr), BRIDGECAST_USAGE;
    setvbuf(stdout, NULL, _IOLBF, 0);
    model_path = arguments[1];
    text_path = arguments[2];
    seconds = strtod(arguments[3], NULL);
    seed = strtoull(arguments[4], NULL, 10);
    if (!share_tally()) return perror("mmap"), 1;
    printf("c_interface: seed %" PRIu64 "\n", seed);
    check_all();
    printf("c_interface: %ld calls, %ld of them random, %ld a second from %d threads, ", tally->calls,
           tally->random_calls, tally->hammer_rate, SHARING_THREADS + LONE_THREADS);
    if (tally->failures) return printf("%ld failures\n", tally->failures), 1;
    printf("%ld contracts ok\n", tally->contracts);
    return 0;
}

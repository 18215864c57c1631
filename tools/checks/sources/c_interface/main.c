/* Checks the promises of bridgecast.h as a C program: contracts, each in a process of its own, so that a crash in
 * one is reported like any other failure; random calls; and many threads. tools/checks/c_interface runs it. */
#include "check.h"

#include <inttypes.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_FAILURES_SHOWN = 20 };

struct tally *tally;
_Thread_local bool is_one_of_many;
static const char *contract;
static atomic_long failures_here;

bool share_tally(void) {
    tally = mmap(NULL, sizeof *tally, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return tally != MAP_FAILED;
}

bool expect(bool holds, const char *format, ...) {
    if (holds) return true;
    atomic_fetch_add(&tally->failures, 1);
    if (atomic_fetch_add(&failures_here, 1) >= MAX_FAILURES_SHOWN) return false;
    char text[600];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    printf("c_interface: FAILED: %s: %s\n", contract, text);
    return false;
}

/* Counts a call and remembers it, so that a crash can be reported. */
void note(const char *format, ...) {
    atomic_fetch_add(&tally->calls, 1);
    if (is_one_of_many) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(tally->last_call, sizeof tally->last_call, format, arguments);
    va_end(arguments);
}

__attribute__((noreturn)) static void run_here(void (*check)(void)) {
    /* Ends it where it hangs; under valgrind all is slow. */
    alarm((unsigned)seconds + 300);
    check();
    long more = failures_here - MAX_FAILURES_SHOWN;
    if (more > 0) printf("c_interface: FAILED: %s: %ld more\n", contract, more);
    exit(0);
}

void run_apart(const char *name, void (*check)(void)) {
    int status = 0;
    contract = name;
    tally->contracts++;
    pid_t child = fork();
    if (child < 0) abort();
    if (child == 0) run_here(check);
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) {
        const char *signal_name = strsignal(WTERMSIG(status));
        expect(false, "ended by a signal (%s) in %s", signal_name, tally->last_call);
    } else if (WEXITSTATUS(status) != 0) {
        /* 99 is valgrind's, which has found errors. */
        expect(false, "ended with %d in %s", WEXITSTATUS(status), tally->last_call);
    }
}

bridgecast *open_model(const char *path, int32_t *code, char *error, size_t capacity) {
    note("open(%.100s, capacity %zu)", path ? path : "NULL", capacity);
    return bridgecast_open(path, code, error, capacity);
}

int32_t set_time(bridgecast *handle, double now) {
    note("set_time(%.17g)", now);
    return bridgecast_set_time(handle, now);
}

int32_t set_state(bridgecast *handle, int32_t bridge, int32_t state, double since) {
    note("set_state(%d, %d, %.17g)", bridge, state, since);
    return bridgecast_set_state(handle, bridge, state, since);
}

int32_t add_opening(bridgecast *handle, int32_t bridge, double raised, double lowered, double observed) {
    note("add_opening(%d, %.17g, %.17g, %.17g)", bridge, raised, lowered, observed);
    return bridgecast_add_opening(handle, bridge, raised, lowered, observed);
}

int32_t forecast(bridgecast *handle, int32_t bridge, double arrival, double rho, void *delay) {
    note("forecast(%d, %.17g, %.17g)", bridge, arrival, rho);
    return bridgecast_forecast(handle, bridge, arrival, rho, delay);
}

int32_t plan(bridgecast *handle, const char *from, const char *to, int32_t mode, double departure,
             double deadline, void *routes, size_t capacity, size_t *count) {
    note("plan(%.60s, %.60s, %d, %.17g, %.17g, capacity %zu)", from ? from : "NULL", to ? to : "NULL", mode,
         departure, deadline, capacity);
    return bridgecast_plan(handle, from, to, mode, departure, deadline, routes, capacity, count);
}

int32_t plan_nothing(bridgecast *handle, const char *from, const char *to, int32_t mode) {
    size_t count = 0;
    return plan(handle, from, to, mode, NOW, 0, NULL, 0, &count);
}

int32_t plan_into(bridgecast *handle, const char *from, const char *to, int32_t mode, double now,
                  struct answer *answer) {
    answer->routes[0].size = sizeof answer->routes[0];
    return plan(handle, from, to, mode, now, 0, answer->routes, MAX_ROUTES, &answer->count);
}

const char *model_path, *text_path;
double seconds;
uint64_t seed;

static void check_all(void) {
    check_arguments();
    check_times();
    check_what_is_known();
    check_structs();
    check_names();
    check_batches();
    check_rows();
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

/* Runs each contract in a process of its own, so that a crash in one is told like any other failure, and
 * counts over all of them. */
#include "check.h"

#include <stdarg.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_FAILURES_SHOWN = 20 };

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
    if (atomic_fetch_add(&failures_here, 1) >= MOST_FAILURES_SHOWN) return false;
    char text[600];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    printf("c_interface: FAILED: %s: %s\n", contract, text);
    return false;
}

/* Counts a call and remembers it, so that a crash can be told. */
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
    long more = failures_here - MOST_FAILURES_SHOWN;
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

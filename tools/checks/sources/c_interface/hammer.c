/* Many threads at once, some on one handle, some on their own: each gets the answers that it gets alone. */
#include "check.h"
#include "values.h"

#include <pthread.h>
#include <unistd.h>

enum { THREADS = SHARING_THREADS + LONE_THREADS, STATES = 3, CALLS_A_ROUND = 4 };

/* A thread that asks the same again and again, and knows what the answer is for each state of its bridge. */
struct worker {
    pthread_t thread;
    bridgecast *handle;
    bool is_alone;
    double now;
    int32_t bridge, mode;
    const char *from, *to;
    struct answer answers[STATES];
    long rounds, failed_calls, wrong_forecasts, wrong_plans;
};

static struct worker workers[THREADS];
static atomic_bool is_over;

static bool same_plan(const struct answer *one, const struct answer *other) {
    if (one->count != other->count) return false;
    for (size_t index = 0; index < one->count && index < MAX_ROUTES; index++)
        if (!same_route(&one->routes[index], &other->routes[index])) return false;
    return true;
}

/* Asks once; how many calls failed. */
static int ask(struct worker *worker, bridgecast *handle, int32_t state, struct answer *answer) {
    double since = state == BRIDGECAST_RAISED ? worker->now - 60 : 0;
    answer->delay.size = sizeof answer->delay;
    int failed = set_time(handle, worker->now) != BRIDGECAST_OK;
    failed += set_state(handle, worker->bridge, state, since) != BRIDGECAST_OK;
    failed += forecast(handle, worker->bridge, worker->now + 120, -1, &answer->delay) != BRIDGECAST_OK;
    failed += plan_into(handle, worker->from, worker->to, worker->mode, worker->now, answer) != BRIDGECAST_OK;
    return failed;
}

/* Threads that share a handle may see another one's state; those with their own see only theirs. */
static void compare(struct worker *worker, int32_t state, const struct answer *answer) {
    bool is_forecast = false, is_plan = false;
    for (int32_t other = 0; other < STATES; other++) {
        if (worker->is_alone && other != state) continue;
        is_forecast |= same_delay(&answer->delay, &worker->answers[other].delay);
        is_plan |= same_plan(answer, &worker->answers[other]);
    }
    worker->wrong_forecasts += !is_forecast;
    worker->wrong_plans += !is_plan;
}

static void *work(void *argument) {
    struct worker *worker = argument;
    is_one_of_many = true;
    do {
        struct answer answer = {0};
        int32_t state = (int32_t)(worker->rounds % STATES);
        int failed = ask(worker, worker->handle, state, &answer);
        worker->failed_calls += failed;
        if (!failed) compare(worker, state, &answer);
        worker->rounds++;
    } while (!atomic_load(&is_over));
    return NULL;
}

static void assign(struct worker *worker, int index, bridgecast *shared) {
    static const char *const trips[][2] = {
        {"Ballard", "Downtown"}, {"Fremont", "Capitol Hill"}, {"University District", "Montlake"},
        {"West Seattle", "Georgetown"},
    };
    worker->is_alone = index >= SHARING_THREADS;
    worker->handle = worker->is_alone ? opened() : shared;
    worker->now = worker->is_alone ? NOW + 3600 * index : NOW;
    worker->bridge = worker->is_alone ? bridges[(size_t)index % COUNT(bridges)] : BALLARD;
    worker->mode = index % 3;
    worker->from = trips[(size_t)index % COUNT(trips)][0];
    worker->to = trips[(size_t)index % COUNT(trips)][1];
}

static void find_right_answers(struct worker *worker, int index) {
    bridgecast *handle = opened();
    for (int32_t state = 0; state < STATES; state++) {
        int failed = ask(worker, handle, state, &worker->answers[state]);
        expect(!failed, "thread %d, state %d: %d calls failed before it began", index, state, failed);
    }
    bool is_same = same_delay(&worker->answers[BRIDGECAST_LOWERED].delay,
                              &worker->answers[BRIDGECAST_RAISED].delay);
    expect(!is_same, "thread %d: raised is as lowered", index);
    bridgecast_close(handle);
}

static void expect_right(const struct worker *worker, int index) {
    const char *kind = worker->is_alone ? "a handle of its own" : "the shared handle";
    expect(!worker->failed_calls, "thread %d, %s: %ld calls failed", index, kind, worker->failed_calls);
    expect(!worker->wrong_forecasts, "thread %d, %s: %ld of %ld forecasts are wrong", index, kind,
           worker->wrong_forecasts, worker->rounds);
    expect(!worker->wrong_plans, "thread %d, %s: %ld of %ld plans are wrong", index, kind,
           worker->wrong_plans, worker->rounds);
}

/* How many rounds they made. */
static long run_workers(void) {
    long rounds = 0;
    for (int index = 0; index < THREADS; index++)
        if (pthread_create(&workers[index].thread, NULL, work, &workers[index])) abort();
    usleep((useconds_t)(seconds * 1e6));
    atomic_store(&is_over, true);
    for (int index = 0; index < THREADS; index++) {
        pthread_join(workers[index].thread, NULL);
        rounds += workers[index].rounds;
    }
    return rounds;
}

static void many_threads(void) {
    bridgecast *shared = opened();
    for (int index = 0; index < THREADS; index++) {
        assign(&workers[index], index, shared);
        find_right_answers(&workers[index], index);
    }
    snprintf(tally->last_call, sizeof tally->last_call, "any of %d threads", THREADS);
    double start = monotonic_seconds();
    long rounds = run_workers();
    tally->hammer_rate = (long)(CALLS_A_ROUND * (double)rounds / (monotonic_seconds() - start));
    for (int index = 0; index < THREADS; index++) {
        expect_right(&workers[index], index);
        if (workers[index].is_alone) bridgecast_close(workers[index].handle);
    }
    bridgecast_close(shared);
}

void check_many_threads(void) { run_apart("many threads", many_threads); }

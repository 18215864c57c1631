/* Contracts of what the library knows: states and openings change forecasts until set_time forgets them. */
#include "check.h"

enum { MONTLAKE = 4, UNIVERSITY = 21 };

static void set_time_forgets(void) {
    bridgecast *handle = opened_now();
    bridgecast_delay fresh = delay_at(handle, BALLARD, NOW + 120, -1);
    expect_code(set_state(handle, BALLARD, BRIDGECAST_RAISED, NOW - 60), BRIDGECAST_OK, "set_state");
    bridgecast_delay raised = delay_at(handle, BALLARD, NOW + 120, -1);
    expect(raised.probability_delayed > fresh.probability_delayed, "a raised bridge delays no more than any");
    expect_code(set_time(handle, NOW), BRIDGECAST_OK, "set_time");
    bridgecast_delay again = delay_at(handle, BALLARD, NOW + 120, -1);
    expect(same_delay(&fresh, &again), "set_time has not forgotten a state");
    bridgecast_close(handle);
}

static bool are_apart(bridgecast *one, bridgecast *other, int32_t bridge, double arrival) {
    bridgecast_delay of_one = delay_at(one, bridge, arrival, -1);
    bridgecast_delay of_other = delay_at(other, bridge, arrival, -1);
    return !same_delay(&of_one, &of_other);
}

/* Of a bridge whose state nobody has told, an opening is known all the same. */
static void opening_without_a_state(void) {
    bridgecast *told = opened_now(), *untold = opened_now();
    int32_t code = add_opening(told, UNIVERSITY, NOW - 900, NOW - 600, NOW - 3 * 3600);
    expect_code(code, BRIDGECAST_OK, "add_opening");
    bool is_changed = false;
    for (int minutes = 5; minutes <= 15; minutes += 5) {
        is_changed |= are_apart(told, untold, UNIVERSITY, NOW + 60 * minutes);
        is_changed |= are_apart(told, untold, MONTLAKE, NOW + 60 * minutes);
    }
    expect(is_changed, "an opening of University, 15 minutes ago, changes no forecast there nor at Montlake");
    bridgecast_close(told);
    bridgecast_close(untold);
}

void check_what_is_known(void) {
    run_apart("set_time forgets", set_time_forgets);
    run_apart("an opening without a state", opening_without_a_state);
}

// What the page's tests in node share: a time that tests move, and boards made for a time.

/** Lets promises that can go on do so. */
export async function settled() {
    for (let n = 0; n < 12; n += 1) await Promise.resolve();
}

/**
 * Replaces globals until the test ends.
 * @param {any} t the test @param {Record<string, unknown>} fakes
 */
export function replaceGlobals(t, fakes) {
    for (const [name, value] of Object.entries(fakes)) {
        const before = Object.getOwnPropertyDescriptor(globalThis, name);
        Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
        t.after(() => before ? Object.defineProperty(globalThis, name, before) : delete globalThis[name]);
    }
}

/** Time that passes only when a test says so. */
export function createTimeline() {
    let now = 0;
    let count = 0;
    /** @type {{ at: number, number: number, call: () => void }[]} */
    let timers = [];
    return {
        elapsed: () => now,
        wait(call, milliseconds) {
            count += 1;
            timers.push({ at: now + Math.max(0, milliseconds || 0), number: count, call });
            return count;
        },
        cancel(number) { timers = timers.filter((timer) => timer.number !== number); },
        get waiting() { return timers.length; },
        async run(milliseconds) {
            const end = now + milliseconds;
            await settled();
            for (;;) {
                timers.sort((one, other) => one.at - other.at || one.number - other.number);
                if (timers.length === 0 || timers[0].at > end) break;
                const [timer] = timers.splice(0, 1);
                now = Math.max(now, timer.at);
                timer.call();
                await settled();
            }
            now = end;
        },
    };
}

/**
 * A board as the service makes it.
 * @param {string} time when it was made @param {Record<number, boolean>} isRaised by the bridge's number
 */
export function boardAt(time, isRaised) {
    return {
        generated_at: time, issue_time: time, valid_at: time, model: "bridgecast", weight_format: "int8",
        sources: [{ id: "records", fetched_at: time, age_s: 0, stale: false, error: null }], warnings: [],
        bridges: [2, 3].map((number) => ({
            bridge: number === 2 ? "Ballard" : "Fremont", bridge_id: number, waterway: "Lake Washington Ship Canal",
            latitude: 47.66, longitude: -122.37, has_live_sensor: true, state: isRaised[number] ? "raised" : "lowered",
            since: null, state_age_s: null, probability_stopped: 0.02, climatology_probability_stopped: 0.04, expected_delay_s: 3,
            expected_delay_if_stopped_s: 200, delay_quantiles_s: Array(20).fill(0), confidence: "HIGH",
            clearance_ft: 44, rules: [], reasons: [], outlook: [],
        })),
    };
}

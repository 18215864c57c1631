// Which moment of the past the address names: hears of another one, writes the one that is shown. Used by replay.js.
import { seattleClock, seattleDate } from "../model/seattle.js";

// Browsers allow an address to be changed a few times a second only.
const pauseMilliseconds = 400;

/**
 * @param {object} parts
 * @param {{ readonly state: import("../core/types").State,
 *     subscribe: (listener: () => void) => () => void }} parts.store
 * @param {import("../core/clock.js").Clock} parts.clock
 * @param {{ change: (changes: Record<string, string | null>, how?: { isReplaced?: boolean }) => void }} parts.router
 * @param {(call: () => void, milliseconds: number) => any} parts.wait
 * @param {(value: string) => boolean} parts.begin shows a moment; false if there is no such moment
 * @param {() => void} parts.leave back to the present
 */
export function createPlayedAddress({ store, clock, router, wait, begin, leave }) {
    /** @type {string | null} the value that is shown */
    let followed = null;
    let round = 0;

    function follow() {
        const value = store.state.address.values.replay ?? null;
        // Which days are over is known when the service has told its time.
        if (value === followed || (value !== null && !clock.isSet)) return;
        followed = value;
        if (value === null) leave();
        else if (!begin(value)) (clock.isPlayed ? write : clear)();
    }

    function write(isReplaced = true) {
        round += 1;
        followed = `${seattleDate(clock.now())}T${seattleClock(clock.now())}`;
        router.change({ replay: followed }, { isReplaced });
    }

    function clear(isReplaced = true) {
        round += 1;
        followed = null;
        router.change({ replay: null }, { isReplaced });
    }

    return {
        start() {
            store.subscribe(follow);
            clock.subscribe(follow);
            follow();
        },
        /** Writes the clock's moment; not replaced where the way back is to lead to what was shown before. */
        write,
        /** The same when no more is written for a moment. */
        writeSoon() {
            const own = ++round;
            wait(() => { if (own === round) write(); }, pauseMilliseconds);
        },
        clear,
    };
}

// Which moment of the past the address names: hears of another one, writes the one that is shown. Used by replay.js.
import { seattleClock, seattleDate, seattleMoment } from "../model/seattle.js";

// Browsers allow an address to be changed a few times a second only.
const pauseMilliseconds = 400;
// A page that is loaded again while a day is played goes on about where it was.
const keptMilliseconds = 5000;

const minuteOf = (/** @type {number} */ moment) => Math.floor(moment / 60_000);

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
    let keptRound = 0;

    function follow() {
        const value = store.state.address.values.replay ?? null;
        // Which days are over is known when the service has told its time.
        if (value === followed || (value !== null && !clock.isSet)) return;
        followed = value;
        if (value === null) leave();
        else if (!begin(value)) {
            // While nothing is played it stays, beside the reason: the visitor takes it out.
            if (clock.isPlayed) write();
        } else if (minuteOf(seattleMoment(value) ?? NaN) !== minuteOf(clock.now())) write();
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
        /**
         * The same now and then, for as long as something holds.
         * @param {() => boolean} holds
         */
        keepWriting(holds) {
            const own = ++keptRound;
            wait(() => {
                if (own !== keptRound || !holds()) return;
                write();
                this.keepWriting(holds);
            }, keptMilliseconds);
        },
        clear,
    };
}

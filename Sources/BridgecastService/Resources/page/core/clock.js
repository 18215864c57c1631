// The one clock: the service's time, or that of a day that is played. Everything that shows or asks a time uses it.
import { createElapsed } from "./elapsed.js";

/** @typedef {ReturnType<typeof createClock>} Clock */

const passing = createElapsed();

/** @param {() => number} [elapsed] milliseconds since some moment, never going back */
export function createClock(elapsed = () => passing.read()) {
    // Each time line is a moment at an elapsed time, and a rate.
    let service = { at: Date.now(), from: elapsed(), rate: 1 };
    /** @type {typeof service | null} */
    let played = null;
    let heard = false;
    // A service that plays records stands at their end.
    let end = Infinity;
    /** What the service said last, and when. */
    let told = { at: service.at, from: service.from };
    /** @type {Set<() => void>} */
    const listeners = new Set();
    const read = (/** @type {typeof service} */ line) => line.at + (elapsed() - line.from) * line.rate;
    const readService = () => Math.min(end, read(service));
    const tell = () => { for (const listener of [...listeners]) listener(); };

    return {
        /** Milliseconds since 1970 of the moment that is shown. */
        now: () => (played ? read(played) : readService()),
        /** The service's own time, whatever is played. */
        serviceNow: readService,
        /** Seconds of the clock in a second. */
        get rate() { return (played ?? service).rate; },
        get serviceRate() { return service.rate; },
        /** Whether a past day is shown. */
        get isPlayed() { return played !== null; },
        /** Whether the service has told its time yet: until then it is that of the visitor's machine. */
        get isSet() { return heard; },
        /** Milliseconds that the visitor's machine has slept: what is shown may be that much older. */
        get sleptMilliseconds() { return passing.slept; },

        /**
         * The service has said what time it is. Small differences are those of the way here, and of whole seconds.
         * @param {number} milliseconds @param {number} [rate]
         */
        heardService(milliseconds, rate = service.rate) {
            if (!Number.isFinite(milliseconds)) return;
            const drift = Math.abs(readService() - Math.min(end, milliseconds));
            told = { at: milliseconds, from: elapsed() };
            if (heard && rate === service.rate && drift < 1000 + 500 * rate) return;
            heard = true;
            service = { at: milliseconds, from: elapsed(), rate };
            tell();
        },
        /**
         * The service has said how fast its clock runs, with the time that it said last.
         * @param {number} rate
         */
        heardRate(rate) {
            if (rate === service.rate) return;
            service = { ...told, rate };
            tell();
        },
        /**
         * The service has said where its clock stops.
         * @param {number} milliseconds Infinity if nowhere
         */
        heardEnd(milliseconds) {
            if (milliseconds === end) return;
            end = milliseconds;
            tell();
        },
        /**
         * There is an answer of earlier only: until the service is heard its time is reckoned from that.
         * @param {number} milliseconds the service's time then
         * @param {number} keptAt the time of the visitor's machine then
         */
        heardKept(milliseconds, keptAt) {
            if (heard || !Number.isFinite(milliseconds) || !Number.isFinite(keptAt)) return;
            service = { at: milliseconds + Math.max(0, Date.now() - keptAt), from: elapsed(), rate: 1 };
            tell();
        },
        /**
         * Shows another moment; a rate of 0 stands still.
         * @param {number} milliseconds @param {number} rate
         */
        play(milliseconds, rate) {
            played = { at: milliseconds, from: elapsed(), rate };
            tell();
        },
        /** Back to the service's time. */
        leavePlay() {
            played = null;
            tell();
        },
        /**
         * Hears of jumps and of other rates.
         * @param {() => void} listener @returns {() => void}
         */
        subscribe(listener) {
            listeners.add(listener);
            return () => listeners.delete(listener);
        },
    };
}

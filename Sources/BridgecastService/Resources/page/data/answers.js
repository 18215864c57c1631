// Answers to what single views ask: kept by path, asked again as the board changes, the last good one beside a trouble.
import { NoAnswer, trouble } from "./api.js";
import { seattleText } from "../model/seattle.js";

/** @typedef {"board" | "once"} Following how often: with every new board, or only once */
/**
 * @template T
 * @typedef {object} Answer
 * @property {T | null} value the last good answer
 * @property {import("../core/types").Trouble | null} trouble why there is none, or no newer one
 * @property {boolean} isLoading
 */

const mostKept = 60;
// A board may change every second in a replay; a search of ways each time would be waste.
const leastPauseMilliseconds = 2_000;
// The clock is put right by a little now and then; that is no earlier time.
const clockSlackMilliseconds = 60_000;

/**
 * @param {ReturnType<typeof import("./api.js").createAPI>} api
 * @param {{ readonly state: import("../core/types").State, subscribe: (listener: () => void) => () => void }} store
 * @param {import("../core/clock.js").Clock} clock
 */
export function createAnswers(api, store, clock) {
    /** @typedef {{ value: any, trouble: import("../core/types").Trouble | null, isLoading: boolean, askedFor: unknown,
     *    askedAt: number, listeners: Set<() => void>, following: Following, timer: any, failures: number, finalAt: number | null }} Kept */
    /** @type {Map<string, Kept>} */
    const all = new Map();
    /** @type {Answer<any>} */
    const none = { value: null, trouble: null, isLoading: false };
    const loading = { value: null, trouble: null, isLoading: true };

    /** @param {string} path @param {Kept} kept */
    async function ask(path, kept) {
        clearTimeout(kept.timer);
        kept.timer = undefined;
        if (kept.isLoading) return;
        const board = store.state.board;
        kept.isLoading = true;
        kept.askedFor = board;
        kept.askedAt = performance.now();
        try {
            kept.value = await api.get(kept.following === "board" ? atShownTime(path) : path);
            kept.trouble = null;
            kept.finalAt = null;
            kept.failures = 0;
        } catch (error) {
            kept.trouble = error instanceof NoAnswer ? error.trouble : trouble("not_json");
            kept.failures += 1;
            // What the visitor has to mend is not asked again.
            const status = kept.trouble.status ?? 0;
            const isFinal = status >= 400 && status < 500 && status !== 429 && status !== 408;
            kept.finalAt = isFinal ? clock.now() : null;
            if (!isFinal) {
                const seconds = kept.trouble.retryAfterSeconds ?? Math.min(60, 2 ** kept.failures);
                kept.timer = setTimeout(() => { if (kept.listeners.size > 0) ask(path, kept); }, Math.max(1, seconds) * 1000);
            }
        }
        kept.isLoading = false;
        for (const listener of [...kept.listeners]) listener();
        if (kept.trouble === null) refresh(path, kept);
    }

    /**
     * The question as of the moment that is shown, while a past day is.
     * @param {string} path
     */
    function atShownTime(path) {
        if (!clock.isPlayed) return path;
        // The board of that minute has been made already.
        const minute = Math.floor(clock.now() / 60_000) * 60_000;
        return `${path}${path.includes("?") ? "&" : "?"}issue_time=${encodeURIComponent(seattleText(minute))}`;
    }

    /** @param {string} path @param {Kept} kept */
    function refresh(path, kept) {
        if (kept.following !== "board" || kept.listeners.size === 0 || kept.timer !== undefined || document.hidden) return;
        if (kept.isLoading || kept.askedFor === store.state.board) return;
        // A refusal holds until an earlier time is shown: a deadline can be met again then.
        if (kept.finalAt !== null && clock.now() > kept.finalAt - clockSlackMilliseconds) return;
        const pause = Math.max(0, leastPauseMilliseconds - (performance.now() - kept.askedAt));
        kept.timer = setTimeout(() => ask(path, kept), pause);
    }

    store.subscribe(() => { for (const [path, kept] of all) refresh(path, kept); });

    return {
        none,
        /** @param {string} path @returns {Answer<any>} */
        read: (path) => all.get(path) ?? loading,
        /**
         * @param {string} path @param {Following} following @param {() => void} listener
         * @returns {() => void} ends it
         */
        follow(path, following, listener) {
            let kept = all.get(path);
            if (!kept) {
                kept = {
                    value: null, trouble: null, isLoading: false, askedFor: null, askedAt: -Infinity,
                    listeners: new Set(), following, timer: undefined, failures: 0,
                    finalAt: null,
                };
                all.set(path, kept);
                const idle = [...all].find(([, other]) => other.listeners.size === 0 && other !== kept);
                if (all.size > mostKept && idle) all.delete(idle[0]);
            }
            const own = kept;
            own.listeners.add(listener);
            if (own.value === null || (following === "board" && own.askedFor !== store.state.board)) ask(path, own);
            return () => { own.listeners.delete(listener); };
        },
        /**
         * Asks again at once, because the visitor wants it.
         * @param {string} path
         */
        retry(path) {
            const kept = all.get(path);
            if (kept) ask(path, kept);
        },
    };
}

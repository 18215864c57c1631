// Answers to what single views ask: kept by path, asked again as the board changes, the last good one beside a trouble.
import { isFinal, troubleOf } from "./api.js";
import { seattleText } from "../model/seattle.js";

/** @typedef {"board" | "once"} Following how often: with every new board, or only once */
/**
 * @template T
 * @typedef {object} Answer
 * @property {T | null} value the last good answer
 * @property {import("../core/types").Trouble | null} trouble why there is none, or no newer one
 * @property {boolean} isLoading
 */
/**
 * @typedef {object} Kept
 * @property {any} value
 * @property {import("../core/types").Trouble | null} trouble
 * @property {boolean} isLoading
 * @property {Following} following
 * @property {Set<() => void>} listeners
 * @property {unknown} askedFor the board of the last question
 * @property {number} askedAt
 * @property {{ at: number, isPlayed: boolean } | null} valueMoment the one that the value is about
 * @property {number} failures one after another
 * @property {number | null} finalAt when it was refused, by the clock
 * @property {ReturnType<typeof setTimeout> | undefined} timer
 */

const mostKept = 60;
// A board may change every second in a replay; a search of ways each time would be waste.
const leastPauseMilliseconds = 2_000;
// The clock is put right by a little now and then; that is no earlier time.
const clockSlackMilliseconds = 60_000;
const mostPauseSeconds = 60;
// What failed together is not asked again together: a service that has too much to do would refuse all of it again.
const betweenRetriesMilliseconds = 700;

/**
 * @param {ReturnType<typeof import("./api.js").createAPI>} api
 * @param {{ readonly state: import("../core/types").State, subscribe: (listener: () => void) => () => void }} store
 * @param {import("../core/clock.js").Clock} clock
 */
export function createAnswers(api, store, clock) {
    /** @type {Map<string, Kept>} */
    const all = new Map();
    /** @type {Answer<any>} */
    const none = { value: null, trouble: null, isLoading: false };
    const loading = { value: null, trouble: null, isLoading: true };
    let lastRetryAt = -Infinity;

    /** @param {string} path @param {Kept} kept */
    async function ask(path, kept) {
        clearTimeout(kept.timer);
        kept.timer = undefined;
        if (kept.isLoading) return;
        const moment = { at: clock.now(), isPlayed: clock.isPlayed };
        Object.assign(kept, { isLoading: true, askedFor: store.state.board, askedAt: performance.now() });
        try {
            const value = await api.get(kept.following === "board" ? atShownTime(path) : path);
            Object.assign(kept, { value, valueMoment: moment, trouble: null, finalAt: null, failures: 0 });
        } catch (error) {
            fail(path, kept, troubleOf(error));
        }
        kept.isLoading = false;
        for (const listener of [...kept.listeners]) listener();
        if (kept.trouble === null) refresh(path, kept);
    }

    /** @param {string} path @param {Kept} kept @param {import("../core/types").Trouble} trouble */
    function fail(path, kept, trouble) {
        kept.trouble = trouble;
        kept.failures += 1;
        kept.finalAt = isFinal(trouble) ? clock.now() : null;
        if (kept.finalAt !== null) return;
        const seconds = Math.max(1, trouble.retryAfterSeconds ?? Math.min(mostPauseSeconds, 2 ** kept.failures));
        lastRetryAt = Math.max(performance.now() + seconds * 1000, lastRetryAt + betweenRetriesMilliseconds);
        kept.timer = setTimeout(() => {
            kept.timer = undefined;
            if (isWanted(kept)) ask(path, kept);
        }, lastRetryAt - performance.now());
    }

    /**
     * Nobody sees what a hidden page asks.
     * @param {Kept} kept
     */
    const isWanted = (kept) => kept.listeners.size > 0 && !document.hidden;

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
        if (!isWanted(kept) || kept.timer !== undefined || kept.isLoading) return;
        // A refusal holds until an earlier time is shown: a deadline can be met again then.
        if (kept.finalAt !== null && clock.now() > kept.finalAt - clockSlackMilliseconds) return;
        const isBehind = kept.following === "board" && kept.askedFor !== store.state.board;
        if (!isBehind && (kept.trouble === null || kept.finalAt !== null)) return;
        const pause = Math.max(0, leastPauseMilliseconds - (performance.now() - kept.askedAt));
        kept.timer = setTimeout(() => ask(path, kept), pause);
    }

    /**
     * Whether the value may be shown: what was known later, or in another time, is not passed off as of now.
     * @param {Kept} kept
     */
    function isOfNow({ following, valueMoment }) {
        if (following === "once" || valueMoment === null) return true;
        return valueMoment.isPlayed === clock.isPlayed && valueMoment.at <= clock.now() + clockSlackMilliseconds;
    }

    const refreshAll = () => { for (const [path, kept] of all) refresh(path, kept); };
    store.subscribe(refreshAll);
    // What was not asked while nobody looked is asked then.
    document.addEventListener("visibilitychange", refreshAll);

    return {
        none,
        /** @param {string} path @returns {Answer<any>} */
        read(path) {
            const kept = all.get(path);
            if (!kept) return loading;
            if (isOfNow(kept)) return kept;
            return kept.trouble ? { ...none, trouble: kept.trouble } : loading;
        },
        /**
         * @param {string} path @param {Following} following @param {() => void} listener
         * @returns {() => void} ends it
         */
        follow(path, following, listener) {
            const kept = all.get(path) ?? begin(path, following);
            kept.listeners.add(listener);
            const isDue = kept.value === null || (following === "board" && kept.askedFor !== store.state.board);
            // One that waits for its next try waits on, whoever comes.
            if (isDue && (kept.timer === undefined || kept.trouble === null)) ask(path, kept);
            return () => { kept.listeners.delete(listener); };
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

    /** @param {string} path @param {Following} following @returns {Kept} */
    function begin(path, following) {
        /** @type {Kept} */
        const kept = {
            value: null, trouble: null, isLoading: false, following, listeners: new Set(), askedFor: null,
            askedAt: -Infinity, valueMoment: null, failures: 0, finalAt: null, timer: undefined,
        };
        all.set(path, kept);
        const idle = [...all].find(([, other]) => other.listeners.size === 0 && other !== kept);
        if (all.size > mostKept && idle) all.delete(idle[0]);
        return kept;
    }
}

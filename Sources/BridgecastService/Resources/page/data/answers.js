// Answers to the questions of single views: kept by path, asked for again as the board changes. The last good value
// stays next to the reason why there is no newer one.
import { seattleText } from "../model/time.js";
import { troubleOf } from "./api.js";
import { recoveryFrom } from "./recovery.js";

/** @typedef {"board" | "minute" | "once"} Following with every new board, once a minute, or only once */
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
 * @property {number} askedTime the same by the clock that is shown
 * @property {{ at: number, isPlayed: boolean } | null} valueTime the time that the value is about
 * @property {number} failures one after another
 * @property {number | null} finalAt when it was refused, by the clock
 * @property {ReturnType<typeof setTimeout> | undefined} timer
 */

const maxKept = 60;
// A board may change every second in a replay; a search of ways each time would be waste.
const minPauseMilliseconds = 2_000;
// Thousands of open pages get a new board in the same moment: their questions are spread, by less where a bridge has moved.
const spreadMilliseconds = 3_000;
const calmSpreadMilliseconds = 15_000;
// A page that opens gets the same board twice, from its first question and as the stream's first event.
const sameBoardMilliseconds = 10_000;
// The clock is put right by a little now and then; that is no earlier time.
const clockSlackMilliseconds = 60_000;
const maxRestSeconds = 600;
// What failed together is not asked for again together: a service with too much to do would refuse all of it again.
const betweenRetriesMilliseconds = 700;

const loading = { value: null, trouble: null, isLoading: true };

/** @param {Following} following @returns {Kept} */
const unasked = (following) => ({
    value: null, trouble: null, isLoading: false, following, listeners: new Set(), askedFor: null,
    askedAt: -Infinity, askedTime: -Infinity, valueTime: null, failures: 0, finalAt: null, timer: undefined,
});

/**
 * A hidden page does not need answers.
 * @param {Kept} kept
 */
const isWanted = (kept) => kept.listeners.size > 0 && !document.hidden;

/** @param {any} board @returns {string} the states of its bridges */
const states = (board) => (board?.bridges ?? []).map((/** @type {any} */ bridge) => bridge.state).join();

export class Answers {
    #api;
    #store;
    #clock;
    /** @type {Map<string, Kept>} */
    #all = new Map();
    #lastRetryAt = -Infinity;

    /** @type {Answer<any>} */
    none = { value: null, trouble: null, isLoading: false };

    /**
     * @param {{ get: (path: string) => Promise<any> }} api
     * @param {{ readonly state: import("../core/types").State, subscribe: (listener: () => void) => () => void }} store
     * @param {import("../core/clock.js").Clock} clock
     * @param {() => number} [random] from 0 to 1
     */
    constructor(api, store, clock, random = Math.random) {
        this.#api = api;
        this.#store = store;
        this.#clock = clock;
        const refreshAll = (share = 0) => {
            for (const [path, kept] of this.#all) this.#refresh(path, kept, share);
        };
        store.subscribe(() => refreshAll(clock.isPlayed ? 0 : random()));
        // What was not asked for in a hidden page is asked for when it is seen.
        document.addEventListener("visibilitychange", () => refreshAll());
    }

    /** @param {string} path @returns {Answer<any>} */
    read(path) {
        const kept = this.#all.get(path);
        if (!kept) return loading;
        if (this.#isOfNow(kept)) return kept;
        return kept.trouble ? { ...this.none, trouble: kept.trouble } : loading;
    }

    /**
     * @param {string} path @param {Following} following @param {() => void} listener
     * @returns {() => void} ends it
     */
    follow(path, following, listener) {
        const kept = this.#all.get(path) ?? this.#begin(path, following);
        kept.listeners.add(listener);
        const isDue = kept.value === null || this.#isOutdated(kept);
        // One that waits for its next try goes on waiting, even if another listener comes.
        if (isDue && (kept.timer === undefined || kept.trouble === null)) this.#ask(path, kept);
        return () => { kept.listeners.delete(listener); };
    }

    /**
     * Asks again at once, because the visitor wants it.
     * @param {string} path
     */
    retry(path) {
        const kept = this.#all.get(path);
        if (kept) this.#ask(path, kept);
    }

    /** @param {string} path @param {Following} following @returns {Kept} */
    #begin(path, following) {
        const kept = unasked(following);
        this.#all.set(path, kept);
        const idle = [...this.#all].find(([, other]) => other.listeners.size === 0 && other !== kept);
        if (this.#all.size > maxKept && idle) this.#all.delete(idle[0]);
        return kept;
    }

    /** @param {string} path @param {Kept} kept */
    async #ask(path, kept) {
        clearTimeout(kept.timer);
        kept.timer = undefined;
        if (kept.isLoading) return;
        const valueTime = this.#shownTime;
        Object.assign(kept, { isLoading: true, askedFor: this.#store.state.board, askedAt: performance.now(),
            askedTime: valueTime.at });
        try {
            const value = await this.#api.get(kept.following === "once" ? path : this.#atShownTime(path));
            Object.assign(kept, { value, valueTime, trouble: null, finalAt: null, failures: 0 });
        } catch (error) {
            this.#fail(path, kept, troubleOf(error));
        }
        kept.isLoading = false;
        for (const listener of [...kept.listeners]) listener();
        if (kept.trouble === null) this.#refresh(path, kept);
    }

    /** @param {string} path @param {Kept} kept @param {import("../core/types").Trouble} trouble */
    #fail(path, kept, trouble) {
        kept.trouble = trouble;
        kept.failures += 1;
        const recovery = recoveryFrom(trouble, kept.failures, { maxRestSeconds });
        kept.finalAt = recovery.result === "userActionRequired" ? this.#clock.now() : null;
        if (recovery.result === "userActionRequired") return;
        this.#lastRetryAt = Math.max(performance.now() + recovery.seconds * 1000,
            this.#lastRetryAt + betweenRetriesMilliseconds);
        kept.timer = setTimeout(() => {
            kept.timer = undefined;
            if (isWanted(kept)) this.#ask(path, kept);
        }, this.#lastRetryAt - performance.now());
    }

    /** @param {string} path @param {Kept} kept @param {number} [share] of the time over which pages are spread */
    #refresh(path, kept, share = 0) {
        if (!isWanted(kept) || kept.timer !== undefined || kept.isLoading) return;
        // A refusal holds until an earlier time is shown: a deadline can be met again then.
        if (kept.finalAt !== null && this.#clock.now() > kept.finalAt - clockSlackMilliseconds) return;
        if (!this.#isOutdated(kept) && (kept.trouble === null || kept.finalAt !== null)) return;
        const hasMoved = states(kept.askedFor) !== states(this.#store.state.board);
        const spread = share * (hasMoved ? spreadMilliseconds : calmSpreadMilliseconds);
        const pause = spread + Math.max(0, minPauseMilliseconds - (performance.now() - kept.askedAt));
        kept.timer = setTimeout(() => this.#ask(path, kept), pause);
    }

    /**
     * Whether there is a board that it was not asked for, and its pause is over.
     * @param {Kept} kept
     */
    #isOutdated(kept) {
        const { board } = this.#store.state;
        if (kept.following === "once" || kept.askedFor === board) return false;
        const isSame = typeof board?.issue_time === "string" && kept.value?.issue_time === board.issue_time
            && kept.valueTime?.isPlayed === this.#clock.isPlayed;
        if (isSame && performance.now() - kept.askedAt < sameBoardMilliseconds) {
            // The clock may have been set since then.
            const valueTime = this.#shownTime;
            Object.assign(kept, { askedFor: board, askedTime: valueTime.at, valueTime });
            return false;
        }
        return kept.following === "board" || Math.abs(this.#clock.now() - kept.askedTime) >= 60_000;
    }

    get #shownTime() {
        return { at: this.#clock.now(), isPlayed: this.#clock.isPlayed };
    }

    /**
     * The question as of the time that is shown, while a past day is.
     * @param {string} path
     */
    #atShownTime(path) {
        if (!this.#clock.isPlayed) return path;
        // The board of that minute has been made already.
        const minute = Math.floor(this.#clock.now() / 60_000) * 60_000;
        return `${path}${path.includes("?") ? "&" : "?"}issue_time=${encodeURIComponent(seattleText(minute))}`;
    }

    /**
     * Whether the value may be shown: what was known later, or about another time, is not shown as of now.
     * @param {Kept} kept
     */
    #isOfNow({ following, valueTime }) {
        if (following === "once" || valueTime === null) return true;
        return valueTime.isPlayed === this.#clock.isPlayed
            && valueTime.at <= this.#clock.now() + clockSlackMilliseconds;
    }
}

// Keeps boards and runs up to date: asks every half a minute, sooner where an answer ends or a feed has something new,
// rarely in a hidden page. What fails keeps the last answer, with its age.
import { NoAnswer, isFinal, trouble, troubleOf, unreached } from "./api.js";

/** @typedef {import("../core/types").Trouble} Trouble */
/**
 * @template T
 * @typedef {object} Known
 * @property {T | null} value the last good answer
 * @property {Trouble | null} trouble why there is none, or no newer one
 */
/** @typedef {(document: any) => { at: number, validUntil?: number | null } | null} Read */
/**
 * @typedef {object} Followed
 * @property {Read} read
 * @property {Known<any>} known
 * @property {Set<() => void>} listeners
 * @property {any} timer
 * @property {boolean} isAsking
 * @property {number} askedAt
 * @property {number} failures one after another
 */

const pollMilliseconds = 30_000;
const hiddenPollMilliseconds = 60_000;
// A clock that is played fast needs answers sooner, but not without end.
const minPollMilliseconds = 3_000;
const minPauseMilliseconds = 5_000;
const maxPauseMilliseconds = 60_000;
// Many pages show the same stop: they do not ask in the same moment.
const spreadMilliseconds = 2_000;
const maxKept = 12;

/** @type {Known<any>} */
const unknown = { value: null, trouble: null };

export class TransitFeed {
    #api;
    #clock;
    /** @type {Map<string, Followed>} */
    #all = new Map();

    /**
     * @param {{ api: { getOrKept: (path: string) => Promise<import("./api.js").Answer> },
     *     live: { onTransit: (hear: () => void) => () => void }, clock: import("../core/clock.js").Clock }} parts
     */
    constructor({ api, live, clock }) {
        this.#api = api;
        this.#clock = clock;
        live.onTransit(() => this.#each((path, one) => this.#askSoon(path, one)));
        document.addEventListener("visibilitychange", () => this.#each((path, one) => this.#schedule(path, one)));
    }

    /** @param {string} path @returns {Known<any>} */
    read(path) { return this.#all.get(path)?.known ?? unknown; }

    /**
     * @param {string} path such as stops/25243/board @param {Read} read null where that is no such answer
     * @param {() => void} hear
     * @returns {() => void} ends it
     */
    follow(path, read, hear) {
        const one = this.#all.get(path) ?? this.#begin(path, read);
        one.listeners.add(hear);
        this.#schedule(path, one);
        return () => {
            one.listeners.delete(hear);
            if (one.listeners.size === 0) clearTimeout(one.timer);
        };
    }

    /**
     * Asks at once, because the visitor wants it.
     * @param {string} path
     */
    retry(path) {
        const one = this.#all.get(path);
        if (!one) return;
        one.failures = 0;
        this.#ask(path, one);
    }

    /** @param {string} path @param {Read} read @returns {Followed} */
    #begin(path, read) {
        const idle = [...this.#all].find(([, other]) => other.listeners.size === 0);
        if (this.#all.size >= maxKept && idle) this.#all.delete(idle[0]);
        /** @type {Followed} */
        const one = {
            read, known: unknown, listeners: new Set(), timer: undefined, isAsking: false, askedAt: -Infinity,
            failures: 0,
        };
        this.#all.set(path, one);
        return one;
    }

    /** @param {(path: string, one: Followed) => void} act */
    #each(act) {
        for (const [path, one] of this.#all) if (one.listeners.size > 0) act(path, one);
    }

    /** @param {string} path @param {Followed} one */
    async #ask(path, one) {
        clearTimeout(one.timer);
        if (one.isAsking) return;
        Object.assign(one, { isAsking: true, askedAt: performance.now() });
        one.known = await this.#answer(path, one);
        one.isAsking = false;
        one.failures = one.known.trouble ? one.failures + 1 : 0;
        for (const hear of [...one.listeners]) hear();
        this.#schedule(path, one);
    }

    /** @param {string} path @param {Followed} one @returns {Promise<Known<any>>} */
    async #answer(path, { read, known }) {
        try {
            const { value: document, kept } = await this.#api.getOrKept(path);
            const value = read(document);
            if (value === null) throw new NoAnswer(trouble("not_json"));
            if (!kept) return { value, trouble: null };
            // What the service worker kept is shown where nothing newer is, and never as new.
            this.#clock.heardKept(kept.serviceTime, kept.at);
            return { value: known.value ?? value, trouble: unreached() };
        } catch (error) {
            return { value: known.value, trouble: troubleOf(error) };
        }
    }

    /**
     * The next question, reckoned from the last: a page that is seen again asks at once if that is over.
     * @param {string} path @param {Followed} one
     */
    #schedule(path, one) {
        if (one.isAsking || one.listeners.size === 0) return;
        clearTimeout(one.timer);
        const pause = one.askedAt + this.#pause(one) - performance.now();
        if (pause <= 0) this.#ask(path, one);
        else one.timer = setTimeout(() => this.#ask(path, one), pause);
    }

    /** @param {Followed} one milliseconds from question to question */
    #pause({ known, failures }) {
        const rate = Math.max(1, this.#clock.rate);
        const usual = document.hidden ? hiddenPollMilliseconds : Math.max(minPollMilliseconds, pollMilliseconds / rate);
        if (known.trouble) return isFinal(known.trouble) ? hiddenPollMilliseconds : pauseAfter(failures, known.trouble);
        const until = known.value?.validUntil ?? null;
        if (until === null || document.hidden) return usual;
        const left = (until - known.value.at) / rate + Math.random() * spreadMilliseconds;
        return Math.min(usual, Math.max(minPauseMilliseconds, left));
    }

    /**
     * A feed has answered: what it said is asked for.
     * @param {string} path @param {Followed} one
     */
    #askSoon(path, one) {
        if (document.hidden || one.isAsking || one.failures > 0) return;
        clearTimeout(one.timer);
        const pause = Math.max(0, one.askedAt + minPauseMilliseconds - performance.now());
        one.timer = setTimeout(() => this.#ask(path, one), pause + Math.random() * spreadMilliseconds);
    }
}

/** @param {number} failures @param {Trouble} trouble */
const pauseAfter = (failures, trouble) => Math.min(maxPauseMilliseconds,
    Math.max(1_000, (trouble.retryAfterSeconds ?? 2 ** Math.min(failures, 6)) * 1000));

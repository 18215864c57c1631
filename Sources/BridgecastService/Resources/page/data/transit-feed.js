// Keeps boards and runs up to date, each for as long as something shows it. What fails keeps the last answer, with its
// age.
import { NoAnswer, trouble, troubleOf, unreached } from "./api.js";
import { Poll } from "./poll.js";

/** @typedef {import("../core/types").Trouble} Trouble */
/**
 * @template T
 * @typedef {object} Known
 * @property {T | null} value the last good answer
 * @property {Trouble | null} trouble why there is none, or no newer one
 */
/** @typedef {(document: any) => { at: number, validUntil?: number | null } | null} Read */
/** @typedef {{ poll: Poll, known: Known<any>, listeners: Set<() => void> }} Followed */

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
        live.onTransit(() => { for (const { poll } of this.#all.values()) poll.askSoon(); });
        document.addEventListener("visibilitychange", () => {
            for (const { poll } of this.#all.values()) poll.schedule();
        });
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
        one.poll.open();
        return () => {
            one.listeners.delete(hear);
            if (one.listeners.size === 0) one.poll.close();
        };
    }

    /**
     * Asks at once, because the visitor wants it.
     * @param {string} path
     */
    retry(path) {
        this.#all.get(path)?.poll.retry();
    }

    /** @param {string} path @param {Read} read @returns {Followed} */
    #begin(path, read) {
        const idle = [...this.#all].find(([, other]) => other.listeners.size === 0);
        if (this.#all.size >= maxKept && idle) this.#all.delete(idle[0]);
        /** @type {Followed} */
        const one = { known: unknown, listeners: new Set(), poll: new Poll(this.#clock, () => ask()) };
        const ask = async () => {
            one.known = await this.#answer(path, read, one.known);
            for (const hear of [...one.listeners]) hear();
            const { value, trouble } = one.known;
            return { trouble, at: value?.at, validUntil: value?.validUntil };
        };
        this.#all.set(path, one);
        return one;
    }

    /** @param {string} path @param {Read} read @param {Known<any>} known @returns {Promise<Known<any>>} */
    async #answer(path, read, known) {
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
}

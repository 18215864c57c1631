// Keeps a line up to date: its map once, its vehicles and the arrivals at a stop again and again. What fails keeps the
// last answer, with its age.
import { present } from "../core/checks.js";
import { NoAnswer, isFinal, trouble, troubleOf } from "./api.js";
import { readArrivals, readLineMap, readPositions } from "./line-answers.js";
import { Poll } from "./poll.js";

/** @typedef {import("../core/types").Trouble} Trouble */
/**
 * @template T
 * @typedef {{ value: T | null, trouble: Trouble | null, at: number | null }} Known what is known since when, by the
 *     clock, and why there is nothing newer
 */
/**
 * @typedef {object} LineState
 * @property {Known<import("./line-answers.js").LineMap[]>} maps
 * @property {Known<import("./line-answers.js").Positions>} positions
 * @property {Known<import("./line-answers.js").Arrival[]>} arrivals
 */

const arrivalCount = 3;

/** @returns {Known<any>} */
const unknown = () => ({ value: null, trouble: null, at: null });

export class LineFeed {
    #api;
    #live;
    #clock;
    #lines;
    #stop;
    #hear;
    #mapPoll;
    #poll;
    /** @type {LineState} */
    state = { maps: unknown(), positions: unknown(), arrivals: unknown() };
    #isOpen = false;
    #isLive = false;
    /** @type {string | null} */
    #strange = null;
    #leaves = /** @type {(() => void)[]} */ ([]);

    /**
     * @param {{ api: { get: (path: string) => Promise<any> }, live: { onTransit: (hear: () => void) => () => void },
     *     clock: import("../core/clock.js").Clock }} parts
     * @param {readonly string[]} lines their identifiers
     * @param {() => void} hear of another state
     */
    constructor({ api, live, clock }, lines, hear) {
        this.#api = api;
        this.#live = live;
        this.#clock = clock;
        this.#lines = lines;
        this.#stop = /** @type {string | null} */ (null);
        this.#hear = hear;
        this.#mapPoll = new Poll(clock, () => this.#askMaps(), { isOnce: true });
        this.#poll = new Poll(clock, () => this.#ask());
    }

    /** @param {boolean} [isLive] of another day there is the line alone */
    open(isLive = true) {
        this.#isOpen = true;
        this.#isLive = isLive;
        this.#mapPoll.open();
        if (!isLive) return;
        const turn = () => this.#poll.schedule();
        document.addEventListener("visibilitychange", turn);
        this.#leaves = [this.#live.onTransit(() => this.#poll.askSoon()),
            () => document.removeEventListener("visibilitychange", turn)];
        this.#poll.open();
    }

    close() {
        this.#isOpen = false;
        this.#poll.close();
        this.#mapPoll.close();
        for (const leave of this.#leaves) leave();
        this.#leaves = [];
    }

    /**
     * Another stop is the visitor's; what was known of the last one goes.
     * @param {string | null} stop
     */
    watch(stop) {
        if (stop === this.#stop) return;
        this.#stop = stop;
        this.#change({ arrivals: unknown() });
        if (this.#isOpen && this.#isLive) this.#poll.ask();
    }

    /** Asks at once, because the visitor wants it. */
    retry() {
        if (this.state.maps.value === null) this.#mapPoll.retry();
        if (this.#isLive) this.#poll.retry();
    }

    /** @param {Partial<LineState>} changes */
    #change(changes) {
        this.state = { ...this.state, ...changes };
        this.#hear();
    }

    async #askMaps() {
        const maps = await this.#known(this.state.maps, async () => {
            const documents = await Promise.all(this.#lines.map((line) =>
                this.#api.get(`routes/${encodeURIComponent(line)}/map`)));
            const maps = present(documents.map(readLineMap));
            return maps.length === documents.length ? maps : null;
        });
        if (this.#isOpen) this.#change({ maps });
        return { trouble: maps.trouble };
    }

    async #ask() {
        const stop = this.#stop;
        const [positions, arrivals] = await Promise.all([
            this.#known(this.state.positions, async () => readPositions(await this.#askPositions(stop))),
            this.#askArrivals(stop),
        ]);
        // The answer about a stop that is no longer the visitor's.
        if (this.#isOpen) this.#change(stop === this.#stop ? { positions, arrivals } : { positions });
        // A service without vehicles has arrivals all the same.
        const isWithout = positions.trouble !== null && isFinal(positions.trouble);
        return { trouble: isWithout ? arrivals.trouble : positions.trouble };
    }

    /**
     * A stop that the timetable does not have takes no vehicles away.
     * @param {string | null} stop
     */
    async #askPositions(stop) {
        const path = `realtime?route_id=${this.#lines.map(encodeURIComponent).join()}`;
        if (stop === null || stop === this.#strange) return this.#api.get(path);
        try {
            return await this.#api.get(`${path}&stop_id=${encodeURIComponent(stop)}`);
        } catch (error) {
            if (troubleOf(error).parameter !== "stop_id") throw error;
            this.#strange = stop;
            return this.#api.get(path);
        }
    }

    /** @param {string | null} stop @returns {Promise<LineState["arrivals"]>} */
    async #askArrivals(stop) {
        if (stop === null) return unknown();
        const { arrivals } = this.state;
        if (stop === this.#strange && arrivals.trouble) return arrivals;
        const [line] = this.#lines.map(encodeURIComponent);
        return this.#known(arrivals, async () => readArrivals(await this.#api.get(
            `stops/${encodeURIComponent(stop)}/predictions?route_id=${line}&limit=${arrivalCount}`)));
    }

    /**
     * What is known after a question.
     * @template T
     * @param {Known<T>} before @param {() => Promise<T | null>} ask
     * @returns {Promise<Known<T>>}
     */
    async #known(before, ask) {
        try {
            const value = await ask();
            if (value === null) throw new NoAnswer(trouble("not_json"));
            return { value, trouble: null, at: this.#clock.serviceNow() };
        } catch (error) {
            return { ...before, trouble: troubleOf(error) };
        }
    }
}

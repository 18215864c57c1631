// Keeps a line up to date: its map once, its vehicles and the arrivals at a stop every half a minute. What fails keeps
// the last answer, with its age.
import { present } from "../core/checks.js";
import { NoAnswer, isFinal, trouble, troubleOf } from "./api.js";
import { readArrivals, readLineMap, readPositions } from "./line-answers.js";

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

const pollMilliseconds = 30_000;
const hiddenPollMilliseconds = 60_000;
// A clock that is played fast needs answers sooner, but not without end.
const minPollMilliseconds = 3_000;
const minPauseMilliseconds = 5_000;
const maxPauseMilliseconds = 60_000;
const spreadMilliseconds = 2_000;
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
    /** @type {LineState} */
    state = { maps: unknown(), positions: unknown(), arrivals: unknown() };
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #timer;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #mapTimer;
    #askedAt = -Infinity;
    #failures = 0;
    #isAsking = false;
    #isOpen = false;
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
    }

    open() {
        this.#isOpen = true;
        const turn = () => this.#schedule();
        document.addEventListener("visibilitychange", turn);
        this.#leaves = [this.#live.onTransit(() => this.#askSoon()),
            () => document.removeEventListener("visibilitychange", turn)];
        this.#askMaps(0);
        this.#ask();
    }

    close() {
        this.#isOpen = false;
        clearTimeout(this.#timer);
        clearTimeout(this.#mapTimer);
        for (const leave of this.#leaves) leave();
    }

    /**
     * Another stop is the visitor's; what was known of the last one goes.
     * @param {string | null} stop
     */
    watch(stop) {
        if (stop === this.#stop) return;
        this.#stop = stop;
        this.#change({ arrivals: unknown() });
        if (this.#isOpen) this.#ask();
    }

    /** Asks at once, because the visitor wants it. */
    retry() {
        this.#failures = 0;
        if (this.state.maps.value === null) this.#askMaps(0);
        this.#ask();
    }

    /** @param {Partial<LineState>} changes */
    #change(changes) {
        this.state = { ...this.state, ...changes };
        this.#hear();
    }

    /** @param {number} failures one after another */
    async #askMaps(failures) {
        clearTimeout(this.#mapTimer);
        const known = await this.#known(this.state.maps, async () => {
            const documents = await Promise.all(this.#lines.map((line) =>
                this.#api.get(`routes/${encodeURIComponent(line)}/map`)));
            const maps = present(documents.map(readLineMap));
            return maps.length === documents.length ? maps : null;
        });
        if (!this.#isOpen) return;
        this.#change({ maps: known });
        if (known.trouble === null || isFinal(known.trouble)) return;
        this.#mapTimer = setTimeout(() => this.#askMaps(failures + 1), pauseAfter(failures + 1, known.trouble));
    }

    async #ask() {
        clearTimeout(this.#timer);
        if (this.#isAsking) return;
        this.#isAsking = true;
        this.#askedAt = performance.now();
        const stop = this.#stop;
        const [line] = this.#lines.map(encodeURIComponent);
        const lines = this.#lines.map(encodeURIComponent).join();
        const place = stop === null ? "" : `&stop_id=${encodeURIComponent(stop)}`;
        const [positions, arrivals] = await Promise.all([
            this.#known(this.state.positions,
                async () => readPositions(await this.#api.get(`realtime?route_id=${lines}${place}`))),
            stop === null ? unknown() : this.#known(this.state.arrivals, async () => readArrivals(await this.#api.get(
                `stops/${encodeURIComponent(stop)}/predictions?route_id=${line}&limit=${arrivalCount}`))),
        ]);
        this.#isAsking = false;
        if (!this.#isOpen) return;
        this.#failures = positions.trouble && !isFinal(positions.trouble) ? this.#failures + 1 : 0;
        this.#change(stop === this.#stop ? { positions, arrivals } : { positions });
        if (stop === this.#stop) this.#schedule();
        else this.#ask();
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

    /** The next question, reckoned from the last: a page that is seen again asks at once if that is over. */
    #schedule() {
        if (!this.#isOpen || this.#isAsking) return;
        clearTimeout(this.#timer);
        const rate = Math.max(1, this.#clock.rate);
        const usual = document.hidden ? hiddenPollMilliseconds : Math.max(minPollMilliseconds, pollMilliseconds / rate);
        const { trouble } = this.state.positions;
        const pause = this.#failures > 0 && trouble ? Math.min(usual, pauseAfter(this.#failures, trouble)) : usual;
        this.#timer = setTimeout(() => this.#ask(), Math.max(0, this.#askedAt + pause - performance.now()));
    }

    /** A feed has answered: what it said is asked for, by many open pages not in the same moment. */
    #askSoon() {
        if (document.hidden || this.#isAsking || this.#failures > 0) return;
        clearTimeout(this.#timer);
        const pause = Math.max(0, this.#askedAt + minPauseMilliseconds - performance.now());
        this.#timer = setTimeout(() => this.#ask(), pause + Math.random() * spreadMilliseconds);
    }
}

/** @param {number} failures @param {Trouble} trouble */
const pauseAfter = (failures, trouble) => Math.min(maxPauseMilliseconds,
    Math.max(1_000, (trouble.retryAfterSeconds ?? 2 ** Math.min(failures, 6)) * 1000));

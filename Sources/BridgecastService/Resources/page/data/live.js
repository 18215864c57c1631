// Keeps the board up to date: listens to the service's events, or else asks now and then; reports what is wrong, and
// keeps trying.
import { areSources, isBoard } from "../core/checks.js";
import { endOfReplay } from "../model/status.js";
import { NoAnswer, trouble, troubleOf, unreached } from "./api.js";
import { pauseSeconds } from "./recovery.js";

const pollMilliseconds = 20_000;
const minPauseMilliseconds = 900;

export class Live {
    #api;
    #store;
    #clock;
    /** @type {EventSource | null} */
    #stream = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #timer;
    #isAsking = false;
    #isAskedAgain = false;
    #failures = 0;
    #brokenStreams = 0;
    #askedAt = -Infinity;
    #isRunning = false;
    /** @type {Set<() => void>} */
    #transitListeners = new Set();

    /**
     * @param {{ getOrKept: (path: string) => Promise<import("./api.js").Answer> }} api
     * @param {{ readonly state: import("../core/types").State,
     *     dispatch: (action: import("../core/types").Action) => void }} store
     * @param {import("../core/clock.js").Clock} clock
     */
    constructor(api, store, clock) {
        this.#api = api;
        this.#store = store;
        this.#clock = clock;
    }

    start() {
        this.#isRunning = true;
        addEventListener("online", () => {
            this.#store.dispatch({ type: "online", isOnline: true });
            this.retry();
        });
        addEventListener("offline", () => this.#store.dispatch({ type: "online", isOnline: false }));
        document.addEventListener("visibilitychange", () => {
            // A browser gives a page few connections to one host: a hidden one holds none.
            if (document.hidden) this.#close();
            if (this.#isAsleep) clearTimeout(this.#timer); else this.#ask();
        });
        this.#ask();
    }

    /** Asks at once: the visitor wants it, or the player has ended. */
    retry() {
        this.#failures = 0;
        this.#ask();
    }

    /** Another question was answered: a service that was not reached is there again, and its board need not wait. */
    wake() {
        const { trouble } = this.#store.state;
        if (trouble && ["cut", "late", "offline"].includes(trouble.kind) && !this.#isAsking) this.retry();
    }

    /**
     * Hears that a feed of vehicles or of predictions has answered.
     * @param {() => void} listener @returns {() => void} ends it
     */
    onTransit(listener) {
        this.#transitListeners.add(listener);
        return () => this.#transitListeners.delete(listener);
    }

    /** Closes the stream while a day is played. */
    pause() {
        this.#close();
        clearTimeout(this.#timer);
    }

    /** A hidden page asks only for a visitor who wants to be notified of a bridge. */
    get #isAsleep() {
        const { watched, watchedDown } = this.#store.state.preferences;
        return document.hidden && watched.length + watchedDown.length === 0;
    }

    /** While a day is played the board is the player's. */
    get #isPaused() {
        return !this.#isRunning || this.#isAsleep || this.#store.state.replay !== null;
    }

    async #ask() {
        clearTimeout(this.#timer);
        if (this.#isPaused) return;
        if (this.#isAsking) { this.#isAskedAgain = true; return; }
        this.#isAsking = true;
        this.#askedAt = performance.now();
        try {
            const { value, kept } = await this.#api.getOrKept("bridges");
            if (!isBoard(value)) throw new NoAnswer(trouble("not_json"));
            if (this.#store.state.replay !== null) return;
            if (kept) this.#takeKept(value, kept);
            else this.#take(value);
        } catch (error) {
            if (this.#store.state.replay === null) this.#fail(error);
        } finally {
            this.#isAsking = false;
        }
        if (this.#isAskedAgain) { this.#isAskedAgain = false; this.#askSoon(); }
    }

    /** @param {import("../core/types").Board} board */
    #take(board) {
        this.#failures = 0;
        if (typeof board.clock_rate === "number") this.#clock.heardRate(board.clock_rate);
        this.#clock.heardEnd(endOfReplay(board));
        this.#store.dispatch({ type: "board", board });
        this.#store.dispatch({ type: "trouble", trouble: null, nextTryAt: null });
        this.#askIn(pollMilliseconds);
        this.#listen();
    }

    /**
     * The service was not reached. What the service worker kept is shown where nothing newer is, and never as new.
     * @param {import("../core/types").Board} board @param {{ at: number, serviceTime: number }} kept
     */
    #takeKept(board, kept) {
        this.#clock.heardKept(kept.serviceTime, kept.at);
        if (this.#store.state.board === null) this.#store.dispatch({ type: "board", board });
        this.#fail(new NoAnswer(unreached()));
    }

    /** @param {unknown} error */
    #fail(error) {
        const reported = troubleOf(error);
        this.#failures += 1;
        const pause = pauseSeconds(reported, this.#failures, Math.random()) * 1000;
        this.#askIn(pause);
        this.#store.dispatch({ type: "trouble", trouble: reported, nextTryAt: performance.now() + pause });
    }

    /** @param {number} milliseconds */
    #askIn(milliseconds) {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#ask(), milliseconds);
    }

    /** After an event: many events in a second ask once. */
    #askSoon() {
        if (this.#failures > 0) return;
        this.#askIn(Math.max(0, minPauseMilliseconds - (performance.now() - this.#askedAt)));
    }

    #listen() {
        if (this.#stream || document.hidden || this.#isPaused || typeof EventSource === "undefined") return;
        const stream = new EventSource("api/v1/events");
        this.#stream = stream;
        stream.addEventListener("forecast", (event) => this.#hearForecast(event));
        stream.addEventListener("reset", (event) => {
            this.#read(event);
            this.#askSoon();
        });
        stream.addEventListener("feed", (event) => this.#hearFeed(event));
        stream.addEventListener("state", (event) => this.#hearState(event));
        stream.addEventListener("transit", (event) => {
            if (this.#read(event) !== null) for (const listener of [...this.#transitListeners]) listener();
        });
        stream.addEventListener("error", () => this.#hearError());
    }

    /** @param {Event} event */
    #hearForecast(event) {
        const data = this.#read(event);
        // A stream begins with the forecast that is known already.
        if (data?.generated_at !== this.#store.state.board?.generated_at) this.#askSoon();
    }

    /** @param {Event} event */
    #hearFeed(event) {
        const data = this.#read(event);
        if (areSources(data?.sources)) this.#store.dispatch({ type: "sources", sources: data.sources });
        this.#askSoon();
    }

    /** @param {Event} event */
    #hearState(event) {
        const data = this.#read(event);
        if (data && Number.isInteger(data.bridge_id) && ["raised", "lowered", "unknown"].includes(data.state)) {
            const { bridge_id: bridgeId, state, since = null } = data;
            this.#store.dispatch({ type: "bridge", bridgeId, state, since });
        }
        this.#askSoon();
    }

    /** The service has gone or has closed the stream: asking shows why; after an answer the stream is opened again. */
    #hearError() {
        this.#close();
        this.#brokenStreams += 1;
        this.#askIn(Math.min(pollMilliseconds, 1000 * 2 ** (this.#brokenStreams - 1)));
    }

    /** @param {Event} event @returns {any} its data; null where that is not JSON */
    #read(event) {
        this.#brokenStreams = 0;
        if (this.#isPaused) return null;
        try {
            const data = JSON.parse(/** @type {MessageEvent} */ (event).data);
            if (typeof data?.clock_rate === "number") {
                this.#clock.heardService(this.#clock.serviceNow(), data.clock_rate);
            }
            return data;
        } catch {
            return null;
        }
    }

    #close() {
        this.#stream?.close();
        this.#stream = null;
    }
}

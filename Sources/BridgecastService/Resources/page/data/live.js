// Keeps the board up to date: listens to the service's events, else asks now and then; says what is wrong, and goes on
// trying. Used by main.js.
import { NoAnswer, trouble, troubleOf, unreached } from "./api.js";
import { areSources, isBoard } from "./shapes.js";
import { endOfReplay } from "../model/sensors.js";

const pollMilliseconds = 20_000;
const leastPauseMilliseconds = 900;
const mostPauseSeconds = 60;
const wakeMilliseconds = 5_000;

/**
 * @param {ReturnType<typeof import("./api.js").createAPI>} api
 * @param {{ readonly state: import("../core/types").State,
 *     dispatch: (action: import("../core/types").Action) => void }} store
 * @param {import("../core/clock.js").Clock} clock
 */
export function createLive(api, store, clock) {
    /** @type {EventSource | null} */
    let stream = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    let isAsking = false;
    let isAskedAgain = false;
    let failures = 0;
    let brokenStreams = 0;
    let askedAt = -Infinity;
    let isRunning = false;

    /** A hidden page asks only for somebody who wants to be told of a bridge. */
    const isAsleep = () => document.hidden && store.state.preferences.watched.length === 0;
    /** While a day is played the board is the player's. */
    const isPaused = () => !isRunning || isAsleep() || store.state.replay !== null;

    async function ask() {
        clearTimeout(timer);
        if (isPaused()) return;
        if (isAsking) { isAskedAgain = true; return; }
        isAsking = true;
        askedAt = performance.now();
        try {
            const { value, kept } = await api.getOrKept("bridges");
            if (!isBoard(value)) throw new NoAnswer(trouble("not_json"));
            if (store.state.replay !== null) return;
            if (kept) takeKept(value, kept);
            else take(value);
        } catch (error) {
            if (store.state.replay === null) fail(error);
        } finally {
            isAsking = false;
        }
        if (isAskedAgain) { isAskedAgain = false; soon(); }
    }

    /** @param {import("../core/types").Board} board */
    function take(board) {
        failures = 0;
        if (typeof board.clock_rate === "number") clock.heardRate(board.clock_rate);
        clock.heardEnd(endOfReplay(board));
        store.dispatch({ type: "board", board });
        store.dispatch({ type: "trouble", trouble: null, nextTryAt: null });
        later(pollMilliseconds);
        listen();
    }

    /**
     * The service was not reached. What the service worker kept is shown where nothing newer is, and never as new.
     * @param {import("../core/types").Board} board @param {{ at: number, serviceTime: number }} kept
     */
    function takeKept(board, kept) {
        clock.heardKept(kept.serviceTime, kept.at);
        if (store.state.board === null) store.dispatch({ type: "board", board });
        fail(new NoAnswer(unreached()));
    }

    /** @param {unknown} error */
    function fail(error) {
        const said = troubleOf(error);
        failures += 1;
        const seconds = Math.min(mostPauseSeconds,
            said.retryAfterSeconds ?? 2 ** Math.min(failures, 5) * (0.8 + 0.4 * Math.random()));
        later(Math.max(1, seconds) * 1000);
        store.dispatch({
            type: "trouble", trouble: said, nextTryAt: performance.now() + Math.max(1, seconds) * 1000,
        });
    }

    /** @param {number} milliseconds */
    function later(milliseconds) {
        clearTimeout(timer);
        timer = setTimeout(ask, milliseconds);
    }

    /** After an event: many events in a second ask once. */
    function soon() {
        if (failures > 0) return;
        later(Math.max(0, leastPauseMilliseconds - (performance.now() - askedAt)));
    }

    function listen() {
        if (stream || document.hidden || isPaused() || typeof EventSource === "undefined") return;
        stream = new EventSource("api/v1/events");
        for (const name of ["forecast", "reset"]) {
            stream.addEventListener(name, (event) => {
                const said = heard(event);
                // A stream begins with the forecast that is known already.
                if (name === "reset" || said?.generated_at !== store.state.board?.generated_at) soon();
            });
        }
        stream.addEventListener("feed", (event) => {
            const said = heard(event);
            if (areSources(said?.sources)) store.dispatch({ type: "sources", sources: said.sources });
            soon();
        });
        stream.addEventListener("state", (event) => {
            const said = heard(event);
            if (said && Number.isInteger(said.bridge_id) && ["raised", "lowered", "unknown"].includes(said.state)) {
                const { bridge_id: bridgeId, state, since = null } = said;
                store.dispatch({ type: "bridge", bridgeId, state, since });
            }
            soon();
        });
        stream.addEventListener("error", () => {
            // The service has gone or said bye: asking tells why, and the stream is opened again after an answer.
            close();
            brokenStreams += 1;
            later(Math.min(pollMilliseconds, 1000 * 2 ** (brokenStreams - 1)));
        });
    }

    /** @param {Event} event @returns {any} what it says; null where that is not JSON */
    function heard(event) {
        brokenStreams = 0;
        if (isPaused()) return null;
        try {
            const said = JSON.parse(/** @type {MessageEvent} */ (event).data);
            if (typeof said?.clock_rate === "number") clock.heardService(clock.serviceNow(), said.clock_rate);
            return said;
        } catch {
            return null;
        }
    }

    function close() {
        stream?.close();
        stream = null;
    }

    return {
        start() {
            isRunning = true;
            addEventListener("online", () => {
                store.dispatch({ type: "online", isOnline: true });
                failures = 0;
                ask();
            });
            addEventListener("offline", () => store.dispatch({ type: "online", isOnline: false }));
            document.addEventListener("visibilitychange", () => {
                // A browser gives a page few connections to one host: a hidden one holds none.
                if (document.hidden) close();
                if (isAsleep()) clearTimeout(timer); else ask();
            });
            ask();
        },
        /** Asks at once: the visitor wants it, or the player has ended. */
        retry() {
            failures = 0;
            ask();
        },
        /** Lets go of the stream while a day is played. */
        pause() {
            close();
            clearTimeout(timer);
        },
    };
}

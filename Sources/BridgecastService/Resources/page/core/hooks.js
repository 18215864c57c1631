// What components reach through Preact's context: the app's parts, its state, its clock and its answers.
import { createContext, useContext, useEffect, useLayoutEffect, useState } from "../vendor/preact.js";
import { statusOf } from "../model/status.js";

/**
 * @typedef {object} App
 * @property {{ readonly state: import("./types").State, dispatch: (action: import("./types").Action) => void,
 *     subscribe: (listener: () => void) => () => void }} store
 * @property {import("./clock.js").Clock} clock
 * @property {import("./words.js").Words} words
 * @property {import("./router.js").Router} router
 * @property {import("./notify.js").Announcer} announcer
 * @property {import("../data/api.js").API} api
 * @property {import("../data/live.js").Live} live
 * @property {import("../data/answers.js").Answers} answers
 * @property {import("../data/replay.js").Replay} replay
 */

/** @type {any} */
export const AppContext = createContext(null);

/** @returns {App} */
export const useApp = () => useContext(AppContext);

/** @returns {() => void} draws the component again */
export function useRedraw() {
    const [, setCount] = useState(0);
    return () => setCount((count) => count + 1);
}

/**
 * A part of the state; the component is drawn again when that part is another one.
 * @template T
 * @param {(state: import("./types").State) => T} select
 * @returns {T}
 */
export function useSelected(select) {
    const { store } = useApp();
    const redraw = useRedraw();
    const selected = select(store.state);
    useLayoutEffect(() => store.subscribe(() => {
        if (!Object.is(select(store.state), selected)) redraw();
    }));
    return selected;
}

/**
 * Runs a function at an interval in milliseconds of the visitor's time, and when the clock jumps; not in a hidden page.
 * @param {number} everyMilliseconds
 * @param {() => void} act
 * @param {unknown[]} inputs what `act` depends on
 */
function useTick(everyMilliseconds, act, inputs = []) {
    const { clock } = useApp();
    useEffect(() => {
        const tick = () => { if (!document.hidden) act(); };
        const timer = setInterval(tick, everyMilliseconds);
        const leave = clock.subscribe(tick);
        document.addEventListener("visibilitychange", tick);
        return () => {
            clearInterval(timer);
            leave();
            document.removeEventListener("visibilitychange", tick);
        };
    }, [everyMilliseconds, clock, ...inputs]);
}

/**
 * The clock's time, drawn again at an interval in milliseconds, and when the clock jumps; not while the page is hidden.
 * @param {number} everyMilliseconds of the visitor's time
 * @returns {number} milliseconds since 1970
 */
export function useNow(everyMilliseconds) {
    const { clock } = useApp();
    const redraw = useRedraw();
    useTick(everyMilliseconds, redraw);
    return clock.now();
}

/**
 * Whether a media query holds.
 * @param {string} query
 */
export function useMedia(query) {
    const [holds, setHolds] = useState(() => matchMedia(query).matches);
    useEffect(() => {
        const list = matchMedia(query);
        const hear = () => setHolds(list.matches);
        list.addEventListener("change", hear);
        return () => list.removeEventListener("change", hear);
    }, [query]);
    return holds;
}

/**
 * An answer of the service, asked again with every new board, so that it follows the clock.
 * @template T
 * @param {string | null} path such as bridges/3?hours=6; null asks nothing
 * @param {import("../data/answers.js").Following} [following]
 * @param {boolean} [isSeen] what is out of sight is not asked; an answer that is there stays
 * @returns {import("../data/answers.js").Answer<T>}
 */
export function useAnswer(path, following = "board", isSeen = true) {
    const { answers } = useApp();
    const redraw = useRedraw();
    useEffect(() => path === null || !isSeen ? undefined
        : answers.follow(path, following, redraw), [path, following, isSeen]);
    return path === null ? answers.none : answers.read(path);
}

const checkMilliseconds = 1_000;

/**
 * How far the board can be trusted now. Its age is that of the last drawing: what shows an age ticks by itself.
 * @returns {import("../model/status.js").Status}
 */
export function useStatus() {
    const { store, clock } = useApp();
    const redraw = useRedraw();
    useSelected((state) => state.board);
    useSelected((state) => state.replay);
    const status = statusOf(store.state, clock.now(), clock.rate);
    useTick(checkMilliseconds, () => {
        if (statusOf(store.state, clock.now(), clock.rate).kind !== status.kind) redraw();
    }, [status.kind]);
    return status;
}

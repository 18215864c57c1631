// What components reach through Preact's context: the app's parts, its state, its clock. Used by all views.
import { createContext, useContext, useEffect, useLayoutEffect, useState } from "../vendor/preact.js";

/**
 * @typedef {object} App
 * @property {{ readonly state: import("./types").State, dispatch: (action: import("./types").Action) => void,
 *     subscribe: (listener: () => void) => () => void }} store
 * @property {import("./clock.js").Clock} clock
 * @property {import("./words.js").Words} words
 * @property {ReturnType<typeof import("./router.js").createRouter>} router
 * @property {ReturnType<typeof import("./announce.js").createAnnouncer>} announcer
 * @property {ReturnType<typeof import("../data/api.js").createAPI>} api
 * @property {ReturnType<typeof import("../data/live.js").createLive>} live
 * @property {ReturnType<typeof import("../data/answers.js").createAnswers>} answers
 * @property {ReturnType<typeof import("../data/replay.js").createReplay>} replay
 */

/** @type {any} */
export const AppContext = createContext(null);

/** @returns {App} */
export const useApp = () => useContext(AppContext);

/**
 * A part of the state; the component is drawn again when that part is another one.
 * @template T
 * @param {(state: import("./types").State) => T} select
 * @returns {T}
 */
export function useSelected(select) {
    const { store } = useApp();
    const [, redraw] = useState(0);
    const selected = select(store.state);
    useLayoutEffect(() => store.subscribe(() => {
        if (!Object.is(select(store.state), selected)) redraw((/** @type {number} */ n) => n + 1);
    }));
    return selected;
}

/**
 * Does something every so many milliseconds of the visitor's time, and when the clock jumps; not in a hidden page.
 * @param {number} everyMilliseconds
 * @param {() => void} act
 * @param {unknown[]} inputs what `act` depends on
 */
export function useTick(everyMilliseconds, act, inputs = []) {
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
 * The clock's time, drawn again every so many milliseconds, and when the clock jumps; not while the page is hidden.
 * @param {number} everyMilliseconds of the visitor's time
 * @returns {number} milliseconds since 1970
 */
export function useNow(everyMilliseconds) {
    const { clock } = useApp();
    const [, redraw] = useState(0);
    useTick(everyMilliseconds, () => redraw((/** @type {number} */ n) => n + 1));
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
 * @returns {import("../data/answers.js").Answer<T>}
 */
export function useAnswer(path, following = "board") {
    const { answers } = useApp();
    const [, redraw] = useState(0);
    useEffect(() => path === null ? undefined
        : answers.follow(path, following, () => redraw((/** @type {number} */ n) => n + 1)), [path, following]);
    return path === null ? answers.none : answers.read(path);
}

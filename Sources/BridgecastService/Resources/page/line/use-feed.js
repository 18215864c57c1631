// A line's feed for as long as a view shows it, and the lines on the table as they were laid out once.
import { useEffect, useMemo, useRef } from "../vendor/preact.js";
import { useApp, useRedraw } from "../core/hooks.js";
import { LineFeed } from "../data/line.js";
import { layOut } from "./layout.js";

/**
 * @param {readonly string[]} lines
 * @param {(state: import("../data/line.js").LineState) => string | null} stopOf the visitor's stop
 * @param {boolean} isLive on a past day there are no vehicles
 */
export function useFeed(lines, stopOf, isLive) {
    const app = useApp();
    const redraw = useRedraw();
    const heard = useRef(redraw);
    heard.current = redraw;
    const feed = useMemo(() => new LineFeed(app, lines, () => heard.current()), [lines.join()]);
    const stop = stopOf(feed.state);
    // First the stop: the first question is about it too.
    useEffect(() => feed.watch(stop), [feed, stop]);
    useEffect(() => {
        feed.open(isLive);
        return () => feed.close();
    }, [feed, isLive]);
    return { feed, stop };
}

/** @param {import("../data/line.js").LineState} state */
export function useLayout({ maps }) {
    return useMemo(() => (maps.value ? layOut(maps.value) : null), [maps.value]);
}

// A line's feed for as long as a view shows it, and the lines on the table as they were laid out once.
import { useEffect, useMemo, useRef } from "../vendor/preact.js";
import { useApp, useRedraw } from "../core/hooks.js";
import { LineFeed } from "../data/line.js";
import { layOut } from "./layout.js";

/**
 * @param {readonly string[]} lines
 * @param {string | null} stop the visitor's
 * @param {boolean} isLive a past day has no live vehicles
 */
export function useFeed(lines, stop, isLive) {
    const app = useApp();
    const redraw = useRedraw();
    const heard = useRef(redraw);
    heard.current = redraw;
    const key = lines.join();
    const feed = useMemo(() => new LineFeed(app, lines, () => heard.current()), [key]);
    useEffect(() => {
        if (!isLive) return undefined;
        feed.watch(stop);
        feed.open();
        return () => feed.close();
    }, [feed, isLive]);
    useEffect(() => feed.watch(stop), [feed, stop]);
    return feed;
}

/** @param {import("../data/line.js").LineState} state */
export function useLayout({ maps }) {
    return useMemo(() => (maps.value ? layOut(maps.value) : null), [maps.value]);
}

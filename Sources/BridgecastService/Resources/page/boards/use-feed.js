// A board or a run for as long as a view shows it, from one feed for the whole page.
import { useEffect } from "../vendor/preact.js";
import { useApp, useRedraw } from "../core/hooks.js";
import { TransitFeed } from "../data/transit-feed.js";

/** @type {WeakMap<object, TransitFeed>} */
const feeds = new WeakMap();

/** @param {import("../core/hooks.js").App} app @returns {TransitFeed} the page's only one */
export function feedOf(app) {
    const feed = feeds.get(app.api) ?? new TransitFeed(app);
    feeds.set(app.api, feed);
    return feed;
}

/**
 * @template T
 * @param {string | null} path null asks nothing
 * @param {(document: any) => (T & { at: number }) | null} read
 * @returns {import("../data/transit-feed.js").Known<T>}
 */
export function useFollowed(path, read) {
    const feed = feedOf(useApp());
    const redraw = useRedraw();
    useEffect(() => (path === null ? undefined : feed.follow(path, read, redraw)), [feed, path]);
    return path === null ? { value: null, trouble: null } : feed.read(path);
}

// Departures that the visitor is notified of. They outlive the view, since the page may show another, and follow their
// board as it is corrected.
import { notify } from "../core/notify.js";
import { feedOf } from "./use-feed.js";
import { readBoard } from "../data/board.js";
import { sayRun } from "./words.js";

/** @typedef {import("../data/board.js").Departure} Departure */
/** @typedef {{ path: string, stop: string }} Where the question for the board, and its stop's name */
/** @typedef {{ departure: Departure, where: Where, leave: () => void }} Awaited */

// A hidden page is woken once a minute.
export const noticeMilliseconds = 120_000;
const checkMilliseconds = 5_000;

/** @type {Map<string, Awaited>} */
const awaited = new Map();
/** @type {Set<() => void>} */
const listeners = new Set();
/** @type {ReturnType<typeof setInterval> | undefined} */
let timer;

/** @param {string} key of a departure */
export const isAwaited = (key) => awaited.has(key);

/** @param {() => void} hear @returns {() => void} ends it */
export function onAwaited(hear) {
    listeners.add(hear);
    return () => { listeners.delete(hear); };
}

/** @param {import("../core/hooks.js").App} app @param {Departure} departure @param {Where} where */
export function awaitArrival(app, departure, where) {
    const feed = feedOf(app);
    const leave = feed.follow(where.path, readBoard, () => renew(app, departure.key, feed.read(where.path).value));
    awaited.set(departure.key, { departure, where, leave });
    timer ??= setInterval(() => check(app), checkMilliseconds);
    check(app);
    tell();
}

/** @param {string} key */
export function forgetArrival(key) {
    awaited.get(key)?.leave();
    awaited.delete(key);
    if (awaited.size === 0) {
        clearInterval(timer);
        timer = undefined;
    }
    tell();
}

function tell() {
    for (const hear of [...listeners]) hear();
}

/**
 * @param {import("../core/hooks.js").App} app @param {string} key
 * @param {import("../data/board.js").StopBoard | null} board
 */
function renew(app, key, board) {
    const own = awaited.get(key);
    const departure = board?.departures.find((one) => one.key === key);
    if (!own || !departure) return;
    own.departure = departure;
    check(app);
}

/** @param {import("../core/hooks.js").App} app */
function check(app) {
    for (const [key, { departure, where }] of [...awaited]) {
        const left = departure.at === null ? null : departure.at - app.clock.serviceNow();
        if (left !== null && left > noticeMilliseconds) continue;
        announce(app, departure, where, left);
        forgetArrival(key);
    }
}

/**
 * @param {import("../core/hooks.js").App} app @param {Departure} departure @param {Where} where
 * @param {number | null} left milliseconds; null where it does not come
 */
function announce({ words }, departure, where, left) {
    const run = sayRun(words, departure);
    const title = left === null ? words.t("board.bell.cancelled", { run })
        : words.t("board.bell.comes", { run, time: words.duration(Math.max(0, left) / 1000) });
    notify(title, { body: where.stop, tag: `arrival-${departure.key}`, lang: words.locale });
}

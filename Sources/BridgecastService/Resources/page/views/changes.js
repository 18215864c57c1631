// Reports changes: to screen readers, by notifications of watched bridges, and in the page's title.
import { notify } from "../core/notify.js";
import { valueAt } from "../model/forecast.js";
import { headlineOf, sayHeadline } from "../model/headline.js";
import { noticeOf, sayNotice } from "../model/notice.js";
import { isPastTense, shownState, statusOf } from "../model/status.js";
import { cornerPath, readCorner, sayTitle } from "../model/title.js";
import { cameDown } from "../model/watch.js";

// Readings grow old without any action of the store.
const checkMilliseconds = 5_000;
// A countdown in the title.
const tickMilliseconds = 1_000;
const maxSentences = 2;

/**
 * @typedef {object} Seen
 * @property {Map<number, import("../core/types").BridgeState>} states
 * @property {import("../model/notice.js").NoticeKind | null} notice
 * @property {boolean} isLoaded
 * @property {boolean} isReplay
 */

/** @param {() => import("../core/hooks.js").App} current the app, whose words change with the language */
export function watchChanges(current) {
    const { store } = current();
    let seen = observe(current());
    const check = () => {
        const app = current();
        const now = observe(app);
        setTitle(app);
        report(app, seen, now);
        reportDown(app, seen, now);
        seen = now;
    };
    const leave = store.subscribe(check);
    const timer = setInterval(check, checkMilliseconds);
    const ticking = setInterval(() => { if (store.state.line?.arrivesAt) setTitle(current()); }, tickMilliseconds);
    return () => {
        leave();
        clearInterval(timer);
        clearInterval(ticking);
    };
}

/** @param {import("../core/hooks.js").App} app @returns {Seen} */
function observe({ store, clock }) {
    const { state } = store;
    const status = statusOf(state, clock.now(), clock.rate);
    const bridges = state.board?.bridges ?? [];
    const states = new Map(bridges.map((bridge) => [bridge.bridge_id, shownState(bridge, status)]));
    return { states, notice: noticeOf(state, status), isLoaded: state.board !== null, isReplay: state.replay !== null };
}

/** @param {import("../core/hooks.js").App} app */
function setTitle({ answers, store, clock, words }) {
    const now = clock.now();
    const status = statusOf(store.state, now, clock.rate);
    // What the view of the trip has asked already.
    const { from = "", to = "" } = store.state.address.values;
    const corners = Object.fromEntries([from.trim(), to.trim()].map((place) => {
        const path = cornerPath(place);
        return [place, path && readCorner(answers.read(path).value)];
    }));
    const title = sayTitle(words, store.state, status, now, corners);
    if (document.title !== title) document.title = title;
}

/** @param {import("../core/hooks.js").App} app @param {Seen} before @param {Seen} after */
function report(app, before, after) {
    const { store, clock, words, announcer } = app;
    const now = clock.now();
    const status = statusOf(store.state, now, clock.rate);
    if (after.notice !== before.notice) {
        if (after.notice) announcer.say(sayNotice(words, after.notice, store.state, status, now));
        else if (before.isLoaded) announcer.say(words.t("notice.live_again"));
    }
    // What is seen for the first time has not changed; a dead feed has been reported for all bridges.
    if (!before.isLoaded || before.isReplay !== after.isReplay) return;
    if (before.notice === "dead" || after.notice === "dead") return;
    reportMoved(app, before, after, status);
}

/**
 * @param {import("../core/hooks.js").App} app @param {Seen} before @param {Seen} after
 * @param {import("../model/status.js").Status} status
 */
function reportMoved(app, before, after, status) {
    const { store, clock, words, announcer } = app;
    const now = clock.now();
    const moved = (store.state.board?.bridges ?? []).filter(({ bridge_id }) =>
        before.states.has(bridge_id) && before.states.get(bridge_id) !== after.states.get(bridge_id));
    if (moved.length === 0) return;
    if (after.isReplay) return announcer.say(sayThen(app, status, now));
    // A feed that dies or comes back changes all of them: the headline says it.
    // So does a reading of a while ago, in the past tense.
    const isTogether = moved.length > maxSentences || isPastTense(status);
    if (isTogether) announcer.say(sayHeadline(words, headlineOf(store.state, status, now), isPastTense(status)));
    for (const bridge of moved) {
        const state = after.states.get(bridge.bridge_id) ?? "unknown";
        if (!isTogether) announcer.say(words.t(`change.${state}`, { bridge: bridge.bridge }));
        if (state === "raised" && store.state.preferences.watched.includes(bridge.bridge_id)) {
            notifyRaised(app, bridge, isPastTense(status));
        }
    }
}

/**
 * Notifies once of each bridge that has come down and was waited for.
 * @param {import("../core/hooks.js").App} app @param {Seen} before @param {Seen} after
 */
function reportDown({ store, clock, words }, before, after) {
    const { watchedDown } = store.state.preferences;
    if (after.isReplay || watchedDown.length === 0) return;
    const { due, kept } = cameDown(watchedDown, before.states, after.states);
    if (kept.length === watchedDown.length) return;
    store.dispatch({ type: "preferences", preferences: { watchedDown: kept } });
    for (const bridge of (store.state.board?.bridges ?? []).filter(({ bridge_id }) => due.includes(bridge_id))) {
        const time = words.time(bridge.since ?? clock.now());
        notify(words.t("change.notification_down", { bridge: bridge.bridge }),
            { body: words.t("change.notification_since", { time }), tag: `bridge-${bridge.bridge_id}-${time}-down`,
                lang: words.locale });
    }
}

/**
 * In a day that is looked at many bridges change at once: one sentence for all.
 * @param {import("../core/hooks.js").App} app
 * @param {import("../model/status.js").Status} status
 * @param {number} now
 */
function sayThen({ store, words }, status, now) {
    const headline = sayHeadline(words, headlineOf(store.state, status, now), true);
    return words.t("change.then", { time: words.time(now), headline });
}

/**
 * @param {import("../core/hooks.js").App} app
 * @param {import("../core/types").Bridge} bridge
 * @param {boolean} isPast
 */
function notifyRaised({ words, clock }, bridge, isPast) {
    const wait = valueAt(bridge, clock.now(), (point) => point.expected_delay_s) ?? bridge.expected_delay_s;
    const since = bridge.since ?? clock.now();
    // The state comes before its forecast: a short wait is still that of the lowered span.
    const body = words.t(wait < 60 ? "change.notification_since" : "change.notification_body",
        { time: words.time(since), wait: words.duration(wait) });
    // Each opening has a tag of its own: a newer one under the same tag would come without a sound.
    notify(words.t(isPast ? "change.notification_past" : "change.notification", { bridge: bridge.bridge }),
        { body, tag: `bridge-${bridge.bridge_id}-${words.time(since)}`, lang: words.locale });
}

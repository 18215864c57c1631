// How the state answers to actions, what a document must have, how far a board can be trusted, how its age is worded.
import assert from "node:assert/strict";
import { test } from "node:test";
import { isBoard, isDay } from "../../Sources/BridgecastService/Resources/page/core/checks.js";
import { followPreferences } from "../../Sources/BridgecastService/Resources/page/core/preferences.js";
import { reduce } from "../../Sources/BridgecastService/Resources/page/core/store.js";
import { headlineOf, sayHeadline } from "../../Sources/BridgecastService/Resources/page/model/headline.js";
import { sayKnown, sayWarnings } from "../../Sources/BridgecastService/Resources/page/model/notice.js";
import { isPastTense, sayAge, shownState, statusOf } from "../../Sources/BridgecastService/Resources/page/model/status.js";
import { boardAt } from "./support/fakes.mjs";
import { english, noon, plain, spanish, texts } from "./support/language.mjs";

const time = "2026-02-20T12:00:00-08:00";
const initial = {
    board: null, trouble: null, nextTryAt: null, isOnline: true, address: { view: "now", values: {} }, replay: null,
    preferences: { pinned: [], watched: [], language: null, theme: null },
};

test("a bridge that moves changes itself alone, and nothing that was there before", () => {
    const before = reduce(initial, { type: "board", board: boardAt(time, {}) });
    const frozen = JSON.stringify(before);
    const after = reduce(before, { type: "bridge", bridgeId: 2, state: "raised", since: time });
    assert.equal(after.board.bridges[0].state, "raised");
    assert.equal(after.board.bridges[1], before.board.bridges[1]);
    assert.equal(JSON.stringify(before), frozen);
    assert.equal(reduce(initial, { type: "bridge", bridgeId: 2, state: "raised", since: time }), initial);
});

test("a trouble keeps the last good board", () => {
    const board = boardAt(time, {});
    const state = reduce(reduce(initial, { type: "board", board }), {
        type: "trouble", trouble: { kind: "cut" }, nextTryAt: 5,
    });
    assert.equal(state.board, board);
    assert.equal(state.trouble.kind, "cut");
    assert.equal(reduce(initial, { type: "trouble", trouble: null, nextTryAt: null }), initial);
    assert.equal(reduce(initial, { type: "online", isOnline: true }), initial);
});

test("preferences are changed one by one", () => {
    const state = reduce(initial, { type: "preferences", preferences: { pinned: [3] } });
    assert.deepEqual(state.preferences, { pinned: [3], watched: [], language: null, theme: null });
});

test("what is no board is not taken for one", () => {
    assert.equal(isBoard(boardAt(time, {})), true);
    for (const wrong of [null, 3, "board", [], {}, { bridges: [] }, { ...boardAt(time, {}), sources: null },
        { ...boardAt(time, {}), generated_at: "soon" }, { ...boardAt(time, {}), bridges: [null] }]) {
        assert.equal(isBoard(wrong), false, JSON.stringify(wrong)?.slice(0, 60));
    }
    for (const [field, value] of [
        ["state", "up"], ["probability_stopped", 1.2], ["probability_stopped", "0.1"], ["bridge", 4],
        ["bridge_id", "2"], ["outlook", [{ probability_stopped: 0.1 }]], ["latitude", null],
    ]) {
        const board = boardAt(time, {});
        board.bridges[0][field] = value;
        assert.equal(isBoard(board), false, field);
    }
});

test("what is no day is not taken for one", () => {
    const entry = { bridge: "Ballard", bridge_id: 2, coverage: [], openings: [{ opened_at: time, closed_at: null }] };
    const day = { from: time, to: time, bridges: [entry] };
    assert.equal(isDay(day), true);
    for (const wrong of [
        null, {}, { ...day, from: 4 }, { ...day, bridges: {} }, { ...day, bridges: [{ ...entry, coverage: null }] },
        { ...day, bridges: [{ ...entry, openings: [{ opened_at: "x" }] }] },
    ]) assert.equal(isDay(wrong), false);
});

test("a board is live, then stale, then dead, and then no state of it is shown", () => {
    const state = { ...initial, board: boardAt(time, { 2: true }) };
    const kindAfter = (seconds, rate = 1) => statusOf(state, Date.parse(time) + seconds * 1000, rate).kind;
    assert.equal(statusOf(initial, 0).kind, "loading");
    assert.equal(kindAfter(30), "live");
    assert.equal(kindAfter(61), "stale");
    assert.equal(kindAfter(601), "dead");
    assert.equal(kindAfter(90, 20), "live");
    assert.equal(statusOf(state, Date.parse(time) - 5000).ageSeconds, 0);
    const dead = statusOf(state, Date.parse(time) + 601_000);
    assert.equal(shownState(state.board.bridges[0], dead), "unknown");
    assert.equal(statusOf({ ...state, replay: { date: "2026-02-20" } }, Date.parse(time) + 1e9).kind, "replay");
    const silent = { ...state, board: { ...state.board, sources: [{ id: "feed", fetched_at: null }] } };
    assert.equal(statusOf(silent, Date.parse(time)).kind, "dead");
});

const stateWith = (board, more = {}) => ({
    board: { ...boardAt(time, { 2: true }), ...board }, trouble: null, isOnline: true, replay: null, ...more,
});
const source = (id) => [{ id, fetched_at: time, age_s: 0, stale: false, error: null }];

/** How old it is shown to be some seconds after noon. */
function age(state, seconds, words = english) {
    const now = noon + seconds * 1000;
    const said = sayAge(words, state, statusOf(state, now, state.board.clock_rate ?? 1), now);
    return `${said.key}: ${plain(said.text)}`;
}

test("a service that replays says so, and nothing grows older at its end", () => {
    assert.equal(age(stateWith({ sources: source("feed") }), 9), "live: Live, as of 12:00:00 PM, 9 s ago");
    const said = "replaying: Replaying, as of Fri, Feb 20, 2026, 12:00:00 PM, 9 s ago";
    const until = "2026-02-20T21:00:00-08:00";
    for (const more of [{ sources: source("replay") }, { replay_until: until }, { clock_rate: 60 }]) {
        assert.equal(age(stateWith(more), 9), said);
    }
    assert.equal(age(stateWith({ sources: source("replay") }), 9, spanish),
        "replaying: Reproduciendo, vie, 20 feb 2026, a las 12:00:00, hace 9 s");
    const ended = stateWith({ replay_until: time });
    assert.equal(age(ended, 0), "ended: The replay has ended at 12:00 PM, Fri, Feb 20, 2026.");
    assert.equal(age(ended, 0, spanish), "ended: La reproducción terminó a las 12:00, vie, 20 feb 2026.");
    assert.equal(age({ ...ended, isOnline: false }, 0), "old: Not live: as of 12:00:00 PM, 0 s ago");
});

test("what was read over a minute ago is worded in the past tense", () => {
    const said = (seconds, more) => {
        const state = stateWith({}, more);
        const status = statusOf(state, noon + seconds * 1000);
        return sayHeadline(english, headlineOf(state, status, noon), isPastTense(status));
    };
    for (const more of [{}, { isOnline: false }, { trouble: { kind: "cut" } }]) {
        assert.equal(said(60, more), "Ballard is up.");
        assert.equal(said(61, more), "Ballard was up.");
        assert.equal(said(601, more), "We cannot see the bridges.");
    }
});

test("known warnings are shown in the visitor's language, others unchanged", () => {
    const fitted = "the model in use was fitted to records of this time, so this is no test of it";
    assert.deepEqual(sayWarnings(english, [fitted, `T${fitted.slice(1)}.`, "another thing"]), [
        { key: "warning.fitted", text: texts.en["warning.fitted"] }, { key: null, text: "Another thing." },
    ]);
    assert.deepEqual(sayWarnings(spanish, ["no records for this time, which does not mean no openings", null]),
        [{ key: "warning.no_records", text: texts.es["warning.no_records"] }]);
    const season = "the model's records have hardly a day of this season: beyond half an hour its forecasts rest on the other";
    assert.deepEqual(sayWarnings(spanish, [season]), [{ key: "warning.no_season", text: texts.es["warning.no_season"] }]);
});

test("what is preferred in another tab is heard, and nothing else that is kept", (context) => {
    const target = new EventTarget();
    const before = [globalThis.addEventListener, globalThis.localStorage];
    context.after(() => { [globalThis.addEventListener, globalThis.localStorage] = before; });
    globalThis.addEventListener = target.addEventListener.bind(target);
    globalThis.localStorage = { getItem: () => JSON.stringify({ pinned: [3, 3, "x"] }) };
    const heard = [];
    followPreferences((preferences) => heard.push(preferences.pinned));
    for (const key of ["bridgecast.preferences", "something.else", null]) {
        target.dispatchEvent(Object.assign(new Event("storage"), { key }));
    }
    assert.deepEqual(heard, [[3], [3]]);
});

test("what forecasts rest on is given in the visitor's language", () => {
    const known = (openings_known, openings_since = null) => ({ bridges: ["Ballard", "Fremont"], openings_known, openings_since, text: "" });
    assert.equal(sayKnown(english, known("all")), "The state of 2 of 7 bridges is known.");
    assert.equal(plain(sayKnown(english, known("since", "2026-02-20T17:50:00-08:00"))),
        "The state of 2 of 7 bridges is known, their openings since 5:50 PM.");
    assert.match(sayKnown(spanish, known("not_all")), /2 de los 7 puentes, pero no todas/);
    assert.equal(sayKnown(english, { ...known("not_all"), bridges: [] }), "The state of 0 of 7 bridges is known.");
    assert.equal(sayKnown(english, undefined), null);
});

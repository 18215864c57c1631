// What is said of how old everything is: live, a service that replays, its end, what was; and of boards of the past.
import assert from "node:assert/strict";
import { test } from "node:test";
import { followPreferences } from "../../Sources/BridgecastService/Resources/page/core/preferences.js";
import { sayAge } from "../../Sources/BridgecastService/Resources/page/model/age.js";
import { headlineOf, sayHeadline } from "../../Sources/BridgecastService/Resources/page/model/headline.js";
import { isTold, statusOf } from "../../Sources/BridgecastService/Resources/page/model/status.js";
import { sayWarnings } from "../../Sources/BridgecastService/Resources/page/model/warnings.js";
import { boardAt } from "./support/fakes.mjs";
import { english, noon, plain, spanish, texts } from "./support/said.mjs";

const time = "2026-02-20T12:00:00-08:00";
const stateWith = (board, more = {}) => ({
    board: { ...boardAt(time, { 2: true }), ...board }, trouble: null, isOnline: true, replay: null, ...more,
});
const source = (id) => [{ id, fetched_at: time, age_s: 0, stale: false, error: null }];

/** How old it is said to be some seconds after noon. */
function age(state, seconds, words = english) {
    const now = noon + seconds * 1000;
    const said = sayAge(words, state, statusOf(state, now, state.board.clock_rate ?? 1), now);
    return `${said.key}: ${plain(said.text)}`;
}

test("a live service is live, one that replays records says so, and at their end nothing grows older", () => {
    assert.equal(age(stateWith({ sources: source("feed") }), 9), "live: Live, as of 12:00:00 PM, 9 s ago");
    const said = "replaying: Replaying, as of 12:00:00 PM, 9 s ago";
    const until = "2026-02-20T21:00:00-08:00";
    for (const more of [{ sources: source("replay") }, { replay_until: until }, { clock_rate: 60 }]) {
        assert.equal(age(stateWith(more), 9), said);
    }
    assert.equal(age(stateWith({ sources: source("replay") }), 9, spanish),
        "replaying: Reproduciendo, a las 12:00:00, hace 9 s");
    const ended = stateWith({ replay_until: time });
    assert.equal(age(ended, 0), "ended: The replay has ended at 12:00 PM.");
    assert.equal(age(ended, 0, spanish), "ended: La reproducción terminó a las 12:00.");
    assert.equal(age({ ...ended, isOnline: false }, 0), "old: Not live: as of 12:00:00 PM, 0 s ago");
});

test("what was read over a minute ago is told as what was, also of a lost connection", () => {
    const said = (seconds, more) => {
        const state = stateWith({}, more);
        const status = statusOf(state, noon + seconds * 1000);
        return sayHeadline(english, headlineOf(state, status, noon), isTold(status));
    };
    for (const more of [{}, { isOnline: false }, { trouble: { kind: "cut" } }]) {
        assert.equal(said(60, more), "Ballard is up.");
        assert.equal(said(61, more), "Ballard was up.");
        assert.equal(said(601, more), "We cannot see the bridges.");
    }
});

test("warnings that are known are said in the visitor's language, others as they are", () => {
    const fitted = "the model in use was fitted to records of this time, so this is no test of it";
    assert.deepEqual(sayWarnings(english, [fitted, fitted, "another thing"]), [
        { key: "warning.fitted", text: texts.en["warning.fitted"] }, { key: null, text: "Another thing." },
    ]);
    assert.deepEqual(sayWarnings(spanish, ["no records for this time, which does not mean no openings", null]),
        [{ key: "warning.no_records", text: texts.es["warning.no_records"] }]);
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

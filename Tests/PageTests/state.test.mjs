// How the state answers to actions, what a document must have, and how far a board can be trusted.
import assert from "node:assert/strict";
import { test } from "node:test";
import { reduce } from "../../Sources/BridgecastService/Resources/page/data/reduce.js";
import { isBoard, isDay } from "../../Sources/BridgecastService/Resources/page/data/shapes.js";
import { shownState, statusOf } from "../../Sources/BridgecastService/Resources/page/model/status.js";
import { boardAt } from "./support/fakes.mjs";

const noon = "2026-02-20T12:00:00-08:00";
const initial = {
    board: null, trouble: null, nextTryAt: null, isOnline: true, address: { view: "now", values: {} }, replay: null,
    preferences: { pinned: [], watched: [], language: null, theme: null },
};

test("a bridge that moves changes itself alone, and nothing that was there before", () => {
    const before = reduce(initial, { type: "board", board: boardAt(noon, {}) });
    const frozen = JSON.stringify(before);
    const after = reduce(before, { type: "bridge", bridgeId: 2, state: "raised", since: noon });
    assert.equal(after.board.bridges[0].state, "raised");
    assert.equal(after.board.bridges[1], before.board.bridges[1]);
    assert.equal(JSON.stringify(before), frozen);
    assert.equal(reduce(initial, { type: "bridge", bridgeId: 2, state: "raised", since: noon }), initial);
});

test("a trouble keeps the last good board", () => {
    const board = boardAt(noon, {});
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
    assert.equal(isBoard(boardAt(noon, {})), true);
    for (const wrong of [null, 3, "board", [], {}, { bridges: [] }, { ...boardAt(noon, {}), sources: null },
        { ...boardAt(noon, {}), generated_at: "soon" }, { ...boardAt(noon, {}), bridges: [null] }]) {
        assert.equal(isBoard(wrong), false, JSON.stringify(wrong)?.slice(0, 60));
    }
    for (const [field, value] of [
        ["state", "up"], ["probability_stopped", 1.2], ["probability_stopped", "0.1"], ["bridge", 4],
        ["bridge_id", "2"], ["outlook", [{ probability_stopped: 0.1 }]], ["latitude", null],
    ]) {
        const board = boardAt(noon, {});
        board.bridges[0][field] = value;
        assert.equal(isBoard(board), false, field);
    }
});

test("what is no day is not taken for one", () => {
    const entry = { bridge: "Ballard", bridge_id: 2, coverage: [], openings: [{ opened_at: noon, closed_at: null }] };
    const day = { from: noon, to: noon, bridges: [entry] };
    assert.equal(isDay(day), true);
    for (const wrong of [
        null, {}, { ...day, from: 4 }, { ...day, bridges: {} }, { ...day, bridges: [{ ...entry, coverage: null }] },
        { ...day, bridges: [{ ...entry, openings: [{ opened_at: "x" }] }] },
    ]) assert.equal(isDay(wrong), false);
});

test("a board is live, then stale, then dead, and then no state of it is shown", () => {
    const state = { ...initial, board: boardAt(noon, { 2: true }) };
    const kindAfter = (seconds, rate = 1) => statusOf(state, Date.parse(noon) + seconds * 1000, rate).kind;
    assert.equal(statusOf(initial, 0).kind, "loading");
    assert.equal(kindAfter(30), "live");
    assert.equal(kindAfter(61), "stale");
    assert.equal(kindAfter(601), "dead");
    assert.equal(kindAfter(90, 20), "live");
    assert.equal(statusOf(state, Date.parse(noon) - 5000).ageSeconds, 0);
    const dead = statusOf(state, Date.parse(noon) + 601_000);
    assert.equal(shownState(state.board.bridges[0], dead), "unknown");
    assert.equal(statusOf({ ...state, replay: { date: "2026-02-20" } }, Date.parse(noon) + 1e9).kind, "replay");
    const silent = { ...state, board: { ...state.board, sources: [{ id: "feed", fetched_at: null }] } };
    assert.equal(statusOf(silent, Date.parse(noon)).kind, "dead");
});

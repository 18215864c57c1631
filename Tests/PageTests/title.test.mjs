// What the document's title says in each view.
import assert from "node:assert/strict";
import { test } from "node:test";
import { sayTitle } from "../../Sources/BridgecastService/Resources/page/model/title.js";
import { boardAt } from "./support/fakes.mjs";
import { english, live, noon, spanish } from "./support/language.mjs";

const title = (view, values = {}, words = english, board = boardAt("2026-02-20T12:00:00-08:00", {})) =>
    sayTitle(words, { board, trouble: null, address: { view, values } }, live, noon);
const lineTitle = (line, words = english, view = "line") =>
    sayTitle(words, { board: null, trouble: null, address: { view, values: {} }, line }, live, noon);

test("each view has a title of its own", () => {
    const trip = { from: "Ballard", to: "Downtown", mode: "car" };
    assert.equal(title("trip", trip), "Ballard to Downtown by car - Bridgecast");
    assert.equal(title("trip", trip, spanish), "De Ballard a Downtown en auto - Bridgecast");
    assert.equal(title("trip", { from: "Ballard" }), "Trip - Bridgecast");
    assert.equal(title("trip", { from: "47.61,-122.33", to: "SODO", mode: "rocket" }),
        "a point on the map to SODO by car - Bridgecast");
    assert.equal(title("bridge", { bridge: "2" }), "Ballard Bridge - Bridgecast");
    assert.equal(title("bridge", { bridge: "ballard" }, spanish), "Puente Ballard - Bridgecast");
    assert.equal(title("bridge", { bridge: "no" }), "Bridge - Bridgecast");
    assert.equal(title("bridge", { bridge: "2" }, english, null), "Bridge - Bridgecast");
    assert.equal(title("skill"), "How good is it? - Bridgecast");
    assert.match(title("now"), /down - Bridgecast$/);
});

test("a line's title counts down where its next arrival is near", () => {
    const line = { title: "542 Redmond", stop: "Montlake", arrivesAt: noon + 154_000 };
    assert.equal(lineTitle(line), "2:34 to 542 Redmond at Montlake - Bridgecast");
    assert.equal(lineTitle({ ...line, arrivesAt: noon + 400 }, spanish), "ahora para 542 Redmond en Montlake - Bridgecast");
    for (const other of [{ arrivesAt: noon + 601_000 }, { arrivesAt: null }, { stop: null }]) {
        assert.equal(lineTitle({ ...line, ...other }), "542 Redmond, live - Bridgecast");
    }
    assert.equal(lineTitle(null), "Buses - Bridgecast");
});

test("a board's title counts down where its next departure is near; a run's names the run", () => {
    const next = { title: "541", stop: "Montlake", arrivesAt: noon + 154_000 };
    assert.equal(lineTitle(next, english, "board"), "2:34 to 541 at Montlake - Bridgecast");
    assert.equal(lineTitle({ ...next, arrivesAt: noon + 601_000 }, english, "board"), "Montlake, departures - Bridgecast");
    assert.equal(lineTitle({ ...next, arrivesAt: null }, spanish, "board"), "Montlake, salidas - Bridgecast");
    assert.equal(lineTitle(null, english, "board"), "Departures - Bridgecast");
    assert.equal(lineTitle({ title: "541 to Overlake", stop: null, arrivesAt: null }, english, "run"), "541 to Overlake - Bridgecast");
    assert.equal(lineTitle(null, english, "run"), "A run - Bridgecast");
});

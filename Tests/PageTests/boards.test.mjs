// Boards of stops: what is read of answers, columns, sentences, the five problems, favourites, and the visitor's place.
import assert from "node:assert/strict";
import { test } from "node:test";
import { changesOf } from "../../Sources/BridgecastService/Resources/page/boards/board-changes.js";
import {
    isWorthSaying, quietBridges, sayAdded, sayBridgeAhead, secondsIfStopped,
} from "../../Sources/BridgecastService/Resources/page/boards/bridge-words.js";
import { columnsOf, linesOf, nextOf } from "../../Sources/BridgecastService/Resources/page/boards/columns.js";
import { isOld } from "../../Sources/BridgecastService/Resources/page/boards/freshness.js";
import {
    boardPath, nearestPath, nextPath, runPath,
} from "../../Sources/BridgecastService/Resources/page/boards/paths.js";
import {
    problemOfPlace, problemOfTrouble, remedies,
} from "../../Sources/BridgecastService/Resources/page/boards/problems.js";
import {
    crowdingKey, sayClock, sayPlatform, sayRun, sayStatus,
} from "../../Sources/BridgecastService/Resources/page/boards/words.js";
import { readRows } from "../../Sources/BridgecastService/Resources/page/core/preferences.js";
import { readBoard, readStops } from "../../Sources/BridgecastService/Resources/page/data/board.js";
import { keepPlace, readPlace } from "../../Sources/BridgecastService/Resources/page/data/place.js";
import { contrast, letteringOn, parseColour } from "../../Sources/BridgecastService/Resources/page/draw/colours.js";
import {
    favouriteBoard, favouriteOfALine, favouriteStop, isFavourite, readFavourites, toggled, withFirst,
} from "../../Sources/BridgecastService/Resources/page/model/favourites.js";
import { replaceGlobals } from "./support/fakes.mjs";
import { english, plain, spanish, texts } from "./support/language.mjs";
import { boardDocument, bridgeAhead, departure, noon } from "./support/transit.mjs";

test("a board is read with everything that a row needs", () => {
    const board = readBoard(boardDocument([departure({
        predicted_departure: "2018-01-04T12:05:00-08:00", expected_epoch_s: noon / 1000 + 300, delay_s: 240,
        status: "late", confidence: "HIGH", occupancy: "High", platform: "2", planned_platform: "1",
        wheelchair: "accessible",
        service_class: "express", bridges: [bridgeAhead()],
    })]));
    const [row] = board.departures;
    assert.equal(board.stop.name, "Montlake Blvd");
    assert.equal(board.zone, "America/Los_Angeles");
    assert.equal(board.directions.get(0), "Redmond");
    assert.equal(row.at, noon + 300_000);
    assert.deepEqual([row.line.title, row.headsign, row.confidence, row.crowding], ["541", "Overlake", "HIGH", "High"]);
    assert.deepEqual([row.platform, row.plannedPlatform, row.wheelchair], ["2", "1", "accessible"]);
    assert.deepEqual([row.serviceClass, row.delay, row.isPredicted], ["express", 240, true]);
    assert.equal(row.bridges[0].name, "Montlake");
});

test("the nearest board is read with the stops around it", () => {
    const { data, ...envelope } = boardDocument([departure()]);
    const other = { id: "9", name: "Pacific St", distance_m: 320.5 };
    const board = readBoard({ ...envelope, data: { stops: [data.stop, other], board: data } });
    assert.deepEqual(board.nearby.map(({ id, metres }) => [id, metres]), [["9", 320.5]]);
});

test("whatever a proxy answers, nothing is thrown and nothing is made up", () => {
    const rubbish = [null, undefined, 4, "board", [], {}, { data: null }, { data: { stop: 3 } },
        { data: { stop: { id: "1" }, departures: [] } }, { data: { stop: { id: "1" }, departures: {}, as_of: "now" } }];
    for (const one of rubbish) assert.equal(readBoard(one), null);
    const board = readBoard(boardDocument([null, 3, {}, { trip_id: 4 }, { trip_id: "t" }, departure({
        expected_epoch_s: "soon", expected: 7, status: "flying", confidence: "SURE", wheelchair: true,
        bridges: [null, { bridge: 3 }], service_class: "rocket", delay_s: "much", occupancy: 5, direction: 9,
        bridge_delay: { mean_s: 3, probability_stopped: 7 },
    })]));
    assert.equal(board.departures.length, 1);
    const [row] = board.departures;
    assert.deepEqual([row.at, row.status, row.confidence, row.wheelchair], [null, "scheduled", "NONE", "unknown"]);
    assert.deepEqual([row.serviceClass, row.delay, row.crowding, row.direction], [null, null, null, null]);
    assert.deepEqual([row.bridges, row.bridgeDelay], [[], null]);
    const stops = [null, { name: "x" }, { id: "7", lines: [{}, { id: "a", title: 3 }] }];
    assert.deepEqual(readStops({ data: { stops } })
        .map(({ id, name, lines }) => [id, name, lines.map(({ title }) => title)]), [["7", "7", ["a"]]]);
});

test("what does not come has no time to expect", () => {
    for (const status of ["cancelled", "skipped"]) {
        const [row] = readBoard(boardDocument([departure({ status })])).departures;
        assert.equal(row.at, null);
        assert.equal(row.scheduledAt, noon + 60_000);
    }
});

test("a problem of a board is one of two, with the service's words", () => {
    const read = (problem) => readBoard(boardDocument([], { problem })).problem;
    assert.deepEqual(read({ code: "apiError", message: "no answer", recovery: "wait" }),
        { code: "apiError", message: "no answer", recovery: "wait" });
    for (const value of [null, {}, { code: "fire" }, "apiError"]) assert.equal(read(value), null);
});

test("columns have so many departures of each direction, in order, those without one last", () => {
    const at = (minutes, more) =>
        departure({ trip_id: `t${minutes}`, expected_epoch_s: noon / 1000 + minutes * 60, ...more });
    const rows = [at(9), at(3), at(6), at(1, { direction: 1 }), at(2, { direction: null })];
    const board = readBoard(boardDocument(rows));
    const columns = columnsOf(board, 2);
    assert.deepEqual(columns.map(({ direction, name }) => [direction, name]),
        [[0, "Redmond"], [1, "Overlake"], [null, null]]);
    assert.deepEqual(columns[0].departures.map(({ trip }) => trip), ["t3", "t6"]);
    assert.deepEqual(columnsOf(readBoard(boardDocument([])), 3), []);
    assert.equal(nextOf(board.departures, noon + 90_000).trip, "t2");
    assert.equal(nextOf(board.departures, noon + 3_600_000), null);
});

test("lines are named once, in the order of their numbers", () => {
    const of = (route) => departure({ route, route_id: `id-${route}`, trip_id: route });
    const board = readBoard(boardDocument([of("10"), of("9"), of("9"), of("E")]));
    assert.deepEqual(linesOf(board).map(({ title }) => title), ["9", "10", "E"]);
});

test("rows are between one and ten", () => {
    assert.deepEqual(["1", "10", 4].map(readRows), [1, 10, 4]);
    for (const value of ["0", "11", "2.5", "x", "", null, undefined, {}, NaN]) assert.equal(readRows(value), null);
});

test("how late it is is a word", () => {
    const say = (status, delay = null, isApproximate = false, words = english) =>
        sayStatus(words, { status, delay, isApproximate });
    assert.equal(say("on_time", 20), "on time");
    assert.equal(say("late", 200), "3 min late");
    assert.equal(say("late"), "late");
    assert.equal(say("early", -250), "4 min early");
    assert.equal(say("scheduled"), "scheduled");
    assert.equal(say("scheduled", null, true), "about scheduled");
    assert.equal(say("skipped"), "does not stop");
    assert.equal(say("late", 200, false, spanish), "3 min tarde");
    for (const status of ["scheduled", "on_time", "late", "early", "cancelled", "skipped", "added", "no_data"]) {
        for (const words of [english, spanish]) assert.ok(words.has(`board.status.${status}`), status);
    }
});

test("occupancy is spoken as four levels, and not at all where nothing is known", () => {
    const say = (value) => english.t(`line.crowding.${crowdingKey(value)}`);
    assert.deepEqual(["Low", "Moderate", "High", "Very crowded"].map(say),
        ["Low occupancy", "Moderate occupancy", "High occupancy", "Very crowded"]);
    assert.equal(crowdingKey(null), null);
    assert.equal(crowdingKey("full of cats"), null);
});

test("a platform that was changed says which it was", () => {
    const say = (platform, plannedPlatform) => sayPlatform(english, { platform, plannedPlatform });
    assert.deepEqual(say("4", null), { text: "Platform 4", isChanged: false });
    assert.deepEqual(say("4", "2"), { text: "Platform 4, not 2", isChanged: true });
    assert.equal(say(null, "2"), null);
});

test("times are those of the agency's clock", () => {
    assert.equal(plain(sayClock(english, noon, "America/Los_Angeles")), "12:00 PM");
    assert.equal(plain(sayClock(english, noon, "America/New_York")), "3:00 PM");
    assert.equal(plain(sayClock(english, noon, "Mars/Olympus")), "12:00 PM");
    assert.equal(sayClock(english, null, null), "–");
    assert.equal(sayRun(english, { line: { title: "541" }, headsign: "Overlake" }), "541 to Overlake");
    assert.equal(sayRun(english, { line: { title: "541" }, headsign: "" }), "541");
});

test("what a bridge may add is a figure for if it stops the bus, with its chance", () => {
    const bridge = readBoard(boardDocument([departure({ bridges: [bridgeAhead()] })])).departures[0].bridges[0];
    assert.equal(secondsIfStopped(bridge), 200);
    assert.equal(sayAdded(english, bridge), "+3 min, 31 in 100");
    assert.equal(plain(sayBridgeAhead(english, bridge, noon, (time) => english.time(time))),
        "Montlake Bridge at 12:01 PM may stop it");
    assert.equal(sayAdded(english, { ...bridge, meanSeconds: null }), "31 in 100");
    assert.equal(sayAdded(english, { ...bridge, chance: null }), null);
});

test("a bus that waits has words for how surely that is known", () => {
    const waiting = bridgeAhead({
        is_waiting: true, probability_stopped: 1, delay_s: { mean: 240 }, raised_since_epoch_s: noon / 1000 - 180 });
    const read = (more) =>
        readBoard(boardDocument([departure({ bridges: [{ ...waiting, ...more }] })])).departures[0].bridges[0];
    const say = (basis) => sayBridgeAhead(english, read({ eta_basis: basis }), noon, String);
    assert.equal(say("timetable"), "Should be waiting at Montlake Bridge now (raised 3 min ago)");
    assert.equal(say("prediction"), "Predicted to be waiting at Montlake Bridge now (raised 3 min ago)");
    assert.equal(say("vehicle"), "Waiting at Montlake Bridge (raised 3 min ago)");
    assert.equal(sayAdded(english, read({})), "+4 min");
});

test("small chances are one sentence for the whole board", () => {
    const read = (chance) => readBoard(boardDocument([
        departure({ bridges: [bridgeAhead({ probability_stopped: chance })] })])).departures;
    assert.deepEqual(quietBridges([...read(0.02), ...read(0.01), ...read(0.4)]), ["Montlake"]);
    assert.deepEqual(quietBridges(read(0.4)), []);
    assert.equal(isWorthSaying(read(0.03)[0].bridges[0]), true);
    assert.equal(isWorthSaying(read(null)[0].bridges[0]), false);
});

test("each of the five problems has a sentence and a remedy in both languages", () => {
    for (const code of Object.keys(remedies)) {
        for (const language of ["en", "es"]) {
            assert.ok(texts[language][`board.problem.${code}`], code);
            assert.ok(texts[language][`board.remedy.${code}`], code);
        }
    }
    assert.equal(problemOfTrouble({ code: "noStation", status: 404 }), "noStation");
    assert.equal(problemOfTrouble({ code: "noData", status: 404 }), "noData");
    assert.equal(problemOfTrouble({ code: "not_found", status: 404 }), "noStation");
    for (const status of [400, 503]) assert.equal(problemOfTrouble({ code: null, status }), "apiError");
    assert.equal(problemOfTrouble({ code: "constructor", status: null }), "apiError");
    assert.equal(problemOfPlace({ place: null, isOutdated: false }), "noLocation");
    assert.equal(problemOfPlace({ place: null, isOutdated: true }), "cacheStale");
    assert.equal(problemOfPlace({ place: {}, isOutdated: false }), null);
});

test("a board is old after ninety seconds, and at once where a question failed", () => {
    const value = { at: noon };
    assert.equal(isOld({ value, trouble: null }, noon + 89_000, 1), false);
    assert.equal(isOld({ value, trouble: null }, noon + 91_000, 1), true);
    assert.equal(isOld({ value, trouble: null }, noon + 91_000, 60), false);
    assert.equal(isOld({ value, trouble: { kind: "cut" } }, noon, 1), true);
    assert.equal(isOld({ value: null, trouble: null }, noon, 1), false);
});

test("cancellations and other platforms are reported once, and nothing that is new", () => {
    const read = (more) => readBoard(boardDocument([departure({ platform: "1", ...more })])).departures;
    assert.deepEqual(changesOf(read(), read()), []);
    assert.deepEqual(changesOf([], read()), []);
    assert.deepEqual(changesOf(read(), read({ status: "cancelled" })).map(({ kind }) => kind), ["cancelled"]);
    assert.deepEqual(changesOf(read({ status: "cancelled" }), read({ status: "cancelled" })), []);
    const moved = read({ platform: "3", stop_id: "other" });
    assert.deepEqual(changesOf(read(), moved).map(({ kind }) => kind), ["platform"]);
});

test("identifiers of any kind are one part of a path", () => {
    assert.equal(boardPath("1/2?x", 3), "stops/1%2F2%3Fx/board?per_direction=3");
    assert.equal(nearestPath({ latitude: 47.644, longitude: -122.304 }, 5),
        "stops/nearest?lat=47.644&lon=-122.304&stations=4&per_direction=5");
    assert.equal(nextPath({ line: "a&b", stop: "1", direction: 0, name: "" }, 3),
        "stops/1/board?limit=3&route_id=a%26b&direction=0");
    assert.equal(runPath("t/1", null, "/map"), "trips/t%2F1/map");
    assert.equal(runPath("t", "2018-01-04"), "trips/t?date=2018-01-04");
});

test("favourites are read of whatever was kept", () => {
    const one = { line: "541", stop: "1", direction: 0, name: "Montlake" };
    const kept = [one, one, null, 3, {}, { stop: "" }, { stop: "2", line: 5, direction: 7 }, { stop: "x".repeat(300) }];
    assert.deepEqual(readFavourites(kept), [one, { line: null, stop: "2", direction: null, name: "2" }]);
    for (const value of [null, "x", {}, 4]) assert.deepEqual(readFavourites(value), []);
    assert.equal(readFavourites(Array.from({ length: 50 }, (_, n) => ({ stop: `${n}` }))).length, 20);
});

test("the first favourite opens, each can be taken out and put first", () => {
    const board = { line: null, stop: "1", direction: null, name: "One" };
    const line = { line: "541", stop: "2", direction: 0, name: "Two" };
    const both = toggled(toggled([], board), line);
    assert.deepEqual(both, [board, line]);
    assert.equal(favouriteBoard({ favourites: both }), board);
    assert.equal(favouriteBoard({ favourites: [] }), null);
    assert.equal(favouriteOfALine({ favourites: both }), line, "a line of one's own comes before all lines of a stop");
    assert.equal(favouriteOfALine({ favourites: [board] }), board);
    assert.equal(favouriteOfALine({}), null);
    assert.equal(favouriteStop({ favourites: both }, "541"), "2");
    assert.equal(favouriteStop({ favourites: both }, "542"), null);
    assert.equal(isFavourite({ favourites: both }, { ...line }), true);
    assert.equal(isFavourite({ favourites: both }, { ...line, line: null }), false);
    assert.deepEqual(withFirst(both, line), [line, board]);
    assert.deepEqual(toggled(both, { ...board }), [line]);
});

test("a place is rounded, kept half an hour, and then gone from the browser", (t) => {
    const kept = new Map();
    replaceGlobals(t, { localStorage: {
        getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value),
        removeItem: (key) => kept.delete(key),
    } });
    assert.deepEqual(readPlace(0), { place: null, isOutdated: false });
    assert.deepEqual(keepPlace({ latitude: 47.6440168, longitude: -122.3042683 }, 1_000),
        { latitude: 47.644, longitude: -122.304 });
    assert.ok(![...kept.values()].join().includes("47.6440"));
    const minutes = (n) => 1_000 + n * 60_000;
    assert.deepEqual(readPlace(minutes(29)).place, { latitude: 47.644, longitude: -122.304 });
    assert.deepEqual(readPlace(minutes(31)), { place: null, isOutdated: true });
    assert.equal(kept.size, 0);
    assert.deepEqual(readPlace(minutes(31)), { place: null, isOutdated: false });
    kept.set("bridgecast.place", "{\"latitude\":900,\"longitude\":3,\"at\":1000}");
    assert.deepEqual(readPlace(minutes(1)), { place: null, isOutdated: false });
    kept.set("bridgecast.place", "nonsense");
    assert.deepEqual(readPlace(minutes(1)), { place: null, isOutdated: false });
});

test("storage that is forbidden leaves the place good for one board", (t) => {
    const refuse = () => { throw new Error("forbidden"); };
    replaceGlobals(t, { localStorage: { getItem: refuse, setItem: refuse, removeItem: refuse } });
    assert.deepEqual(keepPlace({ latitude: 1.23456, longitude: 2 }), { latitude: 1.235, longitude: 2 });
    assert.deepEqual(readPlace(), { place: null, isOutdated: false });
});

test("letters can be read on every line's colour", () => {
    for (const color of ["#FDB71A", "#2B376E", "#8DC63F", "#777777", "#FFFFFF", "#000000", "#E74C3C", "#3498DB"]) {
        const ground = parseColour(color);
        for (const wanted of [null, "#FFFFFF", "#000000", "#FDB71A"]) {
            const letters = letteringOn(ground, parseColour(wanted));
            assert.ok(contrast(letters, ground) >= 4.5, `${wanted} on ${color}`);
        }
    }
    assert.deepEqual(letteringOn(parseColour("#2B376E"), parseColour("#FDB71A")), parseColour("#FDB71A"));
});

// What the service answers about lines, also where it is not as expected, how a line is kept up to date, and its texts.
import assert from "node:assert/strict";
import { test } from "node:test";
import { NoAnswer, trouble } from "../../Sources/BridgecastService/Resources/page/data/api.js";
import { LineFeed } from "../../Sources/BridgecastService/Resources/page/data/line.js";
import {
    readArrivals, readLineMap, readLines, readPositions,
} from "../../Sources/BridgecastService/Resources/page/data/line-answers.js";
import { readLineIDs, readStopID } from "../../Sources/BridgecastService/Resources/page/line/address.js";
import { layOut, longNameOf } from "../../Sources/BridgecastService/Resources/page/line/layout.js";
import { inOrder, nextAt } from "../../Sources/BridgecastService/Resources/page/model/line-order.js";
import { badgeOf, sayDelay, sayVehicle } from "../../Sources/BridgecastService/Resources/page/line/words.js";
import { hasTimetable } from "../../Sources/BridgecastService/Resources/page/model/timetable.js";
import { boardAt, replaceGlobals, settled } from "./support/fakes.mjs";
import { english, plain, spanish } from "./support/language.mjs";

const time = "2018-01-04T15:00:00-08:00";
const start = Date.parse(time);
const epoch = start / 1000;
const route = { id: "100511", short_name: "542", long_name: "", title: "542", color: null, kind: "bus" };
const wayOf = (pattern, direction, headsign, more = {}) => ({
    type: "Feature", geometry: { type: "LineString", coordinates: [[-122.3, 47.65], [-122.2, 47.66], [-122.1, 47.68]] },
    properties: {
        feature: "line", pattern, direction, headsign, trips: 9, is_main: true, length_m: 15_000, approximate: false,
        stops: [{ id: "a", sequence: 1, along_m: 0 }, { id: "b", sequence: 2, along_m: 15_000 }],
        bridges: [{ bridge_id: 4, along_m: 2_000 }], ...more,
    },
});
const point = (feature, properties) =>
    ({ type: "Feature", geometry: { type: "Point", coordinates: [-122.3, 47.65] }, properties: { feature, ...properties } });
const mapOf = (features) => ({ type: "FeatureCollection", time_zone: "America/Los_Angeles", route, features });
const map = mapOf([wayOf(0, 0, "Redmond"), wayOf(1, 1, "Green Lake", { is_main: false }), point("stop", { id: "a", name: "A St" }),
    point("stop", { id: "b", name: "B St" }), point("bridge", { bridge_id: 4, name: "Montlake" })]);
const vehicle = {
    id: "v1", label: "9061", lat: 47.66, lon: -122.2, bearing: 80, along_m: 7_000, off_route: false, route_id: "100511",
    trip_id: "t", run: { trip_id: "t", service_date: "2018-01-04", start_time: null }, pattern: 0, headsign: "Redmond",
    direction: 0, delay_s: 260, status: "late", occupancy: "Very crowded", stale: false,
    next_stops: [{ stop_id: "b", stop_name: "B St", along_m: 15_000, arrival: time, arrival_epoch_s: epoch + 90, departure_epoch_s: epoch + 95 }],
    at_stop: { stop_id: "b", arrival_at_epoch_s: epoch + 90, confidence: "HIGH" },
};
const positions = (vehicles) => ({ valid_at: time, data: { vehicles } });

const garbage = [
    null, undefined, 7, "x", [], {}, { data: null }, { data: {} }, { data: { vehicles: 1, predictions: "x", lines: {} } },
    { features: [null, 1, {}, { properties: null }, { properties: { feature: "line" }, geometry: null }], route: { id: 3 } },
    { route, features: [wayOf("x", 0, ""), { ...wayOf(0, 0, ""), geometry: { type: "LineString", coordinates: [[1], "x", [NaN, 2]] } }] },
];

test("what is no answer about a line is none, and never a crash", () => {
    for (const document of garbage) {
        assert.equal(readLineMap(document), null);
        assert.equal(readPositions(document), null);
        assert.equal(readArrivals(document), null);
        assert.deepEqual(readLines(document), []);
    }
});

test("a map has its ways, the main one on top, its stops and its bridges", () => {
    const read = readLineMap(map);
    assert.deepEqual(read.ways.map(({ pattern }) => pattern), [1, 0]);
    assert.deepEqual(read.stops.map(({ name }) => name), ["A St", "B St"]);
    assert.equal(longNameOf(read), "Redmond");
    const { lines, zone } = layOut([read, read]);
    assert.equal(zone, "America/Los_Angeles");
    assert.ok(lines[1].height > lines[0].height, "several lines have a height each");
    assert.equal(lines[0].strokes.length, 1, "ways that run together are one line");
    assert.deepEqual(lines[0].stops.map(({ ids, isEnd }) => [ids[0], isEnd]), [["a", true], ["b", true]]);
    assert.equal(lines[0].bridges[0].name, "Montlake");
});

test("vehicles are read as far as they can be; those that are nowhere or twice are left out", () => {
    const read = readPositions(positions([vehicle, vehicle, null, { id: "x" }, { ...vehicle, id: "y", lat: 900 },
        { ...vehicle, id: "z", pattern: null, off_route: true, next_stops: [null, {}, { stop_id: 1 }], at_stop: 3, status: "odd" }]));
    assert.deepEqual(read.vehicles.map(({ id }) => id), ["v1", "z"]);
    const [first, last] = read.vehicles;
    assert.deepEqual([first.band, first.isCrowded, first.nextStops[0].arrivesAt, first.atStop.at],
        ["late", true, start + 90_000, start + 90_000]);
    assert.deepEqual([last.pattern, last.band, last.nextStops, last.atStop], [null, null, [], null]);
});

test("arrivals are in order, with what a bridge adds where it may stop the bus", () => {
    const arrival = (seconds, more = {}) => ({
        trip_id: `t${seconds}`, stop_id: "b", arrival_at_epoch_s: epoch + seconds, headsign: "Redmond", confidence: "HIGH",
        predicted: true, bridge_delay: { mean_s: 24, probability_stopped: 0.12 }, ...more,
    });
    const read = readArrivals({ data: { predictions: [arrival(300, { bridge_delay: { mean_s: 0, probability_stopped: 0 } }),
        arrival(60), { arrival_at_epoch_s: null }, arrival(90, { confidence: "SURE" })] } });
    assert.deepEqual(read.map(({ at, confidence }) => [(at - start) / 1000, confidence]),
        [[60, "HIGH"], [90, "NONE"], [300, "HIGH"]]);
    assert.deepEqual([Math.round(read[0].bridge.seconds), read[0].bridge.chance, read[2].bridge], [200, 0.12, null]);
});

test("lateness and crowding are named in both languages, and badges are short", () => {
    const [own] = readPositions(positions([vehicle])).vehicles;
    assert.equal(plain(sayVehicle(english, own)), "9061 to Redmond, 4 min late, Very crowded, next stop B St");
    assert.equal(plain(sayVehicle(spanish, own)), "9061 a Redmond, 4 min tarde, Muy lleno, próxima parada B St");
    assert.deepEqual([badgeOf(own), badgeOf({ ...own, band: "early", delay: -200 }), badgeOf({ ...own, band: "on_time" })],
        ["+4", "−3", ""]);
    assert.equal(sayDelay(english, { ...own, delay: null }), "lateness not known");
    assert.equal(sayDelay(english, { ...own, band: "on_time", delay: 40 }), "on time");
    for (const name of ["Low", "Moderate", "High", "Very crowded", "not boardable", "new"]) {
        for (const words of [english, spanish]) {
            assert.ok(!sayVehicle(words, { ...own, crowding: name }).includes("line."));
        }
    }
});

test("the list is in the order of the line, and a stop knows what comes next", () => {
    const { vehicles } = readPositions(positions([{ ...vehicle, id: "c", direction: 1, along_m: 5 },
        { ...vehicle, id: "b", along_m: 900 }, { ...vehicle, id: "a", along_m: 1_000 }]));
    assert.deepEqual(inOrder(vehicles).map(({ id }) => id), ["b", "a", "c"]);
    assert.equal(nextAt(vehicles, "b").arrivesAt, start + 90_000);
    assert.equal(nextAt(vehicles, "a"), null);
});

test("an address names lines and a stop; the favourite stop stands in for one", () => {
    assert.deepEqual(readLineIDs({}), []);
    assert.deepEqual(readLineIDs({ lines: "2,3" }), []);
    assert.deepEqual(readLineIDs({ line: "1", lines: "2, 1,,3" }), ["1", "2", "3"]);
    const preferences = { favourites: [{ line: "100511", stop: "s", direction: 0 }] };
    assert.equal(readStopID({ line: "542", stop: "t" }, preferences, null), "t");
    assert.equal(readStopID({ line: "542" }, preferences, null), null);
    assert.equal(readStopID({ line: "542" }, preferences, readLineMap(map)), "s", "542 is what riders call it");
    assert.equal(readStopID({ line: "100511" }, preferences, null), "s");
    assert.equal(readStopID({ line: "1" }, { favourites: [] }, null), null);
});

test("a board of a service with a timetable has lines to show", () => {
    const board = boardAt(time, {});
    assert.equal(hasTimetable(board), false);
    assert.equal(hasTimetable(null), false);
    assert.equal(hasTimetable({ ...board, has_timetable: true }), true);
});

/** A feed whose service tests make up, in a page that tests hide. */
function createFeed(t, answer) {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    let passed = 0;
    t.mock.method(performance, "now", () => passed);
    t.mock.method(Math, "random", () => 0);
    const page = { hidden: false, listeners: new Set(), addEventListener: (_, call) => page.listeners.add(call),
        removeEventListener: (_, call) => page.listeners.delete(call) };
    replaceGlobals(t, { document: page, navigator: { onLine: true } });
    const world = { asked: [], page, answer, transit: new Set(), heard: 0 };
    const clock = { rate: 1, now: () => start + passed, serviceNow: () => start + passed };
    const api = { get: async (path) => { world.asked.push({ path, at: passed }); return world.answer(path); } };
    const live = { onTransit: (hear) => { world.transit.add(hear); return () => world.transit.delete(hear); } };
    world.feed = new LineFeed({ api, live, clock }, ["542"], () => { world.heard += 1; });
    world.run = async (milliseconds) => {
        for (let done = 0; done < milliseconds; done += 500) {
            passed += 500;
            t.mock.timers.tick(500);
            await settled();
        }
    };
    world.count = (text) => world.asked.filter(({ path }) => path.includes(text)).length;
    return world;
}

const good = (path) => path.includes("/map") ? map : path.startsWith("stops") ? { data: { predictions: [] } }
    : positions([vehicle]);

test("the map is asked once, vehicles and arrivals every 30 seconds, and every 60 in a hidden page", async (t) => {
    const world = createFeed(t, good);
    world.feed.watch("b");
    world.feed.open();
    await world.run(61_000);
    assert.deepEqual([world.count("/map"), world.count("realtime"), world.count("predictions")], [1, 3, 3]);
    assert.equal(world.asked.find(({ path }) => path.startsWith("realtime")).path, "realtime?route_id=542&stop_id=b");
    world.page.hidden = true;
    for (const hear of world.page.listeners) hear();
    await world.run(120_000);
    assert.equal(world.count("realtime"), 5);
    world.page.hidden = false;
    for (const hear of world.page.listeners) hear();
    await world.run(1_000);
    assert.equal(world.count("realtime"), 5, "not before it is due");
    for (const hear of world.transit) hear();
    await world.run(5_500);
    assert.equal(world.count("realtime"), 6, "after a feed has answered");
    world.feed.close();
    await world.run(120_000);
    assert.deepEqual([world.count("realtime"), world.transit.size, world.page.listeners.size], [6, 0, 0]);
});

test("what fails keeps what was known, with its age, and is asked again sooner", async (t) => {
    const world = createFeed(t, good);
    world.feed.open();
    await world.run(500);
    world.answer = () => { throw new NoAnswer(trouble("status", { status: 503, retryAfterSeconds: 5 })); };
    await world.run(30_000);
    const { positions: known } = world.feed.state;
    assert.deepEqual([known.value.vehicles.length, known.trouble.status, known.at <= start + 500], [1, 503, true]);
    const before = world.count("realtime");
    await world.run(10_000);
    assert.ok(world.count("realtime") >= before + 1);
    world.answer = good;
    world.feed.retry();
    await world.run(500);
    assert.equal(world.feed.state.positions.trouble, null);
});

test("a map that is refused is not asked again; one that fails is, until it is there", async (t) => {
    const world = createFeed(t, () => { throw new NoAnswer(trouble("status", { status: 404, code: "noData" })); });
    world.feed.open();
    await world.run(60_000);
    assert.equal(world.count("/map"), 1);
    assert.equal(world.feed.state.maps.trouble.code, "noData");
    world.answer = (path) => (path.includes("/map") ? { features: [] } : positions([]));
    world.feed.retry();
    await world.run(30_000);
    assert.ok(world.count("/map") > 2);
    world.answer = good;
    await world.run(60_000);
    assert.equal(world.feed.state.maps.value.length, 1);
    world.feed.close();
});

test("arrivals of another stop replace those of the last", async (t) => {
    const world = createFeed(t, good);
    world.feed.watch("a");
    world.feed.open();
    await world.run(500);
    assert.deepEqual(world.feed.state.arrivals.value, []);
    world.feed.watch("b");
    assert.equal(world.feed.state.arrivals.value, null);
    await world.run(500);
    assert.deepEqual([world.feed.state.arrivals.value, world.count("stops/b/")], [[], 1]);
    world.feed.close();
});

test("a stop that is chosen while an answer is on its way is asked for right after it", async (t) => {
    const waiting = [];
    const world = createFeed(t, good);
    world.answer = (path) => new Promise((done) => waiting.push(() => done(good(path))));
    world.feed.watch("a");
    world.feed.open();
    await world.run(500);
    world.feed.watch("b");
    assert.equal(world.count("stops/b/"), 0);
    for (const go of waiting.splice(0)) go();
    await world.run(500);
    assert.equal(world.count("stops/b/"), 1);
    assert.equal(world.feed.state.arrivals.value, null, "the answer about the other stop is not this one's");
    for (const go of waiting.splice(0)) go();
    await world.run(500);
    assert.deepEqual(world.feed.state.arrivals.value, []);
    world.feed.close();
});

test("a service without vehicles has arrivals as often as others", async (t) => {
    const world = createFeed(t, (path) => {
        if (path.includes("realtime")) throw new NoAnswer(trouble("status", { status: 404, code: "noData" }));
        return good(path);
    });
    world.feed.watch("b");
    world.feed.open();
    await world.run(61_000);
    assert.equal(world.count("predictions"), 3);
    world.feed.close();
});

test("a stop that the timetable does not have takes no vehicles away, and is asked about once", async (t) => {
    const refused = () => { throw new NoAnswer(trouble("status", { status: 404, parameter: "stop_id", near: ["b"] })); };
    const world = createFeed(t, (path) => (/stop_id=|predictions/.test(path) ? refused() : good(path)));
    world.feed.watch("nowhere");
    world.feed.open();
    await world.run(61_000);
    const { positions, arrivals } = world.feed.state;
    assert.deepEqual([positions.value.vehicles.length, positions.trouble], [1, null]);
    assert.deepEqual([arrivals.trouble.status, arrivals.trouble.near], [404, ["b"]]);
    assert.deepEqual([world.count("stop_id="), world.count("predictions"), world.count("realtime")], [1, 1, 4]);
    world.answer = good;
    world.feed.watch("b");
    await world.run(500);
    assert.deepEqual([world.count("stop_id=b"), world.feed.state.arrivals.value], [1, []]);
    world.feed.close();
});

test("of a past day the line is asked for, and neither vehicles nor arrivals", async (t) => {
    const world = createFeed(t, good);
    world.feed.watch("b");
    world.feed.open(false);
    world.feed.watch("a");
    await world.run(61_000);
    assert.deepEqual(world.asked.map(({ path }) => path), ["routes/542/map"]);
    world.feed.close();
    world.feed.open(true);
    await world.run(500);
    assert.deepEqual([world.count("/map"), world.count("realtime"), world.count("stops/a/")], [1, 1, 1]);
    world.feed.close();
});

// Runs: what is read of answers, the order of stops and bridges, what has been passed; and the feed of boards and runs.
import assert from "node:assert/strict";
import { test } from "node:test";
import { passedCount, rowsOf, stageOf } from "../../Sources/BridgecastService/Resources/page/boards/run-rows.js";
import { NoAnswer, trouble } from "../../Sources/BridgecastService/Resources/page/data/api.js";
import { readRun, readRunMap } from "../../Sources/BridgecastService/Resources/page/data/run.js";
import { TransitFeed } from "../../Sources/BridgecastService/Resources/page/data/transit-feed.js";
import { replaceGlobals, settled } from "./support/fakes.mjs";
import { bridgeAhead, noon, runDocument } from "./support/transit.mjs";

const minute = 60_000;
const kindOf = (row) => (row.kind === "stop" ? `${row.stop.id}${row.isPassed ? " passed" : ""}` : row.kind);
const kinds = (rows) => rows.map(kindOf);

test("a run is read, and rubbish is not", () => {
    const run = readRun(runDocument(3, { vehicle: { id: "9541", age_s: 20, stale: false } }));
    assert.deepEqual([run.trip, run.date, run.line.title, run.headsign, run.number],
        ["t1", "2018-01-04", "541", "Overlake", "EXPRESS"]);
    assert.deepEqual(run.stops.map(({ place }) => place), [[47, -122.3], [48, -122.3], [49, -122.3]]);
    assert.deepEqual(run.vehicle, { id: "9541", ageSeconds: 20, isStale: false });
    const rubbish = [null, 3, {}, { data: {} }, runDocument(0), { ...runDocument(2), valid_at: 7 }];
    for (const one of rubbish) assert.equal(readRun(one), null);
    const [stop] = readRun(runDocument(1, { stops: [{ stop_id: "a", lat: 900, lon: 1 }, null, 4] })).stops;
    assert.deepEqual([stop.place, stop.name, stop.at], [null, "a", null]);
});

test("what has been passed is known by its times, also where one of them is missing", () => {
    const { stops } = readRun(runDocument(4));
    const times = [noon - 1, noon + 1, noon + minute + 1, noon + 9 * minute];
    assert.deepEqual(times.map((now) => passedCount(stops, now)), [0, 1, 2, 4]);
    assert.deepEqual(times.map((now) => stageOf(stops, now)), ["ahead", "under_way", "under_way", "over"]);
    const gap = stops.map((stop, place) => place === 1 ? { ...stop, at: null, scheduledAt: null } : stop);
    assert.equal(passedCount(gap, noon + 2 * minute + 1), 3);
});

test("bridges stand between the stops where they are crossed, and the vehicle after the last stop that it left", () => {
    const bridges = [bridgeAhead({ eta_epoch_s: noon / 1000 + 150 }),
        bridgeAhead({ bridge_id: 3, bridge: "Fremont", eta_epoch_s: null, eta: null })];
    const run = readRun(runDocument(4, { bridges, vehicle: { id: "9541" } }));
    assert.deepEqual(kinds(rowsOf(run, noon + 1)), ["s0 passed", "here", "s1", "s2", "bridge", "bridge", "s3"]);
    assert.deepEqual(kinds(rowsOf(run, noon - 1)), ["s0", "s1", "s2", "bridge", "bridge", "s3"]);
    assert.deepEqual(kinds(rowsOf({ ...run, bridges: [] }, noon + 9 * minute)),
        ["s0 passed", "s1 passed", "s2 passed", "s3 passed"]);
    assert.equal(rowsOf(run, noon + 1)[1].isSeen, true);
    assert.equal(rowsOf({ ...run, vehicle: null }, noon + 1)[1].isSeen, false);
    assert.ok(!kinds(rowsOf({ ...run, isCancelled: true }, noon + 1)).includes("here"));
});

test("lateness is shown where it changes", () => {
    const run = readRun(runDocument(4));
    run.stops.forEach((stop, place) => Object.assign(stop, { status: "late", delay: place < 2 ? 200 : 400 }));
    assert.deepEqual(rowsOf(run, noon - 1).map(({ isNews }) => isNews), [true, false, true, false]);
});

const feature = (kind, coordinates, more = {}) => ({
    type: "Feature", properties: { feature: kind, ...more },
    geometry: { type: typeof coordinates[0] === "number" ? "Point" : "LineString", coordinates },
});

test("a map has a line, stops, bridges and a vehicle; without two places there is none", () => {
    const stops = [feature("stop", [-122.3, 47.6], { stop_name: "A" }),
        feature("stop", [-122.2, 47.7], { stop_name: "B" })];
    const map = readRunMap({ features: [feature("line", [[-122.3, 47.6], [-122.2, 47.7]]), ...stops,
        feature("bridge", [-122.3, 47.64], { bridge: "Montlake", bridge_id: 4 }),
        feature("vehicle", [-122.31, 47.65])] });
    assert.deepEqual(map.line, [[47.6, -122.3], [47.7, -122.2]]);
    assert.deepEqual([map.vehicle, map.bridges[0].id, map.isApproximate], [[47.65, -122.31], 4, false]);
    const straight = readRunMap({ features: [null, { geometry: null }, ...stops] });
    assert.deepEqual([straight.line.length, straight.isApproximate, straight.vehicle], [2, true, null]);
    const outside = feature("line", [[999, 1], [1, 999]]);
    for (const one of [null, {}, { features: [] }, { features: [stops[0]] }, { features: [outside] }]) {
        assert.equal(readRunMap(one), null);
    }
});

/** A feed in a page whose time a test moves. */
function createFeed(t, answer) {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    let passed = 0;
    t.mock.method(performance, "now", () => passed);
    t.mock.method(Math, "random", () => 0);
    const page = { asked: [], answer, heard: 0, turned: () => {}, transit: () => {}, kept: [] };
    const document = { hidden: false, addEventListener: (_, call) => { page.turned = call; } };
    replaceGlobals(t, { document, navigator: { onLine: true } });
    page.document = document;
    const api = { getOrKept: async (path) => { page.asked.push(passed); return page.answer(path); } };
    const live = { onTransit: (hear) => { page.transit = hear; return () => {}; } };
    page.feed = new TransitFeed({ api, live,
        clock: { rate: 1, heardKept: (...given) => page.kept.push(given) } });
    page.run = async (milliseconds) => {
        for (let done = 0; done < milliseconds; done += 500) {
            passed += 500;
            t.mock.timers.tick(500);
            await settled();
        }
    };
    return page;
}

const good = () => ({ value: { at: noon }, kept: null });
const read = (value) => value.at ? value : null;

test("a board is asked for every half minute, in a hidden page every minute, without a view not at all", async (t) => {
    const page = createFeed(t, good);
    const leave = page.feed.follow("a", read, () => { page.heard += 1; });
    await page.run(61_000);
    assert.deepEqual(page.asked, [0, 30_000, 60_000]);
    assert.equal(page.heard, 3);
    page.document.hidden = true;
    page.turned();
    await page.run(60_000);
    assert.deepEqual(page.asked.slice(3), [120_000]);
    page.document.hidden = false;
    page.turned();
    await page.run(30_000);
    assert.deepEqual(page.asked.slice(4), [150_000]);
    leave();
    await page.run(120_000);
    assert.equal(page.asked.length, 5);
});

test("it is asked for sooner when a feed has something new, and when the answer ends", async (t) => {
    const page = createFeed(t, good);
    page.feed.follow("a", read, () => {});
    await page.run(1_000);
    page.transit();
    await page.run(5_000);
    assert.deepEqual(page.asked, [0, 5_000]);
    page.answer = () => ({ value: { at: noon, validUntil: noon + 12_000 }, kept: null });
    await page.run(30_000);
    assert.deepEqual(page.asked.slice(2), [35_000]);
    await page.run(12_000);
    assert.deepEqual(page.asked.slice(3), [47_000]);
});

test("what fails keeps the last board, tries again ever more rarely, and at once on a press", async (t) => {
    const page = createFeed(t, good);
    page.feed.follow("a", read, () => {});
    await page.run(1_000);
    page.answer = () => { throw new NoAnswer(trouble("status", { status: 503 })); };
    await page.run(45_000);
    assert.deepEqual(page.asked, [0, 30_000, 32_000, 36_000, 44_000]);
    const known = page.feed.read("a");
    assert.deepEqual([known.value.at, known.trouble.status], [noon, 503]);
    page.answer = good;
    page.feed.retry("a");
    await settled();
    assert.equal(page.feed.read("a").trouble, null);
    page.answer = () => ({ value: { rubbish: true }, kept: null });
    page.feed.retry("a");
    await settled();
    assert.deepEqual([page.feed.read("a").value.at, page.feed.read("a").trouble.kind], [noon, "not_json"]);
});

test("what the service worker kept is shown, and not as new", async (t) => {
    const page = createFeed(t, () => ({ value: { at: noon }, kept: { at: 5, serviceTime: noon } }));
    page.feed.follow("a", read, () => {});
    await settled();
    assert.equal(page.feed.read("a").value.at, noon);
    assert.equal(page.feed.read("a").trouble.kind, "cut");
    assert.deepEqual(page.kept, [[noon, 5]]);
});

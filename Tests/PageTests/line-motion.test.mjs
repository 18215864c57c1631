// Vehicles of the live line: they follow the service's reckoning, are early nowhere, and never run backwards.
import assert from "node:assert/strict";
import { test } from "node:test";
import { countdownText } from "../../Sources/BridgecastService/Resources/page/model/countdown.js";
import { follow, isMoving, moveTo, placeAt, planOf } from "../../Sources/BridgecastService/Resources/page/line/motion.js";
import { slew } from "../../Sources/BridgecastService/Resources/page/model/slew.js";

const start = Date.parse("2018-01-04T15:00:00-08:00");
const seconds = (n) => start + n * 1000;
const stop = (along, arrives, leaves = arrives) =>
    ({ id: `s${along}`, name: "", along, arrivesAt: seconds(arrives), leavesAt: seconds(leaves) });
const vehicle = (along, nextStops, more = {}) =>
    ({ id: "1", routeID: "542", pattern: 0, run: "r", along, nextStops, ...more });

test("a vehicle is at each stop at its time, waits there, and waits at the last that is known", () => {
    const plan = planOf(vehicle(100, [stop(400, 60, 90), stop(1000, 150)]), start);
    const at = (n) => Math.round(placeAt(plan, seconds(n)));
    assert.deepEqual([-10, 0, 30, 60, 75, 90, 120, 150, 999].map(at), [100, 100, 250, 400, 400, 400, 700, 1000, 1000]);
});

test("times that cannot be kept are put off, and stops behind are left out", () => {
    const plan = planOf(vehicle(1000, [stop(200, -60), stop(3000, -30, -20), stop(5000, 10)]), start);
    for (let n = 1; n < plan.length; n += 1) {
        assert.ok(plan[n].at > plan[n - 1].at && plan[n].along >= plan[n - 1].along);
        assert.ok((plan[n].along - plan[n - 1].along) / (plan[n].at - plan[n - 1].at) <= 0.04 + 1e-9);
    }
    assert.equal(placeAt(planOf(vehicle(70, []), start), seconds(500)), 70);
});

test("a new answer that has it ahead is caught up with, one that has it behind lets it wait", () => {
    const first = follow(undefined, vehicle(0, [stop(1000, 100)]), start, start);
    const before = moveTo(first, seconds(30));
    const ahead = follow(before, vehicle(400, [stop(1000, 100)]), seconds(30), seconds(30));
    assert.equal(Math.round(ahead.along), 300, "it does not jump");
    assert.equal(Math.round(moveTo(ahead, seconds(33)).along), 426, "after three seconds it is where the service has it");
    const behind = follow(before, vehicle(220, [stop(1000, 130)]), seconds(30), seconds(30));
    assert.equal(Math.round(moveTo(behind, seconds(35)).along), 300, "it waits");
    assert.equal(Math.round(moveTo(behind, seconds(60)).along), 454, "until the plan has come to it");
    const waiting = follow(before, vehicle(100, [stop(1000, 160)]), seconds(30), seconds(30));
    assert.equal(Math.round(waiting.along), 300, "also where it is 200 metres ahead between two stops");
    const early = follow(before, vehicle(100, [stop(200, 60), stop(1000, 160)]), seconds(30), seconds(30));
    assert.equal(Math.round(early.along), 100, "but not after a stop that it has still to reach");
    const near = follow(before, vehicle(170, [stop(250, 60), stop(1000, 160)]), seconds(30), seconds(30));
    assert.equal(Math.round(near.along), 300, "unless it is near there");
    const far = follow({ ...before, along: 3_000 }, vehicle(1_900, [stop(9_000, 600)]), seconds(30), seconds(30));
    assert.equal(Math.round(far.along), 1_900, "and very far behind it is put back");
});

test("another run is another place, and so is a clock that is set back", () => {
    const before = follow(undefined, vehicle(900, []), start, start);
    assert.equal(follow(before, vehicle(850, [], { run: "other" }), start, start).along, 850);
    assert.equal(follow(before, vehicle(850, []), seconds(-3600), seconds(-3600)).along, 850);
    assert.equal(moveTo({ ...before, along: 950 }, seconds(-3600)).along, 900);
});

test("in an hour of answers with noise no vehicle runs backwards or is at a stop early", () => {
    const random = (() => { let seed = 7; return () => (seed = seed * 16807 % 2147483647) / 2147483647; })();
    const stops = Array.from({ length: 40 }, (_, n) => ({ along: 600 * (n + 1), due: 90 * (n + 1) }));
    let moving;
    let last = -1;
    for (let time = 0; time <= 3600; time += 0.5) {
        if (time % 30 === 0) {
            const truth = time * 600 / 90;
            const along = Math.max(0, truth + (random() - 0.5) * 140);
            const next = stops.filter((one) => one.along > along).slice(0, 3)
                .map(({ along: place, due }) => stop(place, Math.max(time + 5, due) + Math.round(random() * 20)));
            moving = follow(moving, vehicle(along, next), seconds(time), seconds(time));
            moving.due = next;
        }
        const shown = moving.along;
        moving = { ...moveTo(moving, seconds(time)), due: moving.due };
        assert.ok(moving.along >= shown - 1e-9 && moving.along >= last - 1e-9);
        last = moving.along;
        for (const { along, arrivesAt } of moving.due) {
            const isReached = shown < along - 1 && moving.along >= along;
            assert.ok(!isReached || seconds(time) >= arrivesAt - 500, `${time}: ${moving.along} is past ${along}`);
        }
    }
});

test("what stands still is not moving", () => {
    assert.equal(isMoving(follow(undefined, vehicle(100, []), start, start), start), false);
    assert.equal(isMoving(follow(undefined, vehicle(100, [stop(500, 50)]), start, start), start), true);
});

test("countdowns have minutes, hours, and an end", () => {
    assert.deepEqual([154.9, 59, 3754, 0, -5, NaN].map(countdownText), ["2:34", "0:59", "1:02:34", "now", "now", "–"]);
});

test("every second of three hours has a countdown of its own, which can be read back", () => {
    const readBack = (text) => text.split(":").reduce((seconds, part) => seconds * 60 + Number(part), 0);
    for (let seconds = 1; seconds < 3 * 3600; seconds += 1) {
        const text = countdownText(seconds);
        assert.equal(readBack(text), seconds);
        assert.match(text, /^(\d+:[0-5]\d|\d):[0-5]\d$|^[0-5]?\d:[0-5]\d$/);
    }
});

test("a countdown is corrected without a jump, unless it is another arrival", () => {
    assert.equal(slew(1_000_000, 1_010_000, 1_000), 1_000_500);
    assert.equal(slew(1_000_000, 990_000, 1_000), 999_500);
    assert.equal(slew(1_000_000, 1_000_200, 1_000), 1_000_200);
    assert.equal(slew(1_000_000, 1_100_000, 1_000), 1_100_000);
    assert.equal(slew(1_000_000, 1_010_000, -50), 1_000_000);
});

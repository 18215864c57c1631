// The live line's geometry: the table, the camera, curves, drag, light, colours, and where names go.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fit, maxZoom, project, tilt, zoomAbout } from "../../Sources/BridgecastService/Resources/page/line/camera.js";
import {
    colourText, contrast, fallbackColours, parseColour, readable,
} from "../../Sources/BridgecastService/Resources/page/draw/colours.js";
import { placeOn, round, simplify } from "../../Sources/BridgecastService/Resources/page/line/curve.js";
import {
    isAtRest, maxTurn, pixelsOf, springBack, turnOf,
} from "../../Sources/BridgecastService/Resources/page/line/drag.js";
import { createGround } from "../../Sources/BridgecastService/Resources/page/line/ground.js";
import { isStraight } from "../../Sources/BridgecastService/Resources/page/line/paint-ground.js";
import { clearOf, placeNames } from "../../Sources/BridgecastService/Resources/page/line/labels.js";
import { areMoving, moveLeaves } from "../../Sources/BridgecastService/Resources/page/line/leaves.js";
import { hourIn, lightAt } from "../../Sources/BridgecastService/Resources/page/line/light.js";
import { Turning } from "../../Sources/BridgecastService/Resources/page/line/turning.js";

const placed = (line) => {
    const ground = createGround([line]);
    return { ground, points: line.map(([longitude, latitude]) => ground.place(longitude, latitude)) };
};
const eastWest = [[-122.3, 47.65], [-122.2, 47.65], [-122.1, 47.65]];
const northSouth = [[-122.3, 47.5], [-122.3, 47.6], [-122.3, 47.8]];

test("every line fills the table and stays on it, also on one latitude, one longitude, and in one point", () => {
    const bent = [[-122.3, 47.5], [-122.25, 47.62], [-122.1, 47.66], [-122.13, 47.7]];
    for (const line of [eastWest, northSouth, bent, [[-122.3, 47.5], [-122.3, 47.5]], [[179.9, -89], [179.95, -89]]]) {
        for (const { x, z } of placed(line).points) {
            assert.ok(Math.abs(x) <= 5 + 1e-9 && Math.abs(z) <= 5 + 1e-9, `${x} ${z}`);
        }
    }
    const { points } = placed(bent);
    const wide = Math.max(...points.map(({ x }) => x)) - Math.min(...points.map(({ x }) => x));
    const deep = Math.max(...points.map(({ z }) => z)) - Math.min(...points.map(({ z }) => z));
    assert.ok(Math.abs(Math.max(wide, deep) - 10) < 1e-9);
    assert.deepEqual(createGround([]).place(-122, 47) && createGround([]).turn, 0);
});

test("a line runs along a diagonal, turned by no more than 45 degrees, and keeps its shape", () => {
    for (const line of [eastWest, northSouth]) {
        const { ground, points } = placed(line);
        const [first, last] = [points[0], points[points.length - 1]];
        assert.ok(Math.abs(Math.abs(last.x - first.x) - Math.abs(last.z - first.z)) < 1e-6);
        assert.ok(Math.abs(ground.turn) <= Math.PI / 4 + 1e-9);
    }
    const diagonal = [[-122.3, 47.5], [-122.3 + 0.1 / Math.cos(47.55 * Math.PI / 180), 47.6]];
    assert.ok(Math.abs(placed(diagonal).ground.turn) < 1e-3, "a diagonal stays as it is");
    // A degree of longitude is shorter than one of latitude.
    const { ground } = placed([[-122.3, 60], [-122.2, 60.1]]);
    const [a, b, c] = [ground.place(-122.3, 60.05), ground.place(-122.2, 60.05), ground.place(-122.3, 60.15)];
    const ratio = Math.hypot(b.x - a.x, b.z - a.z) / Math.hypot(c.x - a.x, c.z - a.z);
    assert.ok(Math.abs(ratio - Math.cos(60.05 * Math.PI / 180)) < 1e-3);
});

test("the camera shows all of the table, what is farther is smaller and higher up", () => {
    assert.ok(tilt > 15 * Math.PI / 180 && tilt < 20 * Math.PI / 180);
    const corners = [[-5, -5], [5, -5], [-5, 5], [5, 5]].map(([x, z]) => ({ x, z }));
    for (const size of [{ width: 320, height: 380 }, { width: 1000, height: 700 }]) {
        const camera = fit(corners, size, { x: 20, y: 20 });
        const seen = corners.map(({ x, z }) => project(camera, x, 0, z));
        for (const { x, y } of seen) assert.ok(x >= 19 && x <= size.width - 19 && y >= 19 && y <= size.height - 19);
        assert.ok(seen[0].scale < seen[2].scale && seen[0].y < seen[2].y);
        const [low, high] = [project(camera, 0, 0, 0), project(camera, 0, 1, 0)];
        assert.ok(high.y < low.y && high.scale > low.scale, "what stands up is nearer");
    }
    const alone = fit([{ x: 0, z: 0 }], { width: 300, height: 300 }, { x: 20, y: 20 });
    assert.ok(Number.isFinite(alone.focal) && Math.abs(project(alone, 0, 0, 0).x - 150) < 1e-6);
    assert.ok(Number.isFinite(fit([], { width: 0, height: 0 }, { x: 9, y: 9 }).centreX));
});

test("zooming keeps what is under the fingers, within limits, and ends where it began", () => {
    const whole = fit([{ x: -5, z: -5 }, { x: 5, z: 5 }], { width: 400, height: 400 }, { x: 20, y: 20 });
    const about = project(whole, 2, 0, 1);
    const near = zoomAbout(whole, 2, about, whole);
    const after = project(near, 2, 0, 1);
    assert.ok(Math.hypot(after.x - about.x, after.y - about.y) < 1e-9);
    assert.equal(zoomAbout(near, 100, about, whole).zoom, maxZoom);
    assert.deepEqual(zoomAbout(near, 0.01, about, whole), whole);
});

test("a drag of 200 pixels turns by 0.26 radians, and by no more", () => {
    assert.equal(turnOf(200), maxTurn);
    assert.equal(maxTurn, 0.26);
    assert.equal(turnOf(100), 0.13);
    assert.equal(turnOf(-5000), -0.26);
    assert.equal(turnOf(NaN), 0);
    assert.equal(pixelsOf(turnOf(-80)), -80);
});

test("the spring comes back to rest within limits, whatever the steps are", () => {
    let swing = { value: maxTurn, velocity: 0 };
    for (let n = 0; n < 200 && !isAtRest(swing); n += 1) {
        swing = springBack(swing, 1 / 60);
        assert.ok(Math.abs(swing.value) <= maxTurn);
    }
    assert.ok(isAtRest(swing));
    const fine = Array.from({ length: 10 }).reduce((at) => springBack(at, 0.02), { value: 0.2, velocity: 0 });
    const coarse = springBack({ value: 0.2, velocity: 0 }, 0.2);
    assert.ok(Math.abs(fine.value - coarse.value) < 1e-9);
    // With this damping it goes a little beyond, by less than a twentieth.
    const lowest = Math.min(...Array.from({ length: 80 }, (_, n) => springBack({ value: 1e-1, velocity: 0 }, n / 60).value));
    assert.ok(lowest < 0 && lowest > -0.005);
});

test("drag and arrow keys turn within limits on both axes, and let go", () => {
    const turning = new Turning();
    turning.frame([{ x: -5, z: -5 }, { x: 5, z: 5 }], { width: 400, height: 400 }, { x: 20, y: 20 });
    turning.take();
    turning.drag(100, -1000);
    assert.ok(turning.isDragging && !turning.isSwinging);
    assert.ok(Math.abs(turning.camera.yaw - 0.13) < 1e-9 && Math.abs(turning.camera.pitch - maxTurn) < 1e-9);
    turning.release(0);
    assert.ok(turning.isSwinging);
    turning.step(5_000, false);
    assert.ok(turning.camera.yaw === 0 && !turning.isSwinging);
    for (let n = 0; n < 20; n += 1) turning.press(1, 0, 6_000);
    assert.equal(turning.camera.yaw, maxTurn);
    turning.step(6_100, false);
    assert.equal(turning.camera.yaw, maxTurn, "it stays as it is for a while");
    turning.step(7_000, true);
    assert.equal(turning.camera.yaw, 0, "with reduced motion it is back at once");
});

test("curves keep their ends and their distances, and stay near the line", () => {
    const line = [[0, 0], [1, 0.01], [2, 0], [2, 2], [4, 2]].map(([x, z], n) => ({ x, z, along: [0, 100, 200, 400, 600][n] }));
    const plain = simplify(line, 0.05);
    assert.deepEqual(plain.map(({ along }) => along), [0, 200, 400, 600]);
    const curve = round(plain);
    assert.deepEqual([curve[0], curve[curve.length - 1]], [line[0], line[4]]);
    assert.ok(curve.every(({ along }, n) => n === 0 || along > curve[n - 1].along));
    const middle = placeOn(curve, 100);
    assert.ok(Math.abs(middle.x - 1) < 0.1 && middle.dx > 0.99);
    assert.deepEqual([placeOn(curve, -50).x, placeOn(curve, 9_999).x], [0, 4]);
    assert.deepEqual(placeOn([{ x: 1, z: 1, along: 0 }], 10), { x: 1, z: 1, dx: 1, dz: 0 });
});

test("colours are made to stand out from the paper of both themes, and stay where they do", () => {
    const papers = ["#F5F1E8", "#1B2631"].map(parseColour);
    for (const paper of papers) {
        for (const text of [...fallbackColours, "#FDB71A", "#FFFFFF", "#000000", "#F5F1E8", "#1B2631", "#808080"]) {
            assert.ok(contrast(readable(parseColour(text), paper), paper) >= 3, text);
        }
        assert.equal(colourText(readable(parseColour("#E74C3C"), paper)).toUpperCase(), "#E74C3C");
    }
    assert.deepEqual(parseColour("rgb(44, 62, 80)"), [44, 62, 80]);
    for (const text of ["", null, undefined, "red", "#12", "#GGGGGG"]) assert.equal(parseColour(text), null);
});

test("light follows the hour at the line's place", () => {
    const names = [0, 5.99, 6, 9.99, 10, 15.99, 16, 19.99, 20, 23.9].map((hour) => lightAt(hour).color);
    const [blue, gold, white, orange] = ["#4A90E2", "#FFD700", "#FFFFFF", "#FF8C42"];
    assert.deepEqual(names, [blue, blue, gold, gold, white, white, orange, orange, blue, blue]);
    const noon = Date.parse("2026-02-20T12:30:00-08:00");
    assert.equal(hourIn(noon, "America/Los_Angeles"), 12.5);
    assert.equal(hourIn(noon, "Europe/Berlin"), 21.5);
    assert.equal(hourIn(noon, "Nowhere/Atlantis"), 12.5);
    assert.equal(hourIn(noon, null), 12.5);
});

test("leaves of bridges take their time, but not in the first picture and not where nothing may move", () => {
    const first = moveLeaves(new Map(), new Map([[4, "raised"], [3, "lowered"]]), 16);
    assert.deepEqual([first.get(4).share, first.get(3).share, areMoving(first)], [1, 0, false]);
    const moving = moveLeaves(first, new Map([[4, "lowered"], [3, "raised"]]), 300);
    assert.deepEqual([moving.get(4).share, moving.get(3).share, areMoving(moving)], [0.5, 0.5, true]);
    const still = moveLeaves(first, new Map([[4, "unknown"], [3, "raised"]]), Infinity);
    assert.deepEqual([still.get(4).share, still.get(3).share, areMoving(still)], [0, 1, false]);
});

test("names do not lie over each other or leave the frame; where there is no room the needed one is shown", () => {
    const size = { width: 300, height: 200 };
    const name = (text, x, y, isNeeded = false) => ({ text, x, y, width: 80, gap: 12, isNeeded });
    const placedNames = placeNames([name("a", 5, 100), name("b", 295, 100), name("c", 5, 104)], [], size);
    for (const { x } of placedNames) assert.ok(x >= 6 && x + 80 <= 294);
    assert.ok(placedNames.every((one, n) => placedNames.every((other, m) =>
        n === m || Math.abs(one.y - other.y) >= 18 || Math.abs(one.x - other.x) >= 80)));
    const crowd = Array.from({ length: 30 }, (_, n) => name(`n${n}`, 150, 100));
    const shown = placeNames([...crowd, name("mine", 150, 100, true)], [], size).map(({ text }) => text);
    assert.ok(shown.includes("mine") && shown.length < 31);
});

test("a name keeps off the lines, wherever their points are", () => {
    const size = { width: 400, height: 300 };
    const name = { text: "a", x: 200, y: 150, width: 80, gap: 12, isNeeded: false };
    const [free] = placeNames([name], [], size);
    assert.ok(free.x > 200, "to the right where nothing is");
    const along = Array.from({ length: 60 }, (_, n) => ({ x: 201 + n * 3, y: 150 }));
    const [other] = placeNames([name], along, size);
    assert.ok(along.every(({ x, y }) => x < other.x - 2 || x > other.x + 82 || Math.abs(y - other.y) >= 9), JSON.stringify(other));
    const all = Array.from({ length: 4_000 }, (_, n) => ({ x: (n % 80) * 5 - 20, y: Math.floor(n / 80) * 6 - 20 }));
    assert.deepEqual(placeNames([name], all, size), [], "nowhere where lines are everywhere");
});

test("of a line only points are left out whose absence cannot be seen", () => {
    const from = { x: 0, y: 0 };
    assert.equal(isStraight(from, { x: 50, y: 0.2 }, { x: 100, y: 0 }), true);
    assert.equal(isStraight(from, { x: 50, y: 0.4 }, { x: 100, y: 0 }), false, "a bend");
    assert.equal(isStraight(from, { x: 120, y: 0 }, { x: 100, y: 0 }), false, "there and back again");
    assert.equal(isStraight(from, { x: -5, y: 0 }, { x: 100, y: 0 }), false, "back first");
    assert.equal(isStraight(from, from, from), true);
});

test("a badge goes where it lies under no name, if there is such a spot", () => {
    const names = [{ text: "Redmond", x: 100, y: 50, width: 80 }];
    const mark = { width: 20, height: 14 };
    const spots = [{ x: 105, y: 52 }, { x: 80, y: 52 }, { x: 105, y: 90 }];
    assert.deepEqual(clearOf(spots, mark, []), spots[0]);
    assert.deepEqual(clearOf(spots, mark, names), spots[1]);
    assert.deepEqual(clearOf([spots[0], spots[2]], mark, names), spots[2]);
    assert.deepEqual(clearOf([spots[0]], mark, names), spots[0]);
});

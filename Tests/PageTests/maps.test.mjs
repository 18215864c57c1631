// From the world to a drawing: projection, clipping, paths, encoded lines, and the water that bears a chance.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readGeography } from "../../Sources/BridgecastService/Resources/page/data/geography.js";
import { linear, marksOn, roundStep, squareRoot } from "../../Sources/BridgecastService/Resources/page/draw/scale.js";
import {
    clipLine, clipRing, createProjection, curveData, decodePolyline, pathData, withoutWestEdge,
} from "../../Sources/BridgecastService/Resources/page/model/geo.js";
import { canal, duwamish, findWaves } from "../../Sources/BridgecastService/Resources/page/model/waterways.js";
import { bridgeWith, noon } from "./support/language.mjs";

/** Encodes as the format's description says, with whole numbers of any size. */
function encode(points, precision) {
    let text = "";
    const last = [0, 0];
    for (const point of points) {
        point.forEach((degrees, axis) => {
            const steps = Math.round(degrees * precision);
            let left = BigInt(steps - last[axis]) << 1n;
            if (left < 0n) left = ~left;
            last[axis] = steps;
            for (; left >= 32n; left >>= 5n) text += String.fromCharCode(Number((left & 31n) | 32n) + 63);
            text += String.fromCharCode(Number(left) + 63);
        });
    }
    return text;
}

test("an encoded line is read as its format's published example says", () => {
    assert.deepEqual(decodePolyline("_p~iF~ps|U_ulLnnqC_mqNvxq`@", 1e5),
        [[38.5, -120.2], [40.7, -120.95], [43.252, -126.453]]);
});

test("lines of six decimals are read as they were written", () => {
    const line = [[47.659817, -122.37619], [47.659817, -122.37619], [47.6476, -122.3497], [-0.000001, 0], [90, -180]];
    assert.deepEqual(decodePolyline(encode(line, 1e6)), line);
});

test("a text that is no line gives what is whole of it, and ends", () => {
    const whole = encode([[47.6, -122.3], [47.7, -122.4]], 1e6);
    assert.deepEqual(decodePolyline(whole.slice(0, -1)), [[47.6, -122.3]]);
    assert.deepEqual(decodePolyline(""), []);
    assert.deepEqual(decodePolyline("??é??"), [[0, 0]]);
    assert.deepEqual(decodePolyline("??<b>"), [[0, 0]]);
    assert.ok(decodePolyline("~".repeat(100_000)).length === 0);
});

test("north is up, east is right, and a pixel is as many metres as the crop says", () => {
    const crop = { longitude: -122.34, latitude: 47.6, metresPerPixel: 20, width: 300, height: 200 };
    const project = createProjection(crop);
    assert.deepEqual(project(-122.34, 47.6), [150, 100]);
    const [x, y] = project(-122.33, 47.61);
    // A hundredth of a degree: 1112 m to the north, 750 m to the east at this latitude.
    assert.ok(Math.abs(100 - y - 1112 / 20) < 0.1 && Math.abs(x - 150 - 750 / 20) < 0.1, `${x} ${y}`);
});

test("what is cut to a box stays inside it", () => {
    const box = { left: 0, top: 0, right: 10, bottom: 10 };
    const ring = clipRing([[-5, -5], [15, -5], [15, 5], [-5, 5]], box);
    assert.ok(ring.every(([x, y]) => x >= 0 && x <= 10 && y >= 0 && y <= 10));
    const area = Math.abs(ring.reduce((sum, [x, y], n) => {
        const [nextX, nextY] = ring[(n + 1) % ring.length];
        return sum + x * nextY - nextX * y;
    }, 0)) / 2;
    assert.equal(area, 50);
    assert.deepEqual(clipRing([[20, 20], [30, 20], [30, 30]], box), []);
    const parts = clipLine([[1, 1], [2, 2], [50, 50], [60, 50], [5, 60], [5, 5]], box);
    assert.equal(parts.length, 2);
    assert.deepEqual(parts[0], [[1, 1], [2, 2], [50, 50]]);
});

test("paths leave out points that fall together, and bends run through middles", () => {
    assert.equal(pathData([[[0, 0], [0.01, 0], [10, 5.55]]]), "M0 0L10 5.6");
    assert.equal(pathData([[[0, 0], [4, 0], [4, 4]]], true), "M0 0L4 0L4 4Z");
    assert.equal(pathData([[[1, 1], [1.01, 1]]]), "");
    assert.equal(curveData([[0, 0], [10, 0], [10, 10]]), "M0 0L5 0Q10 0 10 5L10 10");
});

test("features that cannot be drawn are left out of the ground", () => {
    const line = (layer, coordinates, type = "LineString") => ({
        type: "Feature", properties: { layer }, geometry: { type, coordinates } });
    const ground = readGeography({ attribution: "x", features: [line("road", [[0, 0], [1, 1]]), line("road", [[0, 0]]),
        line("road", [[0, 0], [null, 1]]), line("span", [[0, 0], [1, 1]]), null, { properties: {} },
        line("water", [[[0, 0], [1, 0], [1, 1]]], "Polygon"), line("water", [], "Polygon")] });
    assert.deepEqual([ground.roads.length, ground.spans.length, ground.water.length], [1, 1, 1]);
    assert.equal(readGeography({}), null);
});

test("water bears a chance towards a neighbour that has just opened, and nowhere else", () => {
    const ago = (minutes) => new Date(noon - minutes * 60_000).toISOString();
    const board = (ballard, fremont) => ({ valid_at: ago(0), bridges: [
        bridgeWith(2, [0.04], ballard), bridgeWith(3, [0.3, 0.3, 0.2, 0.1, 0.1], fremont), bridgeWith(4, [0.04])] });
    const waves = findWaves(board({ state: "raised", since: ago(3) }), canal);
    assert.deepEqual(waves.map(({ bridge, side }) => [bridge, side]), [["Fremont", -1]]);
    assert.deepEqual(waves[0].extra.map((chance) => Math.round(chance * 100)), [26, 26, 16, 6, 6]);
    assert.equal(findWaves(board({ state: "lowered", since: ago(20) }), canal).length, 1);
    assert.equal(findWaves(board({ state: "lowered", since: ago(40) }), canal).length, 0);
    assert.equal(findWaves(board({ state: "unknown", since: ago(3) }), canal).length, 0);
    assert.equal(findWaves(board({ state: "raised", since: ago(3) }, { state: "raised" }), canal).length, 0);
    const convoy = { code: "convoy", values: { neighbour: "Ballard", minutes_ago: 12 } };
    assert.equal(findWaves(board({ state: "unknown" }, { reasons: [convoy] }), canal).length, 1);
    assert.equal(findWaves(board({ state: "raised", since: ago(3) }), duwamish).length, 0);
});

test("axes lead from values to places, with round marks", () => {
    assert.equal(linear(0, 10, 100, 0)(2.5), 75);
    assert.equal(linear(5, 5, 0, 10)(5), 0);
    assert.equal(squareRoot(1, 0, 100)(0.25), 50);
    assert.equal(squareRoot(1, 0, 100)(-1), 0);
    assert.deepEqual(marksOn(-0.5, 10, 5), [0, 5, 10]);
    assert.deepEqual(marksOn(7, 9, 5), []);
    assert.equal(marksOn(0.1, 0.3, 0.1).length, 3, "ends count, whatever their last digit");
    assert.ok(marksOn(0, 1e12, 1).length <= 60);
    assert.deepEqual([7, 23, 60, 0.3].map((span) => roundStep(span, 4)), [2, 10, 20, 0.1]);
});

test("a sea that is cut off at the edge of the records goes on beyond it; a lake stays as it is", () => {
    const shore = [[-122.38, 47.73], [-122.44, 47.73], [-122.44, 47.49], [-122.37, 47.49], [-122.35, 47.6]];
    const sea = withoutWestEdge([...shore, shore[0]]);
    assert.equal(sea.length, 8);
    assert.ok(!sea.some(([longitude]) => longitude === -122.44), "no straight edge inside a city's view");
    assert.deepEqual([sea[0], sea[5], sea[6]], [shore[0], shore[3], shore[4]], "the shore stays");
    assert.ok(sea[1][0] === -122.38 && sea[1][1] > 49 && sea[4][0] === -122.37 && sea[4][1] < 46);
    const lake = [[-122.34, 47.68], [-122.35, 47.67], [-122.35, 47.66], [-122.34, 47.65], [-122.34, 47.68]];
    assert.deepEqual(withoutWestEdge(lake), lake);
});

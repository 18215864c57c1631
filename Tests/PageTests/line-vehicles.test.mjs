// What is painted of vehicles: bodies, linked cars, shadows, badges, crowding, distance, what is chosen, and how they come in.
import assert from "node:assert/strict";
import { test } from "node:test";
import { lineMap, palette, recordingContext, sceneOf } from "./support/canvas.mjs";
import { readPositions } from "../../Sources/BridgecastService/Resources/page/data/line-answers.js";
import { colourText, contrast, parseColour } from "../../Sources/BridgecastService/Resources/page/draw/colours.js";
import { project } from "../../Sources/BridgecastService/Resources/page/line/camera.js";
import { Fleet, placeholders } from "../../Sources/BridgecastService/Resources/page/line/fleet.js";
import { layOut } from "../../Sources/BridgecastService/Resources/page/line/layout.js";
import { lightAt } from "../../Sources/BridgecastService/Resources/page/line/light.js";
import { Moments } from "../../Sources/BridgecastService/Resources/page/line/moments.js";
import { paintVehicles } from "../../Sources/BridgecastService/Resources/page/line/paint-vehicles.js";
import { vehiclePaints } from "../../Sources/BridgecastService/Resources/page/line/palette.js";
import { farthest, shownOf, vehiclesKey } from "../../Sources/BridgecastService/Resources/page/line/shown.js";
import { badgeOf } from "../../Sources/BridgecastService/Resources/page/line/words.js";
import { replaceGlobals } from "./support/fakes.mjs";

const time = "2018-01-04T12:00:00-08:00";
const now = Date.parse(time);
const shadow = "rgba(20, 24, 32, 0.11)";
const colour = (use) => colourText(palette[use]);
const length = ([right, up]) => Math.hypot(right, up);

/** Vehicles of the line, by default half of the way along. */
const answerOf = (vehicles) => readPositions({
    valid_at: time, data: {
        vehicles: vehicles.map((own, n) => ({
            id: `v${n}`, label: `${9000 + n}`, lat: 47.7, lon: -122.2, bearing: 60, route_id: "100511", pattern: 0,
            along_m: 10_000, headsign: "Redmond", direction: 0, delay_s: 0, status: "on_time", occupancy: "no data",
            next_stops: [], ...own,
        })),
    },
});

/**
 * Vehicles as they are shown, and what is painted of them.
 * @param {any} t the test @param {object[]} vehicles @param {object} [how]
 */
function painted(t, vehicles, how = {}) {
    const { scene = {}, kind = "bus", entrance = 1, chosen = null, pulse = null, names = [], hasMinutes = true } = how;
    replaceGlobals(t, { matchMedia: () => ({ matches: false }) });
    const layout = layOut([lineMap(kind)]);
    const own = sceneOf(scene, layout);
    const fleet = new Fleet();
    fleet.lay(layout.lines);
    fleet.hear(answerOf(vehicles), now);
    const paints = vehiclePaints(palette, layout.lines[0].name.color, 0);
    const about = { scene: own, looks: { chosen, badgeOf, nameOf: ({ label }) => label }, entrance, pointed: null, hasMinutes };
    const shown = fleet.at(now, layout.ground, 0).map(({ vehicle, spot }) => shownOf(about, vehicle, spot, paints));
    const context = recordingContext();
    paintVehicles(context, own, shown, { names, pulse });
    return { shown, done: context.done, scene: own, paints };
}

const extent = (points, axis) => Math.max(...points.map((point) => point[axis])) - Math.min(...points.map((point) => point[axis]));
/** Bodies are the longest shapes of a vehicle. */
const bodiesOf = ({ done }) => done.filter(({ how, path, points, colour: own }) =>
    how === "fill" && path instanceof Path2D && own !== shadow && extent(points, "x") > 0.45);
/** The roofs: of each body the last fill, after its sides of one colour. */
const roofsOf = (own) => bodiesOf(own).filter(({ colour: roof }, n, all) =>
    n > 1 && all[n - 1].colour === all[n - 2].colour && all[n - 1].colour !== roof);
const glassOf = ({ done }) => new Set(done.map(({ colour: own }) => own).filter((own) => ["#FBF7EC", "#FFE9A8"].includes(own)));
const shadowsOf = ({ done }) => done.filter(({ how, colour: own }) => how === "fill" && own === shadow);
const sizeOf = ({ matrix }) => length(matrix.slice(0, 2));

test("a bus is a capsule of 0.6 by 0.4 on sides of a darker shade, along its line, with windows", (t) => {
    const own = painted(t, [{}]);
    const [roof, ...others] = roofsOf(own);
    assert.equal(others.length, 0);
    assert.ok(Math.abs(extent(roof.points, "x") - 0.6) < 1e-9 && Math.abs(extent(roof.points, "y") - 0.4) < 1e-9);
    const sides = bodiesOf(own).filter(({ colour: side }) => side !== roof.colour);
    assert.ok(sides.length >= 3);
    assert.ok(contrast(parseColour(sides[0].colour), [255, 255, 255]) > contrast(parseColour(roof.colour), [255, 255, 255]));
    const { layout, camera } = own.scene;
    const [{ x, y }, { x: farX, y: farY }] = [0.4, 0.6].map((share) => {
        const { curve } = layout.lines[0].ways[0];
        const [first, last] = [curve[0], curve.at(-1)];
        return project(camera, first.x + (last.x - first.x) * share, 0, first.z + (last.z - first.z) * share);
    });
    const angle = Math.atan2(roof.matrix[1], roof.matrix[0]) - Math.atan2(farY - y, farX - x);
    assert.ok(Math.abs(angle) < 0.1, "it points along the line");
    assert.deepEqual(glassOf(own), new Set(["#FBF7EC"]));
});

test("windows are lit by night, and left out where a vehicle is small", (t) => {
    assert.deepEqual(glassOf(painted(t, [{}], { scene: { light: lightAt(23) } })), new Set(["#FFE9A8"]));
    const { camera } = sceneOf();
    const small = painted(t, [{}], { scene: { camera: { ...camera, focal: camera.focal / 5 } } });
    assert.deepEqual(glassOf(small), new Set());
});

test("a train is three linked cars, one after another along its line", (t) => {
    const own = painted(t, [{}], { kind: "rail" });
    const roofs = roofsOf(own);
    assert.equal(roofs.length, 3);
    assert.ok(extent(roofs[0].points, "x") < 0.6);
    const [link] = own.done.filter(({ how, lineWidth, points }) => how === "stroke" && lineWidth === 4 && points.length === 3);
    assert.ok(link, "they are linked");
    const [first, second, last] = roofs.map(({ matrix }) => ({ x: matrix[4], y: matrix[5] }));
    const gaps = [[first, second], [second, last]].map(([one, other]) => Math.hypot(one.x - other.x, one.y - other.y));
    assert.ok(gaps.every((gap) => gap > 0.4 * sizeOf(roofs[0])), `${gaps}`);
    const atStart = roofsOf(painted(t, [{ along_m: 0 }], { kind: "rail" }));
    assert.equal(new Set(atStart.map(({ matrix }) => matrix[4].toFixed())).size, 3, "also at the beginning of the line");
});

test("shadows fall away from the light, are soft for few and hard for many, and go where contrast is wanted", (t) => {
    const offset = (hour) => {
        const own = painted(t, [{}], { scene: { light: lightAt(hour) } });
        return shadowsOf(own)[0].matrix[4] - roofsOf(own)[0].matrix[4];
    };
    assert.ok(offset(8) < offset(12) && offset(12) < offset(18));
    const many = (count) => shadowsOf(painted(t, Array.from({ length: count }, () => ({})))).length;
    assert.deepEqual([many(60), many(61)], [120, 61]);
    assert.equal(shadowsOf(painted(t, [{}], { scene: { palette: { ...palette, isPlain: true } } })).length, 0);
});

test("a badge has the colour of early, on time or late, with minutes unless it is on time", (t) => {
    const badge = (status, delay, how = {}) => {
        const { done } = painted(t, [{ status, delay_s: delay }], how);
        const shapes = done.filter(({ how: act, path }) => act === "fill" && !(path instanceof Path2D));
        const text = done.find(({ how: act }) => act === "fillText");
        return [shapes.map(({ colour: own }) => own), text?.given[0]];
    };
    assert.deepEqual(badge("early", -240), [[colour("early")], "−4"]);
    assert.deepEqual(badge("on_time", 20), [[colour("on_time")], undefined]);
    assert.deepEqual(badge("late", 400), [[colour("late")], "+7"]);
    const among = badge("late", 400, { hasMinutes: false });
    assert.deepEqual(among, [[colour("late")], undefined], "among many there is only a colour");
    assert.deepEqual(badge("unknown", null), [[], undefined]);
});

test("a crowded vehicle is larger and orange; one whose place is old is grey", (t) => {
    const [plain, crowded, old] = [{}, { occupancy: "Very crowded" }, { stale: true }]
        .map((vehicle) => painted(t, [vehicle], { scene: { light: lightAt(12) } })).map((own) => ({ ...own, roof: roofsOf(own)[0] }));
    assert.ok(Math.abs(sizeOf(crowded.roof) / sizeOf(plain.roof) - 1.2) < 0.02);
    const { paints } = plain;
    assert.deepEqual([plain, crowded, old].map(({ shown }) => shown[0].paint), [paints.plain, paints.crowded, paints.grey]);
    const [red, green, blue] = parseColour(crowded.roof.colour);
    assert.ok(red > green && green > blue && red - blue > 100, "orange");
    const grey = parseColour(old.roof.colour);
    assert.ok(Math.max(...grey) - Math.min(...grey) < 30);
    assert.equal(new Set([plain, crowded, old].map(({ roof }) => roof.colour)).size, 3);
});

test("what is farther away is smaller and paler", (t) => {
    const own = painted(t, [{ along_m: 1_000 }, { along_m: 19_000 }]);
    const [near, far] = roofsOf(own);
    assert.ok(own.shown[0].depth < own.shown[1].depth && sizeOf(near) > 1.2 * sizeOf(far));
    assert.ok(contrast(parseColour(near.colour), palette.paper) > 1.1 * contrast(parseColour(far.colour), palette.paper));
});

test("a vehicle is a little above its line", (t) => {
    const { shown: [bus], scene: { camera } } = painted(t, [{}]);
    const [{ x, z }] = bus.cars;
    const [low, high] = [0, 0.2].map((height) => project(camera, x, height, z));
    assert.ok(Math.abs(bus.y - high.y) < 1e-6 && high.y < low.y);
});

test("one that is chosen has a ring and its name; names of stops lie over vehicles", (t) => {
    const { done } = painted(t, [{}], { chosen: "v0", names: [{ text: "Montlake", x: 3, y: 4 }] });
    const texts = done.filter(({ how }) => how === "fillText").map(({ given }) => given[0]);
    assert.deepEqual(texts, ["Montlake", "9000"]);
    assert.ok(done.some(({ how, points, colour: own }) =>
        how === "stroke" && own === colour("ink") && points[0]?.radius >= 16));
    assert.equal(painted(t, [{}]).done.filter(({ how }) => how === "fillText").length, 0);
});

test("before vehicles are known grey ones are in their places, three each way", (t) => {
    replaceGlobals(t, { matchMedia: () => ({ matches: false }) });
    const layout = layOut([lineMap("bus")]);
    const scene = sceneOf({}, layout);
    const paints = vehiclePaints(palette, "#2980B9", 0);
    const about = { scene, looks: {}, entrance: 1, pointed: null, hasMinutes: true };
    const shown = placeholders(layout.lines).map((spot) => shownOf(about, null, spot, paints));
    assert.equal(shown.length, 3);
    for (const { paint, band, badge, name } of shown) {
        assert.deepEqual({ paint, band, badge, name }, { paint: paints.grey, band: null, badge: "", name: null });
    }
});

test("forced colours leave no others", (t) => {
    replaceGlobals(t, { matchMedia: () => ({ matches: true }) });
    const { plain, crowded, grey } = vehiclePaints(palette, "#2980B9", 0);
    assert.deepEqual([plain.roof, crowded.roof, grey.roof], [colour("red"), colour("ink"), colour("edge")]);
});

test("vehicles come in within half a second, once, slower towards the end, and grow meanwhile", (t) => {
    const moments = new Moments();
    assert.equal(moments.entranceAt(5_000), 0);
    moments.enter(1_000);
    moments.enter(3_000);
    const shares = [1_000, 1_250, 1_499, 1_500, 9_000].map((at) => moments.entranceAt(at));
    assert.ok(shares[1] > 0.5 && shares[2] < 1);
    assert.deepEqual([shares[0], shares[3], shares[4]], [0, 1, 1]);
    assert.deepEqual([999, 1_000, 1_499, 1_500].map((at) => moments.isEntering(at)), [false, true, true, false]);
    const [small, whole] = [0, 1].map((entrance) => sizeOf(roofsOf(painted(t, [{}], { entrance }))[0]));
    assert.ok(Math.abs(small / whole - 0.4) < 0.02);
});

test("a ring spreads from the visitor's stop three times, paler as it grows", (t) => {
    const moments = new Moments();
    assert.equal(moments.pulseAt(0), null);
    moments.pulse(1_000);
    const [first, later] = [1_010, 2_300].map((at) => moments.pulseAt(at));
    assert.ok(later.radius > first.radius && later.alpha < first.alpha);
    assert.ok(moments.pulseAt(1_000 + 3 * 1_400 - 1) && moments.pulseAt(1_000 + 3 * 1_400) === null);
    const { done } = painted(t, [], { pulse: { x: 50, y: 60, radius: 20, alpha: 0.5 } });
    const [ring] = done.filter(({ how }) => how === "stroke");
    assert.deepEqual([ring.colour, ring.globalAlpha, ring.points[0].radius], [colour("red"), 0.5, 20]);
    assert.equal(painted(t, []).done.filter(({ how }) => how === "stroke").length, 0);
});

test("a picture is another one where something moved by a part of a pixel, and says how far", (t) => {
    const before = { ...painted(t, [{}]).shown[0], x: 100, y: 100 };
    const moved = (pixels, more = {}) => [{ ...before, x: before.x + pixels, ...more }];
    assert.equal(vehiclesKey(moved(0.01)), vehiclesKey([before]));
    assert.notEqual(vehiclesKey(moved(0.5)), vehiclesKey([before]));
    assert.notEqual(vehiclesKey(moved(0, { band: "late" })), vehiclesKey([before]));
    assert.equal(farthest([before], moved(3)), 3);
    assert.equal(farthest([], moved(3)), 0, "one that is new has not moved");
});

// What is painted of the table: light, grid, lines with their shades, stops, drawbridges, north, and names.
import assert from "node:assert/strict";
import { test } from "node:test";
import { lineMap, palette, recordingContext, sceneOf } from "./support/canvas.mjs";
import { colourText } from "../../Sources/BridgecastService/Resources/page/draw/colours.js";
import { project } from "../../Sources/BridgecastService/Resources/page/line/camera.js";
import { layOut } from "../../Sources/BridgecastService/Resources/page/line/layout.js";
import { lightAt } from "../../Sources/BridgecastService/Resources/page/line/light.js";
import { paintGround } from "../../Sources/BridgecastService/Resources/page/line/paint-ground.js";
import { namesIn, paintNames } from "../../Sources/BridgecastService/Resources/page/line/paint-names.js";

const colours = Object.fromEntries(Object.entries(palette).filter(([, value]) => Array.isArray(value))
    .map(([name, value]) => [name, colourText(value)]));

/** @param {object} [more] of the scene @param {any} [layout] */
function painted(more, layout) {
    const context = recordingContext();
    paintGround(context, sceneOf(more, layout));
    return context.done;
}

const strokesOf = (done, colour) => done.filter(({ how, ...own }) => how === "stroke" && own.colour === colour);
const fillsOf = (done, colour) => done.filter(({ how, ...own }) => how === "fill" && own.colour === colour);
/** The lines themselves fade, so their colour is a gradient. */
const linesOf = (done) => done.filter(({ how, colour }) => how === "stroke" && typeof colour === "object");
const shadesOf = (done) => strokesOf(done, "#141820");
const ringsOf = (done) => done.filter(({ how, points }) => how === "fill" && points.length === 1 && points[0].radius < 20);
const shift = (one, other) => ({ x: one.points[0].x - other.points[0].x, y: one.points[0].y - other.points[0].y });

test("a line is four pixels wide, pales with distance, and throws a shade away from the light", () => {
    const done = painted();
    const [line] = linesOf(done);
    assert.equal(line.lineWidth, 4);
    assert.equal(line.colour.colours[1], colours.line);
    assert.notEqual(line.colour.colours[0], colours.line, "far away it is paler");
    const [shade] = shadesOf(done);
    assert.ok(shade.lineWidth > line.lineWidth && shade.globalAlpha > 0.1 && shade.globalAlpha < 0.2);
    assert.ok(done.indexOf(shade) < done.indexOf(line), "the shade is below the line");
    const [morning, evening] = [8, 18].map((hour) => painted({ light: lightAt(hour) }))
        .map((own) => shift(shadesOf(own)[0], linesOf(own)[0]));
    assert.ok(morning.x < 0 && evening.x > 0, "in the morning it falls to the other side");
});

test("a line above another has a longer shade; one that is seen alone leaves the others faint", () => {
    const layout = layOut([lineMap("bus"), lineMap("bus", "2")]);
    const done = painted({ alone: "2" }, layout);
    const [low, high] = linesOf(done);
    assert.ok(high.points.at(-1).y < low.points.at(-1).y, "it is higher up");
    const [short, long] = shadesOf(done).map((shade) => shift(shade, low)).map(({ x, y }) => Math.hypot(x, y));
    assert.ok(long > 2 * short);
    assert.deepEqual([low.globalAlpha, high.globalAlpha], [0.2, 1]);
});

test("light is a sun with a tint, in the hour's colour, and less of it on dark paper", () => {
    const sun = (done) => done.find(({ how, points }) => how === "fill" && points[0]?.radius > 50);
    const suns = [8, 12, 18, 23].map((hour) => sun(painted({ light: lightAt(hour) })).colour);
    assert.equal(new Set(suns).size, 4);
    const tint = painted().find(({ how, colour }) => how === "fillRect" && typeof colour === "object");
    assert.equal(tint.colour.colours[1], colours.paper);
    const dark = { ...palette, paper: [27, 38, 49] };
    assert.ok(Number.parseInt(sun(painted({ palette: dark })).colour.slice(1, 3), 16) < 128, "it does not blind");
});

test("where contrast is wanted there are neither light nor shades nor a grid, and no line pales", () => {
    const done = painted({ palette: { ...palette, isPlain: true }, hasGrid: true });
    assert.equal(done.filter(({ how }) => how === "fillRect").length, 0);
    assert.equal(shadesOf(done).length + strokesOf(done, colours.grid).length, 0);
    assert.deepEqual(new Set(linesOf(done)[0].colour.colours), new Set([colours.line]));
});

test("the grid is there when it is wanted, faint, and lies deep below: it turns by less than the line", () => {
    assert.equal(strokesOf(painted(), colours.grid).length, 0);
    const done = painted({ hasGrid: true });
    const [grid] = strokesOf(done, colours.grid);
    assert.ok(grid.points.length > 60 && grid.globalAlpha >= 0.08 && grid.globalAlpha <= 0.12);
    const dots = fillsOf(done, colours.line).filter(({ globalAlpha }) => globalAlpha === grid.globalAlpha);
    assert.ok(dots.length > 100);
    const { camera } = sceneOf();
    const turned = painted({ hasGrid: true, camera: { ...camera, yaw: 0.2 } });
    const corner = (yaw) => project({ ...camera, yaw }, 10, -0.5, 10);
    const has = (spot) =>
        strokesOf(turned, colours.grid)[0].points.some(({ x, y }) => Math.hypot(x - spot.x, y - spot.y) < 0.01);
    assert.ok(has(corner(0.1)) && !has(corner(0.2)), "a turn of 0.2 turns it by 0.1");
});

test("stops are rings, ends larger, the visitor's filled and largest, one pointed at has a thicker edge", () => {
    const { layout, camera } = sceneOf();
    const ringOf = (done, id) => {
        const { x, z } = layout.lines[0].stops.find(({ ids }) => ids.includes(id));
        const seen = project(camera, x, 0, z);
        const fill = ringsOf(done).find(({ points }) => Math.hypot(points[0].x - seen.x, points[0].y - seen.y) < 0.01);
        return { radius: fill.points[0].radius, fill: fill.colour, edge: done[done.indexOf(fill) + 1] };
    };
    const done = painted({ stop: "s1", named: "s4" }, layout);
    const [end, own, plain, named] = ["s5", "s1", "s2", "s4"].map((id) => ringOf(done, id));
    assert.deepEqual([end.fill, own.fill, plain.fill, named.fill], [colours.paper, colours.red, colours.paper, colours.paper]);
    for (const { edge } of [end, own, plain, named]) assert.equal(edge.how === "stroke" && edge.colour, colours.line);
    assert.ok(own.radius > end.radius && end.radius > plain.radius);
    assert.deepEqual([plain.edge.lineWidth, named.edge.lineWidth], [2, 3]);
    assert.equal(ringOf(painted({}, layout), "s1").fill, colours.paper, "without a favourite none is filled");
});

test("a bridge is water with two leaves: level when lowered, up and red when raised, dashed when not known", () => {
    const leavesOf = (share, state) => {
        const done = painted({ leaves: new Map([[4, { share, state }]]) });
        assert.equal(fillsOf(done, colours.water).length, 1);
        return done.filter(({ how, colour, lineWidth }) =>
            how === "stroke" && typeof colour === "string" && [4, 9].includes(lineWidth));
    };
    const rise = ({ points: [hinge, tip] }) => hinge.y - tip.y;
    const [down, half, up, unknown] = [[0, "lowered"], [0.5, "raised"], [1, "raised"], [0, "unknown"]]
        .map((own) => leavesOf(...own));
    for (const leaves of [down, half, up, unknown]) assert.equal(leaves.length, 4, "two leaves, each with its edge");
    assert.ok(rise(up[0]) > rise(half[0]) && rise(half[0]) > rise(down[0]) + 2);
    const deck = (leaves) => leaves.filter(({ lineWidth }) => lineWidth === 4).map(({ colour }) => colour);
    assert.deepEqual([deck(down), deck(up)], [[colours.paper, colours.paper], [colours.red, colours.red]]);
    assert.deepEqual([down[0].dash.length, unknown[0].dash.length], [0, 2]);
});

test("a line that is not known yet is grey and bare", () => {
    const done = painted({ isSkeleton: true });
    assert.equal(linesOf(done)[0].colour.colours[1], colours.edge);
    assert.equal(fillsOf(done, colours.water).length + ringsOf(done).length, 0);
    assert.equal(done.filter(({ how }) => how === "fillText").length, 0);
});

test("north is marked, and turns with the table", () => {
    const needleOf = (done) => {
        const letter = done.findIndex(({ how, given }) => how === "fillText" && given[0] === "N");
        return done[letter - 1].points[0];
    };
    const { camera } = sceneOf();
    const [rest, turned] = [0, 0.26].map((yaw) => needleOf(painted({ camera: { ...camera, yaw } })));
    assert.ok(Math.hypot(rest.x - turned.x, rest.y - turned.y) > 2);
});

test("ends, bridges, the visitor's stop and one that is pointed at have names, with an edge of paper", () => {
    const context = recordingContext();
    const scene = sceneOf({ stop: "s1", named: "s4" });
    const names = namesIn(context, scene);
    assert.deepEqual(new Set(names.map(({ text }) => text)), new Set(["Stop 0", "Stop 5", "Montlake", "Stop 1", "Stop 4"]));
    assert.deepEqual(namesIn(context, { ...scene, isSkeleton: true }), []);
    paintNames(context, palette, names);
    const written = context.done.filter(({ how }) => how.endsWith("Text"));
    assert.deepEqual(written.slice(0, 2).map(({ how, colour }) => [how, colour]),
        [["strokeText", colours.paper], ["fillText", colours.ink]]);
    assert.equal(written.length, 2 * names.length);
});

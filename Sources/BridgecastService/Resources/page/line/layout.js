// The lines on the table: curves, stops and bridges where they are drawn, made once from what the service answers.
import { distanceToSegment, placeOn, round, sample, simplify } from "./curve.js";
import { createGround } from "./ground.js";

/** @typedef {import("../data/line-answers.js").LineMap} LineMap */
/** @typedef {import("../data/line-answers.js").Way} Way */
/** @typedef {import("./curve.js").Curve} Curve */
/** @typedef {Way & { curve: Curve, metresPerUnit: number }} LaidWay */
/**
 * @typedef {object} LaidStop stops that fall together are one ring
 * @property {string[]} ids
 * @property {string} name
 * @property {number} x
 * @property {number} z
 * @property {boolean} isEnd
 */
/** @typedef {{ id: number, name: string, x: number, z: number, dx: number, dz: number }} LaidBridge along its line */
/**
 * @typedef {object} LaidLine
 * @property {import("../data/line-answers.js").LineName} name
 * @property {number} height above the table
 * @property {LaidWay[]} ways
 * @property {Curve[]} strokes what is drawn of them: where ways run together it is one line
 * @property {LaidStop[]} stops
 * @property {LaidBridge[]} bridges
 */
/**
 * @typedef {object} Layout
 * @property {LaidLine[]} lines
 * @property {import("./ground.js").Ground} ground
 * @property {{ x: number, z: number }[]} spots what has to be in the picture
 * @property {string | null} zone
 */

// A line of four pixels hides less than that.
const tolerance = 0.03;
const togetherGap = 0.08;
const stopGap = 0.16;
const heightStep = 0.25;
const spotsOnLine = 40;

/** @param {LineMap[]} maps one at least @returns {Layout} */
export function layOut(maps) {
    const ground = createGround(maps.flatMap(({ ways }) => ways.map(({ points }) => points)));
    const lines = maps.map((map, n) => layLine(map, ground, n * heightStep));
    const spots = lines.flatMap(({ ways }) => ways.flatMap(({ curve }) => sample(curve, spotsOnLine)));
    return { lines, ground, spots, zone: maps[0].zone };
}

/** @param {LineMap} map @param {import("./ground.js").Ground} ground @param {number} height @returns {LaidLine} */
function layLine(map, ground, height) {
    const ways = map.ways.map((way) => ({ ...way, ...curveOf(way, ground) }));
    return {
        name: map.line, height, ways, strokes: strokesOf(ways), stops: layStops(map, ways),
        bridges: map.bridges.flatMap(({ id, name, place }) => {
            const along = findOn(ways, "bridges", String(id));
            return along ? [{ id, name, ...along }] : [{ id, name, ...ground.place(...place), dx: 1, dz: 0 }];
        }),
    };
}

/** @param {Way} way @param {import("./ground.js").Ground} ground */
function curveOf(way, ground) {
    const placed = way.points.map(([longitude, latitude]) => ground.place(longitude, latitude));
    const lengths = [0];
    for (let n = 1; n < placed.length; n += 1) {
        lengths.push(lengths[n - 1] + Math.hypot(placed[n].x - placed[n - 1].x, placed[n].z - placed[n - 1].z));
    }
    const whole = lengths[lengths.length - 1];
    const metresPerUnit = whole > 0 ? way.length / whole : 0;
    const points = placed.map((point, n) => ({ ...point, along: lengths[n] * metresPerUnit }));
    return { curve: round(simplify(points, tolerance)), metresPerUnit };
}

/**
 * The main way whole, of others the parts that leave it, each joined to where it leaves.
 * @param {LaidWay[]} ways
 */
function strokesOf(ways) {
    /** @type {Curve[]} */
    const strokes = [];
    for (const { curve } of [...ways].reverse()) {
        const isApart = curve.map((point) => strokes.every((stroke) => distanceToCurve(point, stroke) > togetherGap));
        const isDrawn = curve.map((_, n) => isApart[n - 1] || isApart[n] || isApart[n + 1]);
        let part = [];
        for (let n = 0; n <= curve.length; n += 1) {
            if (n < curve.length && isDrawn[n]) { part.push(curve[n]); continue; }
            if (part.length > 1) strokes.push(part);
            part = [];
        }
    }
    return strokes;
}

/** @param {{ x: number, z: number }} point @param {Curve} curve */
function distanceToCurve(point, curve) {
    let least = Infinity;
    for (let n = 1; n < curve.length; n += 1) {
        least = Math.min(least, distanceToSegment(point, curve[n - 1], curve[n]));
    }
    return least;
}

/**
 * Where a stop or a bridge is on the first way that has it, the main one before others.
 * @param {LaidWay[]} ways @param {"stops" | "bridges"} kind @param {string} id
 */
function findOn(ways, kind, id) {
    for (const way of [...ways].reverse()) {
        const own = way[kind].find((one) => one.id === id);
        if (own) return placeOn(way.curve, own.along);
    }
    return null;
}

/** @param {LineMap} map @param {LaidWay[]} ways @returns {LaidStop[]} in the order of the main way */
function layStops(map, ways) {
    const order = [...ways].reverse().flatMap(({ stops }) => stops.map(({ id }) => id));
    const ends = new Set(ways.filter(({ isMain }) => isMain)
        .flatMap(({ stops }) => [stops[0]?.id, stops[stops.length - 1]?.id]));
    /** @type {LaidStop[]} */
    const rings = [];
    const sorted = [...map.stops].sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
    for (const { id, name } of sorted) {
        const spot = findOn(ways, "stops", id);
        if (!spot) continue;
        const near = rings.find(({ x, z }) => Math.hypot(x - spot.x, z - spot.z) < stopGap);
        if (near) {
            near.ids.push(id);
            near.isEnd ||= ends.has(id);
        } else {
            rings.push({ ids: [id], name, x: spot.x, z: spot.z, isEnd: ends.has(id) });
        }
    }
    return rings;
}

/**
 * What a line is called at length; from its ends where the timetable has no such name.
 * @param {LaidLine | LineMap} line
 */
export function longNameOf(line) {
    const name = "name" in line ? line.name : line.line;
    if (name.longName !== "") return name.longName;
    const ends = [...new Set(line.ways.filter(({ isMain }) => isMain).map(({ headsign }) => headsign))];
    return ends.filter((end) => end !== "").join(" – ");
}

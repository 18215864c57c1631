// A line on the table as a rounded curve whose points have their distance along the way.

/** @typedef {{ x: number, z: number, along: number }} CurvePoint metres from the line's beginning */
/** @typedef {readonly CurvePoint[]} Curve */
/** @typedef {{ x: number, z: number, dx: number, dz: number }} Placed a place, and the way ahead, of length 1 */

const rounds = 2;
const maxPoints = 2_000;

/**
 * Leaves out points that are nearer than a tolerance to the line without them (Douglas and Peucker).
 * @param {Curve} points @param {number} tolerance @returns {CurvePoint[]}
 */
export function simplify(points, tolerance) {
    if (points.length < 3) return [...points];
    const isKept = new Uint8Array(points.length);
    isKept[0] = isKept[points.length - 1] = 1;
    const waiting = [[0, points.length - 1]];
    for (let span = waiting.pop(); span; span = waiting.pop()) {
        const [from, to] = span;
        let farthest = tolerance;
        let at = -1;
        for (let n = from + 1; n < to; n += 1) {
            const distance = distanceToSegment(points[n], points[from], points[to]);
            if (distance > farthest) [farthest, at] = [distance, n];
        }
        if (at < 0) continue;
        isKept[at] = 1;
        waiting.push([from, at], [at, to]);
    }
    return points.filter((_, n) => isKept[n] === 1);
}

/**
 * @param {{ x: number, z: number }} point @param {{ x: number, z: number }} a @param {{ x: number, z: number }} b
 */
export function distanceToSegment(point, a, b) {
    const [dx, dz] = [b.x - a.x, b.z - a.z];
    const length = dx * dx + dz * dz;
    const share = length === 0 ? 0 : ((point.x - a.x) * dx + (point.z - a.z) * dz) / length;
    const t = Math.max(0, Math.min(1, share));
    return Math.hypot(point.x - a.x - t * dx, point.z - a.z - t * dz);
}

/**
 * Rounds corners by cutting each of them twice (Chaikin); the ends stay.
 * @param {Curve} points @returns {CurvePoint[]}
 */
export function round(points) {
    let line = [...points];
    for (let n = 0; n < rounds && line.length > 2 && line.length < maxPoints; n += 1) line = cutCorners(line);
    return line;
}

/** @param {CurvePoint[]} line */
function cutCorners(line) {
    const cut = [line[0]];
    for (let n = 1; n < line.length; n += 1) {
        if (n > 1) cut.push(between(line[n - 1], line[n], 0.25));
        if (n < line.length - 1) cut.push(between(line[n - 1], line[n], 0.75));
    }
    cut.push(line[line.length - 1]);
    return cut;
}

/** @param {CurvePoint} a @param {CurvePoint} b @param {number} t from 0 to 1 @returns {CurvePoint} */
const between = (a, b, t) =>
    ({ x: a.x + t * (b.x - a.x), z: a.z + t * (b.z - a.z), along: a.along + t * (b.along - a.along) });

/**
 * The place at a distance, and the direction there; the ends hold for what is beyond them.
 * @param {Curve} curve with a point at least @param {number} along metres @returns {Placed}
 */
export function placeOn(curve, along) {
    let [low, high] = [0, curve.length - 1];
    while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (curve[middle].along <= along) low = middle; else high = middle;
    }
    const [a, b] = [curve[low], curve[high]];
    const gap = b.along - a.along;
    const t = gap > 0 ? Math.max(0, Math.min(1, (along - a.along) / gap)) : 0;
    const length = Math.hypot(b.x - a.x, b.z - a.z);
    const { x, z } = between(a, b, t);
    return length > 0 ? { x, z, dx: (b.x - a.x) / length, dz: (b.z - a.z) / length } : { x, z, dx: 1, dz: 0 };
}

/**
 * Points of a curve at even distances, such as for labels that keep off it.
 * @param {Curve} curve @param {number} count
 */
export function sample(curve, count) {
    const [first, last] = [curve[0], curve[curve.length - 1]];
    return Array.from({ length: count }, (_, n) =>
        placeOn(curve, first.along + (last.along - first.along) * n / Math.max(1, count - 1)));
}

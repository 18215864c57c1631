// From longitude and latitude to the table of ten by ten units: one scale for all lines, turned so that they run
// along a diagonal, the nearer one.

/** @typedef {import("../model/geo.js").Position} Position */
/**
 * @typedef {object} Ground
 * @property {(longitude: number, latitude: number) => { x: number, z: number }} place x to the right, z to the visitor
 * @property {number} turn by which north is turned to the left, radians
 * @property {number} unitsPerMetre
 */

export const tableSize = 10;
const metresPerDegree = 111_195;
// A line that is hardly longer than wide has no direction.
const minElongation = 1.2;
const minSpanMetres = 200;

/**
 * @param {readonly (readonly Position[])[]} lines longitudes and latitudes
 * @returns {Ground}
 */
export function createGround(lines) {
    const points = lines.flat();
    const middle = middleOf(points);
    const east = metresPerDegree * Math.cos(middle[1] * Math.PI / 180);
    const metres = (/** @type {Position} */ [longitude, latitude]) =>
        /** @type {Position} */ ([(longitude - middle[0]) * east, (latitude - middle[1]) * metresPerDegree]);
    const turn = turnToDiagonal(directionOf(lines.map((line) => line.map(metres))));
    const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
    const turned = (/** @type {Position} */ point) => {
        const [x, y] = metres(point);
        return /** @type {Position} */ ([x * cos - y * sin, x * sin + y * cos]);
    };
    const box = boxOf(points.map(turned));
    const unitsPerMetre = tableSize / Math.max(minSpanMetres, box.width, box.height);
    return {
        turn, unitsPerMetre,
        place(longitude, latitude) {
            const [x, y] = turned([longitude, latitude]);
            return { x: (x - box.x) * unitsPerMetre, z: (box.y - y) * unitsPerMetre };
        },
    };
}

/** @param {readonly Position[]} points @returns {Position} */
function middleOf(points) {
    const box = boxOf(points);
    return [box.x, box.y];
}

/** @param {readonly Position[]} points middle and size of what holds them */
function boxOf(points) {
    let [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
    for (const [x, y] of points) {
        left = Math.min(left, x);
        right = Math.max(right, x);
        low = Math.min(low, y);
        high = Math.max(high, y);
    }
    if (left > right) return { x: 0, y: 0, width: 0, height: 0 };
    return { x: (left + right) / 2, y: (low + high) / 2, width: right - left, height: high - low };
}

/**
 * The main direction of lines (the first axis of their spread), radians to the left of east; null where there is none.
 * @param {readonly Position[][]} lines metres
 */
function directionOf(lines) {
    let [length, meanX, meanY, xx, yy, xy] = [0, 0, 0, 0, 0, 0];
    for (const [before, after] of lines.flatMap(segmentsOf)) {
        const [east, north] = [after[0] - before[0], after[1] - before[1]];
        const weight = Math.hypot(east, north);
        const [x, y] = [(after[0] + before[0]) / 2, (after[1] + before[1]) / 2];
        length += weight;
        meanX += weight * x;
        meanY += weight * y;
        // A segment's own spread is a twelfth of its square.
        xx += weight * (x * x + east * east / 12);
        yy += weight * (y * y + north * north / 12);
        xy += weight * (x * y + east * north / 12);
    }
    if (!(length > 0)) return null;
    [xx, yy, xy] = [xx - meanX * meanX / length, yy - meanY * meanY / length, xy - meanX * meanY / length];
    const spread = Math.hypot(xx - yy, 2 * xy);
    const [long, short] = [(xx + yy + spread) / 2, Math.max(0, (xx + yy - spread) / 2)];
    return Math.sqrt(long) < minElongation * Math.sqrt(short) ? null : Math.atan2(2 * xy, xx - yy) / 2;
}

/** @param {readonly Position[]} line */
const segmentsOf = (line) => line.slice(1).map((point, n) => /** @type {const} */ ([line[n], point]));

/**
 * The smallest turn that brings a direction to a diagonal.
 * @param {number | null} direction radians
 */
function turnToDiagonal(direction) {
    if (direction === null) return 0;
    const quarter = Math.PI / 2;
    const beyond = ((direction - Math.PI / 4) % quarter + quarter) % quarter;
    return beyond > quarter / 2 ? quarter - beyond : -beyond;
}

// From longitude and latitude to positions on a drawing: projection, clipping, paths, encoded lines.

/** @typedef {[number, number]} Position longitude and latitude, or x and y */
/** @typedef {(longitude: number, latitude: number) => Position} Projection */
/**
 * @typedef {object} Crop a part of the city and its scale
 * @property {number} longitude of its middle
 * @property {number} latitude of its middle
 * @property {number} metresPerPixel
 * @property {number} width pixels
 * @property {number} height pixels
 */

const metresPerDegree = 111_195;
// One scale for the whole city: off by a quarter of a hundredth at its edges at most.
const eastPerNorth = Math.cos(47.6 * Math.PI / 180);

/** @param {Crop} crop @returns {Projection} north is up */
export function createProjection({ longitude, latitude, metresPerPixel, width, height }) {
    const north = metresPerDegree / metresPerPixel;
    const east = north * eastPerNorth;
    return (lon, lat) => [width / 2 + (lon - longitude) * east, height / 2 - (lat - latitude) * north];
}

/**
 * The part of a ring within a box: side by side (Sutherland and Hodgman).
 * @param {Position[]} ring
 * @param {{ left: number, top: number, right: number, bottom: number }} box
 */
export function clipRing(ring, box) {
    /** @type {[0 | 1, number, 1 | -1][]} */
    const sides = [[0, box.left, 1], [0, box.right, -1], [1, box.top, 1], [1, box.bottom, -1]];
    let kept = ring;
    for (const [axis, limit, sign] of sides) {
        const given = kept;
        kept = [];
        given.forEach((point, n) => {
            const before = given[(n + given.length - 1) % given.length];
            const isIn = (point[axis] - limit) * sign >= 0;
            if (isIn !== (before[axis] - limit) * sign >= 0) {
                const share = (limit - before[axis]) / (point[axis] - before[axis]);
                kept.push([before[0] + share * (point[0] - before[0]), before[1] + share * (point[1] - before[1])]);
            }
            if (isIn) kept.push(point);
        });
    }
    return kept;
}

/**
 * The parts of a line that come near a box; what is drawn beyond it is not seen.
 * @param {Position[]} line
 * @param {{ left: number, top: number, right: number, bottom: number }} box
 */
export function clipLine(line, box) {
    /** @type {Position[][]} */
    const parts = [];
    let isOpen = false;
    for (let n = 1; n < line.length; n += 1) {
        const [a, b] = [line[n - 1], line[n]];
        const isNear = Math.max(a[0], b[0]) >= box.left && Math.min(a[0], b[0]) <= box.right
            && Math.max(a[1], b[1]) >= box.top && Math.min(a[1], b[1]) <= box.bottom;
        if (isNear && isOpen) parts[parts.length - 1].push(b);
        else if (isNear) parts.push([a, b]);
        isOpen = isNear;
    }
    return parts;
}

/**
 * Lines as the data of an SVG path, to a tenth of a pixel; points that fall together are left out.
 * @param {Position[][]} lines @param {boolean} [isClosed]
 */
export function pathData(lines, isClosed = false) {
    let text = "";
    for (const line of lines) {
        const points = line.map(([x, y]) => `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`)
            .filter((point, n, all) => point !== all[n - 1]);
        if (points.length > 1) text += `M${points.join("L")}${isClosed ? "Z" : ""}`;
    }
    return text;
}

/**
 * A line as the data of an SVG path that rounds its corners: it runs from middle to middle of its parts.
 * @param {Position[]} line
 */
export function curveData(line) {
    const said = (/** @type {Position} */ [x, y]) => `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`;
    if (line.length < 2) return "";
    /** @type {Position[]} */
    const middles = line.slice(1).map(([x, y], n) => [(x + line[n][0]) / 2, (y + line[n][1]) / 2]);
    const bends = line.slice(1, -1).map((point, n) => `Q${said(point)} ${said(middles[n + 1])}`);
    return `M${said(line[0])}L${said(middles[0])}${bends.join("")}L${said(line[line.length - 1])}`;
}

/**
 * An encoded polyline (five bits a character, differences, zigzag) as pairs of latitude and longitude.
 * @param {string} text
 * @param {number} [precision] steps in a degree; the service's lines have six decimals
 * @returns {[number, number][]} as far as the text is whole
 */
export function decodePolyline(text, precision = 1e6) {
    /** @type {[number, number][]} */
    const line = [];
    const sum = [0, 0];
    let axis = 0, value = 0, factor = 1;
    for (let n = 0; n < text.length; n += 1) {
        const code = text.charCodeAt(n) - 63;
        if (code < 0 || code > 63 || factor > 2 ** 40) break;
        value += (code & 31) * factor;
        factor *= 32;
        if (code >= 32) continue;
        sum[axis] += value % 2 === 1 ? -(value + 1) / 2 : value / 2;
        if (axis === 1) line.push([sum[0] / precision, sum[1] / precision]);
        [axis, value, factor] = [1 - axis, 0, 1];
    }
    return line;
}

// Degrees of latitude; a shore is not that straight.
const minEdgeDegrees = 0.1;
const farDegrees = 2;

/**
 * Water that is cut off at the edge of the records goes on beyond it, so that a map of its surroundings shows no edge.
 * @param {Position[]} ring
 * @returns {Position[]}
 */
export function withoutWestEdge(ring) {
    const west = Math.min(...ring.map(([longitude]) => longitude));
    const at = ring.findIndex(([longitude, latitude], n) => n > 0 && n + 2 < ring.length && longitude === west
        && ring[n + 1][0] === west && Math.abs(ring[n + 1][1] - latitude) > minEdgeDegrees);
    if (at < 0) return ring;
    const [before, first, second, after] = ring.slice(at - 1, at + 3);
    const far = first[1] > second[1] ? farDegrees : -farDegrees;
    /** @type {Position[]} */
    const beyond = [
        [before[0], first[1] + far], [west - farDegrees, first[1] + far],
        [west - farDegrees, second[1] - far], [after[0], second[1] - far],
    ];
    return [...ring.slice(0, at), ...beyond, ...ring.slice(at + 2)];
}

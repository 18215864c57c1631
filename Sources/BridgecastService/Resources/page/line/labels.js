// Where names go in the picture: next to their spot, off the lines, off each other, inside the frame; or nowhere.

/** @typedef {{ text: string, x: number, y: number, width: number, gap: number, isNeeded: boolean }} Name pixels */
/** @typedef {{ left: number, top: number, right: number, bottom: number }} Box */
/** @typedef {{ text: string, x: number, y: number, width: number }} PlacedName left end and middle of its height */

const height = 18;
const edge = 6;
// Where it costs more a name is left out that is not needed.
const maxCost = 6;

/**
 * @param {Name[]} names the most important first
 * @param {readonly { x: number, y: number }[]} lines points of the lines
 * @param {{ width: number, height: number }} size
 * @param {readonly Box[]} [marks] that are there already
 * @returns {PlacedName[]}
 */
export function placeNames(names, lines, size, marks = []) {
    const taken = [...marks];
    const near = nearOf(lines);
    /** @type {PlacedName[]} */
    const placed = [];
    for (const name of names) {
        const choices = boxesOf(name).map((box) => inside(box, size))
            .map((box) => ({ box, cost: costOf(box, taken, near, size, name) }));
        const best = choices.reduce((a, b) => (b.cost < a.cost ? b : a));
        if (best.cost >= maxCost && !name.isNeeded) continue;
        taken.push(best.box);
        placed.push({ text: name.text, x: best.box.left, y: (best.box.top + best.box.bottom) / 2, width: name.width });
    }
    return placed;
}

/**
 * Where a mark is clear of names: the first such of some spots, the first of all where none is.
 * @param {readonly { x: number, y: number }[]} spots its middle @param {{ width: number, height: number }} mark
 * @param {readonly PlacedName[]} names
 */
export function clearOf(spots, mark, names) {
    const isClear = (/** @type {{ x: number, y: number }} */ { x, y }) => names.every((name) =>
        x + mark.width / 2 < name.x || x - mark.width / 2 > name.x + name.width
        || Math.abs(y - name.y) > (height + mark.height) / 2);
    return spots.find(isClear) ?? spots[0];
}

/** @param {Name} name right, left, above, below, and between those */
function boxesOf({ x, y, width, gap }) {
    const sides = [[1, 0], [-1, 0], [0, -1], [0, 1], [1, -1], [1, 1], [-1, -1], [-1, 1]];
    return sides.map(([right, down]) => {
        const diagonal = right !== 0 && down !== 0 ? 0.6 : 1;
        const middle = x + right * (gap * diagonal + width / 2);
        const line = y + down * (gap * diagonal + height / 2);
        return {
            left: middle - width / 2, right: middle + width / 2, top: line - height / 2, bottom: line + height / 2,
        };
    });
}

/**
 * Moved to the side as far as it has to be to be read.
 * @param {Box} box @param {{ width: number, height: number }} size @returns {Box}
 */
function inside(box, size) {
    const width = box.right - box.left;
    const left = Math.max(edge, Math.min(size.width - edge - width, box.left));
    return { ...box, left, right: left + width };
}

/** @typedef {(box: Box) => number} Near how many points of lines a name there would cover */

const cellPixels = 32;

/**
 * Thousands of points lie under few names: they are kept by cells of the picture.
 * @param {readonly { x: number, y: number }[]} lines @returns {Near}
 */
function nearOf(lines) {
    const cells = new Map();
    const cellOf = (/** @type {number} */ pixels) => Math.floor(pixels / cellPixels);
    const keyOf = (/** @type {number} */ column, /** @type {number} */ row) => column * 4096 + row;
    for (const point of lines) {
        const key = keyOf(cellOf(point.x), cellOf(point.y));
        const own = cells.get(key);
        if (own) own.push(point);
        else cells.set(key, [point]);
    }
    return (box) => {
        const covers = (/** @type {{ x: number, y: number }} */ { x, y }) =>
            x > box.left - 2 && x < box.right + 2 && y > box.top && y < box.bottom;
        let count = 0;
        for (let column = cellOf(box.left - 2); column <= cellOf(box.right + 2); column += 1) {
            for (let row = cellOf(box.top); row <= cellOf(box.bottom); row += 1) {
                for (const point of cells.get(keyOf(column, row)) ?? []) if (covers(point)) count += 1;
            }
        }
        return count;
    };
}

/**
 * @param {Box} box @param {Box[]} taken @param {Near} near
 * @param {{ width: number, height: number }} size @param {Name} name
 */
function costOf(box, taken, near, size, name) {
    const outside = Math.max(0, -box.top) + Math.max(0, box.bottom - size.height) + Math.max(0, box.right - size.width);
    const isOverSpot = name.x > box.left && name.x < box.right && name.y > box.top - 4 && name.y < box.bottom + 4;
    const covered = taken.filter((other) => box.left < other.right && box.right > other.left
        && box.top < other.bottom && box.bottom > other.top).length;
    return outside * 5 + covered * 30 + near(box) + (isOverSpot ? 20 : 0);
}

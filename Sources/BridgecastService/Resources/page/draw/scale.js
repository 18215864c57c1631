// From values to positions on a drawing, and round numbers to mark there.

/** @param {number} from @param {number} to @param {number} low place of `from` @param {number} high place of `to` */
export function linear(from, to, low, high) {
    const span = to - from || 1;
    return (/** @type {number} */ value) => low + ((value - from) / span) * (high - low);
}

/**
 * The same on a square-root axis, which gives small chances room.
 * @param {number} to @param {number} low @param {number} high
 */
export function squareRoot(to, low, high) {
    return (/** @type {number} */ value) => low + Math.sqrt(Math.max(0, value) / to) * (high - low);
}

// More marks than this are not readable.
const maxMarks = 60;

/**
 * The multiples of a step on a range.
 * @param {number} from @param {number} to @param {number} step
 */
export function marksOn(from, to, step) {
    const found = [];
    for (let n = Math.ceil(from / step - 1e-9) || 0; n * step <= to + step * 1e-9 && found.length < maxMarks; n += 1) {
        found.push(n * step);
    }
    return found;
}

/**
 * Round steps for some marks on a range.
 * @param {number} span @param {number} most marks at most
 */
export function roundStep(span, most) {
    const rough = span / Math.max(1, most);
    const power = 10 ** Math.floor(Math.log10(rough));
    return [1, 2, 5, 10].map((n) => n * power).find((step) => step >= rough) ?? 10 * power;
}

// Figures and small letters of the axes' type, a little more than they are.
const characterWide = 7;
const minGap = 6;

/** @typedef {"start" | "middle" | "end"} Anchor */

/**
 * The labels that do not run into one before them in the list.
 * @template {{ x: number, anchor: Anchor, text: string }} Label
 * @param {readonly Label[]} labels the most important first
 * @returns {Label[]}
 */
export function labelsThatFit(labels) {
    /** @type {{ from: number, to: number }[]} */
    const taken = [];
    return labels.filter(({ x, anchor, text }) => {
        const wide = text.length * characterWide;
        const from = anchor === "start" ? x : anchor === "end" ? x - wide : x - wide / 2;
        const isFree = taken.every((other) => from + wide + minGap <= other.from || other.to + minGap <= from);
        if (isFree) taken.push({ from, to: from + wide });
        return isFree;
    });
}

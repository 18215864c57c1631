// What hands do to the picture: drag, two fingers, wheel, arrow keys, pointing and choosing.

/** @typedef {{ x: number, y: number }} Point pixels in the frame */
/**
 * @typedef {object} Hands what they move
 * @property {() => void} take
 * @property {(right: number, down: number) => void} drag
 * @property {() => void} release
 * @property {(right: number, down: number) => void} press
 * @property {(factor: number, about?: Point) => void} zoom
 * @property {(right: number, down: number) => void} shift
 * @property {() => void} reset
 * @property {(point: Point | null) => void} point
 * @property {(point: Point) => void} choose
 */

const clickPixels = 6;
const keyZoom = 1.3;
const wheelZoom = 1.0015;
const arrows = /** @type {Record<string, [number, number]>} */ ({
    ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
});

/**
 * @param {HTMLElement} frame @param {Hands} hands
 * @returns {() => void} ends it
 */
export function followHands(frame, hands) {
    const fingers = new Fingers(frame, hands);
    /** @type {[string, (event: any) => void, AddEventListenerOptions?][]} */
    const heard = [
        ["pointerdown", (event) => fingers.down(event)], ["pointermove", (event) => fingers.move(event)],
        ["pointerup", (event) => fingers.up(event, true)], ["pointercancel", (event) => fingers.up(event, false)],
        ["pointerleave", () => hands.point(null)],
        ["wheel", (event) => turnWheel(frame, hands, event), { passive: false }],
        ["keydown", (event) => pressKey(frame, hands, event)],
    ];
    for (const [name, hear, options] of heard) frame.addEventListener(name, hear, options);
    return () => { for (const [name, hear] of heard) frame.removeEventListener(name, hear); };
}

/** @param {HTMLElement} frame @param {MouseEvent} event @returns {Point} */
function pointOf(frame, event) {
    const box = frame.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
}

class Fingers {
    #frame;
    #hands;
    /** @type {Map<number, Point>} */
    #down = new Map();
    #moved = 0;

    /** @param {HTMLElement} frame @param {Hands} hands */
    constructor(frame, hands) {
        this.#frame = frame;
        this.#hands = hands;
    }

    /** @param {PointerEvent} event */
    down(event) {
        if (event.button !== 0) return;
        this.#frame.setPointerCapture(event.pointerId);
        this.#down.set(event.pointerId, pointOf(this.#frame, event));
        if (this.#down.size === 1) {
            this.#moved = 0;
            this.#hands.take();
        }
    }

    /** @param {PointerEvent} event */
    move(event) {
        const point = pointOf(this.#frame, event);
        const before = this.#down.get(event.pointerId);
        if (!before) return this.#hands.point(point);
        this.#moved += Math.hypot(point.x - before.x, point.y - before.y);
        const other = [...this.#down].find(([id]) => id !== event.pointerId)?.[1];
        this.#down.set(event.pointerId, point);
        if (!other) return this.#hands.drag(point.x - before.x, point.y - before.y);
        const wide = Math.hypot(point.x - other.x, point.y - other.y);
        const narrow = Math.hypot(before.x - other.x, before.y - other.y);
        this.#hands.zoom(wide / Math.max(1, narrow), { x: (point.x + other.x) / 2, y: (point.y + other.y) / 2 });
        this.#hands.shift((point.x - before.x) / 2, (point.y - before.y) / 2);
    }

    /** @param {PointerEvent} event @param {boolean} isDone */
    up(event, isDone) {
        if (!this.#down.delete(event.pointerId) || this.#down.size > 0) return;
        this.#hands.release();
        if (isDone && this.#moved < clickPixels) this.#hands.choose(pointOf(this.#frame, event));
    }
}

/**
 * The page scrolls on, unless the visitor has chosen the picture or pinches it.
 * @param {HTMLElement} frame @param {Hands} hands @param {WheelEvent} event
 */
function turnWheel(frame, hands, event) {
    if (!event.ctrlKey && document.activeElement !== frame) return;
    event.preventDefault();
    hands.zoom(wheelZoom ** -(event.ctrlKey ? event.deltaY * 6 : event.deltaY), pointOf(frame, event));
}

/** @param {HTMLElement} frame @param {Hands} hands @param {KeyboardEvent} event */
function pressKey(frame, hands, event) {
    if (event.target !== frame || event.altKey || event.ctrlKey || event.metaKey) return;
    const arrow = arrows[event.key];
    if (arrow) hands.press(...arrow);
    else if (event.key === "+" || event.key === "=") hands.zoom(keyZoom);
    else if (event.key === "-") hands.zoom(1 / keyZoom);
    else if (event.key === "0" || event.key === "Escape") hands.reset();
    else return;
    event.preventDefault();
}

// How the table is turned by drag, arrow keys, wheel and two fingers: the picture's camera, and what still moves it.
import { centreOn, fit, zoomAbout } from "./camera.js";
import { atRest, isAtRest, pixelsOf, springBack, turnOf } from "./drag.js";

/** @typedef {import("./camera.js").Camera} Camera */
/** @typedef {import("./camera.js").Size} Size */

const keyPixels = 40;
// After the last arrow key the table stays a little as it is turned.
const keyHoldMilliseconds = 900;

export class Turning {
    /** @type {Camera} */
    #whole = { yaw: 0, pitch: 0, focal: 1, zoom: 1, centreX: 0, centreY: 0 };
    /** @type {Camera} */
    #camera = this.#whole;
    #yaw = atRest;
    #pitch = atRest;
    /** @type {{ x: number, y: number } | null} pixels of the drag that the turn stands for */
    #held = null;
    #heldUntil = Infinity;
    #steppedAt = 0;
    /** @type {Size} */
    #size = { width: 1, height: 1 };

    /** @returns {Camera} */
    get camera() {
        return { ...this.#camera, yaw: this.#yaw.value, pitch: this.#pitch.value };
    }

    get isZoomed() { return this.#camera.zoom > 1; }
    get isDragging() { return this.#held !== null && this.#heldUntil === Infinity; }
    /** Whether the spring has still to bring it back. */
    get isSwinging() {
        if (this.#held !== null) return this.#heldUntil < Infinity;
        return !isAtRest(this.#yaw) || !isAtRest(this.#pitch);
    }


    /**
     * Another picture, or another size.
     * @param {readonly import("./camera.js").Spot[]} spots @param {Size} size @param {{ x: number, y: number }} margin
     */
    frame(spots, size, margin) {
        this.#size = size;
        this.#whole = fit(spots, size, margin);
        this.#camera = this.#whole;
    }

    /** The drag begins where the table stands. */
    take() {
        this.#held = this.#turnedPixels;
        this.#heldUntil = Infinity;
    }

    get #turnedPixels() {
        return { x: pixelsOf(this.#yaw.value), y: -pixelsOf(this.#pitch.value) };
    }

    /** @param {number} right pixels @param {number} down */
    drag(right, down) {
        if (!this.#held) return;
        this.#held = { x: this.#held.x + right, y: this.#held.y + down };
        this.#yaw = { value: turnOf(this.#held.x), velocity: 0 };
        this.#pitch = { value: turnOf(-this.#held.y), velocity: 0 };
    }

    /** @param {number} time milliseconds, when the spring begins */
    release(time) {
        this.#held = null;
        this.#heldUntil = Infinity;
        this.#steppedAt = time;
    }

    /**
     * An arrow key.
     * @param {number} right @param {number} down -1, 0 or 1 @param {number} time milliseconds
     */
    press(right, down, time) {
        this.#held = this.#turnedPixels;
        this.drag(right * keyPixels, down * keyPixels);
        this.#heldUntil = time + keyHoldMilliseconds;
    }

    /**
     * A spring's way since the last step.
     * @param {number} time milliseconds @param {boolean} isStill whether nothing may swing: it is back at once
     */
    step(time, isStill) {
        if (this.#held && time >= this.#heldUntil) this.release(time);
        if (this.#held) return;
        const seconds = Math.max(0, time - this.#steppedAt) / 1000;
        this.#steppedAt = time;
        this.#yaw = isStill ? atRest : springBack(this.#yaw, seconds);
        this.#pitch = isStill ? atRest : springBack(this.#pitch, seconds);
    }

    /**
     * @param {number} factor
     * @param {{ x: number, y: number }} [about] pixels; the middle of the frame if none is given
     */
    zoom(factor, about = { x: this.#size.width / 2, y: this.#size.height / 2 }) {
        this.#camera = zoomAbout(this.#camera, factor, about, this.#whole);
    }

    /** @param {number} right pixels @param {number} down */
    shift(right, down) {
        if (!this.isZoomed) return;
        this.#camera = { ...this.#camera, centreX: this.#camera.centreX + right, centreY: this.#camera.centreY + down };
    }

    /** All of it again. */
    reset() {
        this.#camera = this.#whole;
    }

    /**
     * Keeps a spot in the middle.
     * @param {import("./camera.js").Spot} spot
     */
    keepOn(spot) {
        this.#camera = centreOn(this.camera, spot, this.#size);
    }
}

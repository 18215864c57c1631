// The picture on its two canvases, the table and the vehicles: each is painted only when it differs from before.
import { Fleet, placeholders } from "./fleet.js";
import { project } from "./camera.js";
import { Frames } from "./frames.js";
import { followHands } from "./gestures.js";
import { areMoving, moveLeaves } from "./leaves.js";
import { hourIn, lightAt } from "./light.js";
import { hearMedia } from "./media.js";
import { paintGround } from "./paint-ground.js";
import { Moments } from "./moments.js";
import { namesIn } from "./paint-names.js";
import { paintVehicles } from "./paint-vehicles.js";
import { paletteQueries, readPalette, vehiclePaints } from "./palette.js";
import { findAt } from "./pointing.js";
import { farthest, groundKey, pixelParts, shownOf, vehiclesKey } from "./shown.js";
import { skeleton } from "./skeleton.js";
import { Turning } from "./turning.js";

/** @typedef {import("./paint-ground.js").Scene} Scene */
/** @typedef {import("./paint-vehicles.js").Shown} Shown */
/** @typedef {import("./pointing.js").Found} Found */
/** @typedef {import("../data/line-answers.js").Vehicle} Vehicle */
/**
 * @typedef {object} Looks what the view wants to be seen
 * @property {import("./layout.js").Layout | null} layout null until the line is known
 * @property {import("../data/line-answers.js").Positions | null} positions
 * @property {boolean} isWaiting whether grey vehicles stand for those that are not known yet
 * @property {string | null} stop the visitor's
 * @property {string | null} alone the line that is seen alone
 * @property {string | null} chosen a vehicle
 * @property {boolean} isFollowed whether the picture stays on it
 * @property {boolean} hasGrid
 * @property {boolean} isSmooth whether it may be painted sixty times a second
 * @property {Map<number, import("../core/types").BridgeState>} bridges
 * @property {(vehicle: Vehicle) => string} nameOf
 * @property {(vehicle: Vehicle) => string} badgeOf
 */

const entranceUnits = 0.7;
const maxDensity = 2;
const stillMilliseconds = 1_000;
const maxPauseMilliseconds = 500;
const followZoom = 2.5;
// More badges than these would hide each other.
const maxTexts = 60;
const textZoom = 2;

export class Stage {
    #elements;
    #clock;
    #choose;
    #turning = new Turning();
    #fleet = new Fleet();
    #frames;
    /** @type {Looks | null} */
    #looks = null;
    #layout = skeleton;
    #size = { width: 0, height: 0 };
    #density = 1;
    /** @type {Map<number, import("./leaves.js").Leaf>} */
    #leaves = new Map();
    /** @type {import("./palette.js").Palette | null} */
    #palette = null;
    /** @type {Map<string, ReturnType<typeof vehiclePaints>>} */
    #paints = new Map();
    /** @type {Found | null} */
    #pointed = null;
    #moments = new Moments();
    #drawnAt = -Infinity;
    #painted = { ground: "", top: "" };
    /** @type {import("./labels.js").PlacedName[]} */
    #names = [];
    /** @type {Shown[]} */
    #shown = [];
    /** @type {Scene | null} */
    #scene = null;
    #isStill = false;
    #leave = /** @type {(() => void)[]} */ ([]);

    /**
     * @param {{ frame: HTMLElement, ground: HTMLCanvasElement, top: HTMLCanvasElement, probe: HTMLElement }} elements
     * @param {import("../core/clock.js").Clock} clock
     * @param {(found: Found | null) => void} choose
     */
    constructor(elements, clock, choose) {
        this.#elements = elements;
        this.#clock = clock;
        this.#choose = choose;
        this.#frames = new Frames(elements.frame, (time) => this.#draw(time));
    }

    open() {
        const { frame } = this.#elements;
        const sizes = new ResizeObserver(() => this.#measure());
        sizes.observe(frame);
        this.#leave = [
            () => sizes.disconnect(), () => this.#frames.close(), followHands(frame, this.#hands()),
            this.#clock.subscribe(() => this.#frames.wake()),
            ...paletteQueries.map((query) => hearMedia(query, () => this.recolour())),
            hearMedia("(prefers-reduced-motion: reduce)", (isStill) => {
                this.#isStill = isStill;
                this.#frames.wake();
            }),
        ];
        this.recolour();
        this.#measure();
        this.#frames.open();
    }

    close() {
        for (const leave of this.#leave) leave();
    }

    /** The theme is another one. */
    recolour() {
        this.#palette = null;
        this.#frames.wake();
    }

    /** @param {Looks} looks */
    show(looks) {
        const before = this.#looks;
        this.#looks = looks;
        if (looks.layout !== before?.layout || before === null) this.#lay(looks.layout ?? skeleton);
        if (looks.positions !== (before?.positions ?? null)) this.#hear(looks.positions);
        if (looks.stop !== before?.stop || looks.layout !== before?.layout) this.#moments.pulse(performance.now());
        if (looks.isFollowed !== (before?.isFollowed ?? false)) this.#turnFollowing(looks.isFollowed);
        this.#frames.minPause = 1000 / (looks.isSmooth ? 60 : 30);
        this.#frames.wake();
    }

    /** @param {boolean} isFollowed whether a vehicle is followed from now on */
    #turnFollowing(isFollowed) {
        if (!isFollowed) return this.#turning.reset();
        // The button may be far below the picture.
        this.#elements.frame.scrollIntoView({ block: "nearest" });
        if (!this.#turning.isZoomed) this.#turning.zoom(followZoom);
    }

    /** @param {number} factor */
    zoom(factor) {
        this.#turning.zoom(factor);
        this.#frames.wake();
    }

    /** @param {import("./layout.js").Layout} layout */
    #lay(layout) {
        this.#layout = layout;
        this.#fleet.lay(layout.lines);
        this.#paints.clear();
        this.#fit();
    }

    /** @param {import("../data/line-answers.js").Positions | null} positions null: none are known any more */
    #hear(positions) {
        if (!positions) return this.#fleet.forget();
        this.#fleet.hear(positions, this.#clock.now());
        if (positions.vehicles.length > 0) this.#moments.enter(performance.now());
    }

    #measure() {
        const { frame, ground, top } = this.#elements;
        this.#size = { width: frame.clientWidth, height: frame.clientHeight };
        this.#density = Math.min(maxDensity, devicePixelRatio || 1);
        for (const canvas of [ground, top]) {
            canvas.width = Math.round(this.#size.width * this.#density);
            canvas.height = Math.round(this.#size.height * this.#density);
        }
        this.#painted = { ground: "", top: "" };
        this.#fit();
        this.#frames.wake();
    }

    #fit() {
        const { width, height } = this.#size;
        const margin = { x: Math.max(34, width * 0.09), y: Math.max(36, height * 0.1) };
        this.#turning.frame(this.#layout.spots, this.#size, margin);
    }

    /** @returns {import("./gestures.js").Hands} */
    #hands() {
        const turning = this.#turning;
        /** @param {() => void} act */
        const then = (act) => { act(); this.#frames.wake(); };
        return {
            take: () => turning.take(),
            drag: (right, down) => then(() => turning.drag(right, down)),
            release: () => then(() => turning.release(performance.now())),
            press: (right, down) => then(() => turning.press(right, down, performance.now())),
            zoom: (factor, about) => then(() => turning.zoom(factor, about)),
            shift: (right, down) => then(() => turning.shift(right, down)),
            reset: () => then(() => turning.reset()),
            point: (point) => this.#point(point),
            choose: (point) => this.#choose(this.#scene && findAt(point, this.#scene, this.#shown)),
        };
    }

    /** @param {{ x: number, y: number } | null} point */
    #point(point) {
        const found = point && this.#scene && !this.#scene.isSkeleton ? findAt(point, this.#scene, this.#shown) : null;
        if (found?.id === this.#pointed?.id && found?.kind === this.#pointed?.kind) return;
        this.#pointed = found;
        this.#elements.frame.classList.toggle("is-pointing", found !== null);
        this.#frames.wake();
    }

    /**
     * @param {number} time of the frame
     * @returns {number} milliseconds until it is to be drawn again
     */
    #draw(time) {
        const looks = this.#looks;
        if (!looks || this.#size.width < 1 || this.#size.height < 1) return Infinity;
        const passed = time - this.#drawnAt;
        this.#drawnAt = time;
        this.#turning.step(performance.now(), this.#isStill);
        this.#leaves = moveLeaves(this.#leaves, looks.bridges, this.#isStill ? Infinity : passed);
        const now = this.#clock.now();
        const spots = this.#spots(looks, now);
        this.#follow(looks, spots);
        const scene = this.#sceneOf(looks, now);
        this.#scene = scene;
        const before = this.#shown;
        this.#shown = this.#show(scene, looks, spots);
        this.#paintWhereChanged(scene);
        return this.#pauseAfter(now, farthest(before, this.#shown) / Math.max(1, passed));
    }

    /**
     * @param {Looks} looks @param {number} now
     * @returns {{ vehicle: Vehicle | null, spot: import("./fleet.js").Spot }[]}
     */
    #spots(looks, now) {
        if (looks.isWaiting) return placeholders(this.#layout.lines).map((spot) => ({ vehicle: null, spot }));
        if (!looks.layout) return [];
        return this.#fleet.at(now, this.#layout.ground, entranceUnits * (1 - this.#entrance))
            .filter(({ spot }) => looks.alone === null || spot.line === looks.alone);
    }

    /** How far vehicles have come in, from 0 to 1. */
    get #entrance() {
        return this.#isStill ? 1 : this.#moments.entranceAt(performance.now());
    }

    /** @param {Looks} looks @param {{ vehicle: Vehicle | null, spot: import("./fleet.js").Spot }[]} spots */
    #follow(looks, spots) {
        const own = looks.isFollowed ? spots.find(({ vehicle }) => vehicle?.id === looks.chosen) : undefined;
        if (own && !this.#turning.isDragging) this.#turning.keepOn(own.spot);
    }

    /** @param {Looks} looks @param {number} now @returns {Scene} */
    #sceneOf(looks, now) {
        this.#palette ??= this.#newPalette();
        return {
            layout: this.#layout, isSkeleton: looks.layout === null, camera: this.#turning.camera, size: this.#size,
            density: this.#density, palette: this.#palette, light: lightAt(hourIn(now, this.#layout.zone)),
            alone: looks.alone, stop: looks.stop, named: this.#pointed?.kind === "stop" ? this.#pointed.id : null,
            hasGrid: looks.hasGrid, leaves: this.#leaves,
        };
    }

    #newPalette() {
        this.#paints.clear();
        this.#painted = { ground: "", top: "" };
        return readPalette(this.#elements.probe);
    }

    /**
     * @param {Scene} scene @param {Looks} looks
     * @param {{ vehicle: Vehicle | null, spot: import("./fleet.js").Spot }[]} spots
     */
    #show(scene, looks, spots) {
        const about = {
            scene, looks, entrance: this.#entrance, pointed: this.#pointed,
            hasMinutes: this.#fleet.count <= maxTexts || scene.camera.zoom > textZoom,
        };
        return spots.map(({ vehicle, spot }) => shownOf(about, vehicle, spot, this.#paintsOf(scene, spot.line)))
            .sort((a, b) => b.depth - a.depth);
    }

    /** @param {Scene} scene @param {string} line */
    #paintsOf({ palette, layout }, line) {
        let paints = this.#paints.get(line);
        if (!paints) {
            const place = Math.max(0, layout.lines.findIndex(({ name }) => name.id === line));
            paints = vehiclePaints(palette, layout.lines[place].name.color, place);
            this.#paints.set(line, paints);
        }
        return paints;
    }

    /** @param {Scene} scene */
    #paintWhereChanged(scene) {
        const ground = groundKey(scene);
        if (ground !== this.#painted.ground) {
            const context = this.#elements.ground.getContext("2d");
            if (context) paintGround(context, scene);
            this.#names = context ? namesIn(context, scene) : [];
        }
        const pulse = this.#pulseIn(scene);
        const top = `${ground} ${pulse?.alpha.toFixed(2)} ${vehiclesKey(this.#shown)}`;
        if (top !== this.#painted.top) {
            const context = this.#elements.top.getContext("2d");
            if (context) paintVehicles(context, scene, this.#shown, { names: this.#names, pulse });
        }
        this.#painted = { ground, top };
    }

    /**
     * The ring that spreads from the visitor's stop.
     * @param {Scene} scene
     */
    #pulseIn({ camera, layout, palette, isSkeleton, stop }) {
        const pulse = this.#moments.pulseAt(performance.now());
        if (!pulse || stop === null || this.#isStill || palette.isPlain || isSkeleton) return null;
        const line = layout.lines.find(({ stops }) => stops.some(({ ids }) => ids.includes(stop)));
        const own = line?.stops.find(({ ids }) => ids.includes(stop));
        return line && own ? { ...pulse, ...at(project(camera, own.x, line.height, own.z)) } : null;
    }

    /** @param {number} now @param {number} speed pixels in a millisecond of what moved last */
    #pauseAfter(now, speed) {
        if (this.#isStill) return stillMilliseconds;
        const time = performance.now();
        const isPulsing = this.#scene !== null && this.#pulseIn(this.#scene) !== null;
        const isEntering = this.#moments.isEntering(time);
        if (this.#turning.isSwinging || areMoving(this.#leaves) || isEntering || isPulsing) return 0;
        if (!this.#fleet.isMoving(now)) return stillMilliseconds;
        return Math.min(maxPauseMilliseconds, 1 / pixelParts / Math.max(1e-6, speed));
    }
}

/** @param {{ x: number, y: number }} seen */
const at = ({ x, y }) => ({ x, y });

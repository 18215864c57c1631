// The vehicles of the lines in the picture: moves them along their ways, and says where each is on the screen.
import { project } from "./camera.js";
import { placeOn } from "./curve.js";
import { follow, isMoving, moveTo } from "./motion.js";

/** @typedef {import("../data/line-answers.js").Vehicle} Vehicle */
/** @typedef {import("./motion.js").Moving} Moving */
/** @typedef {import("./curve.js").Placed} Placed */
/** @typedef {import("./layout.js").LaidLine} LaidLine */
/** @typedef {Placed & { line: string, height: number, cars: Placed[] }} Spot */

const linked = new Set(["tram", "subway", "rail", "monorail", "funicular", "cable_tram"]);
const carGap = 0.54;
// Of both directions each keeps to its right.
const sideStep = 0.1;
const trainCars = 3;
const placeholdersOnWay = 3;

export class Fleet {
    /** @type {Map<string, { vehicle: Vehicle, moving: Moving }>} */
    #known = new Map();
    /** @type {LaidLine[]} */
    #lines = [];

    /** @param {LaidLine[]} lines */
    lay(lines) {
        this.#lines = lines;
    }

    get count() { return this.#known.size; }

    /**
     * An answer has come.
     * @param {import("../data/line-answers.js").Positions} positions @param {number} now
     */
    hear({ validAt, vehicles }, now) {
        this.#known = new Map(vehicles.map((vehicle) =>
            [vehicle.id, { vehicle, moving: follow(this.#known.get(vehicle.id)?.moving, vehicle, validAt, now) }]));
    }

    forget() {
        this.#known.clear();
    }

    /** @param {number} now */
    isMoving(now) {
        return [...this.#known.values()].some(({ moving }) => isMoving(moving, now));
    }

    /**
     * Where all are at a time.
     * @param {number} now @param {import("./ground.js").Ground} ground
     * @param {number} behind units of the table by which they are before their places, while they come in
     * @returns {{ vehicle: Vehicle, spot: Spot, along: number }[]} along: metres on its way
     */
    at(now, ground, behind) {
        const found = [];
        for (const [id, known] of this.#known) {
            const moving = moveTo(known.moving, now);
            this.#known.set(id, { ...known, moving });
            const line = this.#lines.find(({ name }) => name.id === known.vehicle.routeID) ?? this.#lines[0];
            if (!line) continue;
            const spot = spotOf(known.vehicle, moving.along, { line, ground, behind });
            found.push({ vehicle: known.vehicle, spot, along: moving.along });
        }
        return found;
    }
}

/**
 * @param {Vehicle} vehicle @param {number} along
 * @param {{ line: LaidLine, ground: import("./ground.js").Ground, behind: number }} where
 * @returns {Spot}
 */
function spotOf(vehicle, along, { line, ground, behind }) {
    const way = line.ways.find(({ pattern }) => pattern === vehicle.pattern);
    const about = { line: line.name.id, height: line.height };
    if (!way) {
        const turn = vehicle.bearing * Math.PI / 180 - ground.turn;
        const place = { ...ground.place(...vehicle.place), dx: Math.sin(turn), dz: -Math.cos(turn) };
        return { ...place, ...about, cars: [place] };
    }
    const count = linked.has(line.name.kind) ? trainCars : 1;
    const isTwoWay = line.ways.some(({ direction }) => direction !== way.direction);
    const first = along - behind * way.metresPerUnit;
    const cars = Array.from({ length: count }, (_, n) =>
        keepRight(placeOn(way.curve, first - n * carGap * way.metresPerUnit), isTwoWay ? sideStep : 0));
    const middle = cars[(count - 1) >> 1];
    return { ...middle, ...about, cars: spread(cars) };
}

/** @param {Placed} place @param {number} step */
const keepRight = (place, step) => ({ ...place, x: place.x - place.dz * step, z: place.z + place.dx * step });

/**
 * At the beginning of a line cars that would stand on each other stand behind each other.
 * @param {Placed[]} cars
 */
function spread(cars) {
    return cars.map((car, n) => {
        const before = cars[n - 1];
        if (!before || Math.hypot(before.x - car.x, before.z - car.z) > carGap / 2) return car;
        return { ...car, x: cars[0].x - cars[0].dx * carGap * n, z: cars[0].z - cars[0].dz * carGap * n };
    });
}

/**
 * Grey vehicles where nothing is known yet, at even distances.
 * @param {LaidLine[]} lines
 * @returns {Spot[]}
 */
export function placeholders(lines) {
    return lines.flatMap(({ name, height, ways }) => ways.filter(({ isMain }) => isMain).flatMap(({ curve }) =>
        Array.from({ length: placeholdersOnWay }, (_, n) => {
            // Those of the other direction stand between them.
            const share = (n + 0.35) / placeholdersOnWay;
            const place = keepRight(placeOn(curve, curve[curve.length - 1].along * share), sideStep);
            return { ...place, line: name.id, height, cars: [place] };
        })));
}

/**
 * Where a spot is on the screen.
 * @param {import("./camera.js").Camera} camera @param {Spot} spot
 */
export const seenAt = (camera, spot) => project(camera, spot.x, spot.height + 0.2, spot.z);

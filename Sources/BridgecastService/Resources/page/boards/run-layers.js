// Draws the line of a run with Leaflet: water and roads, the line, its stops, bridges, and the vehicle; no tiles.
import { latLngBounds, layerGroup, polyline } from "../vendor/leaflet.js";
import { bridgePin, createGroundMap, groundOf, pin } from "../draw/leaflet-ground.js";

/** @typedef {import("../data/run.js").RunMap} Drawn */

const padding = [18, 18];
const none = layerGroup();

export class RunLayers {
    #map;
    #ground = none;
    #own = none;
    #shown = "";

    /** @param {HTMLElement} element @param {boolean} isStill whether nothing is to move by itself */
    constructor(element, isStill) {
        const isPointed = matchMedia("(pointer: fine)").matches;
        this.#map = createGroundMap(element, isStill, {
            // A finger that scrolls the page is not held by a map this low; two fingers zoom it.
            over: "run", options: { dragging: isPointed, zoomSnap: 0.25, minZoom: 8 },
        });
    }

    /** @param {import("../data/geography.js").Geography} geography */
    showGround(geography) {
        this.#ground.remove();
        this.#ground = groundOf(geography, [() => "trip-map-road"]).addTo(this.#map);
    }

    /** @param {Drawn} drawn @param {(bridgeID: number) => string} stateOf the state of a bridge */
    showRun(drawn, stateOf) {
        this.#own.remove();
        const { line, isApproximate } = drawn;
        const base = { pane: "run", interactive: false, smoothFactor: 1 };
        this.#own = layerGroup([
            polyline(line, { ...base, className: "run-map-casing" }),
            polyline(line, { ...base, className: `run-map-line${isApproximate ? " is-approximate" : ""}` }),
            ...drawn.stops.map(({ name, place }, n) => pin(place, {
                className: `run-map-stop${n === 0 || n === drawn.stops.length - 1 ? " is-end" : ""}`,
                size: 12, title: name,
            })),
            ...drawn.bridges.map(({ id, name, place }) => bridgePin(place, stateOf(id), name)),
            ...(drawn.vehicle ? [pin(drawn.vehicle, { className: "run-map-vehicle", size: 22, title: "" })] : []),
        ]).addTo(this.#map);
        this.#fit(drawn);
    }

    /**
     * Once for each line: the visitor's own scale stays as the vehicle moves.
     * @param {Drawn} drawn
     */
    #fit({ line, stops }) {
        const now = [line[0], line[line.length - 1], line.length].join();
        if (now === this.#shown) return;
        this.#shown = now;
        this.#map.invalidateSize({ animate: false });
        this.#map.fitBounds(latLngBounds([...line, ...stops.map(({ place }) => place)]), { padding, animate: false });
    }

    /** Another map may be drawn into the same element. */
    remove() {
        this.#map.remove();
    }
}

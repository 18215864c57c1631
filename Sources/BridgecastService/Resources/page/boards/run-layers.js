// Draws the line of a run with Leaflet: water and roads, the line, its stops, bridges, and the vehicle; no tiles.
import { divIcon, geoJSON, latLngBounds, layerGroup, map as createMap, marker, polyline } from "../vendor/leaflet.js";
import { withoutWestEdge } from "../model/geo.js";

/** @typedef {import("../data/run.js").RunMap} Drawn */

const padding = [18, 18];
const start = [47.625, -122.335];
const none = layerGroup();

export class RunLayers {
    #map;
    #ground = none;
    #own = none;
    #shown = "";

    /** @param {HTMLElement} element @param {boolean} isStill whether nothing is to move by itself */
    constructor(element, isStill) {
        const isPointed = matchMedia("(pointer: fine)").matches;
        this.#map = createMap(element, {
            // A finger that scrolls the page is not held by a map this low; two fingers zoom it.
            dragging: isPointed, scrollWheelZoom: false, zoomControl: false, zoomSnap: 0.25, minZoom: 8, maxZoom: 17,
            zoomAnimation: !isStill, fadeAnimation: !isStill, markerZoomAnimation: !isStill, inertia: !isStill,
        }).setView(start, 11);
        this.#map.attributionControl.setPrefix(false).addAttribution(
            "<a href=\"https://www.openstreetmap.org/copyright\">© OpenStreetMap</a>");
        for (const [name, height] of [["water", 210], ["roads", 220], ["run", 420]]) {
            this.#map.createPane(name).style.zIndex = height;
        }
    }

    /** @param {import("../data/geography.js").Geography} geography */
    showGround({ water, roads }) {
        this.#ground.remove();
        const seas = water.map((area) => ({ ...area,
            geometry: { ...area.geometry, coordinates: area.geometry.coordinates.map(withoutWestEdge) } }));
        this.#ground = layerGroup([
            geoJSON({ type: "FeatureCollection", features: seas },
                { pane: "water", interactive: false, style: { className: "trip-map-water", weight: 1 } }),
            geoJSON({ type: "FeatureCollection", features: roads },
                { pane: "roads", interactive: false, style: { className: "trip-map-road" } }),
        ]).addTo(this.#map);
    }

    /** @param {Drawn} drawn @param {(bridgeID: number) => string} stateOf the state of a bridge */
    showRun(drawn, stateOf) {
        this.#own.remove();
        const { line, isApproximate } = drawn;
        const base = { pane: "run", interactive: false, smoothFactor: 1 };
        this.#own = layerGroup([
            polyline(line, { ...base, className: "run-map-casing" }),
            polyline(line, { ...base, className: `run-map-line${isApproximate ? " is-approximate" : ""}` }),
            ...drawn.stops.map(({ name, place }, n) => pin(place,
                `run-map-stop${n === 0 || n === drawn.stops.length - 1 ? " is-end" : ""}`, 12, name)),
            ...drawn.bridges.map(({ id, name, place }) => pin(place, `trip-map-bridge is-${stateOf(id)}`, 16, name)),
            ...(drawn.vehicle ? [pin(drawn.vehicle, "run-map-vehicle", 22, "")] : []),
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

/** @param {[number, number]} place @param {string} className @param {number} size @param {string} title */
const pin = (place, className, size, title) => marker(place, {
    icon: divIcon({ className, iconSize: [size, size] }), interactive: false, keyboard: false, title,
});

// Draws the map of a trip with Leaflet: ground, ways, ends, bridges, and the question at a click.
import { latLngBounds, layerGroup, polyline, popup } from "../../vendor/leaflet.js";
import { bridgePin, createGroundMap, groundOf, pin } from "../../draw/leaflet-ground.js";
import { decodePolyline } from "../../model/geo.js";

/** @typedef {import("../../core/types").RankedRoute} RankedRoute */

const city = [[47.40, -122.52], [47.79, -122.18]];
const none = layerGroup();

/**
 * @typedef {object} Hearing
 * @property {(id: string) => void} onChoose
 * @property {(end: "from" | "to", place: string) => void} onPick
 */

export class LeafletMap {
    #map;
    #words;
    #hear;
    #left = new AbortController();
    #zoom;
    #ground = none;
    #bridges = none;
    #ways = none;
    #shown = "";

    /**
     * @param {HTMLElement} element
     * @param {import("../../core/words.js").Words} words
     * @param {boolean} isStill whether nothing is to move by itself
     * @param {Hearing} hear
     */
    constructor(element, words, isStill, hear) {
        this.#words = words;
        this.#hear = hear;
        this.#map = createGroundMap(element, isStill, {
            over: "routes", options: { maxBounds: city, maxBoundsViscosity: 1, minZoom: 10, zoomSnap: 0.5 },
        });
        this.#zoom = addZoom(this.#map, words);
        // A page that is scrolled past the map stays a page: the wheel is the map's once the focus is in it.
        element.addEventListener("focusin", () => this.#map.scrollWheelZoom.enable(), this.#left);
        element.addEventListener("focusout", () => this.#map.scrollWheelZoom.disable(), this.#left);
        this.#map.on("click", (/** @type {any} */ event) => ask(this.#map, event.latlng, words, hear.onPick));
        element.addEventListener("keydown", (event) => {
            // By keyboard the middle of the map is what is picked.
            if (event.target !== element || (event.key !== "Enter" && event.key !== " ")) return;
            event.preventDefault();
            ask(this.#map, this.#map.getCenter(), words, hear.onPick);
        }, this.#left);
    }

    /** @param {import("../../data/geography.js").Geography} geography */
    showGround(geography) {
        this.#ground.remove();
        this.#ground = groundOf(geography, ["trip-map-road-edge", "trip-map-road"].map((className) =>
            (/** @type {any} */ road) => `${className} is-${road.properties.class}`)).addTo(this.#map);
    }

    /** @param {{ bridge: string, state: string, latitude: number, longitude: number }[]} list */
    showBridges(list) {
        this.#bridges.remove();
        this.#bridges = layerGroup(list.map(({ bridge, state, latitude, longitude }) =>
            bridgePin([latitude, longitude], state, this.#words.t(`map.span.${state}`, { bridge })))).addTo(this.#map);
    }

    /** @param {RankedRoute[]} routes @param {string} chosen */
    showRoutes(routes, chosen) {
        this.#ways.remove();
        const lines = routes.map((route) => ({ route, line: decodePolyline(route.geometry ?? "") }))
            .filter(({ line }) => line.length > 1);
        this.#ways = layerGroup([...wayLines(lines, chosen, this.#hear.onChoose), ...endPins(lines, this.#words)])
            .addTo(this.#map);
        // The visitor's own pan and zoom stay until other ways are shown.
        const now = lines.map(({ line }) => [line[0], line[line.length - 1]].join()).join();
        if (lines.length > 0 && now !== this.#shown) {
            fit(this.#map, lines.map(({ line }) => line));
        }
        this.#shown = now;
    }

    /** Another map may be drawn into the same element. */
    remove() {
        this.#left.abort();
        this.#zoom.remove();
        this.#map.remove();
    }
}

/**
 * The best way in ink, others thinner; the chosen one on top of all.
 * @param {{ route: RankedRoute, line: [number, number][] }[]} lines best first
 * @param {string} chosen @param {(id: string) => void} onChoose
 */
function wayLines(lines, chosen, onChoose) {
    const order = lines.map((way, n) => ({ ...way, isBest: n === 0 })).reverse()
        .sort((a, b) => Number(a.route.id === chosen) - Number(b.route.id === chosen));
    return order.flatMap(({ route, line, isBest }) => {
        const kind = `${isBest ? " is-best" : ""}${route.id === chosen ? " is-chosen" : ""}`;
        const base = { pane: "routes", smoothFactor: 1, bubblingMouseEvents: false };
        const seen = polyline(line, { ...base, className: `trip-map-way${kind}` });
        return [polyline(line, { ...base, interactive: false, className: `trip-map-casing${kind}` }),
            seen.on("click", () => onChoose(route.id))];
    });
}

const pinPixels = 20;
const padding = [22, 26];
// Widths of what stands at the right and at the bottom, tried in turn: none, the credit, the buttons, both.
const kept = [[22, 26], [22, 46], [68, 26], [68, 46]];

/**
 * All ways in sight, and their ends not under the buttons or the credit.
 * @param {any} map @param {[number, number][][]} lines best first
 */
function fit(map, lines) {
    map.invalidateSize({ animate: false });
    const bounds = latLngBounds(lines.flat());
    const ends = [lines[0][0], lines[0][lines[0].length - 1]];
    for (const right of kept) {
        map.fitBounds(bounds, { paddingTopLeft: padding, paddingBottomRight: right, animate: false });
        if (!ends.some((end) => isCovered(map, end))) return;
    }
}

/** @param {any} map @param {[number, number]} place */
function isCovered(map, place) {
    const { x, y } = map.latLngToContainerPoint(place);
    const frame = map.getContainer().getBoundingClientRect();
    return [...map.getContainer().querySelectorAll(".trip-map-zoom, .leaflet-control-attribution")].some((element) => {
        const box = element.getBoundingClientRect();
        const from = frame.left + x, down = frame.top + y, near = pinPixels / 2 + 2;
        return from > box.left - near && from < box.right + near && down > box.top - near && down < box.bottom + near;
    });
}

/** @param {{ line: [number, number][] }[]} lines @param {import("../../core/words.js").Words} words */
function endPins(lines, words) {
    if (lines.length === 0) return [];
    const { line } = lines[0];
    const endPin = (/** @type {"from" | "to"} */ end, /** @type {[number, number]} */ place) => pin(place, {
        className: `trip-map-pin is-${end}`, size: pinPixels, title: words.t(`trip.${end}`), zIndexOffset: 1000,
    });
    return [endPin("from", line[0]), endPin("to", line[line.length - 1])];
}

/**
 * Buttons instead of Leaflet's links, with names in the visitor's language.
 * @param {any} map @param {import("../../core/words.js").Words} words
 */
function addZoom(map, words) {
    const box = document.createElement("div");
    box.className = "trip-map-zoom";
    for (const [sign, name, by] of /** @type {const} */ ([["+", "in", 1], ["−", "out", -1]])) {
        const button = createButton(sign, () => map.setZoom(map.getZoom() + by));
        button.setAttribute("aria-label", words.t(`trip.map.zoom_${name}`));
        for (const kind of ["click", "dblclick", "mousedown", "pointerdown"]) {
            button.addEventListener(kind, (event) => event.stopPropagation());
        }
        box.append(button);
    }
    map.getContainer().append(box);
    return box;
}

/**
 * Whether the trip begins or ends at a place that was clicked.
 * @param {any} map @param {any} place @param {import("../../core/words.js").Words} words
 * @param {(end: "from" | "to", place: string) => void} onPick
 */
function ask(map, place, words, onPick) {
    const box = document.createElement("div");
    box.className = "trip-map-ask";
    const bubble = popup({ closeButton: false, className: "trip-map-popup" }).setLatLng(place).setContent(box);
    // The buttons go: the keyboard goes on at the map.
    const leave = () => {
        map.closePopup(bubble);
        map.getContainer().focus({ preventScroll: true });
    };
    for (const end of /** @type {const} */ (["from", "to"])) {
        box.append(createButton(words.t(`trip.map.${end}_here`), () => {
            leave();
            onPick(end, `${place.lat.toFixed(5)},${place.lng.toFixed(5)}`);
        }));
    }
    box.addEventListener("keydown", (event) => {
        if (event.key === "Escape") leave();
    });
    bubble.openOn(map);
    /** @type {HTMLElement} */ (box.firstElementChild).focus();
}

/** @param {string} text @param {() => void} act */
function createButton(text, act) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = text;
    button.addEventListener("click", act);
    return button;
}

// What the maps drawn with Leaflet have in common: a frame without tiles, water and roads below, and pins. Only modules
// that are loaded with Leaflet may import it.
import { divIcon, geoJSON, layerGroup, map as createMap, marker } from "../vendor/leaflet.js";
import { withoutWestEdge } from "../model/geo.js";

const downtown = [47.625, -122.335];

/**
 * A map of the city with layers for water, roads, and what is drawn over them.
 * @param {HTMLElement} element @param {boolean} isStill whether nothing is to move by itself
 * @param {{ over: string, options: Record<string, unknown> }} own the name of what is drawn over them
 */
export function createGroundMap(element, isStill, { over, options }) {
    const map = createMap(element, {
        scrollWheelZoom: false, zoomControl: false, maxZoom: 17,
        zoomAnimation: !isStill, fadeAnimation: !isStill, markerZoomAnimation: !isStill, inertia: !isStill, ...options,
    }).setView(downtown, 11);
    map.attributionControl.setPrefix(false).addAttribution(
        "<a href=\"https://www.openstreetmap.org/copyright\">© OpenStreetMap</a>");
    for (const [name, height] of [["water", 210], ["roads", 220], [over, 420]]) {
        map.createPane(name).style.zIndex = height;
    }
    return map;
}

/**
 * @param {import("../data/geography.js").Geography} geography
 * @param {((road: any) => string)[]} roadClasses of styles that lie over each other, by the road
 */
export function groundOf({ water, roads }, roadClasses) {
    const seas = water.map((area) => ({ ...area,
        geometry: { ...area.geometry, coordinates: area.geometry.coordinates.map(withoutWestEdge) } }));
    return layerGroup([
        geoJSON({ type: "FeatureCollection", features: seas },
            { pane: "water", interactive: false, style: { className: "trip-map-water", weight: 1 } }),
        ...roadClasses.map((classOf) => geoJSON({ type: "FeatureCollection", features: roads }, {
            pane: "roads", interactive: false, style: (/** @type {any} */ road) => ({ className: classOf(road) }),
        })),
    ]);
}

/**
 * @param {[number, number]} place latitude and longitude
 * @param {{ className: string, size: number, title: string, zIndexOffset?: number }} looks
 */
export const pin = (place, { className, size, title, zIndexOffset = 0 }) => marker(place, {
    icon: divIcon({ className, iconSize: [size, size] }), interactive: false, keyboard: false, title, zIndexOffset,
});

/**
 * @param {[number, number]} place @param {string} state such as raised @param {string} title
 */
export const bridgePin = (place, state, title) =>
    pin(place, { className: `trip-map-bridge is-${state}`, size: 16, title });

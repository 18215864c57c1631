// What a map stands on: water, shores, roads, as paths that are made once for each crop. Used by draw/map.js.
import { html, useMemo } from "../vendor/preact.js";
import { clipLine, clipRing, createProjection, pathData } from "../model/geo.js";

/** @typedef {import("./crops.js").MapCrop} MapCrop */
/** @typedef {import("../data/geography.js").Geography} Geography */
/** @typedef {import("../model/geo.js").Position} Position */
/** @typedef {{ water: string, roads: { name: string, path: string }[] }} Paths */

/** @type {WeakMap<Geography, Map<string, Paths>>} */
const made = new WeakMap();
// Paths go on a little beyond the edge, where their strokes are not seen.
const margin = 12;
const nothing = { water: "", roads: [] };

/** @param {Geography | null} geography @param {MapCrop} crop @returns {Paths} */
export function groundPaths(geography, crop) {
    if (!geography) return nothing;
    const crops = made.get(geography) ?? new Map();
    made.set(geography, crops);
    if (!crops.has(crop.id)) crops.set(crop.id, makePaths(geography, crop));
    return crops.get(crop.id);
}

/** @param {Geography} geography @param {MapCrop} crop @returns {Paths} */
function makePaths({ water, roads }, crop) {
    const project = createProjection(crop);
    const box = { left: -margin, top: -margin, right: crop.width + margin, bottom: crop.height + margin };
    const projected = (/** @type {Position[]} */ line) => line.map(([lon, lat]) => project(lon, lat));
    const rings = water.map(({ geometry }) => geometry.coordinates
        .map((ring) => clipRing(projected(ring), box)).filter((ring) => ring.length > 2));
    return {
        // Each area is a path of its own direction: areas that overlap must not cut holes into one another.
        water: pathData(rings.flatMap((area) => area.map((ring, n) => turned(ring, n === 0))), true),
        roads: crop.roads.map((name) => ({
            name,
            path: pathData(roads.filter((road) => road.properties.class === name)
                .flatMap((road) => clipLine(projected(road.geometry.coordinates), box))),
        })).reverse(),
    };
}

/**
 * The ring in the direction asked for, so that the rule "nonzero" fills shores and spares islands.
 * @param {Position[]} ring @param {boolean} isClockwise
 */
function turned(ring, isClockwise) {
    const area = ring.reduce((sum, [x, y], n) => {
        const [nextX, nextY] = ring[(n + 1) % ring.length];
        return sum + x * nextY - nextX * y;
    }, 0);
    return area > 0 === isClockwise ? ring : [...ring].reverse();
}

/**
 * The middle of the waterways: narrow cuts are drawn at a width that is seen, and without a map it stands for all
 * water.
 * @param {MapCrop} crop
 */
export function channelPath(crop) {
    const project = createProjection(crop);
    return pathData(crop.waterways.map(({ reaches }) => reaches.flat().map(([lon, lat]) => project(lon, lat))));
}

/** @param {{ crop: MapCrop, geography: Geography | null }} given */
export function Ground({ crop, geography }) {
    // The same node again is not looked at again, however often the board changes.
    return useMemo(() => {
        const { water, roads } = groundPaths(geography, crop);
        const channel = channelPath(crop);
        return html`<svg class="map-ground" viewBox=${`0 0 ${crop.width} ${crop.height}`} aria-hidden="true">
            <path class="map-shore" d=${water} />
            <path class="map-channel-shore" d=${channel} />
            <path class="map-water" d=${water} />
            <path class="map-channel" d=${channel} />
            ${roads.map(({ name, path }) => html`<path class=${`map-road-edge is-${name}`} d=${path} />`)}
            ${roads.map(({ name, path }) => html`<path class=${`map-road is-${name}`} d=${path} />`)}
        </svg>`;
    }, [crop, geography]);
}

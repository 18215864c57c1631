// The water and the roads of a map, as paths that are made once for each crop, and the shade of waves on the water.
import { html, useMemo } from "../vendor/preact.js";
import { clipLine, clipRing, createProjection, curveData, pathData } from "../model/geo.js";

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
function groundPaths(geography, crop) {
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
 * The middle of the waterways: narrow cuts are drawn at a width that is seen, and without a map it is all
 * water.
 * @param {MapCrop} crop
 */
function channelPath(crop) {
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

/** @typedef {import("../model/waterways.js").Wave} Wave */
/** @typedef {{ id: string, bridgeId: number, side: -1 | 1, path: string, from: number[], to: number[] }} Reach */

// A chance that is 30 in 100 above the usual is as dark as shade gets.
const opacityPerChance = 3;
const maxOpacity = 0.9;

/**
 * The water on each side of each bridge that has another bridge on it.
 * @param {import("./crops.js").MapCrop} crop @returns {Reach[]}
 */
function reachesOf(crop) {
    const project = createProjection(crop);
    return crop.waterways.flatMap(({ bridges, reaches }) => bridges.flatMap((bridgeId, place) =>
        /** @type {const} */ ([-1, 1]).filter((side) => bridges[place + side] !== undefined).map((side) => {
            const line = reaches[side < 0 ? place : place + 1].map(([lon, lat]) => project(lon, lat));
            if (side < 0) line.reverse();
            return {
                id: `${crop.id}-${bridgeId}-${side < 0 ? "sea" : "land"}`, bridgeId, side,
                path: curveData(line), from: line[0], to: line[line.length - 1],
            };
        })));
}

/**
 * All reaches are always there and most are clear: a change sets five numbers.
 * @param {{ crop: import("./crops.js").MapCrop, geography: import("../data/geography.js").Geography | null,
 *     waves: Wave[] }} given
 */
export function Waves({ crop, geography, waves }) {
    const reaches = useMemo(() => reachesOf(crop), [crop]);
    const mask = useMemo(() => html`<mask id=${`${crop.id}-water`} maskUnits="userSpaceOnUse"
        x="0" y="0" width=${crop.width} height=${crop.height}>
        <path d=${groundPaths(geography, crop).water} fill="#fff" />
        <path d=${channelPath(crop)} class="map-channel-mask" />
    </mask>`, [crop, geography]);
    return html`<svg class="map-waves" viewBox=${`0 0 ${crop.width} ${crop.height}`} aria-hidden="true">
        <defs>
            ${mask}
            ${reaches.map((reach) => html`<${Shade} key=${reach.id} reach=${reach} wave=${waveOn(waves, reach)} />`)}
        </defs>
        <g mask=${`url(#${crop.id}-water)`}>
            ${reaches.map((reach) => html`<path key=${reach.id} d=${reach.path} stroke=${`url(#${reach.id})`}
                class=${waveOn(waves, reach) ? "wave is-shown" : "wave"} />`)}
        </g>
    </svg>`;
}

/** @param {Wave[]} waves @param {Reach} reach */
const waveOn = (waves, reach) => waves.find((wave) => wave.bridgeId === reach.bridgeId && wave.side === reach.side);

/**
 * From now at the bridge to 20 min at the neighbour.
 * @param {{ reach: Reach, wave: Wave | undefined }} given
 */
function Shade({ reach, wave }) {
    const extra = wave?.extra ?? [0, 0, 0, 0, 0];
    return html`<linearGradient id=${reach.id} gradientUnits="userSpaceOnUse"
        x1=${reach.from[0]} y1=${reach.from[1]} x2=${reach.to[0]} y2=${reach.to[1]}>
        ${extra.map((chance, n) => html`<stop class="wave-stop" offset=${n / (extra.length - 1)}
            stop-opacity=${Math.min(maxOpacity, chance * opacityPerChance).toFixed(2)} />`)}
    </linearGradient>`;
}

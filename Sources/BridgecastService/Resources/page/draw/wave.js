// The extra chance that boats from a neighbour bring, as shade on the water before a bridge. Used by draw/map.js.
import { html, useMemo } from "../vendor/preact.js";
import { createProjection, curveData } from "../model/geo.js";
import { channelPath, groundPaths } from "./ground.js";

/** @typedef {import("../model/convoy.js").Wave} Wave */
/** @typedef {{ id: string, bridgeId: number, side: -1 | 1, path: string, from: number[], to: number[] }} Reach */

// A chance that is 30 in 100 above the usual is as dark as shade gets.
const opacityPerChance = 3;
const mostOpacity = 0.9;

/**
 * The water on each side of each bridge that another bridge lies on.
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
            ${reaches.map((reach) => html`<${Shade} key=${reach.id} reach=${reach} wave=${find(waves, reach)} />`)}
        </defs>
        <g mask=${`url(#${crop.id}-water)`}>
            ${reaches.map((reach) => html`<path key=${reach.id} d=${reach.path} stroke=${`url(#${reach.id})`}
                class=${find(waves, reach) ? "wave is-shown" : "wave"} />`)}
        </g>
    </svg>`;
}

/** @param {Wave[]} waves @param {Reach} reach */
const find = (waves, reach) => waves.find((wave) => wave.bridgeId === reach.bridgeId && wave.side === reach.side);

/**
 * From now at the bridge to 20 min at the neighbour.
 * @param {{ reach: Reach, wave: Wave | undefined }} given
 */
function Shade({ reach, wave }) {
    const extra = wave?.extra ?? [0, 0, 0, 0, 0];
    return html`<linearGradient id=${reach.id} gradientUnits="userSpaceOnUse"
        x1=${reach.from[0]} y1=${reach.from[1]} x2=${reach.to[0]} y2=${reach.to[1]}>
        ${extra.map((chance, n) => html`<stop class="wave-stop" offset=${n / (extra.length - 1)}
            stop-opacity=${Math.min(mostOpacity, chance * opacityPerChance).toFixed(2)} />`)}
    </linearGradient>`;
}

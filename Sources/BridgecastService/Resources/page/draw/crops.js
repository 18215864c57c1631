// The parts of the city that maps show: scale, names and on which side of its span a bridge's name is.
import { canal, duwamish } from "../model/waterways.js";

/** @typedef {"above" | "below" | "left" | "right"} Side */
/**
 * @typedef {import("../model/geo.js").Crop & {
 *     id: string, waterways: import("../model/waterways.js").Waterway[], roads: string[],
 *     sides: Record<number, Side>, places: [key: string, longitude: number, latitude: number][],
 * }} MapCrop
 */

/** @type {MapCrop} */
export const canalCrop = {
    id: "canal", waterways: [canal], roads: [],
    longitude: -122.3395, latitude: 47.6514, metresPerPixel: 26, width: 328, height: 187,
    sides: { 2: "above", 3: "above", 21: "above", 4: "below" },
    places: [["lake_union", -122.3345, 47.6372]],
};

/** @type {MapCrop} */
export const duwamishCrop = {
    id: "duwamish", waterways: [duwamish], roads: [],
    longitude: -122.328, latitude: 47.5503, metresPerPixel: 33, width: 328, height: 195,
    sides: { 6: "right", 1: "right", 29: "right" },
    places: [["west_seattle", -122.3775, 47.5595]],
};

/**
 * The same height with more of the city to both sides, for a column that is wider than a phone.
 * @param {MapCrop} crop
 */
const widened = (crop) => ({ ...crop, id: `${crop.id}-wide`, width: 560 });

/** @type {MapCrop} */
export const wideCanalCrop = {
    ...widened(canalCrop), places: [...canalCrop.places, ["lake_washington", -122.262, 47.6465]],
};

/** @type {MapCrop} */
export const wideDuwamishCrop = {
    // The water of the map ends in the west of the city.
    ...widened(duwamishCrop), longitude: -122.308,
    places: [...duwamishCrop.places, ["lake_washington", -122.262, 47.568], ["puget_sound", -122.4195, 47.553]],
};

/** @type {MapCrop} */
export const cityCrop = {
    id: "city", waterways: [canal, duwamish], roads: ["motorway", "trunk"],
    longitude: -122.336, latitude: 47.5955, metresPerPixel: 24, width: 420, height: 720,
    sides: { 2: "above", 3: "above", 21: "above", 4: "below", 6: "left", 1: "right", 29: "right" },
    places: [
        ["lake_union", -122.3345, 47.6352], ["elliott_bay", -122.372, 47.608],
        ["green_lake", -122.3385, 47.6655], ["downtown", -122.3305, 47.6085], ["west_seattle", -122.381, 47.557],
    ],
};

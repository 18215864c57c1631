// The light on the table by the hour at the line's place: golden, white, orange, and blue by night.
import { dateFormat } from "../core/words.js";

/**
 * @typedef {object} Light
 * @property {"morning" | "day" | "evening" | "night"} name
 * @property {string} color
 * @property {number} strength of its tint, from 0 to 1
 * @property {{ x: number, z: number }} shadow where a thing one unit high throws the end of its shadow
 */

/** @type {Light[]} */
const lights = [
    { name: "morning", color: "#FFD700", strength: 0.5, shadow: { x: -1, z: 0.35 } },
    { name: "day", color: "#FFFFFF", strength: 0.6, shadow: { x: 0.25, z: 0.45 } },
    { name: "evening", color: "#FF8C42", strength: 0.5, shadow: { x: 1, z: 0.35 } },
    { name: "night", color: "#4A90E2", strength: 0.45, shadow: { x: 0.3, z: 0.5 } },
];

/**
 * @param {number} hour of the day, 0 to 24
 * @returns {Light}
 */
export function lightAt(hour) {
    if (hour >= 6 && hour < 10) return lights[0];
    if (hour >= 10 && hour < 16) return lights[1];
    return hour >= 16 && hour < 20 ? lights[2] : lights[3];
}

/**
 * The hour of the clock in a zone; Seattle's where there is no such zone.
 * @param {number} time milliseconds since 1970 @param {string | null} zone such as America/Los_Angeles
 */
export function hourIn(time, zone) {
    const options = /** @type {const} */ ({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
    let format = dateFormat("en-GB", options);
    try {
        if (zone) format = dateFormat("en-GB", { ...options, timeZone: zone });
    } catch {
        // A zone that the browser does not know.
    }
    const [hour, minute] = format.format(time).split(":").map(Number);
    return hour + minute / 60;
}

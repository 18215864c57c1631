// Vehicles and the whole picture as text.

/** @typedef {import("../core/words.js").Words} Words */
/** @typedef {import("../data/line-answers.js").Vehicle} Vehicle */

const shownSeconds = 60;

/**
 * The minutes on a badge, such as +4; empty where it is on time.
 * @param {Vehicle} vehicle
 */
export function badgeOf({ band, delay }) {
    if (band !== "early" && band !== "late" || delay === null) return "";
    const minutes = Math.max(1, Math.round(Math.abs(delay) / 60));
    return `${band === "late" ? "+" : "−"}${minutes}`;
}

/**
 * @param {Words} words @param {Vehicle} vehicle
 */
export function sayDelay(words, { delay, band }) {
    if (delay === null) return words.t("line.delay.unknown");
    if (band === "on_time" || band === null || Math.abs(delay) < shownSeconds) return words.t("line.delay.on_time");
    return words.t(`line.delay.${band}`, { age: words.duration(Math.abs(delay)) });
}

const crowding = /** @type {Record<string, string>} */ ({
    Low: "low", Moderate: "moderate", High: "high", "Very crowded": "full", "not boardable": "closed",
});

/** @param {Words} words @param {Vehicle} vehicle */
export const sayCrowding = (words, vehicle) =>
    words.t(`line.crowding.${crowding[vehicle.crowding ?? ""] ?? "unknown"}`);

/** @param {Words} words @param {Vehicle} vehicle */
export const sayName = (words, { label, headsign }) =>
    (headsign === "" ? label : words.t("line.vehicle", { vehicle: label, headsign }));

/**
 * All of it, for those who do not see the picture.
 * @param {Words} words @param {Vehicle} vehicle
 */
export function sayVehicle(words, vehicle) {
    const next = vehicle.nextStops[0];
    const parts = [sayName(words, vehicle), sayDelay(words, vehicle)];
    if (vehicle.crowding !== null) parts.push(sayCrowding(words, vehicle));
    if (next) parts.push(words.t("line.vehicle_next", { stop: next.name }));
    return parts.join(", ");
}

/**
 * The picture as a sentence.
 * @param {Words} words @param {string} title @param {readonly Vehicle[] | null} vehicles null while they are not known
 */
export function sayPicture(words, title, vehicles) {
    if (!vehicles) return words.t("line.picture_waiting", { line: title });
    const late = vehicles.filter(({ band }) => band === "late").length;
    return words.t("line.picture", { line: title, n: vehicles.length, late });
}

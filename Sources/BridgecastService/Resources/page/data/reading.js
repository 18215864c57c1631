// Reads fields of documents that may hold anything.
import { asList } from "../core/checks.js";

/** @param {unknown} value @returns {string} empty where that is no text */
export const text = (value) => (typeof value === "string" ? value : "");

/** @param {unknown} value @returns {string | null} */
export const textOrNull = (value) => text(value) || null;

/** @param {unknown} value @returns {number | null} */
export const numberOrNull = (value) => (typeof value === "number" && Number.isFinite(value) ? value : null);

/** @param {unknown} list @returns {any[]} its objects */
export const objects = (list) => asList(list).filter((one) => one !== null && typeof one === "object");

/**
 * @template {string} T
 * @param {unknown} value @param {readonly T[]} known @returns {T | null}
 */
export const oneOf = (value, known) => known.find((one) => one === value) ?? null;

/**
 * A time, milliseconds since 1970.
 * @param {unknown} seconds since 1970 @param {unknown} [said] RFC 3339
 * @returns {number | null}
 */
export function timeOf(seconds, said) {
    const time = typeof seconds === "number" ? seconds * 1000 : Date.parse(text(said));
    return Number.isFinite(time) ? time : null;
}

/** @typedef {{ header: string, description: string }} Alert */

/** @param {unknown} list @returns {Alert[]} those with a header */
export const readAlerts = (list) => objects(list).filter(({ header }) => text(header) !== "")
    .map(({ header, description }) => ({ header, description: text(description) }));

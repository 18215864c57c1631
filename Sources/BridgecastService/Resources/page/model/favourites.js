// The stops that a visitor keeps: of one line, or of all that call there. The first is the one that boards open with.
import { asList } from "../core/checks.js";

/** @typedef {import("../core/types").Favourite} Favourite */
/** @typedef {{ favourites?: readonly Favourite[] }} Kept */

const maxFavourites = 20;
const maxCharacters = 200;

/** @param {unknown} value */
const isText = (value) => typeof value === "string" && value !== "" && value.length <= maxCharacters;

/** @param {any} one @returns {Favourite[]} one or none */
function readFavourite(one) {
    if (!isText(one?.stop)) return [];
    return [{
        line: isText(one.line) ? one.line : null, stop: one.stop,
        direction: one.direction === 0 || one.direction === 1 ? one.direction : null,
        name: isText(one.name) ? one.name : one.stop,
    }];
}

/**
 * What the browser kept, of whatever form it is.
 * @param {unknown} value @returns {Favourite[]}
 */
export const readFavourites = (value) => asList(value).flatMap(readFavourite)
    .filter((one, place, all) => all.findIndex((other) => isSame(one, other)) === place).slice(0, maxFavourites);

/** @param {Favourite} one @param {Favourite} other */
const isSame = (one, other) =>
    one.line === other.line && one.stop === other.stop && one.direction === other.direction;

/**
 * The favourite stop of a line.
 * @param {Kept} preferences @param {string} lineID
 * @returns {string | null}
 */
export const favouriteStop = ({ favourites = [] }, lineID) =>
    favourites.find(({ line }) => line === lineID)?.stop ?? null;

/**
 * What a board without a stop is about.
 * @param {Kept} preferences
 * @returns {Favourite | null}
 */
export const favouriteBoard = ({ favourites = [] }) => favourites[0] ?? null;

/**
 * The favourite whose line is shown where none is asked for: the first that names one, before those of all lines.
 * @param {Kept} preferences
 * @returns {Favourite | null}
 */
export const favouriteOfALine = ({ favourites = [] }) =>
    favourites.find(({ line }) => line !== null) ?? favourites[0] ?? null;

/** @param {Kept} preferences @param {Favourite} one */
export const isFavourite = ({ favourites = [] }, one) => favourites.some((other) => isSame(one, other));

/** @param {readonly Favourite[]} favourites @param {Favourite} one @returns {Favourite[]} with it, or without */
export function toggled(favourites, one) {
    const others = favourites.filter((other) => !isSame(one, other));
    return others.length < favourites.length ? others : [...others, one].slice(-maxFavourites);
}

/** @param {readonly Favourite[]} favourites @param {Favourite} one @returns {Favourite[]} it comes first */
export const withFirst = (favourites, one) => [one, ...favourites.filter((other) => !isSame(one, other))];

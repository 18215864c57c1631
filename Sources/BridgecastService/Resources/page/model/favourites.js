// The stops that a visitor keeps, one a line.

/**
 * The favourite stop of a line.
 * @param {import("../core/types").Preferences} preferences
 * @param {string} lineID
 * @returns {string | null}
 */
export function favouriteStop(preferences, lineID) {
    const kept = /** @type {any} */ (preferences).favourites;
    const own = Array.isArray(kept) ? kept.find((one) => one?.line === lineID) : null;
    return typeof own?.stop === "string" ? own.stop : null;
}

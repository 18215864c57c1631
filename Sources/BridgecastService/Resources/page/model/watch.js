// Which bridges' coming down is due to be reported, and which are still waited for.

/** @typedef {Map<number, import("../core/types").BridgeState>} States */

/**
 * A bridge that is seen lowered is waited for no more, also where it came down while the page was closed: the next time
 * that it is up is another one.
 * @param {readonly number[]} watched the city's numbers of bridges
 * @param {States} before empty where nothing was seen yet
 * @param {States} after
 * @returns {{ due: number[], kept: number[] }}
 */
export function cameDown(watched, before, after) {
    const isDown = (/** @type {number} */ id) => after.get(id) === "lowered";
    return {
        due: watched.filter((id) => isDown(id) && before.has(id) && before.get(id) !== "lowered"),
        kept: watched.filter((id) => !isDown(id)),
    };
}

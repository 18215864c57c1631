// How far drawbridges are up in the picture: a bridge that moves takes its time, and the first picture is still.

/** @typedef {import("../core/types").BridgeState} BridgeState */
/** @typedef {{ share: number, state: BridgeState }} Leaf share 0 is down, 1 is up */

const movingMilliseconds = 600;

/**
 * The leaves some time later.
 * @param {Map<number, Leaf>} leaves @param {Map<number, BridgeState>} states as they are now
 * @param {number} milliseconds since then; Infinity where nothing may move
 * @returns {Map<number, Leaf>}
 */
export function moveLeaves(leaves, states, milliseconds) {
    return new Map([...states].map(([id, state]) => {
        const goal = state === "raised" ? 1 : 0;
        const share = leaves.get(id)?.share ?? goal;
        const step = milliseconds / movingMilliseconds;
        return [id, { state, share: share + Math.max(-step, Math.min(step, goal - share)) }];
    }));
}

/** @param {Map<number, Leaf>} leaves */
export const areMoving = (leaves) =>
    [...leaves.values()].some(({ share, state }) => share !== (state === "raised" ? 1 : 0));

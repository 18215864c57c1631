// Turning the table by hand: how far a drag turns it, and the spring that takes it back.

export const maxTurn = 0.26;
const fullDragPixels = 200;
const response = 0.5;
const damping = 0.7;
const restTurn = 1e-4;
const restSpeed = 1e-3;

/** @typedef {{ value: number, velocity: number }} Swing radians, and radians a second */

/** @type {Swing} */
export const atRest = { value: 0, velocity: 0 };

/**
 * The turn of a drag.
 * @param {number} pixels @returns {number} radians, 0.26 at most to each side
 */
export function turnOf(pixels) {
    if (!Number.isFinite(pixels)) return 0;
    return Math.max(-1, Math.min(1, pixels / fullDragPixels)) * maxTurn;
}

/**
 * The drag that gives a turn.
 * @param {number} turn radians
 */
export const pixelsOf = (turn) => turn / maxTurn * fullDragPixels;

/**
 * A damped spring some time later, exactly: steps of any length give the same swing.
 * @param {Swing} swing @param {number} seconds @returns {Swing}
 */
export function springBack({ value, velocity }, seconds) {
    const own = 2 * Math.PI / response;
    const decay = damping * own;
    const damped = own * Math.sqrt(1 - damping * damping);
    const side = (velocity + decay * value) / damped;
    const [cos, sin, shrink] = [Math.cos(damped * seconds), Math.sin(damped * seconds), Math.exp(-decay * seconds)];
    const next = shrink * (value * cos + side * sin);
    const speed = shrink * (damped * (side * cos - value * sin)) - decay * next;
    const isOver = Math.abs(next) < restTurn && Math.abs(speed) < restSpeed;
    // A spring that was wound by a jump still stays within the limits.
    return isOver ? atRest : { value: Math.max(-maxTurn, Math.min(maxTurn, next)), velocity: speed };
}

/** @param {Swing} swing */
export const isAtRest = ({ value, velocity }) => value === 0 && velocity === 0;

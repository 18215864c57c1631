// Where a vehicle is at a time: it follows the service's reckoning from stop to stop, is at no stop before its time,
// and never runs backwards: an answer that has it behind lets it wait, unless it is shown after a stop that it has still
// to reach, or very far away.

/** @typedef {import("../data/line-answers.js").Vehicle} Vehicle */
/** @typedef {{ at: number, along: number }} Knot milliseconds since 1970, metres */
/**
 * @typedef {object} Moving a vehicle as it is shown
 * @property {string} id
 * @property {string} way its run and the line that it follows: another one is another place
 * @property {Knot[]} plan
 * @property {number} along the metres at which it was shown last
 * @property {number} shownAt when that was
 * @property {number} lag metres by which it was behind when the plan came
 * @property {number} plannedAt when that was
 */

// A vehicle that waits for its answer is this far ahead at times, on a motorway where it is slower than its timetable.
const maxWaitMetres = 1_000;
const maxPastStopMetres = 150;
const maxMetresPerSecond = 40;
// What an answer corrects is caught up with in that time.
const catchUpMilliseconds = 3_000;
const atStopMetres = 5;
// A clock that is set back shows another time; smaller differences come from its corrections.
const clockSlackMilliseconds = 10_000;

/**
 * Where a vehicle is expected when. Times that no vehicle could keep are put off.
 * @param {Vehicle} vehicle @param {number} validAt when it was at its place
 * @returns {Knot[]} in order
 */
export function planOf(vehicle, validAt) {
    const plan = [{ at: validAt, along: vehicle.along }];
    for (const stop of vehicle.nextStops) {
        const last = plan[plan.length - 1];
        if (stop.along < last.along - atStopMetres) continue;
        const along = Math.max(last.along, stop.along);
        const arrival = Math.max(stop.arrivesAt, last.at + (along - last.along) / maxMetresPerSecond * 1000);
        if (along > last.along) plan.push({ at: arrival, along });
        if (stop.leavesAt > plan[plan.length - 1].at) plan.push({ at: stop.leavesAt, along });
    }
    return plan;
}

/**
 * The place of a plan at a time; it waits at the last stop that is known.
 * @param {readonly Knot[]} plan @param {number} time
 */
export function placeAt(plan, time) {
    const next = plan.findIndex((knot) => knot.at > time);
    if (next === 0) return plan[0].along;
    if (next < 0) return plan[plan.length - 1].along;
    const [before, after] = [plan[next - 1], plan[next]];
    return before.along + (after.along - before.along) * (time - before.at) / (after.at - before.at);
}

/** @param {Vehicle} vehicle */
const wayOf = (vehicle) => `${vehicle.routeID} ${vehicle.pattern} ${vehicle.run}`;

/**
 * A vehicle with what an answer says of it.
 * @param {Moving | undefined} before @param {Vehicle} vehicle @param {number} validAt @param {number} now
 * @returns {Moving}
 */
export function follow(before, vehicle, validAt, now) {
    const plan = planOf(vehicle, validAt);
    const planned = placeAt(plan, now);
    const moving = { id: vehicle.id, way: wayOf(vehicle), plan, along: planned, shownAt: now, lag: 0, plannedAt: now };
    if (!before || before.way !== moving.way || now < before.shownAt - clockSlackMilliseconds) return moving;
    const { along } = moveTo(before, now);
    if (isTooFar(along, planned, vehicle)) return moving;
    return { ...moving, along, lag: Math.max(0, planned - along) };
}

/**
 * Whether where it is shown would mislead: a visitor at a stop may think that it has left.
 * @param {number} along where it is shown @param {number} planned where it is @param {Vehicle} vehicle
 */
function isTooFar(along, planned, { nextStops }) {
    const next = nextStops.find((stop) => stop.along > planned + atStopMetres);
    const isPastStop = next !== undefined && along > next.along + atStopMetres;
    return along - planned > (isPastStop ? maxPastStopMetres : maxWaitMetres);
}

/**
 * The same vehicle at a time.
 * @param {Moving} moving @param {number} now
 * @returns {Moving}
 */
export function moveTo(moving, now) {
    const left = Math.max(0, 1 - Math.max(0, now - moving.plannedAt) / catchUpMilliseconds);
    const planned = placeAt(moving.plan, now) - moving.lag * left;
    const isSetBack = now < moving.shownAt - clockSlackMilliseconds;
    const along = isSetBack ? planned : Math.max(moving.along, planned);
    return { ...moving, along, shownAt: now };
}

/**
 * Whether it will be elsewhere before long.
 * @param {Moving} moving @param {number} now
 */
export const isMoving = ({ plan, along, lag, plannedAt }, now) =>
    (lag > 0 && now < plannedAt + catchUpMilliseconds) || plan[plan.length - 1].along > along + 0.5;

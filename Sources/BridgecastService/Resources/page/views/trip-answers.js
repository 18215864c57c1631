// Asks the service when to leave and which way; keeps the last good answer beside a trouble. Used by views/trip.js.
import { useMemo, useRef } from "../vendor/preact.js";
import { useAnswer, useApp } from "../core/app.js";
import { trouble as troubleOf } from "../data/api.js";
import { departPath, isAskable, routesPath } from "../model/trip.js";
import { readDepartures, readWays } from "../model/ways.js";

// Clocks are put right by a little now and then.
const slackMilliseconds = 60_000;
const agedSeconds = 180;
// A clock that is played fast leaves its answers behind by some seconds of the visitor's.
const missedSeconds = 10;

/** @typedef {import("../model/trip.js").Trip} Trip */
/**
 * @typedef {object} Found
 * @property {Trip} trip what was asked
 * @property {import("../model/ways.js").Ways} ways
 * @property {import("../model/ways.js").Departures | null} departures
 * @property {boolean} isPlayed whether that was in a past day
 */

/**
 * @param {Trip} trip
 * @param {number} now
 * @param {boolean} isClockSet whether that is the service's time
 */
export function useTripAnswers(trip, now, isClockSet) {
    const { answers, clock } = useApp();
    const departing = isClockSet ? departPath(trip, now) : null;
    const departAnswer = useAnswer(departing);
    const departures = useMemo(() => readDepartures(departAnswer.value), [departAnswer.value]);
    const cannotBeMet = departAnswer.trouble?.parameter === "arrive_by";
    // The ways are those at the time to leave, which has to be known first.
    const isDepartureKnown = trip.when !== "arrive" || departures !== null || cannotBeMet;
    const leaveBy = cannotBeMet ? null : departures?.leaveBy?.departure ?? null;
    const routing = isClockSet && isDepartureKnown ? routesPath(trip, now, leaveBy) : null;
    const routesAnswer = useAnswer(routing);
    const ways = useMemo(() => readWays(routesAnswer.value), [routesAnswer.value]);

    const kept = useRef(/** @type {Found | null} */ (null));
    const isWhole = ways !== null && (departures !== null || departAnswer.trouble !== null);
    if (isAskable(trip) && isWhole && isOf(ways, departAnswer.value)) {
        kept.current = { trip, ways, departures: cannotBeMet ? null : departures, isPlayed: clock.isPlayed };
    }
    if (trip.from === "" || trip.to === "" || !isOfNow(kept.current, clock)) kept.current = null;
    const isUnreadable = routesAnswer.value !== null && ways === null;
    const trouble = routesAnswer.trouble ?? departAnswer.trouble ?? (isUnreadable ? troubleOf("not_json") : null);
    return {
        found: kept.current,
        trouble: isAskable(trip) ? trouble : null,
        // Departures that cannot be in time are an answer too: the ways are those of leaving now.
        isOld: (isClockSet && !isAskable(trip)) || isAged(kept.current, now, clock.rate)
            || (trouble !== null && !(cannotBeMet && routesAnswer.trouble === null)),
        // A minute later the time to leave is another, and so is the question; what is shown stays meanwhile.
        isWaiting: trouble === null && !isSame(kept.current?.trip, trip) && (!isClockSet || isAskable(trip)),
        retry() {
            if (departing) answers.retry(departing);
            if (routing) answers.retry(routing);
        },
    };
}

/**
 * Whether newer answers should have come: without new boards nothing is asked, and nothing fails.
 * @param {Found | null} found @param {number} now @param {number} rate seconds of the clock in a second
 */
const isAged = (found, now, rate) =>
    found !== null && now - found.ways.issuedAt > 1000 * Math.max(agedSeconds, rate * missedSeconds);

/** @param {Trip | undefined} a @param {Trip} b */
const isSame = (a, b) => a !== undefined && a.from === b.from && a.to === b.to && a.mode === b.mode
    && a.when === b.when && a.moment === b.moment && a.sure === b.sure;

/**
 * What was known later, or in another time, is no answer at the moment that is shown.
 * @param {Found | null} found @param {import("../core/clock.js").Clock} clock
 */
const isOfNow = (found, clock) => found === null
    || (found.isPlayed === clock.isPlayed && !(found.ways.issuedAt > clock.now() + slackMilliseconds));

/**
 * Whether both answers are about one trip: the older of two questions may be answered later.
 * @param {import("../model/ways.js").Ways} ways @param {any} document of departures
 */
const isOf = (ways, document) => document === null || (ways.origin === document.origin
    && ways.destination === document.destination && ways.mode === document.mode);

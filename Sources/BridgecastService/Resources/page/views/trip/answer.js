// The answer to a trip: which way and how long, or when to leave, large; how sure; and whether it is worth waiting.
import { html, useRef } from "../../vendor/preact.js";
import { useApp, useNow } from "../../core/hooks.js";
import { useDepartures } from "./departure.js";
import { levelName } from "./question.js";
import { isAboutSame, nineInTenBy, shortName, waiting } from "./ways.js";

/**
 * @typedef {object} Answer
 * @property {string} head
 * @property {string} large the part of it that stands out
 * @property {string} detail
 */
/**
 * @typedef {object} Known
 * @property {import("./question.js").Trip} trip
 * @property {import("./ways.js").Ways} ways
 * @property {import("./ways.js").Departures | null} departures
 * @property {import("./ways.js").Choice[]} choices best first
 * @property {number} now
 */

/** @param {Answer} answer */
export const joinAnswer = ({ head, detail }) => `${head}. ${detail}`;

/**
 * @param {import("../../core/words.js").Words} words
 * @param {Known} known
 * @returns {Answer}
 */
export function sayAnswer(words, known) {
    const { trip, ways, choices, now } = known;
    if (trip.when === "arrive" && trip.time !== null) return sayArrival(words, known, trip.time);
    const [{ main: first }, second] = choices;
    const isTie = second !== undefined && isAboutSame(ways.comparisons, first, second.main);
    // The time that is given for both holds for the slower one too.
    const by = Math.max(nineInTenBy(ways, first), isTie ? nineInTenBy(ways, second.main) : 0);
    const minutes = words.duration(first.travel_s.p50);
    const values = {
        minutes, route: words.roads(shortName(first)), other: second ? words.roads(shortName(second.main)) : "", time: words.time(by),
        leave: words.timeOrDay(ways.departure, now),
    };
    const tie = isTie ? "_tie" : "";
    return {
        head: words.t(`trip.answer.${trip.when}${tie}`, values), large: minutes,
        detail: words.t(`trip.answer.detail${tie}`, values),
    };
}

/**
 * @param {import("../../core/words.js").Words} words @param {Known} known @param {number} deadline
 * @returns {Answer}
 */
function sayArrival(words, { trip, ways, departures, choices, now }, deadline) {
    const leaveBy = departures?.leaveBy;
    const wanted = words.timeOrDay(deadline, leaveBy?.departure ?? now);
    if (leaveBy) {
        const leave = words.timeOrDay(leaveBy.departure, now);
        const [{ main: ranked }] = choices;
        // Of ways that may be left for as late the one on the first card.
        const isRanked = departures.leaveByRoute.get(ranked.id) === leaveBy.departure;
        const last = { id: leaveBy.best.route_id, name: leaveBy.best.route };
        const route = words.roads(shortName(isRanked ? ranked : last));
        return {
            head: words.t("trip.answer.arrive", { leave, route }), large: leave,
            detail: words.t("trip.answer.arrive_detail",
                { time: wanted, level: words.t(`trip.level.${levelName(trip.sure)}`) }),
        };
    }
    const [{ main: first }] = choices;
    const minutes = words.duration(first.travel_s.p50);
    return {
        head: words.t("trip.answer.now", { minutes, route: words.roads(shortName(first)) }), large: minutes,
        detail: words.t(departures ? "trip.answer.unsure" : "trip.answer.too_late",
            { wanted, time: words.time(nineInTenBy(ways, first)) }),
    };
}

/**
 * @param {object} given
 * @param {Answer} given.answer
 * @param {import("./question.js").Trip} given.trip
 * @param {number} given.now
 * @param {number | null} given.leaveAt when to leave, where that is not now
 * @param {string} given.heading
 */
export function TripAnswer({ answer, trip, now, leaveAt, heading }) {
    const { head, large, detail } = answer;
    const at = head.indexOf(large);
    return html`<${heading}>${head.slice(0, at)}<span class="trip-large">${large}</span>${
        head.slice(at + large.length)}</${heading}>
        <p class="trip-detail">${detail}</p>
        ${leaveAt !== null && html`<${LeaveIn} leaveBy=${leaveAt} />`}
        ${trip.when === "now" && html`<${Later} trip=${trip} now=${now} />`}`;
}

/**
 * How long there is still time.
 * @param {{ leaveBy: number }} given
 */
function LeaveIn({ leaveBy }) {
    const { words } = useApp();
    const left = leaveBy - useNow(5_000);
    return html`<p class="trip-left">${left < 60_000 ? words.t("trip.leave_now_at_last")
        : words.t("trip.left", { time: words.duration(left / 1000) })}</p>`;
}

const waitMinutes = 10;

/**
 * Whether it is worth waiting a little.
 * @param {{ trip: import("./question.js").Trip, now: number }} given
 */
function Later({ trip, now }) {
    const { words } = useApp();
    const frame = useRef(/** @type {HTMLElement | null} */ (null));
    const departures = useDepartures(trip, now, frame);
    const change = departures && departures.points.length > 0 ? waiting(departures, waitMinutes) : null;
    const key = !change || change.kind === "same" ? "same" : `${change.kind}_${change.by < 0 ? "less" : "more"}`;
    return html`<p class="trip-later" ref=${frame}>${change ? words.t(`trip.later.${key}`,
        { wait: waitMinutes, n: Math.abs(change.by), nine: change.nine }) : "\u00a0"}</p>`;
}

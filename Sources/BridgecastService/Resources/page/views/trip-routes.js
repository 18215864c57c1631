// The ways as ranked cards: how long each takes, what it costs more, which bridges it crosses. Used by views/trip.js.
import { html } from "../vendor/preact.js";
import { useApp } from "../core/app.js";
import { RouteDots, sharedMinutes } from "../draw/route-dots.js";
import { sayReasons } from "../model/reasons.js";
import { differences, isAboutSame, mainDifference, oddsBetween, whyBehind } from "../model/ties.js";
import { nineInTenBy, shortName } from "../model/ways.js";

/** @typedef {import("../core/types").RankedRoute} RankedRoute */

/**
 * @param {object} given
 * @param {import("../model/ways.js").Ways} given.ways
 * @param {number | null} given.deadline when one wants to be there
 * @param {Map<string, number>} given.leaveByRoute when to leave by each way
 * @param {string} given.chosen id of the way that the map shows on top
 * @param {(id: string) => void} given.onChoose
 * @param {string} given.heading tag of the cards' headings
 */
export function TripRoutes({ ways, deadline, leaveByRoute, chosen, onChoose, heading }) {
    const { words } = useApp();
    const minutes = sharedMinutes(ways.routes);
    const hollow = deadline === null ? words.t("trip.dots.hollow")
        : words.t("trip.dots.hollow_deadline", { time: words.time(deadline) });
    return html`<p class="small">${words.t("trip.dots.legend")} ${hollow}</p>
        <ol class="trip-routes">${ways.routes.map((route, n) => html`<li key=${route.id}>
            <${RouteCard} ways=${ways} route=${route} rank=${n + 1} minutes=${minutes} deadline=${deadline}
                heading=${heading} leaveBy=${leaveByRoute.get(route.id) ?? null} isChosen=${route.id === chosen}
                onChoose=${onChoose} />
        </li>`)}</ol>`;
}

/**
 * @param {{ ways: import("../model/ways.js").Ways, route: RankedRoute, rank: number, deadline: number | null,
 *     minutes: { from: number, to: number }, leaveBy: number | null, isChosen: boolean,
 *     onChoose: (id: string) => void, heading: string }} given
 */
function RouteCard({ ways, route, rank, minutes, deadline, leaveBy, isChosen, onChoose, heading }) {
    const { words } = useApp();
    const first = ways.routes[0];
    const name = shortName(route);
    const roads = route.name === name ? "" : `${route.name}. `;
    const sentence = words.t("trip.half_and_nine", {
        half: words.duration(route.travel_s.p50), nine: sayMost(words, route.travel_s.p90),
        time: words.time(nineInTenBy(ways, route)),
    });
    const id = `trip-route-${rank}`;
    return html`<article class=${isChosen ? "card trip-route is-chosen" : "card trip-route"} aria-labelledby=${id}>
        <div class="trip-route-head">
            <${heading} id=${id}><span class="trip-rank">${words.number(rank)}</span> ${name}</${heading}>
            ${rank > 1 && html`<p class="trip-more">${sayMore(words, ways, first, route)}</p>`}
        </div>
        <${RouteDots} route=${route} minutes=${minutes} sentence=${sentence}
            deadlineMinutes=${deadline === null ? null : (deadline - ways.departure) / 60_000} />
        ${deadline !== null && html`<p>${sayInTime(words, route, deadline)}
            ${leaveBy !== null && html` ${words.t("trip.leave_this_way", { time: words.time(leaveBy) })}`}</p>`}
        ${rank === 1 && ways.routes[1] && html`<${Against} ways=${ways} first=${first} other=${ways.routes[1]} />`}
        <${Crossings} route=${route} />
        <p class="small">${roads}${words.distance(route.metres)}.</p>
        <button type="button" aria-pressed=${isChosen ? "true" : "false"} onClick=${() => onChoose(route.id)}>
            ${words.t("trip.on_map")}<span class="unseen">: ${name}</span></button>
    </article>`;
}

/**
 * Minutes without their unit, which has just been said.
 * @param {import("../core/words.js").Words} words @param {number} seconds
 */
function sayMost(words, seconds) {
    const minutes = Math.ceil(seconds / 60);
    return minutes < 60 ? words.number(minutes) : words.duration(minutes * 60);
}

/** @param {import("../core/words.js").Words} words @param {import("../model/ways.js").Ways} ways
 *  @param {RankedRoute} first @param {RankedRoute} route */
function sayMore(words, ways, first, route) {
    if (isAboutSame(ways.comparisons, first, route)) return words.t("trip.same");
    const { kind, by } = mainDifference(first, route);
    const text = words.t(kind === "half" ? `trip.${by > 0 ? "more" : "less"}`
        : `trip.against.nine.${by > 0 ? "cost" : "gain"}`, { n: Math.abs(by) });
    const why = whyBehind(first, route);
    return why === null ? text : words.t(`trip.less_but.${why}`, { less: text, chance: words.chance(
        route.probability_stopped ?? 0), n: Math.ceil(route.travel_s.p90 / 60) });
}

/** @param {import("../core/words.js").Words} words @param {RankedRoute & { probability_on_time?: number }} route
 *  @param {number} deadline */
const sayInTime = (words, { probability_on_time: chance }, deadline) => (typeof chance !== "number" ? ""
    : words.t("trip.in_time", { chance: words.chance(chance), time: words.time(deadline) }));

/**
 * What the first way gains over the second, and what it costs.
 * @param {{ ways: import("../model/ways.js").Ways, first: RankedRoute, other: RankedRoute }} given
 */
function Against({ ways, first, other }) {
    const { words } = useApp();
    const { gains, costs } = differences(first, other);
    const odds = oddsBetween(ways.comparisons, first.id, other.id);
    /** @param {import("../model/ties.js").Difference} difference */
    const say = ({ kind, by }) => (kind === "stopped" ? sayStopped(words, first, other)
        : words.t(`trip.against.${kind}.${by > 0 ? "gain" : "cost"}`,
            { n: Math.abs(by), distance: words.distance(Math.abs(by)) }));
    const parts = [
        odds && words.t("trip.against.odds", { n: Math.min(99, Math.max(1, Math.round(odds.faster * 100))) }),
        gains.length > 0 && words.t("trip.against.gains", { list: words.list(gains.map(say)) }),
        costs.length > 0 && words.t("trip.against.costs", { list: words.list(costs.map(say)) }),
    ].filter(Boolean);
    if (parts.length === 0) return null;
    const title = words.t("trip.against.title", { name: shortName(other) });
    return html`<p><strong>${title}</strong> ${parts.join(" ")}</p>`;
}

/** @param {import("../core/words.js").Words} words @param {RankedRoute} first @param {RankedRoute} other */
function sayStopped(words, first, other) {
    const kind = first.crossings.length === 0 ? "none_here" : other.crossings.length === 0 ? "none_there" : "both";
    return words.t(`trip.against.stopped.${kind}`,
        { own: words.chance(first.probability_stopped ?? 0), other: words.chance(other.probability_stopped ?? 0) });
}

/** @param {{ route: RankedRoute }} given */
function Crossings({ route }) {
    const { words } = useApp();
    if (route.crossings.length === 0) return html`<p class="small">${words.t("trip.no_bridge")}</p>`;
    return html`<ul class="trip-crossings">${route.crossings.map((crossing) => {
        const reasons = sayReasons(words, crossing.reasons ?? []).slice(0, 2);
        return html`<li>
            <p>${words.t("trip.crossing", { bridge: crossing.bridge, time: words.time(crossing.eta),
                chance: words.chance(crossing.probability_stopped) })}</p>
            ${reasons.map((reason) => html`<p class="small" lang=${reason.lang}>${reason.text}</p>`)}
        </li>`;
    })}</ul>`;
}

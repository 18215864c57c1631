// A departure on a board: line, where to, when, how sure, where it leaves, how full, and what a bridge may add.
import { html } from "../vendor/preact.js";
import { useApp, useNow, useSelected } from "../core/hooks.js";
import { Countdown } from "../parts/countdown.js";
import { LineBadge } from "./badge.js";
import { isWorthSaying, sayAdded, sayBridgeAhead } from "./bridge-words.js";
import { ArrivalBell } from "./bell.js";
import { ClassMark, CrowdingMark, TrustMark, WheelchairMark } from "./marks.js";
import { linkToRun } from "./paths.js";
import { sayClock, sayPlatform, sayRun, sayStatus } from "./words.js";

/** @typedef {import("../data/board.js").Departure} Departure */

const minuteMilliseconds = 20_000;

/**
 * @param {object} given
 * @param {Departure} given.departure
 * @param {string | null} given.zone
 * @param {import("./arrival.js").Where} given.where
 */
export function DepartureRow({ departure, zone, where }) {
    const { words } = useApp();
    const address = useSelected((state) => state.address);
    const isComing = departure.at !== null;
    return html`<li class=${`board-row${isComing ? "" : " is-gone"}`}>
        <${LineBadge} line=${departure.line} />
        <div class="board-main">
            <a class="board-to" href=${linkToRun(address, departure)}>
                ${departure.headsign || sayRun(words, departure)}</a>
            <${When} departure=${departure} zone=${zone} />
        </div>
        ${isComing && html`<div class="board-side"><${Countdown} at=${departure.at} />
            <${TrustMark} confidence=${departure.confidence} /></div>
            <${ArrivalBell} departure=${departure} where=${where} />`}
        <${Facts} departure=${departure} />
        ${isComing && departure.bridges.filter(isWorthSaying).map((bridge) => html`<${BridgeLine} key=${bridge.id}
            bridge=${bridge} zone=${zone} />`)}
    </li>`;
}

/**
 * The time to expect, with that of the timetable where it is another.
 * @param {{ departure: Departure, zone: string | null }} given
 */
function When({ departure, zone }) {
    const { words } = useApp();
    const { at, scheduledAt, status } = departure;
    const [expected, scheduled] = [sayClock(words, at ?? scheduledAt, zone), sayClock(words, scheduledAt, zone)];
    return html`<p class="board-when">
        ${at === null ? html`<s>${scheduled}</s>` : html`<span>${expected}</span>`}
        ${at !== null && scheduledAt !== null && expected !== scheduled && html` <s class="small">
            <span class="unseen">${words.t("board.scheduled_for")} </span>${scheduled}</s>`}
        ${" "}<span class=${`board-status is-${status}`}>${sayStatus(words, departure)}</span>
    </p>`;
}

/** @param {{ departure: Departure }} given */
function Facts({ departure }) {
    const { words } = useApp();
    const platform = sayPlatform(words, departure);
    return html`<p class="board-facts">
        <${ClassMark} serviceClass=${departure.serviceClass} />
        ${platform && html`<span class=${platform.isChanged ? "board-changed" : ""}>${platform.text}</span>`}
        <${CrowdingMark} crowding=${departure.crowding} />
        <${WheelchairMark} wheelchair=${departure.wheelchair} />
    </p>`;
}

/** @param {{ bridge: import("../data/board.js").BridgeAhead, zone: string | null }} given */
function BridgeLine({ bridge, zone }) {
    const { words } = useApp();
    const now = useNow(minuteMilliseconds);
    return html`<p class=${`board-bridge${bridge.isWaiting ? " is-waiting" : ""}`}>
        <span>${sayBridgeAhead(words, bridge, now, (time) => sayClock(words, time, zone))}</span>
        ${" "}<span class="board-added">${sayAdded(words, bridge)}</span>
    </p>`;
}

// A favourite as a card: what is forecast now, one press to begin, how it was used, and its settings.
import { html, useState } from "../vendor/preact.js";
import { LineBadge } from "../boards/badge.js";
import { linkToBoard } from "../boards/paths.js";
import { useApp, useNow, useSelected } from "../core/hooks.js";
import { linkTo } from "../core/router.js";
import { readBoard } from "../data/board.js";
import { readOutlook, refreshes } from "../data/me-answers.js";
import { Countdown } from "../parts/countdown.js";
import { focusOn, useRefreshed } from "./hooks.js";
import { Refusal } from "./refusal.js";
import { sayDayAndTime, sayMeTrouble, sayTime } from "./words.js";

/** @typedef {import("../data/me-answers.js").Favourite} Favourite */
/** @typedef {import("./session.js").MeSession} MeSession */

/** @param {{ me: MeSession, favourite: Favourite, index: number, onMove: (by: -1 | 1) => void }} given */
export function FavouriteCard({ me, favourite, index, onMove }) {
    const { words } = useApp();
    const { target, name, id } = favourite;
    const title = `me-favourite-${id}`;
    const isOnRoad = target.kind === "trip" && target.mode !== "transit";
    return html`<li class="card me-favourite" aria-labelledby=${title}>
        <div class="me-favourite-top">
            <h3 id=${title}>${name}</h3>
            <${Mover} id=${id} name=${name} isFirst=${index === 0} isLast=${index === me.favourites.length - 1}
                isWorking=${me.isWorking} onMove=${onMove} />
        </div>
        ${isOnRoad ? html`<${Outlook} favourite=${favourite} />`
        : target.kind === "stop" ? html`<${Departures} favourite=${favourite} />`
        : html`<p>${words.t("me.journey", { name: `${target.from} → ${target.to}`, by: words.t("me.by.transit") })}</p>`}
        <${Start} me=${me} favourite=${favourite} isForecast=${isOnRoad} />
        <p class="small">${sayUse(words, favourite)}</p>
        <${Settings} me=${me} favourite=${favourite} />
    </li>`;
}

/** @param {import("../core/words.js").Words} words @param {Favourite} favourite */
function sayUse(words, { uses, lastUsed, average }) {
    if (uses === 0 || lastUsed === null) return words.t("me.favourite.unused");
    const used = words.t("me.favourite.used", { n: uses, time: sayDayAndTime(words, lastUsed) });
    return average === null ? used : `${words.t("me.favourite.average", { age: words.duration(average) })} ${used}`;
}

/** @param {string} id of the favourite @param {number} by */
export const moveID = (id, by) => `me-${by < 0 ? "up" : "down"}-${id}`;

/**
 * @param {object} given
 * @param {string} given.id
 * @param {string} given.name
 * @param {boolean} given.isFirst
 * @param {boolean} given.isLast
 * @param {boolean} given.isWorking
 * @param {(by: -1 | 1) => void} given.onMove
 */
function Mover({ id, name, isFirst, isLast, isWorking, onMove }) {
    const { words } = useApp();
    if (isFirst && isLast) return null;
    const button = (/** @type {-1 | 1} */ by, /** @type {boolean} */ isEnd, /** @type {string} */ key) => html`<button
        type="button" id=${moveID(id, by)} class="me-move" disabled=${isEnd || isWorking} onClick=${() => onMove(by)}>
        <span aria-hidden="true">${by < 0 ? "↑" : "↓"}</span>
        <span class="unseen">${words.t(key, { name })}</span></button>`;
    return html`<span class="me-moves">${button(-1, isFirst, "me.favourite.up")}${
        button(1, isLast, "me.favourite.down")}</span>`;
}

/**
 * What is forecast for leaving now.
 * @param {{ favourite: Favourite }} given
 */
function Outlook({ favourite }) {
    const { words } = useApp();
    const address = useSelected((state) => state.address);
    const trip = /** @type {Extract<Favourite["target"], { kind: "trip" }>} */ (favourite.target);
    const asked = new URLSearchParams({ from: trip.from, to: trip.to, mode: trip.mode });
    const known = useRefreshed(`routes?${asked}`, favourite, readOutlook);
    const ends = { from: trip.from, to: trip.to, ...(trip.mode === "car" ? {} : { mode: trip.mode }) };
    return html`<p><a href=${linkTo(address, "trip", { ...ends, replay: null })}>${words.t("me.journey", {
            name: `${trip.from} → ${trip.to}`, by: words.t(`me.by.${trip.mode}`) })}</a></p>
        ${known.value && html`<p class="me-outlook">${words.t("me.leave_now", {
                expected: words.duration(known.value.expected), nine: words.duration(known.value.nine) })} ${
            words.t("me.stop_chance", { chance: words.chance(known.value.chance) })}
            ${known.value.way && html`<span class="small">${
                words.t("me.way", { way: words.roads(known.value.way) })}</span>`}</p>`}
        <${Freshness} known=${known} name=${favourite.name} isManual=${favourite.refresh === 0} />`;
}

/** @typedef {import("./hooks.js").Read<any> & { at: number | null, isLoading: boolean, refresh: () => void }} Refreshed */

/**
 * When it was asked, and asking again.
 * @param {{ known: Refreshed, name: string, isManual: boolean }} given
 */
function Freshness({ known, name, isManual }) {
    const { words } = useApp();
    const { value, trouble, at, isLoading, refresh } = known;
    const note = trouble && sayMeTrouble(words, trouble);
    return html`${value === null && !trouble && html`<div class="skeleton" aria-busy="true"></div>`}
        <${Refusal} note=${note} />
        <p class="me-fresh small">${at !== null && words.t("me.as_of", { time: sayTime(words, at) })}
            ${(isManual || trouble) && html`<button type="button" class="chip" disabled=${isLoading} onClick=${refresh}>
                ${words.t("me.refresh")}<span class="unseen">: ${name}</span></button>`}</p>`;
}

const shown = 3;
// The service worker keeps no boards with another horizon than its own: one of a single line would take the stop's place.
const horizonMinutes = 180;
const tickMilliseconds = 10_000;

/**
 * The next departures of the line.
 * @param {{ favourite: Favourite }} given
 */
function Departures({ favourite }) {
    const { clock, words } = useApp();
    useNow(tickMilliseconds);
    const address = useSelected((state) => state.address);
    const { line, stop, direction } = /** @type {Extract<Favourite["target"], { kind: "stop" }>} */ (favourite.target);
    // A direction of the timetable is a number; another is what buses show.
    const isNamed = direction !== "" && !isNumber(direction);
    const asked = new URLSearchParams({ route_id: line, horizon_min: String(horizonMinutes) });
    if (isNumber(direction)) asked.set("direction", direction);
    const known = useRefreshed(`stops/${encodeURIComponent(stop)}/board?${asked}`, favourite, readBoard);
    const now = clock.serviceNow();
    const next = (known.value?.departures ?? []).filter((one) => (!isNamed || isTowards(one, direction)) && one.at !== null && one.at > now)
        .slice(0, shown);
    return html`<p><a href=${linkToBoard({ ...address, values: {} }, stop)}>${words.t("me.line_at", {
            line, stop: known.value?.stop.name ?? stop })}</a> ${isNamed && words.t("me.towards", { direction })}</p>
        ${known.value && next.length === 0 && html`<p>${words.t("me.no_departure")}</p>`}
        <ul class="me-departures">${next.map((one) => html`<li key=${one.key}><${LineBadge} line=${one.line} />
            <span>${one.headsign || one.line.title}</span> <${Countdown} at=${Number(one.at)} />
            <span class="small">${sayTime(words, Number(one.at))}</span></li>`)}</ul>
        <${Freshness} known=${known} name=${favourite.name} isManual=${favourite.refresh === 0} />`;
}

const isNumber = (/** @type {string} */ direction) => /^[01]$/.test(direction);

/** @param {import("../data/board.js").Departure} departure @param {string} direction */
const isTowards = ({ headsign }, direction) => headsign.toLowerCase().includes(direction.toLowerCase());

const defaultMinutes = 20;

/** @param {{ me: MeSession, favourite: Favourite, isForecast: boolean }} given */
function Start({ me, favourite, isForecast }) {
    const { words } = useApp();
    const [minutes, setMinutes] = useState(String(Math.round((favourite.average ?? defaultMinutes * 60) / 60)));
    const isUnderWay = me.person?.underWay !== null;
    /** @param {Event} event */
    async function start(event) {
        event.preventDefault();
        const isDone = await me.start({ favourite: favourite.id, ...(isForecast ? {} : { minutes }) });
        if (isDone) focusOn("me-under-way-title");
    }
    return html`<form class="me-inline" onSubmit=${start}>
        ${!isForecast && html`<label for=${`me-minutes-${favourite.id}`}>${words.t("me.minutes")}</label>
            <input id=${`me-minutes-${favourite.id}`} type="number" min="0" max="1440" step="1" required value=${minutes}
                onInput=${(/** @type {any} */ event) => setMinutes(event.currentTarget.value)} />`}
        <button type="submit" disabled=${isUnderWay || me.isWorking}>${words.t("me.start")}
            <span class="unseen"> ${favourite.name}</span></button>
    </form>`;
}

/**
 * Name, interval and removal.
 * @param {{ me: MeSession, favourite: Favourite }} given
 */
function Settings({ me, favourite }) {
    const { words } = useApp();
    const { id, name } = favourite;
    const [text, setText] = useState(name);
    /** @param {Event} event */
    function rename(event) {
        event.preventDefault();
        if (text.trim() !== "" && text.trim() !== name) me.setFavourite(id, { name: text.trim() });
    }
    async function remove() {
        await me.removeFavourite(favourite, words.t("me.favourite.removed", { name }));
        focusOn("me-undo");
    }
    return html`<details class="me-settings">
        <summary>${words.t("me.favourite.settings")}<span class="unseen">: ${name}</span></summary>
        <form class="me-inline" onSubmit=${rename}>
            <label for=${`me-name-${id}`}>${words.t("me.favourite.name")}</label>
            <input id=${`me-name-${id}`} type="text" maxlength="200" required value=${text}
                onInput=${(/** @type {any} */ event) => setText(event.currentTarget.value)} />
            <button type="submit" disabled=${me.isWorking}>${words.t("me.favourite.rename")}</button>
        </form>
        <p class="me-inline"><label for=${`me-refresh-${id}`}>${words.t("me.favourite.refresh")}</label>
            <select id=${`me-refresh-${id}`} value=${String(favourite.refresh)}
                onChange=${(/** @type {any} */ event) =>
                    me.setFavourite(id, { refresh_min: event.currentTarget.value })}>
                ${refreshes.map((minutes) => html`<option key=${minutes} value=${String(minutes)}>${minutes === 0
                    ? words.t("me.favourite.manual") : words.duration(minutes * 60)}</option>`)}
            </select></p>
        <p><button type="button" disabled=${me.isWorking} onClick=${remove}>${words.t("me.remove")}
            <span class="unseen"> ${name}</span></button></p>
    </details>`;
}

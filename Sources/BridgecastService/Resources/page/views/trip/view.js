// The view of a trip: asks when to leave and which way, shows the form and what was found. The address keeps the trip.
import { html, useEffect, useMemo, useRef, useState } from "../../vendor/preact.js";
import { useAnswer, useApp, useMedia, useNow, useSelected } from "../../core/hooks.js";
import { linkTo } from "../../core/router.js";
import { trouble as troubleOf } from "../../data/api.js";
import { TripMap } from "./route-map.js";
import { useCorners } from "./corners.js";
import { FoldedForm, sayTrip, TripForm } from "./form.js";
import { TripResults } from "./results.js";
import {
    departPath, isAskable, isPoint, modes, readTrip, routesPath, sayPlace, sayTripTrouble, tooLongEnd, TripTrouble,
} from "./question.js";
import { readDepartures, readWays } from "./ways.js";

const lookMilliseconds = 5_000;
/** @type {import("../../core/types").RankedRoute[]} */
const noRoutes = [];

/**
 * The trip that was asked last, offered again after a look at another view.
 * @type {Record<string, string> | null}
 */
let last = null;

export function TripView() {
    const { clock, router, words } = useApp();
    const isWide = useMedia("(min-width: 1024px)");
    const hasRoom = useMedia("(min-width: 700px)");
    const values = useSelected((state) => state.address.values);
    const now = useNow(lookMilliseconds);
    const isOwnDoing = useRef(false);
    const trip = readTrip(values, now);
    const corners = useCorners(trip);
    const hasEnds = trip.from !== "" && trip.to !== "";
    const hasTrouble = useSelected((state) => state.trouble !== null);
    // Until the service has reported its time it is not known which times are over.
    const isTimeKnown = trip.when === "now" || clock.isSet || clock.isPlayed || hasTrouble;
    const answers = useTripAnswers(trip, now, isTimeKnown);
    const trouble = (hasEnds && isTimeKnown) || tooLongEnd(trip) ? sayTripTrouble(words, trip, answers.trouble) : null;

    const pointTrouble = sayPointTrouble(trip, trouble);
    useLastTrip(values, hasEnds);
    // What goes wrong after the answer is not the visitor's doing.
    const isAnswered = answers.found !== null && !answers.isWaiting && trouble === null;
    useEffect(() => { if (isAnswered) isOwnDoing.current = false; }, [isAnswered, values]);

    /** @type {import("./form.js").Change} */
    function change(changes, isReplaced = false) {
        isOwnDoing.current = true;
        router.change(changes, { isReplaced });
    }

    const taken = useMendedSlip(trip, trouble, change);
    // Next to the first view its answer is the page's heading.
    const isAside = useSelected((state) => state.address.view === "now") && isWide;
    const Title = isAside ? "h2" : "h1";
    const given = { isOwnDoing: isOwnDoing.current, onChange: change };
    const folding = useFolding(hasEnds, isAnswered, values);
    // What is wrong with the trip stands at its field.
    const isFolded = !hasRoom && folding.isFolded && (trouble === null || trouble.place === "all");
    return html`<section class="trip" aria-labelledby="trip-title">
        ${isFolded ? html`<${FoldedForm} trip=${trip} corners=${corners} now=${now} heading=${Title}
            onOpen=${folding.open} />`
        : html`<${Title} id="trip-title">${words.t("trip.title")}</${Title}>
            <${TripForm} ...${given} trip=${trip} corners=${corners} trouble=${trouble}
                onFold=${!hasRoom && isAnswered ? folding.fold : null} />
            ${hasEnds && html`<p class="printed">${sayTrip(words, trip, now, corners)}</p>`}`}
        ${taken && html`<p class="small" role="status">${words.t("trip.taken", taken)}</p>`}
        ${trouble?.place === "all" && html`<${TripTrouble} trouble=${trouble} isOwnDoing=${isOwnDoing.current}
            onRetry=${answers.retry} />`}
        ${!hasEnds ? html`<${TripStart} last=${last} /><${MapToPick} onChange=${change} pointTrouble=${pointTrouble} />`
        : answers.found ? html`<${TripResults} ...${given} found=${answers.found} corners=${corners}
            isWaiting=${answers.isWaiting} isOld=${answers.isOld} now=${now} pointTrouble=${pointTrouble}
            heading=${isAside ? "h3" : "h2"} />`
        : answers.isWaiting ? html`<${Waiting} />` : null}
    </section>`;
}

/**
 * A misspelled name that only one place is like is taken for that place.
 * @param {Trip} trip @param {import("./question.js").ShownTrouble | null} trouble
 * @param {import("./form.js").Change} change
 * @returns {{ typed: string, place: string } | null} what was taken for what, while it is in the trip
 */
function useMendedSlip(trip, trouble, change) {
    const [taken, setTaken] = useState(/** @type {{ typed: string, place: string } | null} */ (null));
    const end = trouble?.place === "from" || trouble?.place === "to" ? trouble.place : null;
    const place = end && !isPoint(trip[end]) && trouble?.near.length === 1 ? trouble.near[0] : null;
    useEffect(() => {
        if (!end || !place) return;
        setTaken({ typed: trip[end], place });
        change({ [end]: place }, true);
    }, [end, place]);
    return taken && [trip.from, trip.to].includes(taken.place) ? taken : null;
}

/**
 * On a phone the form is a line once there is an answer, until the visitor wants to change something.
 * @param {boolean} hasEnds @param {boolean} isAnswered @param {Record<string, string>} values of the address
 */
function useFolding(hasEnds, isAnswered, values) {
    const [isFolded, setFolded] = useState(hasEnds);
    const turned = useRef(/** @type {string | null} */ (null));
    useEffect(() => { if (!hasEnds) setFolded(false); }, [hasEnds]);
    useEffect(() => {
        if (!isAnswered || !canFold()) return;
        if (focusedInForm()) turned.current = "trip-change";
        setFolded(true);
    }, [isAnswered, values]);
    // What had the focus goes; it goes on at what has come instead.
    useEffect(() => {
        if (turned.current) document.getElementById(turned.current)?.focus({ preventScroll: true });
        turned.current = null;
    }, [isFolded]);
    /** @param {boolean} next */
    const turn = (next) => () => {
        turned.current = next ? "trip-change" : "trip-form";
        setFolded(next);
    };
    return { isFolded, fold: turn(true), open: turn(false) };
}

/** @returns {Element | null} */
const focusedInForm = () => document.querySelector("#trip-form :focus, #trip-form:focus");

/** Who is in the form by keyboard goes on there; after a touch on a place the screen's keyboard hides the answer. */
function canFold() {
    const focused = focusedInForm();
    return focused === null
        || focused.getAttribute("role") === "combobox" && matchMedia("(pointer: coarse)").matches;
}

/**
 * What is wrong with a place that was picked on the map.
 * @param {Trip} trip @param {import("./question.js").ShownTrouble | null} trouble
 */
function sayPointTrouble(trip, trouble) {
    const end = trouble?.place === "from" || trouble?.place === "to" ? trouble.place : null;
    return trouble && end && isPoint(trip[end]) ? trouble.text : null;
}

/** @param {Record<string, string>} values of the address @param {boolean} hasEnds */
function useLastTrip(values, hasEnds) {
    useEffect(() => {
        if (!hasEnds) return;
        const { from, to, mode, leave, arrive, sure } = values;
        last = Object.fromEntries(Object.entries({ from, to, mode, leave, arrive, sure }).filter(([, value]) => value));
    }, [values, hasEnds]);
}

/** Grey blocks where the answer will be. */
function Waiting() {
    const { words } = useApp();
    return html`<div aria-busy="true"><p class="small">${words.t("trip.waiting")}</p>
        ${[64, 210, 210].map((height) =>
            html`<div class="skeleton trip-skeleton" style=${{ height: `${height}px` }}></div>`)}
    </div>`;
}

/** @param {{ onChange: import("./form.js").Change, pointTrouble: string | null }} given */
function MapToPick({ onChange, pointTrouble }) {
    const { words } = useApp();
    const [isShown, setShown] = useState(false);
    const frame = useRef(/** @type {HTMLElement | null} */ (null));
    // The button is gone: the keyboard goes on at the map.
    useEffect(() => {
        const map = frame.current?.querySelector(".trip-map");
        if (isShown && map instanceof HTMLElement) map.focus();
    }, [isShown]);
    const pick = (/** @type {string} */ end, /** @type {string} */ place) => onChange({ [end]: place });
    if (!isShown) {
        return html`<p><button type="button" onClick=${() => setShown(true)}>${words.t("trip.map.open")}</button></p>`;
    }
    return html`<div ref=${frame}><${TripMap} routes=${noRoutes} chosen="" onChoose=${() => {}} onPick=${pick}
        sentence=${words.t("trip.map.empty")} trouble=${pointTrouble} /></div>`;
}

const examples = [
    { from: "Ballard", to: "Downtown", mode: "car" },
    { from: "University District", to: "Capitol Hill", mode: "bike" },
    { from: "West Seattle", to: "Downtown", mode: "car" },
];

/** @param {{ last: Record<string, string> | null }} given the trip that was asked before */
function TripStart({ last }) {
    const { words } = useApp();
    const address = useSelected((state) => state.address);
    /** @param {Record<string, string>} trip */
    const link = (trip) => linkTo(address, address.view === "now" ? "now" : "trip", trip);
    /** @param {Record<string, string>} trip */
    const name = ({ from, to, mode }) => words.t("trip.ways", {
        from: sayPlace(words, from), to: sayPlace(words, to),
        by: words.t(`trip.by.${modes.find((one) => one === mode) ?? "car"}`),
    });
    return html`<div class="trip-start card">
        <p>${words.t("trip.start")}</p>
        ${last?.from && last.to && html`<p>
            <a href=${link(last)}>${words.t("trip.start.last", { trip: name(last) })}</a></p>`}
        <p class="small">${words.t("trip.start.examples")}</p>
        <ul>${examples.map((trip) => html`<li><a href=${link(trip)}>${name(trip)}</a></li>`)}</ul>
    </div>`;
}

// Clocks are put right by a little now and then.
const slackMilliseconds = 60_000;
const agedSeconds = 180;
// With a clock that is played fast, answers lag by some seconds of the visitor's time.
const missedSeconds = 10;

/** @typedef {import("./question.js").Trip} Trip */
/**
 * @typedef {object} Found
 * @property {Trip} trip what was asked
 * @property {import("./ways.js").Ways} ways
 * @property {import("./ways.js").Departures | null} departures where there is a time to arrive by
 * @property {boolean} isPlayed whether that was in a past day
 */

/**
 * @param {Trip} trip
 * @param {number} now
 * @param {boolean} isClockSet whether that is the service's time
 */
function useTripAnswers(trip, now, isClockSet) {
    const { answers, clock } = useApp();
    const { departing, routing, cannotBeMet } = useQuestions(trip, now, isClockSet);
    const departures = departing.read;
    const ways = routing.read;

    const kept = useRef(/** @type {Found | null} */ (null));
    const isWhole = ways !== null
        && (departing.path === null || departures !== null || departing.answer.trouble !== null);
    if (isAskable(trip) && isWhole && isOf(ways, departing.answer.value)) {
        kept.current = { trip, ways, departures: cannotBeMet ? null : departures, isPlayed: clock.isPlayed };
    }
    if (trip.from === "" || trip.to === "" || !isOfNow(kept.current, clock)) kept.current = null;
    const isUnreadable = routing.answer.value !== null && ways === null;
    const trouble = routing.answer.trouble ?? departing.answer.trouble ?? (isUnreadable ? troubleOf("not_json") : null);
    // Departures that cannot be in time are an answer too: the ways are those of leaving now.
    const isTroubled = trouble !== null && !(cannotBeMet && routing.answer.trouble === null);
    return {
        found: kept.current,
        trouble: isAskable(trip) ? trouble : null,
        isOld: (isClockSet && !isAskable(trip)) || isAged(kept.current, now, clock.rate) || isTroubled,
        // A minute later the time to leave is another, and so is the question; what is shown stays meanwhile.
        isWaiting: trouble === null && !isSame(kept.current?.trip, trip) && (!isClockSet || isAskable(trip)),
        retry() {
            for (const { path } of [departing, routing]) if (path) answers.retry(path);
        },
    };
}

/** @param {Trip} trip @param {number} now @param {boolean} isClockSet */
function useQuestions(trip, now, isClockSet) {
    // Without a time to arrive by the departures are a curve, which asks when it is seen.
    const isNeeded = isClockSet && trip.when === "arrive";
    const departing = useDocument(isNeeded ? departPath(trip, now) : null, readDepartures, "minute");
    const departures = departing.read;
    const cannotBeMet = departing.answer.trouble?.parameter === "arrive_by";
    // The ways are those at the time to leave, which has to be known first.
    const isDepartureKnown = trip.when !== "arrive" || departures !== null || cannotBeMet;
    const leaveBy = cannotBeMet ? null : departures?.leaveBy?.departure ?? null;
    const path = isClockSet && isDepartureKnown ? routesPath(trip, now, leaveBy) : null;
    return { departing, routing: useDocument(path, readWays, "board"), cannotBeMet };
}

/**
 * An answer, and what was read out of it once.
 * @template T
 * @param {string | null} path @param {(document: any) => T | null} read
 * @param {import("../../data/answers.js").Following} following
 */
function useDocument(path, read, following) {
    const answer = useAnswer(path, following);
    return { path, answer, read: useMemo(() => read(answer.value), [answer.value]) };
}

/**
 * Whether newer answers should have come: without new boards nothing is asked, and nothing fails.
 * @param {Found | null} found @param {number} now @param {number} rate seconds of the clock in a second
 */
const isAged = (found, now, rate) =>
    found !== null && now - found.ways.issuedAt > 1000 * Math.max(agedSeconds, rate * missedSeconds);

/** @param {Trip | undefined} a @param {Trip} b */
const isSame = (a, b) => a !== undefined && a.from === b.from && a.to === b.to && a.mode === b.mode
    && a.when === b.when && a.time === b.time && a.sure === b.sure;

/**
 * What was known later, or in another time, is no answer at the time that is shown.
 * @param {Found | null} found @param {import("../../core/clock.js").Clock} clock
 */
const isOfNow = (found, clock) => found === null
    || (found.isPlayed === clock.isPlayed && !(found.ways.issuedAt > clock.now() + slackMilliseconds));

/**
 * Whether both answers are about one trip: the older of two questions may be answered later.
 * @param {import("./ways.js").Ways} ways @param {any} document of departures
 */
const isOf = (ways, document) => document === null || (ways.origin === document.origin
    && ways.destination === document.destination && ways.mode === document.mode);

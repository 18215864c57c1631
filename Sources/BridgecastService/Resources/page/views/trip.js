// The trip: from where to where, and what was found; the address keeps it. Used by views/app.js.
import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { useApp, useMedia, useNow, useSelected } from "../core/app.js";
import { isPoint, readTrip, tooLongEnd } from "../model/trip.js";
import { useTripAnswers } from "./trip-answers.js";
import { TripForm } from "./trip-form.js";
import { TripResults } from "./trip-results.js";
import { TripStart } from "./trip-start.js";
import { TripTrouble, sayTripTrouble } from "./trip-trouble.js";
import { TripMap } from "../draw/trip-map.js";

const lookMilliseconds = 5_000;
/** @type {import("../core/types").RankedRoute[]} */
const noRoutes = [];

/**
 * The trip that was asked last, offered again after a look at another view.
 * @type {Record<string, string> | null}
 */
let last = null;

export function TripView() {
    const { clock, router, words } = useApp();
    const isWide = useMedia("(min-width: 1024px)");
    const values = useSelected((state) => state.address.values);
    const now = useNow(lookMilliseconds);
    const isOwnDoing = useRef(false);
    const trip = readTrip(values, now);
    const hasEnds = trip.from !== "" && trip.to !== "";
    const hasTrouble = useSelected((state) => state.trouble !== null);
    // Until the service has told its time nobody knows which times are over.
    const isTimeKnown = trip.when === "now" || clock.isSet || clock.isPlayed || hasTrouble;
    const answers = useTripAnswers(trip, now, isTimeKnown);
    const trouble = (hasEnds && isTimeKnown) || tooLongEnd(trip) ? sayTripTrouble(words, trip, answers.trouble) : null;

    const end = trouble?.place === "from" || trouble?.place === "to" ? trouble.place : null;
    const pointTrouble = trouble && end && isPoint(trip[end]) ? trouble.text : null;

    useEffect(() => {
        if (!hasEnds) return;
        const { from, to, mode, leave, arrive, sure } = values;
        last = Object.fromEntries(Object.entries({ from, to, mode, leave, arrive, sure }).filter(([, value]) => value));
    }, [values, hasEnds]);

    // What goes wrong after the answer is not the visitor's doing.
    const isAnswered = answers.found !== null && !answers.isWaiting && trouble === null;
    useEffect(() => { if (isAnswered) isOwnDoing.current = false; }, [isAnswered, values]);

    /** @type {import("./trip-form.js").Change} */
    function change(changes, isReplaced = false) {
        isOwnDoing.current = true;
        router.change(changes, { isReplaced });
    }

    const Title = isWide ? "h2" : "h1";
    return html`<section class="trip" aria-labelledby="trip-title">
        <${Title} id="trip-title">${words.t("trip.title")}</${Title}>
        <${TripForm} trip=${trip} onChange=${change} trouble=${trouble} isOwnDoing=${isOwnDoing.current} />
        ${trouble?.place === "all" && html`<${TripTrouble} trouble=${trouble} isOwnDoing=${isOwnDoing.current}
            onRetry=${answers.retry} />`}
        ${!hasEnds ? html`<${TripStart} last=${last} /><${MapToPick} onChange=${change} pointTrouble=${pointTrouble} />`
        : answers.found ? html`<${TripResults} found=${answers.found} isWaiting=${answers.isWaiting}
            isOld=${answers.isOld} isOwnDoing=${isOwnDoing.current} now=${now}
            pointTrouble=${pointTrouble}
            onChange=${change} heading=${isWide ? "h3" : "h2"} />`
        : answers.isWaiting ? html`<${Waiting} />` : null}
    </section>`;
}

/** Grey blocks where the answer will be. */
function Waiting() {
    const { words } = useApp();
    return html`<div aria-busy="true"><p class="small">${words.t("trip.waiting")}</p>
        ${[64, 210, 210].map((height) =>
            html`<div class="skeleton trip-skeleton" style=${{ height: `${height}px` }}></div>`)}
    </div>`;
}

/** @param {{ onChange: import("./trip-form.js").Change, pointTrouble: string | null }} given */
function MapToPick({ onChange, pointTrouble }) {
    const { words } = useApp();
    const [isShown, setShown] = useState(false);
    const pick = (/** @type {string} */ end, /** @type {string} */ place) => onChange({ [end]: place });
    if (!isShown) {
        return html`<p><button type="button" onClick=${() => setShown(true)}>${words.t("trip.map.open")}</button></p>`;
    }
    return html`<${TripMap} routes=${noRoutes} chosen="" onChoose=${() => {}} onPick=${pick}
        sentence=${words.t("trip.map.empty")} trouble=${pointTrouble} />`;
}

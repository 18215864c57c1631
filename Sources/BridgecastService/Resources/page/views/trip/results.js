// What was found for a trip: the answer in a sentence, ways, departure and map; sharing it, and a reminder to leave.
import { html, useEffect, useRef, useState } from "../../vendor/preact.js";
import { useApp, useNow, useRedraw, useSelected } from "../../core/hooks.js";
import { askToNotify, canNotify, notify } from "../../core/notify.js";
import { sayWarnings } from "../../model/notice.js";
import { TripMap } from "./route-map.js";
import { TripDeparture } from "./departure.js";
import { TripRoutes } from "./routes.js";
import { levelName, sayPlace } from "./question.js";
import { isAboutSame, nineInTenBy, shortName } from "./ways.js";

/**
 * @param {object} given
 * @param {import("./view.js").Found} given.found
 * @param {boolean} given.isWaiting whether a newer answer is on its way
 * @param {boolean} given.isOld whether there is none to be had
 * @param {boolean} given.isOwnDoing
 * @param {number} given.now
 * @param {string | null} given.pointTrouble what is wrong with a place that was picked on the map
 * @param {import("./form.js").Change} given.onChange
 * @param {string} given.heading tag of the headings here
 */
export function TripResults({ found, isWaiting, isOld, isOwnDoing, now, pointTrouble, onChange, heading }) {
    const { announcer, words } = useApp();
    const { trip, ways, departures } = found;
    const answer = sayAnswer(words, trip, ways, departures, now);
    const leaveBy = departures?.leaveBy?.departure ?? null;
    const leaveAt = trip.when === "arrive" ? leaveBy : trip.when === "leave" ? trip.time : null;
    const title = words.t("trip.ways", {
        from: sayPlace(words, ways.origin), to: sayPlace(words, ways.destination), by: words.t(`trip.by.${ways.mode}`),
    });
    const question = [ways.origin, ways.destination, ways.mode, trip.when, trip.time, trip.sure].join("|");
    useAnnounced(`${question}|${ways.routes[0].id}`, answer, isOwnDoing, announcer);
    return html`<div class=${isWaiting ? "trip-results is-waiting" : "trip-results"}
        aria-busy=${isWaiting ? "true" : undefined}>
        ${isOld && html`<p class="trip-old">${words.t("trip.old", {
            time: words.time(ways.issuedAt), age: words.duration((now - ways.issuedAt) / 1000) })}</p>`}
        <${heading} class="trip-name">${title}</${heading}>
        <p class="trip-answer">${answer}</p>
        ${leaveAt !== null && !isOld && html`<${LeaveIn} leaveBy=${leaveAt} />`}
        ${ways.isUsualOnly && html`<p class="small">${words.t("trip.usual_only")}</p>`}
        <div class="trip-actions">
            <${ShareButton} title=${title} />
            ${leaveAt !== null && html`<${RemindButton} question=${question} leaveAt=${leaveAt} body=${answer} />`}
        </div>
        <${FoundWays} found=${found} title=${title} pointTrouble=${pointTrouble} onChange=${onChange}
            heading=${heading === "h2" ? "h3" : "h4"} />
    </div>`;
}

/**
 * The ways as cards, the curve of departures, and the map with the way that was chosen on top.
 * @param {object} given
 * @param {import("./view.js").Found} given.found
 * @param {string} given.title
 * @param {string | null} given.pointTrouble
 * @param {import("./form.js").Change} given.onChange
 * @param {string} given.heading tag of the headings here
 */
function FoundWays({ found, title, pointTrouble, onChange, heading }) {
    const { words } = useApp();
    const { trip, ways, departures } = found;
    const [chosen, setChosen] = useState("");
    const shown = ways.routes.some((route) => route.id === chosen) ? chosen : ways.routes[0].id;
    /** @param {string} id */
    function choose(id) {
        setChosen(id);
        const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
        document.getElementById("trip-map")?.scrollIntoView({ block: "start", behavior: still ? "auto" : "smooth" });
    }
    const pick = (/** @type {string} */ end, /** @type {string} */ spot) => onChange({ [end]: spot });
    return html`<div class="trip-found">
        <div>
            <${TripRoutes} ways=${ways} deadline=${trip.when === "arrive" ? trip.time : null} chosen=${shown}
                leaveByRoute=${departures?.leaveByRoute ?? new Map()} onChoose=${choose} heading=${heading} />
        </div>
        <div class="trip-beside">
            ${departures && html`<${TripDeparture} trip=${trip} departures=${departures} heading=${heading} />`}
            <section class="card" aria-labelledby="trip-map">
                <${heading} id="trip-map">${words.t("trip.map")}</${heading}>
                <${TripMap} routes=${ways.routes} chosen=${shown} onChoose=${setChosen} onPick=${pick}
                    sentence=${words.t("trip.map.sentence", { trip: title, n: ways.routes.length })}
                    trouble=${pointTrouble} />
            </section>
            <${TripWarnings} warnings=${ways.warnings} />
        </div>
    </div>`;
}

/**
 * What the service warns of; the banner of a played day has what concerns the whole page.
 * @param {{ warnings: string[] }} given English
 */
function TripWarnings({ warnings }) {
    const { words } = useApp();
    const isPlayed = useSelected((state) => state.replay !== null);
    return sayWarnings(words, warnings).filter(({ key }) => key === null || !isPlayed)
        .map(({ key, text }) => html`<p class="small" lang=${key ? undefined : "en"}>${text}</p>`);
}

/**
 * Tells listeners the answer to what they have asked, and later when another way is the best.
 * @param {string} question with the best way @param {string} answer @param {boolean} isOwnDoing
 * @param {{ say: (sentence: string) => void }} announcer
 */
function useAnnounced(question, answer, isOwnDoing, announcer) {
    const before = useRef(/** @type {string | null} */ (null));
    useEffect(() => {
        if (before.current !== null || isOwnDoing) announcer.say(answer);
        before.current = question;
    }, [question]);
}

/** @typedef {import("./ways.js").Ways} Ways */

/**
 * @param {import("../../core/words.js").Words} words
 * @param {import("./question.js").Trip} trip
 * @param {Ways} ways
 * @param {import("./ways.js").Departures | null} departures
 * @param {number} now
 */
function sayAnswer(words, trip, ways, departures, now) {
    const [first, second] = ways.routes;
    const time = words.time(nineInTenBy(ways, first));
    if (trip.when === "arrive" && trip.time !== null) {
        const wanted = words.timeOrDay(trip.time, departures?.leaveBy?.departure ?? now);
        if (departures?.leaveBy) {
            return words.t("trip.answer.arrive", {
                leave: words.timeOrDay(departures.leaveBy.departure, now), time: wanted,
                level: words.t(`trip.level.${levelName(trip.sure)}`),
                route: shortName({ id: departures.leaveBy.best.route_id, name: departures.leaveBy.best.route }),
            });
        }
        return words.t(departures ? "trip.answer.unsure" : "trip.answer.too_late",
            { route: shortName(first), wanted, time });
    }
    const values = {
        route: shortName(first), other: second ? shortName(second) : "", time,
        leave: words.timeOrDay(ways.departure, now),
    };
    if (trip.when === "leave") return words.t("trip.answer.leave_at", values);
    if (!second || !isAboutSame(ways.comparisons, first, second)) return words.t("trip.answer.leave_now", values);
    // The time that is given for both holds for the slower one too.
    const slower = Math.max(nineInTenBy(ways, first), nineInTenBy(ways, second));
    return words.t("trip.answer.tie", { ...values, time: words.time(slower) });
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

const saidMilliseconds = 4_000;

/** @param {{ title: string }} given */
function ShareButton({ title }) {
    const { announcer, words } = useApp();
    const [state, setState] = useState(/** @type {"" | "copied" | "shown"} */ (""));
    useEffect(() => {
        if (state !== "copied") return undefined;
        const timer = setTimeout(() => setState(""), saidMilliseconds);
        return () => clearTimeout(timer);
    }, [state]);

    async function share() {
        const url = new URL(location.href);
        url.searchParams.set("view", "trip");
        try {
            if (navigator.share) return await navigator.share({ title, url: url.href });
            await navigator.clipboard.writeText(url.href);
            setState("copied");
            announcer.say(words.t("trip.copied"));
        } catch (error) {
            // The visitor changed their mind; anything else leaves the link to be copied by hand.
            if (!(error instanceof DOMException && error.name === "AbortError")) setState("shown");
        }
    }

    const name = words.t(state === "copied" ? "trip.copied" : "trip.share");
    /** @param {Event} event */
    const selectAll = (event) => /** @type {HTMLInputElement} */ (event.currentTarget).select();
    return html`<button type="button" onClick=${share}>${name}</button>
        ${state === "shown" && html`<label class="trip-link">${words.t("trip.link")}
            <input type="text" readonly value=${location.href} onFocus=${selectAll} /></label>`}`;
}

const checkMilliseconds = 5_000;

/** @typedef {{ question: string, leaveAt: number, title: string, body: string, lang: string }} Reminder */

/** The one reminder that is set: it outlives the view, since the page may show another. */
const reminder = {
    /** @type {Reminder | null} */
    set: null,
    /** @type {any} */
    timer: undefined,
    /** @type {Set<() => void>} */
    listeners: new Set(),
};

/** @param {Reminder | null} next @param {import("../../core/clock.js").Clock} clock */
function setReminder(next, clock) {
    clearInterval(reminder.timer);
    reminder.set = next;
    if (next) {
        reminder.timer = setInterval(() => {
            if (!reminder.set || clock.isPlayed || clock.now() < reminder.set.leaveAt) return;
            const { title, body, lang } = reminder.set;
            notify(title, { body, tag: "trip", lang });
            setReminder(null, clock);
        }, checkMilliseconds);
    }
    for (const listener of [...reminder.listeners]) listener();
}

/**
 * @param {object} given
 * @param {string} given.question the trip that it belongs to
 * @param {number} given.leaveAt when to leave, as the newest forecast says
 * @param {string} given.body the text of the notification
 */
function RemindButton({ question, leaveAt, body }) {
    const { clock, words } = useApp();
    const redraw = useRedraw();
    const [isRefused, setRefused] = useState(false);
    useEffect(() => {
        reminder.listeners.add(redraw);
        return () => { reminder.listeners.delete(redraw); };
    }, []);
    const isSet = reminder.set?.question === question;
    // The forecast moves, and the time to leave with it.
    useEffect(() => {
        if (isSet && reminder.set) Object.assign(reminder.set, { leaveAt, body });
    }, [isSet, leaveAt, body]);
    if (!canNotify() || clock.isPlayed) return null;
    if (!isSet && leaveAt < clock.now() + 60_000) return null;

    async function toggle() {
        if (isSet) return setReminder(null, clock);
        const isAllowed = await askToNotify();
        setRefused(!isAllowed);
        if (isAllowed) {
            setReminder({ question, leaveAt, title: words.t("trip.remind.title"), body, lang: words.locale }, clock);
        }
    }

    return html`<button type="button" aria-pressed=${isSet ? "true" : "false"} onClick=${toggle}>
            ${words.t("trip.remind")}</button>
        ${isSet && html`<p class="small">${words.t("trip.remind.set", { time: words.time(leaveAt) })}</p>`}
        ${isRefused && html`<p class="words-red" role="alert">${words.t("trip.remind.refused")}</p>`}`;
}

// What was found for a trip, in the order in which it is needed: answer, ways, departure, map. Used by views/trip.js.
import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { useApp } from "../core/app.js";
import { TripMap } from "../draw/trip-map.js";
import { sayPlace } from "../model/trip.js";
import { LeaveIn, sayAnswer } from "./trip-answer.js";
import { TripDeparture } from "./trip-departure.js";
import { RemindButton } from "./trip-remind.js";
import { TripRoutes } from "./trip-routes.js";
import { ShareButton } from "./trip-share.js";

/**
 * @param {object} given
 * @param {import("./trip-answers.js").Found} given.found
 * @param {boolean} given.isWaiting whether a newer answer is on its way
 * @param {boolean} given.isOld whether there is none to be had
 * @param {boolean} given.isOwnDoing
 * @param {number} given.now
 * @param {string | null} given.pointTrouble what is wrong with a place that was picked on the map
 * @param {import("./trip-form.js").Change} given.onChange
 * @param {string} given.heading tag of the headings here
 */
export function TripResults({ found, isWaiting, isOld, isOwnDoing, now, pointTrouble, onChange, heading }) {
    const { announcer, words } = useApp();
    const { trip, ways, departures } = found;
    const [chosen, setChosen] = useState("");
    const shown = ways.routes.some((route) => route.id === chosen) ? chosen : ways.routes[0].id;
    /** @param {string} id */
    function choose(id) {
        setChosen(id);
        const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
        document.getElementById("trip-map")?.scrollIntoView({ block: "start", behavior: still ? "auto" : "smooth" });
    }
    const answer = sayAnswer(words, trip, ways, departures, now);
    const leaveBy = departures?.leaveBy?.departure ?? null;
    const leaveAt = trip.when === "arrive" ? leaveBy : trip.when === "leave" ? trip.moment : null;
    const title = words.t("trip.ways", {
        from: sayPlace(words, ways.origin), to: sayPlace(words, ways.destination), by: words.t(`trip.by.${ways.mode}`),
    });
    const question = [ways.origin, ways.destination, ways.mode, trip.when, trip.moment, trip.sure].join("|");
    useAnnounced(`${question}|${ways.routes[0].id}`, answer, isOwnDoing, announcer);
    const card = heading === "h2" ? "h3" : "h4";
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
        <div class="trip-found">
            <div>
                <${TripRoutes} ways=${ways} deadline=${trip.when === "arrive" ? trip.moment : null} chosen=${shown}
                    leaveByRoute=${departures?.leaveByRoute ?? new Map()} onChoose=${choose} heading=${card} />
            </div>
            <div class="trip-beside">
                ${departures && html`<${TripDeparture} trip=${trip} departures=${departures} heading=${card} />`}
                <section class="card" aria-labelledby="trip-map">
                    <${card} id="trip-map">${words.t("trip.map")}</${card}>
                    <${TripMap} routes=${ways.routes} chosen=${shown} onChoose=${setChosen}
                        onPick=${(/** @type {string} */ end, /** @type {string} */ spot) => onChange({ [end]: spot })}
                        sentence=${words.t("trip.map.sentence", { trip: title, n: ways.routes.length })}
                        trouble=${pointTrouble} />
                </section>
                ${ways.warnings.map((warning) => html`<p class="small" lang="en">${warning}</p>`)}
            </div>
        </div>
    </div>`;
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

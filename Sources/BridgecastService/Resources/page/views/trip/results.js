// What was found for a trip: the answer, ways, map and departure.
import { html, useEffect, useRef, useState } from "../../vendor/preact.js";
import { useApp, useSelected } from "../../core/hooks.js";
import { sayKnown, sayWarnings } from "../../model/notice.js";
import { ShareButton } from "../../parts/share.js";
import { RemindButton } from "./actions.js";
import { joinAnswer, sayAnswer, TripAnswer } from "./answer.js";
import { TripDeparture } from "./departure.js";
import { sayPlace } from "./question.js";
import { TripMap } from "./route-map.js";
import { FirstWay, OtherWays } from "./routes.js";
import { choicesOf } from "./ways.js";

/**
 * @param {object} given
 * @param {import("./view.js").Found} given.found
 * @param {import("./question.js").Corners} given.corners
 * @param {boolean} given.isWaiting whether a newer answer is on its way
 * @param {boolean} given.isOld whether there is none to be had
 * @param {boolean} given.isOwnDoing
 * @param {number} given.now
 * @param {string | null} given.pointTrouble what is wrong with a place that was picked on the map
 * @param {import("./form.js").Change} given.onChange
 * @param {"h2" | "h3"} given.heading tag of the answer
 */
export function TripResults({ found, corners, isWaiting, isOld, isOwnDoing, now, pointTrouble, onChange, heading }) {
    const { announcer, words } = useApp();
    const { trip, ways, departures } = found;
    const choices = choicesOf(ways.routes);
    const answer = sayAnswer(words, { trip, ways, departures, choices, now });
    const leaveBy = departures?.leaveBy?.departure ?? null;
    const leaveAt = trip.when === "arrive" ? leaveBy : trip.when === "leave" ? trip.time : null;
    const title = words.t("trip.ways", {
        from: sayPlace(words, ways.origin, corners), to: sayPlace(words, ways.destination, corners),
        by: words.t(`trip.by.${ways.mode}`),
    });
    const question = [ways.origin, ways.destination, ways.mode, trip.when, trip.time, trip.sure].join("|");
    useAnnounced(`${question}|${ways.routes[0].id}`, joinAnswer(answer), isOwnDoing, announcer);
    const below = heading === "h2" ? "h3" : "h4";
    return html`<div class=${isWaiting ? "trip-results is-waiting" : "trip-results"}
        aria-busy=${isWaiting ? "true" : undefined}>
        ${isOld && html`<p class="trip-old">${words.t("trip.old", {
            time: words.time(ways.issuedAt), age: words.duration((now - ways.issuedAt) / 1000) })}</p>`}
        <div class="trip-found">
            <div class="trip-answer">
                <${TripAnswer} answer=${answer} trip=${trip} now=${now} heading=${heading}
                    leaveAt=${isOld ? null : leaveAt} />
                ${ways.isUsualOnly && html`<p class="small">${words.t("trip.usual_only")}</p>`}
                <div class="trip-actions">
                    <${ShareButton} title=${title} view="trip" />
                    ${leaveAt !== null && html`<${RemindButton} question=${question} leaveAt=${leaveAt}
                        body=${joinAnswer(answer)} />`}
                </div>
            </div>
            <${FoundWays} found=${found} choices=${choices} title=${title} pointTrouble=${pointTrouble}
                onChange=${onChange} heading=${below} />
            <${TripDeparture} key=${trip.when} trip=${trip} now=${now} departures=${departures} heading=${below} />
            <p class="small">${sayKnown(words, ways.known)}</p>
            <${TripWarnings} warnings=${ways.warnings} />
        </div>
    </div>`;
}

/**
 * The ways as cards, and the map with the way that was chosen on top, under the first way or next to it.
 * @param {object} given
 * @param {import("./view.js").Found} given.found
 * @param {import("./ways.js").Choice[]} given.choices
 * @param {string} given.title
 * @param {string | null} given.pointTrouble
 * @param {import("./form.js").Change} given.onChange
 * @param {string} given.heading tag of the headings here
 */
function FoundWays({ found, choices, title, pointTrouble, onChange, heading }) {
    const { words } = useApp();
    const { trip, ways, departures } = found;
    const [chosen, setChosen] = useState("");
    const onTop = ways.routes.some((route) => route.id === chosen) ? chosen : ways.routes[0].id;
    /** @param {string} id */
    function choose(id) {
        setChosen(id);
        const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
        document.getElementById("trip-map")?.scrollIntoView({ block: "start", behavior: still ? "auto" : "smooth" });
    }
    const pick = (/** @type {string} */ end, /** @type {string} */ spot) => onChange({ [end]: spot });
    const shown = {
        ways, choices, deadline: trip.when === "arrive" ? trip.time : null,
        leaveByRoute: departures?.leaveByRoute ?? new Map(), chosen: onTop, onChoose: choose, heading,
    };
    return html`<${FirstWay} shown=${shown} />
        <section class="card trip-map-card" aria-labelledby="trip-map">
            <${heading} id="trip-map">${words.t("trip.map")}</${heading}>
            <${TripMap} routes=${ways.routes} chosen=${onTop} onChoose=${setChosen} onPick=${pick}
                sentence=${words.t("trip.map.sentence", { trip: title, n: ways.routes.length })}
                trouble=${pointTrouble} />
        </section>
        <${OtherWays} shown=${shown} />`;
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

// A trip as the address says it, the questions to the service that it makes, and as text why there is no answer.
import { html } from "../../vendor/preact.js";
import { useApp } from "../../core/hooks.js";
import { maxCharacters } from "../../core/router.js";
import { isFinal } from "../../data/api.js";
import { sayTrouble } from "../../model/notice.js";
import { seattleClock, seattleDate, seattleTime, seattleText } from "../../model/time.js";
import { isPoint, sayPlace } from "../../model/title.js";

export { isPoint, sayPlace };

/** @typedef {import("../../model/title.js").Corners} Corners */

/** @typedef {"now" | "leave" | "arrive"} When */
/**
 * @typedef {object} Trip
 * @property {string} from
 * @property {string} to
 * @property {import("../../core/types").Mode} mode
 * @property {When} when
 * @property {number | null} time to leave at or to arrive by, milliseconds since 1970; null for now
 * @property {"unreadable" | "past" | "far" | null} timeTrouble why the time cannot be asked for
 * @property {number} sure how sure to be of arriving in time
 */

/** The levels that can be chosen: 5, 8, 9 in 10 and 19 in 20. */
export const levels = [0.5, 0.8, 0.9, 0.95];
/** @param {number} sure @returns {string} its name in the messages' keys */
export const levelName = (sure) => String(Math.round(sure * 100));
/** @type {import("../../core/types").Mode[]} */
export const modes = ["car", "bike", "walk"];

const minute = 60_000;
// A time of the last minutes still means "now": a minute goes by while one chooses.
const pastSlackMilliseconds = 5 * minute;
/** The service forecasts departures up to so far ahead. */
export const farthestMilliseconds = 366 * 24 * 60 * minute;

/**
 * @param {Record<string, string>} values of the address
 * @param {number} now milliseconds
 * @returns {Trip}
 */
export function readTrip(values, now) {
    const mode = modes.find((one) => one === values.mode) ?? "car";
    const asked = Number(values.sure);
    const sure = levels.includes(asked) ? asked : 0.9;
    /** @type {When} */
    const when = values.arrive ? "arrive" : values.leave ? "leave" : "now";
    const time = when === "now" ? null : readWall(values[when], now);
    const isPast = time !== null && time < now - (when === "leave" ? pastSlackMilliseconds : 0);
    const isFar = time !== null && time > now + farthestMilliseconds;
    return {
        from: (values.from ?? "").trim(), to: (values.to ?? "").trim(), mode, sure, when, time,
        timeTrouble: when === "now" ? null : time === null ? "unreadable" : isPast ? "past" : isFar ? "far" : null,
    };
}

/**
 * A wall clock's time with its day, or of the day that is shown.
 * @param {string} text @param {number} now
 */
function readWall(text, now) {
    const clock = /^(\d{1,2}):(\d{2})$/.exec(text);
    return seattleTime(clock ? `${seattleDate(now)}T${clock[1].padStart(2, "0")}:${clock[2]}` : text.slice(0, 16));
}

/**
 * As the address and a field say a time: 2026-02-20T18:30.
 * @param {number} time
 */
export const wallText = (time) => `${seattleDate(time)}T${seattleClock(time)}`;

/**
 * A time to begin with when the visitor turns to another way of saying when, on five minutes.
 * @param {When} when @param {number} now
 */
export function proposedTime(when, now) {
    const ahead = when === "arrive" ? 60 * minute : 15 * minute;
    return wallText(Math.ceil((now + ahead) / (5 * minute)) * 5 * minute);
}

/**
 * Which of the two places is too long to be one.
 * @param {Trip} trip @returns {"from" | "to" | null}
 */
export const tooLongEnd = (trip) =>
    (trip.from.length > maxCharacters ? "from" : trip.to.length > maxCharacters ? "to" : null);

/** @param {Trip} trip */
const ends = (trip) => `from=${encodeURIComponent(trip.from)}&to=${encodeURIComponent(trip.to)}&mode=${trip.mode}`;

/**
 * Whether it says enough to be asked for.
 * @param {Trip} trip
 */
export const isAskable = (trip) =>
    trip.from !== "" && trip.to !== "" && trip.timeTrouble === null && tooLongEnd(trip) === null;

/**
 * The question when to leave.
 * @param {Trip} trip @param {number} now
 * @returns {string | null}
 */
export function departPath(trip, now) {
    if (!isAskable(trip)) return null;
    if (trip.when !== "arrive") return `depart?${ends(trip)}${departing(trip.time, now)}`;
    return `depart?${ends(trip)}&arrive_by=${written(Number(trip.time))}&confidence=${trip.sure}`;
}

/**
 * The question which way to take.
 * @param {Trip} trip @param {number} now
 * @param {number | null} leaveBy when to leave so as to arrive in time; null: now
 * @returns {string | null}
 */
export function routesPath(trip, now, leaveBy) {
    if (!isAskable(trip)) return null;
    const question = `routes?${ends(trip)}&directions=true`;
    if (trip.when !== "arrive") return `${question}${departing(trip.time, now)}`;
    const departure = leaveBy === null ? null : Math.floor(leaveBy / minute) * minute;
    const isMet = departure === null ? now < Number(trip.time) - minute : true;
    const arriving = isMet ? `&arrive_by=${written(Number(trip.time))}` : "";
    return `${question}${departing(departure, now)}${arriving}`;
}

/** @param {number} time */
const written = (time) => encodeURIComponent(seattleText(time));

/**
 * What is about now is left out, and the service says when that is.
 * @param {number | null} time @param {number} now
 */
const departing = (time, now) => (time === null || time < now + minute ? "" : `&depart=${written(time)}`);

/** @typedef {import("../../core/types").Trouble} Trouble */
/**
 * @typedef {object} ShownTrouble
 * @property {"from" | "to" | "when" | "all"} place next to which field it is shown
 * @property {string} text
 * @property {string | null} english the service's own words
 * @property {string[]} near what may have been meant
 * @property {string | null} hint which places are known
 * @property {boolean} isRetried whether the next try may succeed
 */

/**
 * @param {import("../../core/words.js").Words} words
 * @param {Trip} trip
 * @param {Trouble | null} trouble
 * @returns {ShownTrouble | null}
 */
export function sayTripTrouble(words, trip, trouble) {
    const long = tooLongEnd(trip);
    if (long) return said(long, words.t("trip.trouble.too_long"));
    if (trip.timeTrouble) return said("when", words.t(`trip.trouble.${trip.timeTrouble}`));
    if (!trouble) return null;
    if (trouble.kind !== "status") {
        return said("all", `${sayTrouble(words, trouble)} ${words.t("trouble.again")}`, { isRetried: true });
    }
    return sayParameter(words, trip, trouble) ?? sayRefusal(words, trouble);
}

/**
 * @param {ShownTrouble["place"]} place @param {string} text @param {Partial<ShownTrouble>} [more]
 * @returns {ShownTrouble}
 */
const said = (place, text, more = {}) =>
    ({ place, text, english: null, near: [], hint: null, isRetried: false, ...more });

/**
 * What is wrong with a parameter of the question; null if with none.
 * @param {import("../../core/words.js").Words} words @param {Trip} trip @param {Trouble} trouble
 */
function sayParameter(words, trip, trouble) {
    const { parameter, near } = trouble;
    if (parameter === "from" || parameter === "to") {
        const isName = !isPoint(trip[parameter]) && !isSamePlace(trouble);
        const hint = isName ? words.t("trip.trouble.places") : null;
        return said(parameter, sayUnknown(words, trip[parameter], trouble), { near, hint });
    }
    if (parameter === "depart") return said("when", words.t("trip.trouble.past"));
    if (parameter === "arrive_by") return said("when", words.t("trip.trouble.cannot_be_met"));
    if (parameter !== "mode") return null;
    const by = words.t(`trip.by.${trip.mode}`);
    return said("all", words.t(trip.mode === "car" ? "trip.trouble.no_way_by_car" : "trip.trouble.no_way", { by }));
}

/** @param {import("../../core/words.js").Words} words @param {Trouble} trouble */
function sayRefusal(words, trouble) {
    if (isFinal(trouble)) return said("all", words.t("trip.trouble.refused"), { english: trouble.detail });
    const seconds = trouble.retryAfterSeconds;
    const text = trouble.status === 429 ? words.t("trip.trouble.too_often") : sayTrouble(words, trouble);
    const next = seconds === null ? words.t("trouble.again")
        : words.t("notice.next_try", { age: words.duration(Math.ceil(seconds)) });
    return said("all", `${text} ${next}`, { isRetried: true });
}

/** @param {Trouble} trouble */
const isSamePlace = (trouble) => trouble.detail?.includes("same place") ?? false;

/** @param {import("../../core/words.js").Words} words @param {string} name @param {Trouble} trouble */
function sayUnknown(words, name, trouble) {
    if (isSamePlace(trouble)) return words.t("trip.trouble.same_place");
    if (isPoint(name)) return words.t("trip.trouble.point");
    // Marks that turn the direction of writing would turn the sentence too.
    const plain = name.replace(/[\p{Cc}\p{Cf}]/gu, " ");
    const shown = plain.length > 60 ? plain.slice(0, 60) + "…" : plain;
    return words.t(trouble.near.length > 0 ? "trip.trouble.place_near" : "trip.trouble.place", { name: shown });
}

/**
 * What is wrong with the whole, above the results.
 * @param {{ trouble: ShownTrouble, isOwnDoing: boolean, onRetry: () => void }} given
 */
export function TripTrouble({ trouble, isOwnDoing, onRetry }) {
    const { words } = useApp();
    return html`<div class="trip-trouble card" role=${isOwnDoing ? "alert" : undefined}>
        <p class="words-red">${trouble.text}</p>
        ${trouble.english && html`<p class="small" lang="en">${trouble.english}</p>`}
        ${trouble.isRetried && html`<p>
            <button type="button" onClick=${onRetry}>${words.t("notice.try_now")}</button></p>`}
    </div>`;
}

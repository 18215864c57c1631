// Why a trip has no answer, in words, and where that is to be said. Used by views/trip.js.
import { html } from "../vendor/preact.js";
import { useApp } from "../core/app.js";
import { isFinal } from "../data/api.js";
import { sayTrouble } from "../model/notice.js";
import { isPoint, tooLongEnd } from "../model/trip.js";

/** @typedef {import("../core/types").Trouble} Trouble */
/** @typedef {import("../model/trip.js").Trip} Trip */
/**
 * @typedef {object} SaidTrouble
 * @property {"from" | "to" | "when" | "all"} place beside which field it is said
 * @property {string} text
 * @property {string | null} english the service's own words
 * @property {string[]} near what may have been meant
 * @property {string | null} hint which places are known
 * @property {boolean} isRetried whether it may be well the next time
 */

/**
 * @param {import("../core/words.js").Words} words
 * @param {Trip} trip
 * @param {Trouble | null} trouble
 * @returns {SaidTrouble | null}
 */
export function sayTripTrouble(words, trip, trouble) {
    /**
     * @param {SaidTrouble["place"]} place @param {string} text @param {Partial<SaidTrouble>} [more]
     * @returns {SaidTrouble}
     */
    const said = (place, text, more = {}) =>
        ({ place, text, english: null, near: [], hint: null, isRetried: false, ...more });
    const long = tooLongEnd(trip);
    if (long) return said(long, words.t("trip.trouble.too_long"));
    if (trip.timeTrouble) return said("when", words.t(`trip.trouble.${trip.timeTrouble}`));
    if (!trouble) return null;
    if (trouble.kind !== "status") {
        return said("all", `${sayTrouble(words, trouble)} ${words.t("trouble.again")}`, { isRetried: true });
    }
    const { parameter, near } = trouble;
    if (parameter === "from" || parameter === "to") {
        const isName = !isPoint(trip[parameter]) && !isSamePlace(trouble);
        const hint = isName ? words.t("trip.trouble.places") : null;
        return said(parameter, sayUnknown(words, trip[parameter], trouble), { near, hint });
    }
    if (parameter === "depart") return said("when", words.t("trip.trouble.past"));
    if (parameter === "arrive_by") return said("when", words.t("trip.trouble.cannot_be_met"));
    if (parameter === "mode") {
        const by = words.t(`trip.by.${trip.mode}`);
        return said("all", words.t(trip.mode === "car" ? "trip.trouble.no_way_by_car" : "trip.trouble.no_way", { by }));
    }
    const seconds = trouble.retryAfterSeconds;
    if (isFinal(trouble)) {
        return said("all", words.t("trip.trouble.refused"), { english: trouble.detail });
    }
    const text = trouble.status === 429 ? words.t("trip.trouble.too_often") : sayTrouble(words, trouble);
    const next = seconds === null ? words.t("trouble.again")
        : words.t("notice.next_try", { age: words.duration(Math.ceil(seconds)) });
    return said("all", `${text} ${next}`, { isRetried: true });
}

/** @param {Trouble} trouble */
const isSamePlace = (trouble) => trouble.detail?.includes("same place") ?? false;

/** @param {import("../core/words.js").Words} words @param {string} name @param {Trouble} trouble */
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
 * @param {{ trouble: SaidTrouble, isOwnDoing: boolean, onRetry: () => void }} given
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

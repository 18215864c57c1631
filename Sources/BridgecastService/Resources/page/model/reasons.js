// Why a forecast is what it is: codes with values as sentences in the visitor's language. Used by cards and views.

/** @typedef {import("../core/types").Reason} Reason */
/** @typedef {{ text: string, lang?: string }} Sentence */
/** @typedef {{ chance: number, usual: number }} Forecast of being stopped, and what is usual for the hour */

// So many times the usual, or so many times less, is not explained by it.
const farTimes = 2;

/**
 * A reason as a sentence; one of an unknown code in the service's English.
 * @param {import("../core/words.js").Words} words
 * @param {Reason} reason
 * @param {number} [agedMinutes] since it was said: what was then 3 min ago is longer ago now
 * @returns {Sentence | null} null where it says nothing
 */
export function sayReason(words, reason, agedMinutes = 0) {
    const values = aged(reason.values ?? {}, agedMinutes);
    const key = keyOf(words, reason.code, values);
    if (words.has(key)) {
        const text = words.t(key, saidValues(words, values));
        // A value that is missing would leave its name in braces.
        if (!/\{\w+\}/.test(text)) return { text };
    }
    if (!reason.text) return null;
    const text = reason.text.charAt(0).toUpperCase() + reason.text.slice(1);
    return { text: text.endsWith(".") ? text : text + ".", lang: "en" };
}

/**
 * All reasons as sentences. The usual for the hour explains no forecast that is far from it: then that is said.
 * @param {import("../core/words.js").Words} words
 * @param {readonly Reason[]} reasons
 * @param {Forecast} forecast
 * @param {number} [agedMinutes]
 * @returns {Sentence[]}
 */
export function sayReasons(words, reasons, forecast, agedMinutes = 0) {
    const given = reasons.filter((reason) => reason);
    if (given.length === 1 && given[0].code === "usual") {
        const far = sayFar(words, forecast);
        if (far) return [{ text: far }];
    }
    return given.map((reason) => sayReason(words, reason, agedMinutes))
        .filter((sentence) => sentence !== null).map((sentence) => /** @type {Sentence} */ (sentence));
}

/** @param {import("../core/words.js").Words} words @param {Forecast} forecast @returns {string | null} */
function sayFar(words, { chance, usual }) {
    if (!Number.isFinite(chance) || !Number.isFinite(usual)) return null;
    const said = words.chance(usual);
    if (words.chance(chance) === said) return null;
    if (chance >= usual * farTimes) return words.t("reason.over_usual", { chance: said });
    return usual >= chance * farTimes ? words.t("reason.under_usual", { chance: said }) : null;
}

/** @param {Reason["values"]} values @param {number} minutes @returns {Reason["values"]} */
const aged = (values, minutes) => Object.fromEntries(Object.entries(values).map(([name, value]) =>
    [name, ["minutes_ago", "minutes"].includes(name) && typeof value === "number" ? value + minutes : value]));

/**
 * What is not a minute ago has just been.
 * @param {import("../core/words.js").Words} words @param {string} code
 * @param {Reason["values"]} values
 */
function keyOf(words, code, values) {
    const key = `reason.${code}`;
    const minutes = values.minutes_ago ?? values.minutes;
    return minutes === 0 && words.has(key + "_now") ? key + "_now" : key;
}

/**
 * @param {import("../core/words.js").Words} words
 * @param {Reason["values"]} values
 */
function saidValues(words, values) {
    /** @type {Record<string, string | number>} */
    const said = {};
    for (const [name, value] of Object.entries(values)) {
        if ((name === "probability" || name === "shorter_share") && typeof value === "number") {
            said[name] = words.chance(value);
        } else if ((name === "until" || name === "from") && typeof value === "string") said[name] = words.time(value);
        else if (typeof value === "string" || typeof value === "number") said[name] = value;
    }
    // `n` chooses among the plural forms.
    if ("openings" in said) said.n = said.openings;
    return said;
}

/**
 * The reasons of a bridge's card: without what the card says already.
 * @param {import("../core/words.js").Words} words
 * @param {import("../core/types").Bridge} bridge
 * @param {boolean} isWindowSaid whether the card says the closed window
 * @param {number} agedMinutes since the board was made
 * @returns {Sentence[]}
 */
export function cardReasons(words, bridge, isWindowSaid, agedMinutes) {
    const saidAlready = new Set(["raised", "raised_for", "state_unknown", ...(isWindowSaid ? ["closed_window"] : [])]);
    const unsaid = bridge.reasons.filter((reason) => reason && !saidAlready.has(reason.code));
    // With another reason, said here or elsewhere on the card, the usual is what that is held against.
    const isAlone = bridge.reasons.length === unsaid.length;
    const forecast = { chance: isAlone ? bridge.probability_stopped : NaN, usual: bridge.usual_probability_stopped };
    return sayReasons(words, unsaid, forecast, agedMinutes);
}

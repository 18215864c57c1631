// Why a forecast is what it is: codes with values as sentences in the visitor's language.

/** @typedef {import("../core/types").Reason} Reason */
/** @typedef {{ text: string, lang?: string }} Sentence */

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
 * All reasons as sentences.
 * @param {import("../core/words.js").Words} words
 * @param {readonly Reason[]} reasons
 * @param {number} [agedMinutes]
 * @returns {Sentence[]}
 */
export function sayReasons(words, reasons, agedMinutes = 0) {
    return reasons.filter((reason) => reason).map((reason) => sayReason(words, reason, agedMinutes))
        .filter((sentence) => sentence !== null).map((sentence) => /** @type {Sentence} */ (sentence));
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

/** Minutes after which a bridge that came down rests no longer, as the service has it. */
const restMinutes = 8;

/** @param {Reason} reason @param {number} agedMinutes since it was said */
const isOver = (reason, agedMinutes) => reason.code === "down_lately"
    && Number(reason.values?.minutes_ago ?? 0) + agedMinutes > restMinutes;

/**
 * The reasons of a bridge's card: without what the card says already.
 * @param {import("../core/words.js").Words} words
 * @param {readonly Reason[]} reasons
 * @param {boolean} isWindowSaid whether the card says the closed window
 * @param {number} agedMinutes since the board was made
 * @returns {Sentence[]}
 */
export function cardReasons(words, reasons, isWindowSaid, agedMinutes) {
    const saidAlready = new Set(["raised", "raised_for", "state_unknown", ...(isWindowSaid ? ["closed_window"] : [])]);
    const unsaid = reasons.filter((reason) => reason && !saidAlready.has(reason.code)
        && !isOver(reason, agedMinutes));
    return sayReasons(words, unsaid, agedMinutes);
}

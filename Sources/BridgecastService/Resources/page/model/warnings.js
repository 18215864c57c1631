// What the service warns of in a board of the past, in the visitor's language where it is known. Used by the banner.

const known = [
    { key: "warning.fitted", pattern: /^the model (in use )?was fitted to records of (this|these) / },
    { key: "warning.no_records", pattern: /^no records for this / },
];

/**
 * @param {import("../core/words.js").Words} words
 * @param {readonly string[]} warnings English
 * @returns {{ key: string | null, text: string }[]} without a key it is the service's own English
 */
export function sayWarnings(words, warnings) {
    const said = warnings.filter((text) => typeof text === "string" && text !== "").map((text) => {
        const key = known.find(({ pattern }) => pattern.test(text))?.key ?? null;
        const own = `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, "")}.`;
        return { key, text: key ? words.t(key) : own };
    });
    return said.filter((one, place) => said.findIndex((other) => other.text === one.text) === place);
}

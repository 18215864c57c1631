// The page's words in both languages, and bridges made up for tests of the texts about them.
import { readFileSync } from "node:fs";
import { Words } from "../../../Sources/BridgecastService/Resources/page/core/words.js";

const folder = new URL("../../../Sources/BridgecastService/Resources/page/text/", import.meta.url);
const read = (name) => JSON.parse(readFileSync(new URL(`${name}.json`, folder), "utf8"));
/** What a first visit has. */
export const firstTexts = { en: read("en"), es: read("es") };
/** What comes with the first view of buses. */
export const transitTexts = { en: read("en-transit"), es: read("es-transit") };
/** What comes with the journal of a person. */
export const meTexts = { en: read("en-me"), es: read("es-me") };
export const texts = {
    en: { ...firstTexts.en, ...transitTexts.en, ...meTexts.en }, es: { ...firstTexts.es, ...transitTexts.es, ...meTexts.es },
};
export const english = new Words(texts.en, texts.en, "en-US");
export const spanish = new Words(texts.es, texts.en, "es");

/** Spaces of all kinds are one. */
export const plain = (text) => text.replace(/[\s\u2060]+/g, " ").replaceAll(" – ", "–").replaceAll(" –", "–")
    .replaceAll("– ", "–");

export const noon = Date.parse("2026-02-20T12:00:00-08:00");
export const live = { kind: "live", readAt: noon, ageSeconds: 0 };
export const dead = { kind: "dead", readAt: noon - 3_600_000, ageSeconds: 3600 };

/**
 * A bridge with a chance each five minutes from noon on.
 * @param {number} id @param {number[]} chances @param {object} [more]
 */
export function bridgeWith(id, chances, more = {}) {
    return {
        bridge: ["", "1st Ave S", "Ballard", "Fremont", "Montlake"][id] ?? `Bridge ${id}`, bridge_id: id,
        waterway: id === 1 ? "Duwamish Waterway" : "Lake Washington Ship Canal",
        has_live_sensor: true, state: "lowered", since: null, reasons: [], delay_quantiles_s: [],
        outlook: chances.map((chance, n) => ({
            valid_time: new Date(noon + n * 300_000).toISOString(), lead_time_s: n * 300,
            probability_stopped: chance, climatology_probability_stopped: 0.04, expected_delay_s: 60 * n, basis: "live",
        })),
        ...more,
    };
}

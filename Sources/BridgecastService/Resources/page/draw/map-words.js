// What a map says to those who do not see it, in sentences. Used by draw/map.js.
import { sayCount } from "../model/headline.js";

/** @typedef {import("../core/words.js").Words} Words */
/** @typedef {{ name: string, state: import("../core/types").BridgeState }} Shown */

/**
 * "Ballard: raised for 3 min".
 * @param {Words} words @param {import("../core/types").Bridge} bridge
 * @param {import("../core/types").BridgeState} state the one that is shown @param {number} now
 */
export function spanWords(words, bridge, state, now) {
    const since = Date.parse(bridge.since ?? "");
    const isTimed = state !== "unknown" && state === bridge.state && Number.isFinite(since) && now >= since;
    const values = { bridge: bridge.bridge, age: isTimed ? words.duration((now - since) / 1000) : "" };
    return words.t(`map.span.${state}${isTimed ? "_for" : ""}`, values);
}

/**
 * "Ship Canal: Ballard up, three down, University not known": without a verb, for it may be past.
 * @param {Words} words @param {string} mapId @param {Shown[]} spans
 */
export function mapWords(words, mapId, spans) {
    const named = (/** @type {Shown["state"]} */ state) =>
        spans.filter((span) => span.state === state).map((span) => span.name);
    const said = (/** @type {string} */ key, /** @type {string[]} */ names) =>
        words.t(key, { n: names.length, bridges: words.list(names) });
    const [raised, lowered, unknown] = [named("raised"), named("lowered"), named("unknown")];
    const parts = [];
    if (raised.length > 0) parts.push(said("map.some_up", raised));
    if (unknown.length === spans.length) parts.push(words.t("map.none_known"));
    else if (lowered.length === spans.length) parts.push(words.t("map.all_down"));
    else if (lowered.length === 1) parts.push(words.t("map.one_down", { bridge: lowered[0] }));
    else if (lowered.length > 1) {
        parts.push(words.t("map.some_down", { count: sayCount(words, lowered.length) }));
    }
    if (unknown.length > 0 && unknown.length < spans.length) parts.push(said("map.some_unknown", unknown));
    return words.t("map.name", { map: words.t(`map.title.${mapId}`), states: parts.join(", ") });
}

/**
 * What the shade means; empty while there is none.
 * @param {Words} words @param {import("../model/convoy.js").Wave[]} waves
 */
export function waveWords(words, waves) {
    const names = [...new Set(waves.map((wave) => wave.bridge))];
    return names.length > 0 ? words.t("map.wave", { bridges: words.list(names) }) : "";
}

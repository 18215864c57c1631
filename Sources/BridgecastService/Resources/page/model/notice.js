// What is wrong or special, one notice at a time, and what the service warns of in a board of the past.
import { sayCount } from "./headline.js";
import { silentBridges } from "./status.js";

/** @typedef {import("../core/types").State} State */
/** @typedef {import("./status.js").Status} Status */
/** @typedef {"replay" | "offline" | "error" | "dead" | "stale" | "silent"} NoticeKind */

/**
 * @param {State} state
 * @param {Status} status
 * @returns {NoticeKind | null}
 */
export function noticeOf(state, status) {
    if (state.replay) return "replay";
    if (!state.isOnline || state.trouble?.kind === "offline") return "offline";
    if (state.trouble) return "error";
    if (status.kind === "dead") return "dead";
    if (status.kind === "stale") return "stale";
    const bridges = state.board?.bridges ?? [];
    if (silentBridges(bridges).length === 0) return null;
    // Where no bridge reports it is the feed that is missing.
    return bridges.every((bridge) => bridge.state === "unknown") ? "dead" : "silent";
}

/**
 * A notice as text.
 * @param {import("../core/words.js").Words} words
 * @param {NoticeKind} kind
 * @param {State} state
 * @param {Status} status with the age of now
 * @param {number} now
 */
export function sayNotice(words, kind, state, status, now) {
    const age = words.duration(status.ageSeconds);
    const { readAt } = status;
    switch (kind) {
        case "replay": {
            const said = words.t("notice.replay", { day: words.day(now), time: words.time(now) });
            return state.isOnline ? said : `${said} ${words.t("notice.offline_short")}`;
        }
        case "offline":
            return readAt === null ? words.t("notice.offline_empty")
                : words.t("notice.offline", { time: words.time(readAt), age });
        case "error": return sayTrouble(words, state.trouble);
        case "dead":
            // The feed may be read and have no bridge in it.
            if (status.kind !== "dead") return words.t("notice.dead_all");
            return readAt === null ? words.t("notice.dead_never")
                : words.t("notice.dead", { time: words.timeOrDay(readAt, now) });
        case "stale":
            return words.t("notice.stale", { age, time: words.timeWithSeconds(readAt ?? now) });
        case "silent": return saySilent(words, state);
    }
}

/**
 * Why there is no answer; without the next try. The same words wherever an answer lacks.
 * @param {import("../core/words.js").Words} words
 * @param {import("../core/types").Trouble | null} trouble
 */
export const sayTrouble = (words, trouble) =>
    words.t(`trouble.${trouble?.kind ?? "cut"}`, { status: String(trouble?.status ?? "") });

/** @param {import("../core/words.js").Words} words @param {State} state */
function saySilent(words, state) {
    const bridges = state.board?.bridges ?? [];
    const silent = silentBridges(bridges).map((bridge) => bridge.bridge);
    const live = bridges.filter((bridge) => bridge.state !== "unknown").length;
    const names = words.t("notice.silent", { names: words.list(silent), n: silent.length });
    return `${names}; ${words.t("notice.live", { count: sayCount(words, live), n: live })}`;
}

/**
 * What forecasts were made from: a replay and a played day know different things at the same minute.
 * @param {import("../core/words.js").Words} words
 * @param {import("../core/types").Known | undefined} known
 * @returns {string | null}
 */
export function sayKnown(words, known) {
    if (!known || !Array.isArray(known.bridges)) return null;
    const time = known.openings_since === null ? "" : words.time(known.openings_since);
    const key = known.bridges.length === 0 ? "all" : known.openings_known;
    return words.t(`known.states_${key}`, { n: known.bridges.length, time });
}

const translated = [
    { key: "warning.fitted", pattern: /^the model (in use )?was fitted to records of (this|these) /i },
    { key: "warning.no_records", pattern: /^no records for this /i },
    { key: "warning.no_season", pattern: /^the model's records have hardly a day of this season/i },
];

/**
 * @param {import("../core/words.js").Words} words
 * @param {readonly string[]} warnings English
 * @returns {{ key: string | null, text: string }[]} without a key it is the service's own English
 */
export function sayWarnings(words, warnings) {
    const said = warnings.filter((text) => typeof text === "string" && text !== "").map((text) => {
        const key = translated.find(({ pattern }) => pattern.test(text))?.key ?? null;
        const own = `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, "")}.`;
        return { key, text: key ? words.t(key) : own };
    });
    return said.filter((one, place) => said.findIndex((other) => other.text === one.text) === place);
}

// How fresh everything is, in words: live, a replay of the service or its end, old, or of a day that is played. Used by
// parts/age.js.
import { endOfReplay, isReplayingService } from "./sensors.js";

/**
 * "Live, as of 18:05:10, 9 s ago".
 * @param {import("../core/words.js").Words} words
 * @param {import("../core/types").State} state
 * @param {import("./status.js").Status} status
 * @param {number} now
 * @returns {{ key: "live" | "replaying" | "ended" | "old" | "replay", text: string } | null} null while nothing is read
 */
export function sayAge(words, state, status, now) {
    const { kind, readAt } = status;
    if (kind === "loading") return null;
    if (kind === "replay") return { key: "replay", text: words.t("age.replay", { time: words.timeWithSeconds(now) }) };
    if (readAt === null) return { key: "old", text: words.t("age.never") };
    const isCurrent = kind === "live" && state.isOnline && !state.trouble;
    const end = endOfReplay(state.board);
    if (isCurrent && now >= end) return { key: "ended", text: words.t("age.ended", { time: words.time(end) }) };
    const key = !isCurrent ? "old" : isReplayingService(state.board) ? "replaying" : "live";
    const age = words.duration(status.ageSeconds);
    return { key, text: words.t(`age.${key}`, { time: words.timeWithSeconds(readAt), age }) };
}

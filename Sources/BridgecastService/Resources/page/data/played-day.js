// The record of the day that is played: asked until it is there, and again while the day goes on. Used by replay.js.
import { isFinal, NoAnswer, trouble, troubleOf } from "./api.js";
import { isDay } from "./shapes.js";

const pauseSeconds = 5;
const leastAgeMilliseconds = 60_000;

/**
 * @param {object} parts
 * @param {{ get: (path: string) => Promise<any> }} parts.api
 * @param {(day: import("../core/types").DayDocument) => void} parts.came
 * @param {(trouble: import("../core/types").Trouble | null) => void} parts.heard whether the last answer was one
 * @param {() => number} parts.elapsed milliseconds
 * @param {(call: () => void, milliseconds: number) => any} parts.wait
 */
export function createPlayedDay({ api, came, heard, elapsed, wait }) {
    let date = "";
    // Only the last question counts.
    let round = 0;
    let askedAt = -Infinity;
    let lacks = false;

    async function ask() {
        const own = ++round;
        askedAt = elapsed();
        try {
            const day = await api.get(`days/${date}?forecasts=false`);
            if (own !== round) return;
            if (!isDay(day)) throw new NoAnswer(trouble("not_json"));
            lacks = false;
            heard(null);
            came(day);
        } catch (error) {
            if (own === round) fail(error, own);
        }
    }

    /** @param {unknown} error @param {number} own */
    function fail(error, own) {
        const said = troubleOf(error);
        lacks = true;
        heard(said);
        if (isFinal(said)) return;
        const seconds = Math.max(1, said.retryAfterSeconds ?? pauseSeconds);
        wait(() => { if (own === round) ask(); }, seconds * 1000);
    }

    return {
        /** @param {string} wanted such as 2026-02-20 */
        ask(wanted) {
            date = wanted;
            lacks = true;
            ask();
        },
        /** Asks again now and then: the day is not over. */
        renew() {
            if (!lacks && elapsed() - askedAt > leastAgeMilliseconds) ask();
        },
        /** Tries again at once. */
        retry() {
            if (lacks) ask();
        },
        forget() {
            round += 1;
            lacks = false;
        },
    };
}

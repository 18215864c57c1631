// The boards of a day that is played: asked one at a time, the newest wanted first, others ahead. Used by replay.js.
import { NoAnswer, trouble, troubleOf } from "./api.js";
import { isBoard } from "./shapes.js";
import { seattleText } from "../model/seattle.js";

/** @typedef {import("../core/types").Board} Board */

const leastPauseMilliseconds = 1000;
const mostKept = 30;
const mostPauseSeconds = 30;

/**
 * @param {object} parts
 * @param {{ get: (path: string) => Promise<any> }} parts.api
 * @param {() => void} parts.came a board is there that was not
 * @param {(trouble: import("../core/types").Trouble | null) => void} parts.heard whether the last answer was one
 * @param {() => number} [parts.elapsed] milliseconds
 * @param {(call: () => void, milliseconds: number) => any} [parts.wait]
 */
export function createPlayedBoards({ api, came, heard, elapsed = () => performance.now(), wait = setTimeout }) {
    /** @type {Map<number, Board>} by the moment that they were made for */
    const kept = new Map();
    /** @type {number[]} moments, the most urgent first */
    let wanted = [];
    let isAsking = false;
    let isWaiting = false;
    let notBefore = -Infinity;
    let failures = 0;
    // Answers to questions of a day that was left are dropped.
    let round = 0;

    async function ask() {
        const moment = wanted.find((other) => !kept.has(other));
        if (moment === undefined || isAsking || isWaiting) return;
        const pause = notBefore - elapsed();
        if (pause > 0) {
            isWaiting = true;
            wait(() => { isWaiting = false; ask(); }, pause);
            return;
        }
        isAsking = true;
        notBefore = elapsed() + leastPauseMilliseconds;
        const asked = round;
        try {
            const board = await api.get("bridges?issue_time=" + encodeURIComponent(seattleText(moment)));
            if (!isBoard(board)) throw new NoAnswer(trouble("not_json"));
            if (asked === round) take(moment, board);
        } catch (error) {
            if (asked === round) fail(error);
        } finally {
            isAsking = false;
        }
        ask();
    }

    /** @param {number} moment @param {Board} board */
    function take(moment, board) {
        failures = 0;
        kept.set(moment, board);
        for (const old of kept.keys()) {
            if (kept.size <= mostKept) break;
            kept.delete(old);
        }
        heard(null);
        came();
    }

    /** @param {unknown} error */
    function fail(error) {
        failures += 1;
        const said = troubleOf(error);
        const seconds = said.retryAfterSeconds ?? Math.min(mostPauseSeconds, 2 ** failures);
        notBefore = elapsed() + Math.max(1, seconds) * 1000;
        heard(said);
    }

    return {
        /**
         * Wants the boards of some moments, the most urgent first; what was wanted before is not any more.
         * @param {number[]} moments
         */
        want(moments) {
            wanted = moments;
            ask();
        },
        /**
         * The newest board that was made for a moment or a little earlier, never one of later.
         * @param {number} moment @param {number} oldest
         * @returns {Board | null}
         */
        best(moment, oldest) {
            let found = -Infinity;
            for (const other of kept.keys()) if (other <= moment && other >= oldest && other > found) found = other;
            return kept.get(found) ?? null;
        },
        /** Tries again at once. */
        retry() {
            failures = 0;
            notBefore = Math.min(notBefore, elapsed());
            isWaiting = false;
            ask();
        },
        forget() {
            round += 1;
            wanted = [];
            kept.clear();
            failures = 0;
        },
        get size() { return kept.size; },
    };
}

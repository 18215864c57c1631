// What follows a question without an answer; the programs have the same results (Recovery.swift).
import { isFinal } from "./api.js";

/** @typedef {import("../core/types").Trouble} Trouble */
/** @typedef {{ result: "retryScheduled", seconds: number } | { result: "userActionRequired", message: string }} Recovery */

const maxSeconds = 60;
const maxDoublings = 6;

/**
 * A refusal is the visitor's to mend. All else is asked again, after pauses that double up to a minute, and not before the
 * time that the service asks for.
 * @param {Trouble} trouble
 * @param {number} failures one after another, from 1
 * @param {{ random?: number, maxRestSeconds?: number }} [how] random: 0 to 1, spreads pages by a fifth
 * @returns {Recovery}
 */
export function recoveryFrom(trouble, failures, how = {}) {
    const { random = 0.5, maxRestSeconds = maxSeconds } = how;
    if (isFinal(trouble)) {
        return { result: "userActionRequired", message: trouble.recovery ?? trouble.detail ?? trouble.kind };
    }
    return { result: "retryScheduled", seconds: pauseSeconds(trouble, failures, random, maxRestSeconds) };
}

/** @param {Trouble} trouble @param {number} failures @param {number} [random] @param {number} [maxRestSeconds] */
export function pauseSeconds(trouble, failures, random = 0.5, maxRestSeconds = maxSeconds) {
    const backoff = Math.min(maxSeconds, 2 ** Math.min(failures, maxDoublings) * (0.8 + 0.4 * random));
    return Math.max(1, trouble.retryAfterSeconds === null ? backoff
        : Math.min(maxRestSeconds, trouble.retryAfterSeconds));
}

// The documents of a past day that is played: its boards, asked for one at a time, and its record.
import { isBoard, isDay } from "../core/checks.js";
import { seattleText } from "../model/time.js";
import { isFinal, NoAnswer, trouble, troubleOf } from "./api.js";

/** @typedef {import("../core/types").Board} Board */
/** @typedef {import("../core/types").Trouble} Trouble */
/**
 * @template Document
 * @typedef {object} Parts
 * @property {{ get: (path: string) => Promise<any> }} api
 * @property {(document: Document) => void} came a document is there that was not
 * @property {(trouble: Trouble | null) => void} heard whether the last answer was one
 * @property {() => number} elapsed milliseconds
 * @property {(call: () => void, milliseconds: number) => any} wait
 */

const minPauseMilliseconds = 1000;
const maxKept = 30;
const maxPauseSeconds = 30;

/** Boards of the day, by the time that they were made for. */
export class PlayedBoards {
    #parts;
    /** @type {Map<number, Board>} */
    #kept = new Map();
    /** @type {number[]} times, the most urgent first */
    #wanted = [];
    #isAsking = false;
    #isWaiting = false;
    #notBefore = -Infinity;
    #failures = 0;
    // Answers to questions of a day that was left are dropped.
    #round = 0;

    /** @param {Parts<Board>} parts */
    constructor(parts) {
        this.#parts = parts;
    }

    /**
     * Wants the boards of some times, the most urgent first; what was wanted before is not any more.
     * @param {number[]} times
     */
    want(times) {
        this.#wanted = times;
        this.#ask();
    }

    /**
     * The newest board that was made for a time or a little earlier, never a later one.
     * @param {number} time @param {number} oldest
     * @returns {Board | null}
     */
    best(time, oldest) {
        let found = -Infinity;
        for (const other of this.#kept.keys()) {
            if (other <= time && other >= oldest && other > found) found = other;
        }
        return this.#kept.get(found) ?? null;
    }

    /** Tries again at once. */
    retry() {
        this.#failures = 0;
        this.#notBefore = Math.min(this.#notBefore, this.#parts.elapsed());
        this.#isWaiting = false;
        this.#ask();
    }

    forget() {
        this.#round += 1;
        this.#wanted = [];
        this.#kept.clear();
        this.#failures = 0;
    }

    async #ask() {
        const time = this.#wanted.find((other) => !this.#kept.has(other));
        if (time === undefined || this.#isAsking || this.#isWaiting || this.#isTooEarly()) return;
        this.#isAsking = true;
        this.#notBefore = this.#parts.elapsed() + minPauseMilliseconds;
        const round = this.#round;
        try {
            const board = await this.#parts.api.get("bridges?issue_time=" + encodeURIComponent(seattleText(time)));
            if (!isBoard(board)) throw new NoAnswer(trouble("not_json"));
            if (round === this.#round) this.#take(time, board);
        } catch (error) {
            if (round === this.#round) this.#fail(error);
        } finally {
            this.#isAsking = false;
        }
        this.#ask();
    }

    /** Whether the pause between two questions is not over; asks when it is. */
    #isTooEarly() {
        const { elapsed, wait } = this.#parts;
        const pause = this.#notBefore - elapsed();
        if (pause <= 0) return false;
        this.#isWaiting = true;
        wait(() => { this.#isWaiting = false; this.#ask(); }, pause);
        return true;
    }

    /** @param {number} time @param {Board} board */
    #take(time, board) {
        this.#failures = 0;
        this.#kept.set(time, board);
        for (const old of this.#kept.keys()) {
            if (this.#kept.size <= maxKept) break;
            this.#kept.delete(old);
        }
        this.#parts.heard(null);
        this.#parts.came(board);
    }

    /** @param {unknown} error */
    #fail(error) {
        this.#failures += 1;
        const reported = troubleOf(error);
        const seconds = reported.retryAfterSeconds ?? Math.min(maxPauseSeconds, 2 ** this.#failures);
        this.#notBefore = this.#parts.elapsed() + Math.max(1, seconds) * 1000;
        this.#parts.heard(reported);
    }
}

const dayPauseSeconds = 5;
const minDayAgeMilliseconds = 60_000;

/** The record of the day: asked for until it is there, and again while the day goes on. */
export class PlayedDay {
    #parts;
    #date = "";
    // Only the last question counts.
    #round = 0;
    #askedAt = -Infinity;
    #lacks = false;

    /** @param {Parts<import("../core/types").DayDocument>} parts */
    constructor(parts) {
        this.#parts = parts;
    }

    /** @param {string} date such as 2026-02-20 */
    ask(date) {
        this.#date = date;
        this.#lacks = true;
        this.#ask();
    }

    /** Asks again now and then: the day is not over. */
    renew() {
        if (!this.#lacks && this.#parts.elapsed() - this.#askedAt > minDayAgeMilliseconds) this.#ask();
    }

    /** Tries again at once. */
    retry() {
        if (this.#lacks) this.#ask();
    }

    forget() {
        this.#round += 1;
        this.#lacks = false;
    }

    async #ask() {
        const round = ++this.#round;
        this.#askedAt = this.#parts.elapsed();
        try {
            const day = await this.#parts.api.get(`days/${this.#date}?forecasts=false`);
            if (round !== this.#round) return;
            if (!isDay(day)) throw new NoAnswer(trouble("not_json"));
            this.#lacks = false;
            this.#parts.heard(null);
            this.#parts.came(day);
        } catch (error) {
            if (round === this.#round) this.#fail(error, round);
        }
    }

    /** @param {unknown} error @param {number} round */
    #fail(error, round) {
        const reported = troubleOf(error);
        this.#lacks = true;
        this.#parts.heard(reported);
        if (isFinal(reported)) return;
        const seconds = Math.max(1, reported.retryAfterSeconds ?? dayPauseSeconds);
        this.#parts.wait(() => { if (round === this.#round) this.#ask(); }, seconds * 1000);
    }
}

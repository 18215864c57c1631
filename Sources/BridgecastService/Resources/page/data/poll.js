// Asks a question again and again: every half a minute, sooner where an answer ends or a feed has something new or a
// clock is played fast, rarely in a hidden page, and after a failure with growing pauses.
import { intervalFactors, networkCondition } from "./network.js";
import { pauseSeconds, recoveryFrom } from "./recovery.js";

/** @typedef {import("../core/types").Trouble} Trouble */
/**
 * @typedef {object} Outcome of a question
 * @property {Trouble | null} trouble why there is no answer
 * @property {number | null} [at] the time that the answer is about, milliseconds since 1970
 * @property {number | null} [validUntil] when it ends
 */

const pollMilliseconds = 30_000;
const hiddenPollMilliseconds = 60_000;
// A clock that is played fast needs answers sooner, but not without end.
const minPollMilliseconds = 3_000;
const minPauseMilliseconds = 5_000;
// Many pages show the same: they do not ask in the same moment.
const spreadMilliseconds = 2_000;

export class Poll {
    #clock;
    #question;
    #isOnce;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #timer;
    #isOpen = false;
    #isAsking = false;
    #isWantedAgain = false;
    #askedAt = -Infinity;
    #failures = 0;
    /** @type {Outcome | null} */
    #outcome = null;

    /**
     * @param {{ readonly rate: number }} clock @param {() => Promise<Outcome>} question which never fails itself
     * @param {{ isOnce?: boolean }} [how] once: not after an answer, nor where the next would be the same
     */
    constructor(clock, question, how = {}) {
        this.#clock = clock;
        this.#question = question;
        this.#isOnce = how.isOnce ?? false;
    }

    open() {
        this.#isOpen = true;
        this.schedule();
    }

    /** An answer that is on its way still comes. */
    close() {
        this.#isOpen = false;
        clearTimeout(this.#timer);
    }

    /** Asks at once, because the visitor wants it. */
    retry() {
        this.#failures = 0;
        if (!this.#isAsking) this.ask();
    }

    /** Asks at once; while an answer is on its way, right after it. */
    async ask() {
        clearTimeout(this.#timer);
        this.#isWantedAgain = this.#isAsking;
        if (this.#isAsking) return;
        this.#isAsking = true;
        this.#askedAt = performance.now();
        this.#outcome = await this.#question();
        this.#isAsking = false;
        this.#failures = this.#outcome.trouble ? this.#failures + 1 : 0;
        if (!this.#isOpen) return;
        if (this.#isWantedAgain) this.ask();
        else this.schedule();
    }

    /** The next question, reckoned from the last: a page that is seen again asks at once if that is over. */
    schedule() {
        if (!this.#isOpen || this.#isAsking) return;
        clearTimeout(this.#timer);
        const pause = this.#pause();
        if (pause === Infinity) return;
        const left = this.#askedAt + pause - performance.now();
        if (left <= 0) this.ask();
        else this.#timer = setTimeout(() => this.ask(), left);
    }

    /** A feed has answered: what it said is asked for. */
    askSoon() {
        if (!this.#isOpen || document.hidden || this.#isAsking || this.#failures > 0) return;
        clearTimeout(this.#timer);
        const pause = Math.max(0, this.#askedAt + minPauseMilliseconds - performance.now());
        this.#timer = setTimeout(() => this.ask(), pause + Math.random() * spreadMilliseconds);
    }

    /** Milliseconds from question to question. */
    #pause() {
        const { trouble, at = null, validUntil = null } = this.#outcome ?? { trouble: null };
        const recovery = trouble && recoveryFrom(trouble, this.#failures);
        const isFinal = recovery?.result === "userActionRequired";
        if (this.#isOnce && this.#outcome && (!trouble || isFinal)) return Infinity;
        if (trouble) return isFinal ? hiddenPollMilliseconds : pauseSeconds(trouble, this.#failures) * 1000;
        if (document.hidden) return hiddenPollMilliseconds;
        const rate = Math.max(1, this.#clock.rate);
        const regular = Math.max(minPollMilliseconds, pollMilliseconds * intervalFactors[networkCondition()] / rate);
        if (at === null || validUntil === null) return regular;
        const left = (validUntil - at) / rate + Math.random() * spreadMilliseconds;
        return Math.min(regular, Math.max(minPauseMilliseconds, left));
    }
}

// Plays a past day through the code of the live page: its boards are those that the service would have made then, and
// the clock runs through the day. The address names the time that is shown.
import { movedBridges, nextChange, readTime } from "../model/day.js";
import { seattleDate } from "../model/time.js";
import { PlayedAddress, PlayedMoment } from "./played-address.js";
import { PlayedBoards, PlayedDay } from "./played.js";

/** @typedef {import("../core/types").Board} Board */
/** @typedef {import("../core/types").Trouble} Trouble */
/** @typedef {import("../core/clock.js").Clock} Clock */
/**
 * @typedef {object} Store
 * @property {import("../core/types").State} state
 * @property {(action: import("../core/types").Action) => void} dispatch
 * @property {(listener: () => void) => () => void} subscribe
 */
/** @typedef {(call: () => void, milliseconds: number) => any} Wait */
/** @typedef {(changes: Record<string, string | null>, how?: { isReplaced?: boolean }) => void} ChangeAddress */

const minute = 60_000;
// A seek asks for its board first; what was shown stays that long, so that the page does not flicker.
const graceMilliseconds = 300;
const oldestMinutes = 10;
const stepsAhead = 3;

/** Whether the visitor wants less motion. */
const prefersLessMotion = () => globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;

export class Replay {
    #store;
    #clock;
    #live;
    #elapsed;
    #wait;
    #isStepped;
    #boards;
    #days;
    #address;
    #moment;
    #speed = 60;
    #span = { from: 0, to: 0 };
    /** @type {Board | null} the board that was dispatched last */
    #shown = null;
    /** @type {Board | null} what the live page knew last */
    #left = null;
    #graceEnd = -Infinity;
    #stepAt = 0;
    /** @type {{ day: Trouble | null, board: Trouble | null }} */
    #troubles = { day: null, board: null };
    // Only the last timer counts.
    #round = 0;

    /**
     * @param {object} parts
     * @param {{ get: (path: string) => Promise<any> }} parts.api
     * @param {Store} parts.store
     * @param {Clock} parts.clock
     * @param {{ retry: () => void, pause: () => void }} parts.live
     * @param {{ change: ChangeAddress }} parts.router
     * @param {() => number} [parts.elapsed] milliseconds
     * @param {Wait} [parts.wait]
     * @param {() => boolean} [parts.isStepped] whether the clock jumps once a second instead of running
     * @param {PlayedMoment} [parts.moment]
     */
    constructor(parts) {
        const {
            api, store, clock, live, router, elapsed = () => performance.now(),
            wait = (call, pause) => setTimeout(call, pause), isStepped = prefersLessMotion,
            moment = new PlayedMoment(),
        } = parts;
        this.#store = store;
        this.#clock = clock;
        this.#live = live;
        this.#elapsed = elapsed;
        this.#wait = wait;
        this.#isStepped = isStepped;
        this.#moment = moment;
        this.#boards = new PlayedBoards({
            api, elapsed, wait, heard: (board) => this.#report({ board }), came: () => this.#tick(),
        });
        this.#days = new PlayedDay({
            api, elapsed, wait, heard: (day) => this.#report({ day }),
            came: (day) => { this.#change({ day }); this.#tick(); },
        });
        this.#address = new PlayedAddress({
            store, clock, router, wait, begin: (value) => this.#follow(value), leave: () => this.#leave(),
        });
    }

    /** Follows the address. */
    start() {
        this.#address.start();
        globalThis.document?.addEventListener("visibilitychange", () => this.#tick());
        globalThis.addEventListener?.("pagehide", () => this.keepMoment());
    }

    /** Keeps where the day is, for a page that is loaded again. */
    keepMoment() {
        const { replay, address } = this.#store.state;
        if (!replay) return;
        this.#moment.keep({
            address: address.values.replay ?? "", time: this.#clock.now(), speed: this.#speed, isPlaying: this.#isPlaying,
        });
    }

    /**
     * Opens a day; the way back leads to what was shown before.
     * @param {string} date @param {string} [clockText] such as 18:00
     */
    open(date, clockText) {
        const wasPlayed = this.#store.state.replay !== null;
        if (this.#begin(clockText ? `${date}T${clockText}` : date)) this.#address.write(wasPlayed);
    }

    play() {
        if (!this.#store.state.replay) return;
        this.#forgetRefused();
        this.#change({ isPlaying: true });
        const now = this.#clock.now();
        this.#look(now >= this.#limit ? this.#span.from : now);
        this.#address.keepWriting(() => this.#isPlaying);
    }

    pause() {
        if (!this.#store.state.replay) return;
        this.#change({ isPlaying: false });
        this.#look(this.#clock.now());
        this.#address.write();
    }

    /** @param {number} milliseconds since 1970 */
    seek(milliseconds) {
        if (!this.#store.state.replay) return;
        this.#forgetRefused();
        this.#look(milliseconds);
        this.#address.writeSoon();
    }

    /** @param {number} speed seconds of the day in a second */
    setSpeed(speed) {
        this.#speed = Math.min(3600, Math.max(1, Number(speed) || 1));
        this.#change({ speed: this.#speed });
        if (this.#store.state.replay) this.#look(this.#clock.now());
    }

    /** Tries again at once. */
    retry() {
        this.#days.retry();
        this.#boards.retry();
    }

    /** Back to the present, also from a time that was refused. */
    stop() {
        const wasPlayed = this.#store.state.replay !== null;
        this.#leave();
        this.#address.clear(!wasPlayed);
    }

    get #isPlaying() { return this.#store.state.replay?.isPlaying ?? false; }

    /** Nothing is asked for as of a time that is not over. */
    get #limit() {
        return Math.max(this.#span.from, Math.min(this.#span.to - minute, this.#clock.serviceNow() - minute));
    }

    get #rate() { return this.#isPlaying && !this.#isStepped() ? this.#speed : 0; }

    /** @param {Partial<import("../core/types").Replay>} changes */
    #change(changes) {
        const { replay } = this.#store.state;
        if (replay) this.#store.dispatch({ type: "replay", replay: { ...replay, ...changes } });
    }

    /** @param {{ day?: Trouble | null, board?: Trouble | null }} changes */
    #report(changes) {
        this.#troubles = { ...this.#troubles, ...changes };
        const trouble = this.#troubles.day ?? this.#troubles.board;
        const { replay } = this.#store.state;
        if (replay && replay.trouble !== trouble) this.#change({ trouble });
    }

    /** @param {Board | null} board */
    #show(board) {
        this.#shown = board;
        this.#store.dispatch({ type: "board", board });
    }

    /** @param {number} time @param {number} rate */
    #run(time, rate) {
        this.#clock.play(Math.min(Math.max(time, this.#span.from), this.#limit), rate);
    }

    /** Shows what belongs to the clock's time, asks for what is missing, and comes back when something changes. */
    #tick() {
        const round = ++this.#round;
        if (!this.#store.state.replay) return;
        if (this.#isPlaying && this.#clock.now() >= this.#limit) this.pause();
        if (this.#isPlaying && this.#clock.rate !== this.#rate) this.#run(this.#clock.now(), this.#rate);
        const time = this.#clock.now();
        const between = (this.#isPlaying ? Math.max(1, Math.ceil(this.#speed / 60)) : 1) * minute;
        const first = Math.max(this.#span.from, Math.floor(time / between) * between);
        this.#boards.want(globalThis.document?.hidden ? [] : this.#wanted(first, between));
        this.#showBoard(time, between);
        this.#showRecord(time);
        this.#comeBack(round, time, first + between);
    }

    /** @param {number} first @param {number} between milliseconds from board to board */
    #wanted(first, between) {
        const ahead = Array.from({ length: this.#isPlaying ? stepsAhead : 0 }, (_, n) => first + (n + 1) * between);
        return [first, ...ahead.filter((other) => other <= this.#limit)];
    }

    /** @param {number} time @param {number} between milliseconds from board to board */
    #showBoard(time, between) {
        const board = this.#boards.best(time, time - oldestMinutes * minute - stepsAhead * between);
        if (board && board !== this.#shown) this.#show(board);
        else if (!board && this.#store.state.board && this.#elapsed() >= this.#graceEnd) this.#show(null);
    }

    /**
     * The records say to the second when a bridge moved; boards come once a minute.
     * @param {number} time
     */
    #showRecord(time) {
        const day = this.#store.state.replay?.day ?? null;
        for (const moved of movedBridges(day, this.#store.state.board, time)) {
            this.#store.dispatch({ type: "bridge", ...moved });
        }
        if (day && Date.parse(day.to) < time) this.#days.renew();
    }

    /** @param {number} round @param {number} time @param {number} nextBoard when the next board is due */
    #comeBack(round, time, nextBoard) {
        if (this.#isPlaying) {
            const day = this.#store.state.replay?.day ?? null;
            const next = Math.min(nextBoard, day ? nextChange(day, time) : Infinity, this.#limit);
            const pause = this.#isStepped() ? this.#stepAt - this.#elapsed()
                : Math.min(1000, (next - time) / this.#speed);
            this.#wait(() => { if (round === this.#round) this.#step(); }, Math.max(20, pause));
        } else if (this.#graceEnd > this.#elapsed()) {
            this.#wait(() => { if (round === this.#round) this.#tick(); }, this.#graceEnd - this.#elapsed());
        }
    }

    /** Goes on; boards that come in between do not put the next step off. */
    #step() {
        if (this.#isStepped() && this.#elapsed() >= this.#stepAt) {
            this.#stepAt = this.#elapsed() + 1000;
            this.#run(this.#clock.now() + this.#speed * 1000, 0);
        }
        this.#tick();
    }

    /**
     * The address has named a time; that of a page that is loaded again goes on where it was.
     * @param {string} value @returns {boolean} whether there is such a time
     */
    #follow(value) {
        const moment = this.#moment.take(value);
        if (!this.#begin(value)) return false;
        if (!moment) return true;
        this.setSpeed(moment.speed);
        this.#look(moment.time);
        if (moment.isPlaying) this.play();
        return true;
    }

    /** @param {string} value such as 2026-02-20T18:00 @returns {boolean} whether there is such a time */
    #begin(value) {
        const read = readTime(value, this.#clock.serviceNow());
        const isRefused = "refused" in read;
        if (!isRefused) {
            if (this.#store.state.replay?.date !== read.date) this.#openDay(read.date, read.day);
            this.#look(read.time);
        }
        // A later time of today is not refused, but another one is shown.
        const code = isRefused ? read.refused : read.time >= this.#clock.serviceNow() ? "later" : null;
        this.#store.dispatch({ type: "refused", refused: code && { value, code } });
        return !isRefused;
    }

    #forgetRefused() {
        if (this.#store.state.refused) this.#store.dispatch({ type: "refused", refused: null });
    }

    /** @param {string} date @param {{ from: number, to: number }} span */
    #openDay(date, span) {
        if (!this.#store.state.replay) this.#left = this.#store.state.board;
        this.#live.pause();
        this.#boards.forget();
        this.#span = span;
        this.#troubles = { day: null, board: null };
        this.#store.dispatch({
            type: "replay", replay: { date, day: null, isPlaying: false, speed: this.#speed, trouble: null },
        });
        this.#store.dispatch({ type: "trouble", trouble: null, nextTryAt: null });
        this.#show(null);
        this.#days.ask(date);
    }

    /** @param {number} time */
    #look(time) {
        this.#run(time, this.#rate);
        this.#graceEnd = this.#elapsed() + graceMilliseconds;
        this.#stepAt = this.#elapsed() + 1000;
        this.#tick();
    }

    #leave() {
        this.#forgetRefused();
        if (!this.#store.state.replay) return;
        this.#round += 1;
        this.#days.forget();
        this.#boards.forget();
        this.#clock.leavePlay();
        this.#store.dispatch({ type: "replay", replay: null });
        this.#show(this.#left);
        this.#left = null;
        this.#live.retry();
    }
}

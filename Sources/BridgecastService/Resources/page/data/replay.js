// Plays a past day through the code of the live page: its boards are those that the service would have made then, and
// the one clock runs through the day. Used by main.js, the time bar and the banner.
import { createPlayedAddress } from "./played-address.js";
import { createPlayedBoards } from "./played-boards.js";
import { createPlayedDay } from "./played-day.js";
import { movedBridges, nextChange, readMoment } from "../model/day.js";

const minute = 60_000;
// A seek asks for its board first; what was shown stays that long, so that the page does not flicker.
const graceMilliseconds = 300;
const oldestMinutes = 10;
const stepsAhead = 3;

/**
 * @param {object} parts
 * @param {{ get: (path: string) => Promise<any> }} parts.api
 * @param {{ readonly state: import("../core/types").State, dispatch: (action: import("../core/types").Action) => void,
 *     subscribe: (listener: () => void) => () => void }} parts.store
 * @param {import("../core/clock.js").Clock} parts.clock
 * @param {{ retry: () => void, pause: () => void }} parts.live
 * @param {{ change: (changes: Record<string, string | null>, how?: { isReplaced?: boolean }) => void }} parts.router
 * @param {() => number} [parts.elapsed] milliseconds
 * @param {(call: () => void, milliseconds: number) => any} [parts.wait]
 * @param {() => boolean} [parts.isStepped] whether the visitor wants less motion: the clock jumps once a second
 */
export function createReplay({
    api, store, clock, live, router, elapsed = () => performance.now(), wait = (call, pause) => setTimeout(call, pause),
    isStepped = () => globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false,
}) {
    const boards = createPlayedBoards({ api, elapsed, wait, heard: (board) => tell({ board }), came: () => tick() });
    const days = createPlayedDay({
        api, elapsed, wait, heard: (said) => tell({ day: said }), came: (day) => { change({ day }); tick(); },
    });
    const address = createPlayedAddress({ store, clock, router, wait, begin, leave });
    let [speed, span] = [60, { from: 0, to: 0 }];
    /** @type {import("../core/types").Board | null} the board that was dispatched last */
    let shown = null;
    /** @type {import("../core/types").Board | null} what the live page knew last */
    let left = null;
    let [graceEnd, stepAt] = [-Infinity, 0];
    /** @type {{ day: import("../core/types").Trouble | null, board: import("../core/types").Trouble | null }} */
    let troubles = { day: null, board: null };
    // Only the last timer counts.
    let round = 0;

    /** Nothing is asked as of a moment that is not over. */
    const limit = () => Math.max(span.from, Math.min(span.to - minute, clock.serviceNow() - minute));
    const isPlaying = () => store.state.replay?.isPlaying ?? false;

    function change(/** @type {Partial<import("../core/types").Replay>} */ changes) {
        if (store.state.replay) store.dispatch({ type: "replay", replay: { ...store.state.replay, ...changes } });
    }

    function tell(/** @type {Partial<typeof troubles>} */ changes) {
        troubles = { ...troubles, ...changes };
        const said = troubles.day ?? troubles.board;
        if (store.state.replay && store.state.replay.trouble !== said) change({ trouble: said });
    }

    function show(/** @type {import("../core/types").Board | null} */ board) {
        shown = board;
        store.dispatch({ type: "board", board });
    }

    /** @param {number} moment @param {number} rate */
    const run = (moment, rate) => clock.play(Math.min(Math.max(moment, span.from), limit()), rate);
    const rate = () => (isPlaying() && !isStepped() ? speed : 0);

    /** Shows what belongs to the clock's moment, asks for what lacks, and comes back when something changes. */
    function tick() {
        const own = ++round;
        if (!store.state.replay) return;
        if (isPlaying() && clock.now() >= limit()) pause();
        if (isPlaying() && clock.rate !== rate()) run(clock.now(), rate());
        const moment = clock.now();
        const between = (isPlaying() ? Math.max(1, Math.ceil(speed / 60)) : 1) * minute;
        const first = Math.max(span.from, Math.floor(moment / between) * between);
        const ahead = Array.from({ length: isPlaying() ? stepsAhead : 0 }, (_, n) => first + (n + 1) * between);
        boards.want(globalThis.document?.hidden ? [] : [first, ...ahead.filter((other) => other <= limit())]);

        const board = boards.best(moment, moment - oldestMinutes * minute - stepsAhead * between);
        if (board && board !== shown) show(board);
        else if (!board && store.state.board && elapsed() >= graceEnd) show(null);
        const { day } = store.state.replay;
        // The records tell to the second when a bridge moved; boards come once a minute.
        for (const moved of movedBridges(day, store.state.board, moment)) store.dispatch({ type: "bridge", ...moved });
        if (day && Date.parse(day.to) < moment) days.renew();

        if (isPlaying()) {
            const next = Math.min(first + between, day ? nextChange(day, moment) : Infinity, limit());
            const pause = isStepped() ? stepAt - elapsed() : Math.min(1000, (next - moment) / speed);
            wait(() => { if (own === round) step(); }, Math.max(20, pause));
        } else if (graceEnd > elapsed()) {
            wait(() => { if (own === round) tick(); }, graceEnd - elapsed());
        }
    }

    /** Goes on; boards that come in between do not put the next step off. */
    function step() {
        if (isStepped() && elapsed() >= stepAt) {
            stepAt = elapsed() + 1000;
            run(clock.now() + speed * 1000, 0);
        }
        tick();
    }

    /** @param {string} value such as 2026-02-20T18:00 @returns {boolean} whether there is such a moment */
    function begin(value) {
        const read = readMoment(value, clock.serviceNow());
        store.dispatch({ type: "refused", refused: "refused" in read ? { value, code: read.refused } : null });
        if ("refused" in read) return false;
        if (store.state.replay?.date !== read.date) {
            if (!store.state.replay) left = store.state.board;
            live.pause();
            boards.forget();
            span = read.day;
            troubles = { day: null, board: null };
            const { date } = read;
            store.dispatch({ type: "replay", replay: { date, day: null, isPlaying: false, speed, trouble: null } });
            store.dispatch({ type: "trouble", trouble: null, nextTryAt: null });
            show(null);
            days.ask(date);
        }
        look(read.moment);
        return true;
    }

    /** @param {number} moment */
    function look(moment) {
        run(moment, rate());
        graceEnd = elapsed() + graceMilliseconds;
        stepAt = elapsed() + 1000;
        tick();
    }

    function leave() {
        if (store.state.refused) store.dispatch({ type: "refused", refused: null });
        if (!store.state.replay) return;
        round += 1;
        days.forget();
        boards.forget();
        clock.leavePlay();
        store.dispatch({ type: "replay", replay: null });
        show(left);
        left = null;
        live.retry();
    }

    function pause() {
        if (!store.state.replay) return;
        change({ isPlaying: false });
        look(clock.now());
        address.write();
    }

    return {
        /** Follows the address. */
        start() {
            address.start();
            globalThis.document?.addEventListener("visibilitychange", () => tick());
        },
        /**
         * Opens a day; the way back leads to what was shown before.
         * @param {string} date @param {string} [clockText] such as 18:00
         */
        open(date, clockText) {
            const wasPlayed = store.state.replay !== null;
            if (begin(clockText ? `${date}T${clockText}` : date)) address.write(wasPlayed);
        },
        play() {
            if (!store.state.replay) return;
            change({ isPlaying: true });
            look(clock.now() >= limit() ? span.from : clock.now());
            address.keepWriting(isPlaying);
        },
        pause,
        /** @param {number} milliseconds since 1970 */
        seek(milliseconds) {
            if (!store.state.replay) return;
            look(milliseconds);
            address.writeSoon();
        },
        /** @param {number} faster seconds of the day in a second */
        setSpeed(faster) {
            speed = Math.min(3600, Math.max(1, Number(faster) || 1));
            change({ speed });
            if (store.state.replay) look(clock.now());
        },
        /** Tries again at once. */
        retry() { days.retry(); boards.retry(); },
        /** Back to the present, also from a moment that was refused. */
        stop() {
            const wasPlayed = store.state.replay !== null;
            leave();
            address.clear(!wasPlayed);
        },
    };
}

// The address of a past day that is played: followed where it changes, and written as the clock runs. What it does not
// have, the second, the speed, and whether the day is playing, is kept for a page that is loaded again.
import { seattleClock, seattleDate, seattleTime } from "../model/time.js";

/** @typedef {import("./replay.js").Store} Store */
/** @typedef {import("./replay.js").Wait} Wait */
/** @typedef {import("./replay.js").ChangeAddress} ChangeAddress */
/** @typedef {import("../core/clock.js").Clock} Clock */

const minute = 60_000;
// Browsers allow an address to be changed a few times a second only.
const pauseMilliseconds = 400;
// A link that is copied while a day is played leads to about where it was.
const keptMilliseconds = 5000;

const minuteOf = (/** @type {number} */ time) => Math.floor(time / minute);

/** The time of the past that the address names: hears of another one, writes the one that is shown. */
export class PlayedAddress {
    #parts;
    /** @type {string | null} the value that is shown */
    #followed = null;
    #round = 0;
    #keptRound = 0;

    /**
     * @param {object} parts
     * @param {Store} parts.store
     * @param {Clock} parts.clock
     * @param {{ change: ChangeAddress }} parts.router
     * @param {Wait} parts.wait
     * @param {(value: string) => boolean} parts.begin shows a time; false if there is no such time
     * @param {() => void} parts.leave back to the present
     */
    constructor(parts) {
        this.#parts = parts;
    }

    start() {
        this.#parts.store.subscribe(() => this.#follow());
        this.#parts.clock.subscribe(() => this.#follow());
        this.#follow();
    }

    /** Writes the clock's time; not replaced where the way back is to lead to what was shown before. */
    write(isReplaced = true) {
        const now = this.#parts.clock.now();
        this.#round += 1;
        this.#followed = `${seattleDate(now)}T${seattleClock(now)}`;
        this.#parts.router.change({ replay: this.#followed }, { isReplaced });
    }

    /** The same when no more is written for a while. */
    writeSoon() {
        const round = ++this.#round;
        this.#parts.wait(() => { if (round === this.#round) this.write(); }, pauseMilliseconds);
    }

    /**
     * The same now and then, for as long as something holds.
     * @param {() => boolean} holds
     */
    keepWriting(holds) {
        const round = ++this.#keptRound;
        this.#parts.wait(() => {
            if (round !== this.#keptRound || !holds()) return;
            this.write();
            this.keepWriting(holds);
        }, keptMilliseconds);
    }

    clear(isReplaced = true) {
        this.#round += 1;
        this.#followed = null;
        this.#parts.router.change({ replay: null }, { isReplaced });
    }

    #follow() {
        const { store, clock, begin, leave } = this.#parts;
        const value = store.state.address.values.replay ?? null;
        // Which days are over is known when the service has reported its time.
        if (value === this.#followed || (value !== null && !clock.isSet)) return;
        this.#followed = value;
        if (value === null) leave();
        else if (!begin(value)) {
            // While nothing is played it stays, next to the reason: the visitor takes it out.
            if (clock.isPlayed) this.write();
        } else if (minuteOf(seattleTime(value) ?? NaN) !== minuteOf(clock.now())) this.write();
    }
}

/** @typedef {{ address: string, time: number, speed: number, isPlaying: boolean }} Moment */

const momentName = "bridgecast played";

/** The moment at which a page was left, for this tab only. */
export class PlayedMoment {
    #storage;

    /** @param {Pick<Storage, "getItem" | "setItem" | "removeItem"> | null} [storage] */
    constructor(storage = ownStorage()) {
        this.#storage = storage;
    }

    /** @param {Moment} moment */
    keep(moment) {
        try {
            this.#storage?.setItem(momentName, JSON.stringify(moment));
        } catch {
            // Full or forbidden: a page that is loaded again begins with the address's minute.
        }
    }

    /**
     * The moment of a page that is loaded again with the same address; only once.
     * @param {string} address @returns {Moment | null}
     */
    take(address) {
        try {
            const moment = JSON.parse(this.#storage?.getItem(momentName) ?? "null");
            this.#storage?.removeItem(momentName);
            const isOne = moment?.address === address && Number.isFinite(moment.time) && Number.isFinite(moment.speed);
            return isOne ? moment : null;
        } catch {
            return null;
        }
    }
}

function ownStorage() {
    try {
        return globalThis.sessionStorage ?? null;
    } catch {
        return null;
    }
}

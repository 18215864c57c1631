// What happens once in the picture: vehicles come in, and a ring spreads from the visitor's stop.

const entranceMilliseconds = 500;
const pulseMilliseconds = 1_400;
const pulseCount = 3;
const pulseRadius = { from: 8, to: 32 };

export class Moments {
    #enteredAt = Infinity;
    #pulsedAt = -Infinity;

    /**
     * The first vehicles are known.
     * @param {number} time milliseconds
     */
    enter(time) {
        this.#enteredAt = Math.min(this.#enteredAt, time);
    }

    /**
     * Another stop is the visitor's.
     * @param {number} time milliseconds
     */
    pulse(time) {
        this.#pulsedAt = time;
    }

    /**
     * How far vehicles have come in, slower towards the end.
     * @param {number} time milliseconds @returns {number} from 0 to 1
     */
    entranceAt(time) {
        const share = Math.max(0, Math.min(1, (time - this.#enteredAt) / entranceMilliseconds));
        return 1 - (1 - share) ** 3;
    }

    /**
     * The ring, three times.
     * @param {number} time milliseconds @returns {{ radius: number, alpha: number } | null} pixels
     */
    pulseAt(time) {
        const passed = (time - this.#pulsedAt) / pulseMilliseconds;
        if (passed < 0 || passed >= pulseCount) return null;
        const share = passed % 1;
        return { radius: pulseRadius.from + (pulseRadius.to - pulseRadius.from) * share, alpha: 0.7 * (1 - share) };
    }

    /** @param {number} time milliseconds */
    isEntering(time) {
        return time >= this.#enteredAt && time < this.#enteredAt + entranceMilliseconds;
    }
}

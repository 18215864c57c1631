// How good the network is, measured by the page's own requests; the programs have the same rule (NetworkCondition.swift).

/** @typedef {"good" | "slow" | "poor" | "offline"} NetworkCondition */

/** By how much intervals between requests that can wait are longer than on a good network. */
export const intervalFactors = /** @type {const} */ ({ good: 1, slow: 1.5, poor: 2, offline: 4 });

const windowLength = 8;
const minCount = 4;
const offlineFailures = 3;
// A condition gets better only when the figures are clearly below its limits.
const easing = 0.7;

export class NetworkMeter {
    /** @type {NetworkCondition} */
    #condition = "good";
    /** @type {(number | null)[]} */
    #requests = [];

    /** @returns {NetworkCondition} after the last request */
    get condition() { return this.#condition; }

    /** @param {number | null} seconds that an answer took, whatever its status; null where none came */
    record(seconds) {
        this.#requests = [...this.#requests, seconds].slice(-windowLength);
        const [found, eased] = [this.#measured(1), this.#measured(easing)];
        if (isWorse(found, this.#condition)) this.#condition = found;
        else if (isWorse(this.#condition, eased)) this.#condition = eased;
    }

    /** @param {number} scale of the limits @returns {NetworkCondition} */
    #measured(scale) {
        const last = this.#requests.slice(-offlineFailures);
        if (last.length === offlineFailures && last.every((one) => one === null)) return "offline";
        const seconds = median(this.#requests);
        const share = this.#requests.filter((one) => one === null).length / Math.max(this.#requests.length, minCount);
        if (seconds >= 3 * scale || share >= 0.3 * scale) return "poor";
        return seconds >= scale || share >= 0.125 * scale ? "slow" : "good";
    }
}

/** @param {NetworkCondition} one @param {NetworkCondition} other */
const isWorse = (one, other) => intervalFactors[one] > intervalFactors[other];

/** @param {(number | null)[]} requests @returns {number} of those that were answered */
function median(requests) {
    const answered = requests.filter((one) => one !== null).map(Number).sort((one, other) => one - other);
    if (answered.length === 0) return 0;
    const middle = Math.floor(answered.length / 2);
    return answered.length % 2 === 1 ? answered[middle] : (answered[middle - 1] + answered[middle]) / 2;
}

/** The network of this page. */
export const network = new NetworkMeter();

/** @returns {NetworkCondition} at once offline where the browser says so */
export const networkCondition = () => navigator.onLine === false ? "offline" : network.condition;

// Equal questions within half a second are one: they share the one that is on its way, or its answer.

const sharedMilliseconds = 500;

/**
 * @template T
 * @typedef {object} Shared
 * @property {number} askedAt
 * @property {number} waiting how many wait for it
 * @property {boolean} isOver
 * @property {AbortController} leaving
 * @property {Promise<T>} answer
 */

/** @template T */
export class SharedQuestions {
    /** @type {Map<string, Shared<T>>} */
    #all = new Map();

    /**
     * The answer to a question. A failure reaches all that wait for it, and is not kept.
     * @param {string} key equal keys, equal questions
     * @param {(signal: AbortSignal) => Promise<T>} ask aborted when none waits for it any more
     * @param {AbortSignal} [signal] the caller's
     * @returns {Promise<T>}
     */
    ask(key, ask, signal) {
        const now = performance.now();
        for (const [other, { isOver, askedAt }] of this.#all) {
            if (isOver && now - askedAt >= sharedMilliseconds) this.#all.delete(other);
        }
        const shared = this.#all.get(key) ?? this.#begin(key, ask, now);
        shared.waiting += 1;
        return signal ? this.#untilAborted(key, shared, signal) : shared.answer;
    }

    /** What was answered may have changed. */
    forget() {
        this.#all.clear();
    }

    /** @param {string} key @param {(signal: AbortSignal) => Promise<T>} ask @param {number} now @returns {Shared<T>} */
    #begin(key, ask, now) {
        const leaving = new AbortController();
        /** @type {Shared<T>} */
        const shared = { askedAt: now, waiting: 0, isOver: false, leaving, answer: ask(leaving.signal) };
        this.#all.set(key, shared);
        shared.answer.then(() => { shared.isOver = true; }, () => {
            shared.isOver = true;
            this.#drop(key, shared);
        });
        return shared;
    }

    /** @param {string} key @param {Shared<T>} shared @param {AbortSignal} signal @returns {Promise<T>} */
    #untilAborted(key, shared, signal) {
        return new Promise((resolve, reject) => {
            const leave = () => {
                shared.waiting -= 1;
                if (shared.waiting === 0 && !shared.isOver) {
                    this.#drop(key, shared);
                    shared.leaving.abort();
                }
                reject(signal.reason);
            };
            if (signal.aborted) { leave(); return; }
            signal.addEventListener("abort", leave, { once: true });
            shared.answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
        });
    }

    /** @param {string} key @param {Shared<T>} shared */
    #drop(key, shared) {
        if (this.#all.get(key) === shared) this.#all.delete(key);
    }
}

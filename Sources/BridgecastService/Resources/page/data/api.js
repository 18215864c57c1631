// Asks the service: one way for all answers, with a time limit and with troubles that say what is wrong.
import { network } from "./network.js";
import { SharedQuestions } from "./shared-questions.js";

/** @typedef {import("../core/types").Trouble} Trouble */

/**
 * @typedef {object} Answer
 * @property {any} value
 * @property {{ at: number, serviceTime: number } | null} kept when the service worker kept it, by this machine's
 *     clock and by the service's; null for an answer of now
 */

const base = "api/v1/";
const limitMilliseconds = 10_000;

/** What is thrown where there is no answer. */
export class NoAnswer extends Error {
    /** @param {Trouble} trouble */
    constructor(trouble) {
        super(trouble.detail ?? trouble.kind);
        this.trouble = trouble;
    }
}

/** @param {Trouble["kind"]} kind @param {Partial<Trouble>} [more] @returns {Trouble} */
export function trouble(kind, more = {}) {
    return {
        kind, status: null, detail: null, recovery: null, parameter: null, near: [], code: null,
        retryAfterSeconds: null, ...more,
    };
}

export class API {
    #heardTime;
    #fetch;
    /** @type {SharedQuestions<Answer>} */
    #shared = new SharedQuestions();

    /**
     * @param {(milliseconds: number) => void} heardTime what the service's clock says
     * @param {typeof fetch} [ask]
     */
    constructor(heardTime, ask = (...given) => fetch(...given)) {
        this.#heardTime = heardTime;
        this.#fetch = ask;
    }

    /**
     * GET of a document.
     * @param {string} path such as bridges/3?hours=6
     * @param {AbortSignal} [signal] the caller's: an answer that is not needed any more is dropped
     * @returns {Promise<any>}
     * @throws {NoAnswer}
     */
    async get(path, signal) {
        return (await this.#asked(path, signal)).value;
    }

    /**
     * The same where it matters whether the service was reached; offline an earlier answer may be kept.
     * @param {string} path
     * @returns {Promise<Answer>}
     * @throws {NoAnswer}
     */
    getOrKept(path) {
        return this.#asked(path);
    }

    /**
     * @param {string} path @param {AbortSignal} [signal]
     * @returns {Promise<Answer>}
     */
    async #asked(path, signal) {
        try {
            return await this.#shared.ask(path, (leaving) => this.#limited(path, leaving), signal);
        } catch (error) {
            // The caller did not wait.
            throw error instanceof NoAnswer ? error : new NoAnswer(unreached());
        }
    }

    /** @param {string} path @param {AbortSignal} signal @returns {Promise<Answer>} */
    async #limited(path, signal) {
        const limit = new AbortController();
        let isLate = false;
        const timer = setTimeout(() => { isLate = true; limit.abort(); }, limitMilliseconds);
        const leave = () => limit.abort();
        signal.addEventListener("abort", leave);
        const start = performance.now();
        try {
            const answer = await this.#answer(path, limit.signal);
            measure(start, answer.kept === null);
            return answer;
        } catch (error) {
            if (!signal.aborted) measure(start, error instanceof NoAnswer);
            if (error instanceof NoAnswer) throw error;
            throw new NoAnswer(isLate ? trouble("late") : unreached());
        } finally {
            clearTimeout(timer);
            signal.removeEventListener("abort", leave);
        }
    }

    /** @param {string} path @param {AbortSignal} signal @returns {Promise<Answer>} */
    async #answer(path, signal) {
        const response = await this.#fetch(base + path, {
            // Asked again with its ETag: a document that has not changed costs a line.
            cache: "no-cache", signal, headers: { Accept: "application/json, application/geo+json" },
        });
        const time = Date.parse(response.headers.get("X-Service-Time") ?? "");
        const keptAt = response.headers.get("X-Kept-At");
        if (keptAt === null && Number.isFinite(time)) this.#heardTime(time);
        const text = await response.text();
        const value = readResponse(response, text);
        return { value, kept: keptAt === null ? null : { at: Date.parse(keptAt), serviceTime: time } };
    }
}

/**
 * Measures the network by a request.
 * @param {number} start when it was sent @param {boolean} isAnswered by the service, whatever it said
 */
export function measure(start, isAnswered) {
    network.record(isAnswered ? (performance.now() - start) / 1000 : null);
}

/**
 * What is wrong, of whatever was thrown.
 * @param {unknown} error
 */
export const troubleOf = (error) => (error instanceof NoAnswer ? error.trouble : trouble("not_json"));

/**
 * Whether the visitor has to mend it: asked again the answer would be the same.
 * @param {Trouble} trouble
 */
export const isFinal = ({ status }) => status !== null && status >= 400 && status < 500 && ![408, 429].includes(status);

/** The service was not reached: the network is gone, or only the service is. */
export const unreached = () => trouble(navigator.onLine ? "cut" : "offline");

/**
 * The document of a response.
 * @param {Response} response @param {string} text its body
 * @throws {NoAnswer}
 */
export function readResponse(response, text) {
    /** @type {any} */
    let value;
    try {
        value = JSON.parse(text);
    } catch {
        // A proxy's page, or half a document: its status still says something.
        throw new NoAnswer(response.ok ? trouble("not_json") : failure(response, {}));
    }
    if (!response.ok) throw new NoAnswer(failure(response, value));
    if (value === null || typeof value !== "object") throw new NoAnswer(trouble("not_json"));
    return value;
}

/** @param {Response} response @param {any} problem @returns {Trouble} */
function failure(response, problem) {
    const isText = (/** @type {unknown} */ x) => typeof x === "string";
    const text = (/** @type {any} */ x) => (isText(x) ? x.slice(0, 400) : null);
    const seconds = Number(response.headers.get("Retry-After") ?? problem?.retry_after_s ?? NaN);
    return trouble("status", {
        status: response.status, code: text(problem?.code), detail: text(problem?.detail),
        recovery: text(problem?.recovery), parameter: text(problem?.parameter),
        near: Array.isArray(problem?.suggestions) ? problem.suggestions.filter(isText).slice(0, 8) : [],
        retryAfterSeconds: Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds, 600) : null,
    });
}

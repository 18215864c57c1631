// Asks the service for what belongs to one person, below api/v1/me. The token goes into a header and nowhere else, and no
// cache keeps an answer.
import { measure, NoAnswer, readResponse, trouble, unreached } from "./api.js";
import { SharedQuestions } from "./shared-questions.js";

const base = "api/v1/me";
const limitMilliseconds = 15_000;
// A journal of a thousand journeys on a slow network.
const documentLimitMilliseconds = 60_000;

/**
 * A token as it is sent; null for what can be none: a header has printable ASCII without blanks.
 * @param {string} text as it was typed or pasted
 */
export function readToken(text) {
    const token = text.trim();
    return /^[\x21-\x7e]{1,200}$/.test(token) ? token : null;
}

export class MeAPI {
    #token;
    #fetch;
    /** @type {SharedQuestions<{ response: Response, text: string }>} */
    #shared = new SharedQuestions();

    /**
     * @param {string} token
     * @param {typeof fetch} [ask]
     */
    constructor(token, ask = (...given) => fetch(...given)) {
        this.#token = token;
        this.#fetch = ask;
    }

    /**
     * @param {string} path below api/v1/me, such as /favourites
     * @returns {Promise<any>}
     * @throws {NoAnswer}
     */
    async get(path) {
        const { response, text } = await this.#shared.ask(path, () => this.#asked(path, {}));
        return readResponse(response, text);
    }

    /**
     * The text of a document, as the service wrote it.
     * @param {string} path
     * @returns {Promise<string>}
     * @throws {NoAnswer}
     */
    async getText(path) {
        const { response, text } = await this.#asked(path, {}, documentLimitMilliseconds);
        readResponse(response, text);
        return text;
    }

    /**
     * Sends a form: nothing private is in an address.
     * @param {string} path @param {Record<string, string>} form
     * @returns {Promise<any>}
     * @throws {NoAnswer}
     */
    async post(path, form) {
        const { response, text } = await this.#asked(path, { method: "POST", body: new URLSearchParams(form) });
        return readResponse(response, text);
    }

    /**
     * Changes what is sent, as a form.
     * @param {string} path @param {Record<string, string>} form
     * @returns {Promise<any>}
     * @throws {NoAnswer}
     */
    async patch(path, form) {
        const { response, text } = await this.#asked(path, { method: "PATCH", body: new URLSearchParams(form) });
        return readResponse(response, text);
    }

    /**
     * A stream of events, which the caller reads and ends.
     * @param {string} path @param {string | null} lastID of the last event that was seen @param {AbortSignal} signal
     * @returns {Promise<Response>}
     */
    stream(path, lastID, signal) {
        const headers = { Accept: "text/event-stream", ...(lastID === null ? {} : { "Last-Event-ID": lastID }) };
        return this.#fetch(base + path, this.#request({ headers, signal }));
    }

    /**
     * @param {string} path @param {string} document JSON
     * @returns {Promise<any>}
     * @throws {NoAnswer}
     */
    async postDocument(path, document) {
        const sent = { method: "POST", body: document, headers: { "Content-Type": "application/json" } };
        const { response, text } = await this.#asked(path, sent, documentLimitMilliseconds);
        return readResponse(response, text);
    }

    /**
     * @param {string} path
     * @returns {Promise<any>} what was removed
     * @throws {NoAnswer}
     */
    async remove(path) {
        const { response, text } = await this.#asked(path, { method: "DELETE" });
        return readResponse(response, text);
    }

    /** @param {string} path @param {RequestInit} request @param {number} [milliseconds] */
    async #asked(path, request, milliseconds = limitMilliseconds) {
        const limit = new AbortController();
        const timer = setTimeout(() => limit.abort(), milliseconds);
        const start = performance.now();
        try {
            const headers = { ...request.headers, Accept: "application/json" };
            const response = await this.#fetch(base + path, this.#request({ ...request, headers, signal: limit.signal }));
            const text = await response.text();
            measure(start, true);
            return { response, text };
        } catch {
            measure(start, false);
            throw new NoAnswer(limit.signal.aborted ? trouble("late") : unreached());
        } finally {
            clearTimeout(timer);
            // What a change was to is asked for again.
            if (request.method !== undefined) this.#shared.forget();
        }
    }

    /** @param {RequestInit} request @returns {RequestInit} with the token, which goes to this service alone */
    #request(request) {
        return {
            ...request, headers: { ...request.headers, Authorization: `Bearer ${this.#token}` },
            // A redirect could lead the token to another host.
            cache: "no-store", credentials: "omit", mode: "same-origin", redirect: "error",
        };
    }
}

// A person's stream of alerts. It is read by fetch: an EventSource could send no token but in an address.

/** @typedef {{ id: string | null, name: string, data: string }} StreamEvent */

/** Takes the bytes of a stream of server-sent events (WHATWG HTML, 9.2.6) as they come. */
export class EventReader {
    #rest = "";
    #decoder = new TextDecoder();

    /**
     * @param {Uint8Array} bytes
     * @returns {StreamEvent[]} what is complete now
     */
    take(bytes) {
        const blocks = (this.#rest + this.#decoder.decode(bytes, { stream: true })).split(/\r?\n\r?\n/);
        this.#rest = blocks.pop() ?? "";
        return blocks.flatMap((block) => {
            /** @type {StreamEvent} */
            const event = { id: null, name: "message", data: "" };
            for (const line of block.split(/\r?\n/)) {
                const [, field, value] = /^(\w+): ?(.*)$/.exec(line) ?? [];
                if (field === "id") event.id = value;
                if (field === "event") event.name = value;
                if (field === "data") event.data += (event.data === "" ? "" : "\n") + value;
            }
            return event.data === "" ? [] : [event];
        });
    }
}

const waitMilliseconds = 5_000;
const maxWaitMilliseconds = 300_000;

/** Reads a person's stream while the page is seen, and again from the last event after it was interrupted. */
export class MeEvents {
    #open;
    #hear;
    /** @type {string | null} */
    #last = null;
    /** @type {AbortController | null} */
    #reading = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #timer;
    #failures = 0;

    /**
     * @param {(lastID: string | null, signal: AbortSignal) => Promise<Response>} open
     * @param {(event: StreamEvent) => void} hear
     */
    constructor(open, hear) {
        this.#open = open;
        this.#hear = hear;
    }

    start() {
        if (this.#reading) return;
        clearTimeout(this.#timer);
        const reading = new AbortController();
        this.#reading = reading;
        this.#read(reading.signal).catch(() => false).then((isOver) => {
            if (this.#reading !== reading) return;
            this.#reading = null;
            this.#failures += 1;
            const wait = Math.min(maxWaitMilliseconds, waitMilliseconds * 2 ** Math.min(10, this.#failures - 1));
            if (!isOver) this.#timer = setTimeout(() => this.start(), wait);
        });
    }

    stop() {
        clearTimeout(this.#timer);
        this.#reading?.abort();
        this.#reading = null;
    }

    /** @param {AbortSignal} signal @returns {Promise<boolean>} whether it is of no use to try again */
    async #read(signal) {
        const response = await this.#open(this.#last, signal);
        // Without alerts, or with a token that is not valid any more.
        if ([401, 404].includes(response.status)) return true;
        if (!response.ok || !response.body) return false;
        const reader = new EventReader();
        const chunks = response.body.getReader();
        for (;;) {
            const { value, done } = await chunks.read();
            if (done) return false;
            this.#failures = 0;
            for (const event of reader.take(value)) {
                this.#last = event.id ?? this.#last;
                this.#hear(event);
            }
        }
    }
}

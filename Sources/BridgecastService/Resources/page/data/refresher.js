// Asks one question again at an interval: not while the page is hidden, and not before the last one is answered.

export class Refresher {
    #ask;
    #interval;
    #isOpen = false;
    #isAsking = false;
    #askedAt = -Infinity;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #timer;

    /**
     * @param {() => Promise<unknown>} ask which never fails itself
     * @param {() => number | null} interval seconds from the last question to the next; null for only when asked
     */
    constructor(ask, interval) {
        this.#ask = ask;
        this.#interval = interval;
    }

    /** When the next question is due; never where it is only asked by hand. */
    get #dueAt() {
        const seconds = this.#interval();
        return seconds === null ? Infinity : this.#askedAt + seconds * 1000;
    }

    open() {
        this.#isOpen = true;
        document.addEventListener("visibilitychange", this.#look);
        this.refresh();
    }

    close() {
        this.#isOpen = false;
        clearTimeout(this.#timer);
        document.removeEventListener("visibilitychange", this.#look);
    }

    async refresh() {
        if (this.#isAsking || document.hidden) return;
        clearTimeout(this.#timer);
        this.#isAsking = true;
        this.#askedAt = performance.now();
        await this.#ask();
        this.#isAsking = false;
        const left = this.#dueAt - performance.now();
        if (this.#isOpen && left !== Infinity) this.#timer = setTimeout(() => this.refresh(), Math.max(0, left));
    }

    /** A page that is seen again asks at once if it is time. */
    #look = () => {
        if (performance.now() >= this.#dueAt) this.refresh();
    };
}

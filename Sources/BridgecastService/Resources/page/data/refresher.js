// Asks one question again at an interval: not while the page is hidden, and not before the last one is answered.

export class Refresher {
    #ask;
    #milliseconds;
    #isOpen = false;
    #isAsking = false;
    #askedAt = -Infinity;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #timer;

    /**
     * @param {() => Promise<unknown>} ask which never fails itself
     * @param {number} minutes from question to question; 0 for only when asked
     */
    constructor(ask, minutes) {
        this.#ask = ask;
        this.#milliseconds = minutes === 0 ? Infinity : minutes * 60_000;
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
        const left = this.#askedAt + this.#milliseconds - performance.now();
        if (this.#isOpen && left !== Infinity) this.#timer = setTimeout(() => this.refresh(), Math.max(0, left));
    }

    /** A page that is seen again asks at once if it is time. */
    #look = () => {
        if (performance.now() - this.#askedAt >= this.#milliseconds) this.refresh();
    };
}

// When the picture is drawn again: with the screen while something moves fast, later where it moves slowly, and not at
// all while it cannot be seen.

const earlyMilliseconds = 3;
const maxLateFrames = 2;

export class Frames {
    #draw;
    #element;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #timer;
    #request = 0;
    #dueAt = -Infinity;
    #isInSight = true;
    #isOpen = false;
    /** Milliseconds between two frames at least. */
    minPause = 1000 / 30;
    /** @type {() => void} */
    #leave = () => {};

    /**
     * @param {Element} element that is seen or not
     * @param {(time: number) => number} draw gives the milliseconds until it has to draw again; Infinity if it has not
     */
    constructor(element, draw) {
        this.#element = element;
        this.#draw = draw;
    }

    open() {
        this.#isOpen = true;
        const turn = () => this.wake();
        const sight = new IntersectionObserver((entries) => {
            this.#isInSight = entries[entries.length - 1].isIntersecting;
            this.wake();
        });
        sight.observe(this.#element);
        document.addEventListener("visibilitychange", turn);
        this.#leave = () => {
            sight.disconnect();
            document.removeEventListener("visibilitychange", turn);
        };
        this.wake();
    }

    close() {
        this.#isOpen = false;
        this.#leave();
        this.#stop();
    }

    /** Something may look otherwise. */
    wake() {
        this.#stop();
        if (this.#isOpen && this.#isInSight && !document.hidden) {
            this.#request = requestAnimationFrame((time) => this.#frame(time));
        }
    }

    #stop() {
        clearTimeout(this.#timer);
        cancelAnimationFrame(this.#request);
    }

    /** @param {number} time */
    #frame(time) {
        // Screens are not exact: a frame that comes a little early is the right one.
        if (time < this.#dueAt - earlyMilliseconds) return this.wake();
        // Reckoned from when it was due: after one that came late the next is not late too. What is long over is not
        // made up for.
        this.#dueAt = (time - this.#dueAt < maxLateFrames * this.minPause ? this.#dueAt : time) + this.minPause;
        const pause = this.#draw(time);
        if (pause <= this.minPause) this.wake();
        else if (pause < Infinity) this.#timer = setTimeout(() => this.wake(), pause - this.minPause / 2);
    }
}

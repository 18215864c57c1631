// The only clock: the time of the service, or of a past day that is played. All that shows or asks for a time uses it.

const minSleepMilliseconds = 2_000;

/** The milliseconds that pass, with those in which the machine sleeps, which browsers do not count. */
export class Elapsed {
    #running;
    #wall;
    #ahead;
    #slept = 0;

    /**
     * @param {() => number} [running] counts while the machine is awake
     * @param {() => number} [wall] the machine's clock, which may also be set by hand
     */
    constructor(running = () => performance.now(), wall = () => Date.now()) {
        this.#running = running;
        this.#wall = wall;
        this.#ahead = wall() - running();
    }

    /** Never goes back. */
    read() {
        const gap = this.#wall() - this.#running() - this.#ahead;
        if (Math.abs(gap) > minSleepMilliseconds) {
            this.#ahead += gap;
            this.#slept += Math.max(0, gap);
        }
        return this.#running() + this.#slept;
    }

    /** How long the machine seems to have slept in all. */
    get slept() {
        this.read();
        return this.#slept;
    }
}

/** @typedef {{ at: number, from: number, rate: number }} TimeLine a time at an elapsed time, and a rate */

const passing = new Elapsed();

export class Clock {
    #elapsed;
    /** @type {TimeLine} */
    #service;
    /** @type {TimeLine | null} */
    #played = null;
    #isSet = false;
    /** A service that plays records stops at their end. */
    #end = Infinity;
    /** The time that the service reported last, and when. */
    #reported;
    /** @type {Set<() => void>} */
    #listeners = new Set();

    /** @param {() => number} [elapsed] milliseconds since some time, never going back */
    constructor(elapsed = () => passing.read()) {
        this.#elapsed = elapsed;
        this.#service = { at: Date.now(), from: elapsed(), rate: 1 };
        this.#reported = { at: this.#service.at, from: this.#service.from };
    }

    /** The time that is shown, milliseconds since 1970. */
    now() {
        return this.#played ? this.#read(this.#played) : this.serviceNow();
    }

    /** The service's own time, whatever is played. */
    serviceNow() {
        return Math.min(this.#end, this.#read(this.#service));
    }

    /** Seconds of the clock in a second. */
    get rate() { return (this.#played ?? this.#service).rate; }

    /** Whether a past day is shown. */
    get isPlayed() { return this.#played !== null; }

    /** Whether the service has reported its time yet: until then it is that of the visitor's machine. */
    get isSet() { return this.#isSet; }

    /**
     * The service has reported its time. Small differences come from the network, and from whole seconds.
     * @param {number} milliseconds @param {number} [rate]
     */
    heardService(milliseconds, rate = this.#service.rate) {
        if (!Number.isFinite(milliseconds)) return;
        const drift = Math.abs(this.serviceNow() - Math.min(this.#end, milliseconds));
        this.#reported = { at: milliseconds, from: this.#elapsed() };
        if (this.#isSet && rate === this.#service.rate && drift < 1000 + 500 * rate) return;
        this.#isSet = true;
        this.#service = { at: milliseconds, from: this.#elapsed(), rate };
        this.#notify();
    }

    /**
     * The service has reported how fast its clock runs, with the time that it reported last.
     * @param {number} rate
     */
    heardRate(rate) {
        if (rate === this.#service.rate) return;
        this.#service = { ...this.#reported, rate };
        this.#notify();
    }

    /**
     * The service has reported where its clock stops.
     * @param {number} milliseconds Infinity if nowhere
     */
    heardEnd(milliseconds) {
        if (milliseconds === this.#end) return;
        this.#end = milliseconds;
        this.#notify();
    }

    /**
     * Only an earlier answer is there: until the service is heard its time is reckoned from that.
     * @param {number} milliseconds the service's time then
     * @param {number} keptAt the time of the visitor's machine then
     */
    heardKept(milliseconds, keptAt) {
        if (this.#isSet || !Number.isFinite(milliseconds) || !Number.isFinite(keptAt)) return;
        this.#service = { at: milliseconds + Math.max(0, Date.now() - keptAt), from: this.#elapsed(), rate: 1 };
        this.#notify();
    }

    /**
     * Shows another time; a rate of 0 stops the clock there.
     * @param {number} milliseconds @param {number} rate
     */
    play(milliseconds, rate) {
        this.#played = { at: milliseconds, from: this.#elapsed(), rate };
        this.#notify();
    }

    /** Back to the service's time. */
    leavePlay() {
        this.#played = null;
        this.#notify();
    }

    /**
     * Hears of jumps and of changed rates.
     * @param {() => void} listener @returns {() => void} ends it
     */
    subscribe(listener) {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
    }

    /** @param {TimeLine} line */
    #read(line) {
        return line.at + (this.#elapsed() - line.from) * line.rate;
    }

    #notify() {
        for (const listener of [...this.#listeners]) listener();
    }
}

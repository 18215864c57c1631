// The milliseconds that pass, with those that the machine sleeps: browsers do not count them. Used by the clock.

const leastSleepMilliseconds = 2_000;

/**
 * @param {() => number} [running] counts while the machine is awake
 * @param {() => number} [wall] the machine's clock, which may also be set by hand
 */
export function createElapsed(running = () => performance.now(), wall = () => Date.now()) {
    let ahead = wall() - running();
    let slept = 0;
    return {
        /** Never goes back. */
        read() {
            const gap = wall() - running() - ahead;
            if (Math.abs(gap) > leastSleepMilliseconds) {
                ahead += gap;
                slept += Math.max(0, gap);
            }
            return running() + slept;
        },
        /** How long the machine seems to have slept in all. */
        get slept() {
            this.read();
            return slept;
        },
    };
}

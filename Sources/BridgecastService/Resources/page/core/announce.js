// Speaks changes to screen readers through one live region: a sentence at most every ten seconds, the newest last.

const leastMilliseconds = 10_000;

/**
 * @param {HTMLElement} region an element with role=status, empty at load
 * @param {() => boolean} isSilent while a day is played nobody wants to hear it
 */
export function createAnnouncer(region, isSilent) {
    /** @type {string[]} */
    let waiting = [];
    let spokenAt = -Infinity;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;

    function speak() {
        timer = undefined;
        if (waiting.length === 0) return;
        spokenAt = performance.now();
        region.textContent = waiting.join(" ");
        waiting = [];
    }

    return {
        /** @param {string} sentence */
        say(sentence) {
            if (isSilent() || waiting.includes(sentence)) return;
            waiting = [...waiting, sentence].slice(-3);
            timer ??= setTimeout(speak, Math.max(100, spokenAt + leastMilliseconds - performance.now()));
        },
    };
}

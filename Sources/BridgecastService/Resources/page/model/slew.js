// A time that is counted down to is corrected little by little, so that the seconds shown do not jump.

// A correction this large is another arrival: it is shown at once.
const jumpMilliseconds = 30_000;
const share = 0.5;

/**
 * The time to count down to, on its way from the one that was shown to the one that is known.
 * @param {number} shown milliseconds since 1970 @param {number} known
 * @param {number} passed milliseconds since the last step
 */
export function slew(shown, known, passed) {
    const gap = known - shown;
    if (Math.abs(gap) > jumpMilliseconds) return known;
    const step = Math.max(0, passed) * share;
    return shown + Math.max(-step, Math.min(step, gap));
}

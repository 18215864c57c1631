// Whether a board may be taken for the present one.

const maxAgeMilliseconds = 90_000;

/**
 * @param {{ value: { at: number } | null, trouble: unknown }} known @param {number} now
 * @param {number} rate seconds of the clock in a second
 */
export function isOld({ value, trouble }, now, rate) {
    if (value === null) return false;
    return trouble !== null || now - value.at > maxAgeMilliseconds * Math.max(1, rate);
}

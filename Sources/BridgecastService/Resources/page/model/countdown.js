// A countdown as text, the same wherever one is shown.

/**
 * 2:34, 1:02:34, or now.
 * @param {number} seconds left
 */
export function countdownText(seconds) {
    const left = Math.floor(seconds);
    if (!Number.isFinite(left)) return "–";
    if (left <= 0) return "now";
    const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
    const [hours, minutes] = [Math.floor(left / 3600), Math.floor(left / 60) % 60];
    return hours > 0 ? `${hours}:${two(minutes)}:${two(left % 60)}` : `${minutes}:${two(left % 60)}`;
}

/**
 * The same in the visitor's language.
 * @param {import("../core/words.js").Words} words @param {number} milliseconds left
 */
export const sayCountdown = (words, milliseconds) =>
    (milliseconds < 1000 ? words.t("line.now") : countdownText(milliseconds / 1000));

// Seattle's wall clock as text and back: the service takes floating local times. Used for addresses and questions.

const format = new Intl.DateTimeFormat("en-CA", {
    timeZone: "America/Los_Angeles", hourCycle: "h23",
    year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", second: "2-digit",
});

/** @param {number} milliseconds since 1970 @returns {Record<string, string>} year, month, day, hour, minute, second */
function parts(milliseconds) {
    return Object.fromEntries(format.formatToParts(milliseconds).map((part) => [part.type, part.value]));
}

/**
 * 2026-02-20
 * @param {number} milliseconds
 */
export function seattleDate(milliseconds) {
    const p = parts(milliseconds);
    return `${p.year}-${p.month}-${p.day}`;
}

/**
 * 18:05
 * @param {number} milliseconds
 */
export function seattleClock(milliseconds) {
    const p = parts(milliseconds);
    return `${p.hour}:${p.minute}`;
}

/**
 * Seattle's distance from UTC at a moment, milliseconds.
 * @param {number} milliseconds
 */
function offset(milliseconds) {
    const p = parts(milliseconds);
    const wall = Date.UTC(+p.year, +p.month - 1, +p.day, +p.hour, +p.minute, +p.second);
    return wall - Math.floor(milliseconds / 1000) * 1000;
}

/**
 * RFC 3339 with Seattle's offset: the same hour comes twice when summer time ends.
 * @param {number} milliseconds
 */
export function seattleText(milliseconds) {
    const p = parts(milliseconds);
    const minutes = Math.round(Math.abs(offset(milliseconds)) / 60_000);
    const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
    const sign = offset(milliseconds) < 0 ? "-" : "+";
    const zone = `${sign}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
    return `${p.year}-${p.month}-${p.day}T${p.hour}:${p.minute}:${p.second}${zone}`;
}

/**
 * The moment of a wall clock in Seattle; the first of two, and the later one of an hour that is skipped.
 * @param {string} text such as 2026-02-20T18:05 or 2026-02-20
 * @returns {number | null} milliseconds since 1970; null if that is no such time
 */
export function seattleMoment(text) {
    const match = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2}))?)?$/.exec(text);
    if (!match) return null;
    const [year, month, day, hour, minute, second] = match.slice(1).map((part) => Number(part ?? 0));
    if (month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59) return null;
    const wall = Date.UTC(year, month - 1, day, hour, minute, second);
    if (new Date(wall).getUTCDate() !== day) return null;
    // Summer time is 7 hours behind UTC, the other 8.
    const guesses = [7, 8].map((hours) => wall + hours * 3_600_000);
    const right = guesses.filter((guess) => guess + offset(guess) === wall);
    return right.length > 0 ? Math.min(...right) : Math.max(...guesses);
}

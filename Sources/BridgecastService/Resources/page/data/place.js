// The visitor's place, for boards near it: found only on a press, kept half an hour in this browser, and rounded before
// anything is done with it.

/** @typedef {{ latitude: number, longitude: number }} Place about 100 m wide */

const key = "bridgecast.place";
const decimals = 3;
const keptMilliseconds = 30 * 60_000;
const patienceMilliseconds = 15_000;

/** @param {number} degrees */
const rounded = (degrees) => Number(degrees.toFixed(decimals));

/** @param {any} value @returns {value is Place} */
const isPlace = (value) => Number.isFinite(value?.latitude) && Math.abs(value.latitude) <= 90
    && Number.isFinite(value.longitude) && Math.abs(value.longitude) <= 180;

/**
 * @param {Place} place @param {number} now by the visitor's own clock
 * @returns {Place} as it is kept
 */
export function keepPlace({ latitude, longitude }, now = Date.now()) {
    const place = { latitude: rounded(latitude), longitude: rounded(longitude) };
    try {
        localStorage.setItem(key, JSON.stringify({ ...place, at: now }));
    } catch {
        // It is good for this one board.
    }
    return place;
}

/**
 * The kept place. One that is too old is gone from the browser with this.
 * @param {number} now
 * @returns {{ place: Place | null, isOutdated: boolean }}
 */
export function readPlace(now = Date.now()) {
    try {
        const kept = JSON.parse(localStorage.getItem(key) ?? "null");
        if (!isPlace(kept)) return { place: null, isOutdated: false };
        const age = now - Number(/** @type {any} */ (kept).at);
        if (age >= 0 && age <= keptMilliseconds) {
            const [latitude, longitude] = [rounded(kept.latitude), rounded(kept.longitude)];
            return { place: { latitude, longitude }, isOutdated: false };
        }
        localStorage.removeItem(key);
        return { place: null, isOutdated: true };
    } catch {
        return { place: null, isOutdated: false };
    }
}

/** Plain HTTP beyond this machine has no positions. */
export const canLocate = () => isSecureContext && Boolean(navigator.geolocation);

/**
 * Asks the browser, after a press.
 * @returns {Promise<Place>} rounded, and kept
 * @throws {"refused" | "unknown"}
 */
export function locate() {
    return new Promise((done, fail) => navigator.geolocation.getCurrentPosition(
        ({ coords }) => done(keepPlace(coords)),
        (error) => fail(error.code === error.PERMISSION_DENIED ? "refused" : "unknown"),
        { timeout: patienceMilliseconds, maximumAge: 60_000, enableHighAccuracy: false }));
}

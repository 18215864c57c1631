// "Here": the browser's position as the start, only when it is asked for. Used by views/trip-form.js.
import { html, useState } from "../vendor/preact.js";
import { useApp } from "../core/app.js";

// A little more than the city: the service says itself where its roads end.
const seattle = { south: 47.45, north: 47.78, west: -122.5, east: -122.2 };
const patienceMilliseconds = 15_000;

/** @param {{ onPlace: (place: string) => void }} given */
export function HereButton({ onPlace }) {
    const { words } = useApp();
    const [said, setSaid] = useState(/** @type {"" | "asking" | "outside" | "refused" | "unknown"} */ (""));
    if (!isSecureContext || !navigator.geolocation) return null;

    /** @param {GeolocationPosition} position */
    function take({ coords }) {
        const { latitude, longitude } = coords;
        const isInside = latitude > seattle.south && latitude < seattle.north
            && longitude > seattle.west && longitude < seattle.east;
        setSaid(isInside ? "" : "outside");
        if (isInside) onPlace(`${latitude.toFixed(5)},${longitude.toFixed(5)}`);
    }

    function ask() {
        setSaid("asking");
        navigator.geolocation.getCurrentPosition(take,
            (error) => setSaid(error.code === error.PERMISSION_DENIED ? "refused" : "unknown"),
            { timeout: patienceMilliseconds, maximumAge: 60_000, enableHighAccuracy: true });
    }

    return html`<button type="button" onClick=${ask} disabled=${said === "asking"}>${words.t("trip.here")}</button>
        ${said !== "" && html`<p class=${said === "asking" ? "small trip-said" : "words-red trip-said"}
            role=${said === "asking" ? undefined : "alert"}>${words.t(`trip.here.${said}`)}</p>`}`;
}

// On a day that is played: why a view of buses has none of it, and the way back to now.
import { html } from "../vendor/preact.js";
import { useApp, useSelected } from "../core/hooks.js";

/** @param {{ what: "buses" | "departures" | "run" }} given */
export function PastDay({ what }) {
    const { replay, words } = useApp();
    const date = useSelected((state) => state.replay?.date ?? null);
    if (date === null) return null;
    const day = words.day(`${date}T12:00:00-08:00`);
    return html`<div class="past-day"><p>${words.t(`board.past.${what}`, { day })}</p>
        <button type="button" onClick=${() => replay.stop()}>${words.t("replay.back")}</button></div>`;
}

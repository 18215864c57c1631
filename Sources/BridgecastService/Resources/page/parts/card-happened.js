// What the records say happened after the shown moment, beside what was said then. Used by parts/card.js in a replay.
import { html } from "../vendor/preact.js";
import { useApp, useSelected } from "../core/app.js";
import { happenedAfter, sayHappened } from "../model/happened.js";

/** @param {{ bridge: import("../core/types").Bridge, now: number }} given */
export function CardHappened({ bridge, now }) {
    const { words } = useApp();
    const day = useSelected((state) => state.replay?.day ?? null);
    if (!day) return null;
    return html`<div class="card-said">
        <h3 class="card-label">${words.t("card.happened")}</h3>
        <p>${sayHappened(words, happenedAfter(day, bridge.bridge_id, now))}</p>
    </div>`;
}

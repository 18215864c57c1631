// The next hours without openings for small boats, and why the forecast is what it is. Used by parts/card.js.
import { html } from "../vendor/preact.js";
import { useApp, useSelected } from "../core/app.js";
import { cardReasons } from "../model/reasons.js";

/**
 * @param {object} given
 * @param {import("../core/types").Bridge} given.bridge
 * @param {import("../model/status.js").Status} given.status
 * @param {number} given.now
 */
export function CardWhy({ bridge, status, now }) {
    const { words } = useApp();
    const madeAt = useSelected((state) => Date.parse(state.board?.valid_at ?? ""));
    const agedMinutes = Number.isFinite(madeAt) ? Math.max(0, Math.floor((now - madeAt) / 60_000)) : 0;
    const window = windowSentence(words, bridge.next_closed_window, now);
    // What moved a forecast that is not shown any more explains nothing.
    const reasons = status.kind === "dead" ? [] : cardReasons(words, bridge, window !== null, agedMinutes);
    if (window === null && reasons.length === 0) return null;
    return html`<div class="card-why">
        ${window && html`<p>${window}</p>`}
        ${reasons.length > 0 && html`<p><strong>${words.t("card.why")}</strong>${reasons.map(({ text, lang }) =>
            html` <span lang=${lang}>${text}</span>`)}</p>`}
    </div>`;
}

/**
 * @param {import("../core/words.js").Words} words
 * @param {import("../core/types").Window | null | undefined} window
 * @param {number} now
 */
function windowSentence(words, window, now) {
    if (!window || !(Date.parse(window.to) > now)) return null;
    const to = words.time(window.to);
    return Date.parse(window.from) <= now ? words.t("card.window_until", { to })
        : words.t("card.window", { from: words.timeOrDay(window.from, now), to });
}

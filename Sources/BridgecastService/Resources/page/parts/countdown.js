// A countdown that ticks by itself: a second redraws nothing else.
import { html, useRef } from "../vendor/preact.js";
import { useApp, useNow } from "../core/hooks.js";
import { sayCountdown } from "../model/countdown.js";
import { slew } from "../model/slew.js";

const tickMilliseconds = 1_000;

/** @param {{ at: number }} given milliseconds since 1970 */
export function Countdown({ at }) {
    const { words } = useApp();
    const now = useNow(tickMilliseconds);
    const shown = useRef({ at, seenAt: now });
    shown.current = { at: slew(shown.current.at, at, now - shown.current.seenAt), seenAt: now };
    return html`<span class="countdown">${sayCountdown(words, shown.current.at - now)}</span>`;
}

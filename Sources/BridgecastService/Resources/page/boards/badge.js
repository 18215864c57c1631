// A line's number on its colour, in letters that can be read on it.
import { html } from "../vendor/preact.js";
import { useApp } from "../core/hooks.js";
import { colourText, letteringOn, parseColour } from "../draw/colours.js";

/** @param {{ line: import("../data/board.js").LineBadgeName }} given */
export function LineBadge({ line }) {
    const { words } = useApp();
    const ground = parseColour(line.color);
    const style = ground ? {
        "--badge-ground": colourText(ground),
        "--badge-letters": colourText(letteringOn(ground, parseColour(line.lettering))),
    } : undefined;
    return html`<span class="line-badge" style=${style}><span class="unseen">${words.t("board.line")} </span>${
        line.title || "–"}</span>`;
}

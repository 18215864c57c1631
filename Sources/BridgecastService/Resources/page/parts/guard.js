// Keeps the rest of the page standing where data of one part cannot be drawn: says so, and tries again with the next
// board. Used around views and cards.
import { html, useEffect, useErrorBoundary } from "../vendor/preact.js";
import { useApp, useSelected } from "../core/app.js";

/** @param {{ children: any }} given */
export function Guard({ children }) {
    const { words } = useApp();
    const board = useSelected((state) => state.board);
    const [error, reset] = useErrorBoundary((/** @type {unknown} */ found) => console.error(found));
    useEffect(() => { if (error) reset(); }, [board]);
    if (!error) return children;
    return html`<section class="card"><p>${words.t("answer.undrawn")}</p>
        <button type="button" onClick=${reset}>${words.t("answer.retry")}</button></section>`;
}

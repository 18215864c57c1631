// Why something is not there or was not done, in a paragraph.
import { html } from "../vendor/preact.js";

/** @param {{ note: { text: string, english: string | null } | null }} given null for nothing */
export const Refusal = ({ note }) => note && html`<p class="words-red" role="alert">${note.text} ${
    note.english && html`<span lang="en">${note.english}</span>`}</p>`;

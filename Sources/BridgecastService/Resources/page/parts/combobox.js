// A text field that completes from a list, after the ARIA pattern: arrows, Enter, Escape. Used by the trip's form.
import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { mostCharacters } from "../core/router.js";

/** @typedef {{ name: string, kind: string }} Choice */

const pauseMilliseconds = 150;
// One more than a place may have: what is too long is told, not cut in silence.
const limitCharacters = mostCharacters + 1;

/**
 * @param {object} given
 * @param {string} given.id
 * @param {string} given.label
 * @param {string} given.value what has been chosen
 * @param {(text: string) => void} given.onCommit a choice, or free text with Enter or on leaving the field
 * @param {(text: string, signal: AbortSignal) => Promise<Choice[]>} given.suggest
 * @param {(kind: string) => string} given.sayKind a choice's kind in words; empty where there is none
 * @param {string | null} [given.describedBy] ids of what is said about the value
 * @param {boolean} [given.isInvalid]
 * @param {any} [given.children] buttons beside the field
 */
export function Combobox({ id, label, value, onCommit, suggest, sayKind, describedBy, isInvalid = false, children }) {
    const [text, setText] = useState(value);
    const { choices, active, isOpen, open, close, move } = useChoices(suggest);
    useEffect(() => setText(value), [value]);
    useEffect(() => document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: "nearest" }), [id, active]);

    /** @param {string} chosen */
    function commit(chosen) {
        close();
        setText(chosen.trim());
        if (chosen.trim() !== value) onCommit(chosen.trim());
    }

    /** @param {KeyboardEvent} event */
    function press(event) {
        if (event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
        if (event.key === "ArrowDown" || event.key === "ArrowUp") {
            event.preventDefault();
            if (isOpen) move(event.key === "ArrowDown" ? 1 : -1);
            else open(text, 0);
        } else if (event.key === "Enter") {
            event.preventDefault();
            commit(isOpen && active >= 0 ? choices[active].name : text);
        } else if (event.key === "Escape") {
            if (isOpen) close();
            else setText(value);
        } else if (isOpen && active >= 0 && (event.key === "Home" || event.key === "End")) {
            // The caret goes there by itself; the list is left.
            move(null);
        }
    }

    /** @param {Event} event */
    function type(event) {
        const typed = /** @type {HTMLInputElement} */ (event.currentTarget).value;
        setText(typed);
        open(typed, pauseMilliseconds);
    }

    /** @param {FocusEvent} event */
    const focus = (event) => /** @type {HTMLInputElement} */ (event.currentTarget).select();
    return html`<div class="combobox">
        <label for=${id}>${label}</label>
        <div class="combobox-row">
            <input id=${id} type="text" role="combobox" autocomplete="off" autocapitalize="words"
                spellcheck=${false} maxlength=${limitCharacters} enterkeyhint="go" value=${text}
                aria-autocomplete="list" aria-expanded=${isOpen ? "true" : "false"} aria-controls=${`${id}-list`}
                aria-activedescendant=${isOpen && active >= 0 ? `${id}-${active}` : undefined}
                aria-invalid=${isInvalid ? "true" : undefined} aria-describedby=${describedBy ?? undefined}
                onInput=${type} onKeyDown=${press} onFocus=${focus} onBlur=${() => commit(text)} />
            ${children}
        </div>
        <ul id=${`${id}-list`} role="listbox" aria-label=${label} class="combobox-list" hidden=${!isOpen}>
            ${choices.map((choice, n) => html`<li id=${`${id}-${n}`} key=${n} role="option"
                aria-selected=${n === active ? "true" : "false"}
                onMouseDown=${(/** @type {Event} */ event) => event.preventDefault()}
                onClick=${() => commit(choice.name)}>
                <span>${choice.name}</span> <span class="small">${sayKind(choice.kind)}</span></li>`)}
        </ul>
    </div>`;
}

/**
 * The list under the field: asked for a little after the last key, the answer to an older text is dropped.
 * @param {(text: string, signal: AbortSignal) => Promise<Choice[]>} suggest
 */
function useChoices(suggest) {
    const [choices, setChoices] = useState(/** @type {Choice[]} */ ([]));
    const [active, setActive] = useState(-1);
    /** @type {{ timer: any, abort: AbortController | null }} */
    const none = { timer: undefined, abort: null };
    const asking = useRef(none);

    function stop() {
        clearTimeout(asking.current.timer);
        asking.current.abort?.abort();
    }
    useEffect(() => stop, []);

    function close() {
        stop();
        setChoices([]);
        setActive(-1);
    }

    /** @param {string} text @param {number} pause milliseconds */
    function open(text, pause) {
        stop();
        if (text.trim() === "") return close();
        const abort = new AbortController();
        asking.current.abort = abort;
        asking.current.timer = setTimeout(async () => {
            const found = await suggest(text.trim(), abort.signal).catch(() => []);
            if (abort.signal.aborted) return;
            setChoices(found);
            setActive(-1);
        }, pause);
    }

    return {
        choices, active, isOpen: choices.length > 0, open, close,
        /**
         * To the next or the one before, round the ends by way of the field itself; null: back to the field.
         * @param {1 | -1 | null} by
         */
        move(by) {
            if (by === null) return setActive(-1);
            const places = choices.length + 1;
            setActive((now) => ((now + 1 + by + places) % places) - 1);
        },
    };
}

// A text field that completes from a list, by the ARIA pattern: arrows, Enter, Escape.
import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { maxCharacters } from "../core/router.js";

/** @typedef {{ name: string, kind: string }} Choice */

const pauseMilliseconds = 150;
// One more than a place may have: what is too long is reported, not cut silently.
const limitCharacters = maxCharacters + 1;

/**
 * @param {object} given
 * @param {string} given.id
 * @param {string} given.label
 * @param {string} given.value what has been chosen
 * @param {(text: string) => void} given.onCommit a choice, or free text with Enter or on leaving the field
 * @param {(text: string, signal: AbortSignal) => Promise<Choice[]>} given.suggest
 * @param {(kind: string) => any} given.sayKind a choice's kind as text, or drawn; empty where there is none
 * @param {string | null} [given.describedBy] ids of the texts about the value
 * @param {boolean} [given.isInvalid]
 * @param {any} [given.children] buttons next to the field
 */
export function Combobox({ id, label, value, onCommit, suggest, sayKind, describedBy, isInvalid = false, children }) {
    const [text, setText] = useState(value);
    const list = useChoices(suggest);
    const { choices, active, isOpen } = list;
    useEffect(() => setText(value), [value]);
    useEffect(() => document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: "nearest" }), [id, active]);

    /** @param {string} chosen */
    function commit(chosen) {
        list.close();
        setText(chosen.trim());
        if (chosen.trim() !== value) onCommit(chosen.trim());
    }

    /** @param {Event} event */
    function type(event) {
        const typed = /** @type {HTMLInputElement} */ (event.currentTarget).value;
        setText(typed);
        list.open(typed, pauseMilliseconds);
    }

    /** @param {KeyboardEvent} event */
    const press = (event) => pressKey(event, list, { text, commit, reset: () => setText(value) });
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
        <${ChoiceList} id=${id} label=${label} list=${list} sayKind=${sayKind} onChoose=${commit} />
    </div>`;
}

/**
 * @param {KeyboardEvent} event in the field
 * @param {Choices} list
 * @param {{ text: string, commit: (text: string) => void, reset: () => void }} field
 */
function pressKey(event, list, field) {
    const { isOpen, active, choices } = list;
    if (event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        event.preventDefault();
        if (isOpen) list.move(event.key === "ArrowDown" ? 1 : -1);
        else list.open(field.text, 0);
    } else if (event.key === "Enter") {
        event.preventDefault();
        field.commit(isOpen && active >= 0 ? choices[active].name : field.text);
    } else if (event.key === "Escape") {
        if (isOpen) list.close();
        else field.reset();
    } else if (isOpen && active >= 0 && (event.key === "Home" || event.key === "End")) {
        // The caret goes there by itself; the list is left.
        list.move(null);
    }
}

/**
 * @param {object} given
 * @param {string} given.id
 * @param {string} given.label
 * @param {Choices} given.list
 * @param {(kind: string) => any} given.sayKind
 * @param {(name: string) => void} given.onChoose
 */
function ChoiceList({ id, label, list, sayKind, onChoose }) {
    return html`<ul id=${`${id}-list`} role="listbox" aria-label=${label} class="combobox-list" hidden=${!list.isOpen}>
        ${list.choices.map((choice, n) => html`<li id=${`${id}-${n}`} key=${n} role="option"
            aria-selected=${n === list.active ? "true" : "false"}
            onMouseDown=${(/** @type {Event} */ event) => event.preventDefault()}
            onClick=${() => onChoose(choice.name)}>
            <span>${choice.name}</span> <span class="small">${sayKind(choice.kind)}</span></li>`)}
    </ul>`;
}

/** @typedef {ReturnType<typeof useChoices>} Choices */

/**
 * The list under the field: asked for a little after the last key, the answer to an older text is dropped.
 * @param {(text: string, signal: AbortSignal) => Promise<Choice[]>} suggest
 */
function useChoices(suggest) {
    const [choices, setChoices] = useState(/** @type {Choice[]} */ ([]));
    const [active, setActive] = useState(-1);
    const asking = useRef(/** @type {Asking} */ ({ timer: undefined, abort: null }));
    useEffect(() => () => stop(asking.current), []);

    /** @param {Choice[]} found */
    function show(found) {
        setChoices(found);
        setActive(-1);
    }

    function close() {
        stop(asking.current);
        show([]);
    }

    /** @param {string} text @param {number} pause milliseconds */
    function open(text, pause) {
        stop(asking.current);
        if (text.trim() === "") return close();
        const abort = new AbortController();
        asking.current.abort = abort;
        asking.current.timer = setTimeout(async () => {
            const found = await suggest(text.trim(), abort.signal).catch(() => []);
            if (!abort.signal.aborted) show(found);
        }, pause);
    }

    /**
     * To the next or the one before, round the ends by way of the field itself; null: back to the field.
     * @param {1 | -1 | null} by
     */
    function move(by) {
        if (by === null) return setActive(-1);
        const count = choices.length + 1;
        setActive((now) => ((now + 1 + by + count) % count) - 1);
    }

    return { choices, active, isOpen: choices.length > 0, open, close, move };
}

/** @typedef {{ timer: any, abort: AbortController | null }} Asking */

/** @param {Asking} asking */
function stop(asking) {
    clearTimeout(asking.timer);
    asking.abort?.abort();
}

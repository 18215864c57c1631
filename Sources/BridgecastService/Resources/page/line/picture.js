// The picture of the line in the page: two canvases, named for those who do not see them, and buttons that zoom.
import { html, useEffect, useRef } from "../vendor/preact.js";
import { useApp, useMedia, useSelected } from "../core/hooks.js";
import { Stage } from "./stage.js";

const zoomStep = 1.5;

/** @typedef {Omit<import("./stage.js").Looks, "hasGrid" | "isSmooth" | "bridges">} PictureLooks */

/**
 * @param {object} given
 * @param {PictureLooks} given.looks
 * @param {string} given.sentence
 * @param {(found: import("./pointing.js").Found | null) => void} given.onChoose
 * @param {any} given.children the text below it
 */
export function Picture({ looks, sentence, onChoose, children }) {
    const { clock, words } = useApp();
    const hasGrid = useSelected((state) => state.preferences.hasGrid);
    const isSmooth = useSelected((state) => state.preferences.isSmooth);
    const theme = useSelected((state) => state.preferences.theme);
    const bridges = useBridgeStates();
    const stage = useRef(/** @type {Stage | null} */ (null));
    const elements = useRef(/** @type {Record<string, any>} */ ({}));
    const choose = useRef(onChoose);
    choose.current = onChoose;
    useEffect(() => {
        const { frame, ground, top, probe } = elements.current;
        const own = new Stage({ frame, ground, top, probe }, clock, (found) => choose.current(found));
        own.open();
        stage.current = own;
        return () => own.close();
    }, []);
    useEffect(() => stage.current?.recolour(), [theme]);
    useEffect(() => stage.current?.show({ ...looks, hasGrid, isSmooth, bridges }));
    const keep = (/** @type {string} */ name) => (/** @type {any} */ element) => { elements.current[name] = element; };
    return html`<div class="line-picture">
        <div class="line-frame" ref=${keep("frame")} role="group" tabindex="0" aria-label=${sentence}
            aria-describedby="line-keys">
            <canvas ref=${keep("ground")} aria-hidden="true"></canvas>
            <canvas ref=${keep("top")} aria-hidden="true"></canvas>
            <span ref=${keep("probe")} class="line-probe" aria-hidden="true"></span>
        </div>
        <p id="line-keys" class="unseen">${words.t("line.keys")}</p>
        <div class="line-foot">
            ${children}
            <div class="line-zoom">
                <button type="button" aria-label=${words.t("line.zoom_out")}
                    onClick=${() => stage.current?.zoom(1 / zoomStep)}>−</button>
                <button type="button" aria-label=${words.t("line.zoom_in")}
                    onClick=${() => stage.current?.zoom(zoomStep)}>+</button>
            </div>
        </div>
    </div>`;
}

/** The states of bridges as the board has them; another object only where one is another. */
function useBridgeStates() {
    const board = useSelected((state) => state.board);
    /** @type {{ current: { key: string, states: Map<number, import("../core/types").BridgeState> } }} */
    const kept = useRef({ key: "", states: new Map() });
    const bridges = board?.bridges ?? [];
    const key = bridges.map(({ bridge_id, state }) => `${bridge_id}${state}`).join();
    if (kept.current.key !== key) {
        kept.current = { key, states: new Map(bridges.map(({ bridge_id, state }) => [bridge_id, state])) };
    }
    return kept.current.states;
}

/** What the visitor may change of the picture. */
export function PictureSettings() {
    const { store, words } = useApp();
    const preferences = useSelected((state) => state.preferences);
    const isStill = useMedia("(prefers-reduced-motion: reduce)");
    /** @param {"hasGrid" | "isSmooth"} name */
    const box = (name) => html`<label class="line-setting"><input type="checkbox" checked=${preferences[name]}
        onChange=${(/** @type {Event} */ event) => store.dispatch({ type: "preferences", preferences:
            { [name]: /** @type {HTMLInputElement} */ (event.currentTarget).checked } })} />
        ${words.t(`line.setting.${name}`)}</label>`;
    return html`<details class="line-settings"><summary>${words.t("line.settings")}</summary>
        ${box("hasGrid")}${!isStill && box("isSmooth")}</details>`;
}

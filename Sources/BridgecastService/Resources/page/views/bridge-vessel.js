// "Does my boat need an opening?": from a height, an answer as text.
import { html, useEffect, useState } from "../vendor/preact.js";
import { useAnswer, useApp, useNow, useSelected } from "../core/hooks.js";
import { sayWhenOpens } from "../model/rules.js";

/** @typedef {import("../core/types").BridgeDocument} BridgeDocument */

const metresInFoot = 0.3048;
const minFeet = 1;
const maxFeet = 1000;
const typingMilliseconds = 500;
const redrawMilliseconds = 30_000;
// Less room is not safe: antennas and waves count.
const safeRoomFeet = 2;

/** @param {{ bridge: import("../core/types").Bridge }} given */
export function BridgeVessel({ bridge }) {
    const { words } = useApp();
    const { wanted, typed, setTyped, feet } = useHeight();
    const isWrong = (typed ?? wanted).trim() !== "" && feet === null;
    const id = `height-${bridge.bridge_id}`;
    return html`<section class="card">
        <h2>${words.t("bridge.vessel")}</h2>
        ${typeof bridge.clearance_ft === "number" && html`<p>${
            words.t("bridge.clearance", { height: words.height(bridge.clearance_ft) })}</p>`}
        <p class="bridge-height"><label for=${id}>${words.t("bridge.my_boat")}</label>
            <input id=${id} type="number" inputmode="decimal" min="0" step="any"
                value=${typed ?? toShown(words, wanted)}
                aria-invalid=${isWrong ? "true" : undefined} aria-describedby=${`${id}-answer`}
                onInput=${(/** @type {any} */ event) => setTyped(String(event.currentTarget.value).slice(0, 12))} />
            <span>${words.t(words.usesFeet ? "bridge.feet" : "bridge.metres")}</span></p>
        <div id=${`${id}-answer`} aria-live="polite">${isWrong
            ? html`<p class="words-red">${words.t("bridge.height_wrong", { most: words.height(maxFeet) })}</p>`
            // What is being typed is no question yet.
            : feet !== null && (typed === null ? html`<${Verdict} bridge=${bridge} feet=${feet} />`
                : html`<p class="small">${words.t("bridge.vessel_waiting")}</p>`)}</div>
    </section>`;
}

/** The height in the address, and what is typed: it goes to the address a little after the last key. */
function useHeight() {
    const { words, router } = useApp();
    const wanted = useSelected((state) => state.address.values.height ?? "");
    const [typed, setTyped] = useState(/** @type {string | null} */ (null));
    const feet = typed === null ? readNumber(wanted) : toFeet(words, typed);
    useEffect(() => {
        if (typed === null) return undefined;
        const timer = setTimeout(() => {
            router.change({ height: feet === null ? null : String(Math.round(feet * 10) / 10) }, { isReplaced: true });
            if (feet !== null) setTyped(null);
        }, typingMilliseconds);
        return () => clearTimeout(timer);
    }, [typed]);
    return { wanted, typed, setTyped, feet };
}

/** @param {{ bridge: import("../core/types").Bridge, feet: number }} given */
function Verdict({ bridge, feet }) {
    const { words } = useApp();
    const now = useNow(redrawMilliseconds);
    /** @type {import("../data/answers.js").Answer<BridgeDocument>} */
    const answer = useAnswer(`bridges/${bridge.bridge_id}?hours=1&vessel_height_ft=${feet}`);
    const document = answer.value;
    if (!document) {
        const key = answer.trouble ? "bridge.vessel_no_answer" : "bridge.vessel_waiting";
        return html`<p class="small">${words.t(key)}</p>`;
    }
    if (typeof document.vessel_needs_opening !== "boolean" || typeof document.clearance_ft !== "number") {
        return html`<p lang="en">${document.vessel_text ?? "–"}</p>`;
    }
    const room = document.clearance_ft - feet;
    const verdict = document.vessel_needs_opening ? "needs" : room < safeRoomFeet ? "tight" : "passes";
    const isTidal = /duwamish/i.test(document.waterway);
    return html`<p class=${`bridge-verdict is-${verdict}`}><strong>${words.t(`bridge.vessel_${verdict}`,
        { height: words.height(feet), room: words.height(Math.abs(room)) })}</strong>${
        isTidal && verdict !== "needs" ? ` ${words.t("bridge.vessel_tide")}` : ""}${
        verdict === "needs" ? ` ${sayWhenOpens(words, document, now)}` : ""}</p>`;
}

/** @param {string} text @returns {number | null} */
function readNumber(text) {
    const plain = text.trim().replace(",", ".");
    const value = /^\d{1,6}(\.\d{0,6})?$/.test(plain) ? Number(plain) : NaN;
    return value >= minFeet && value <= maxFeet ? value : null;
}

/** @param {import("../core/words.js").Words} words @param {string} typed @returns {number | null} */
function toFeet(words, typed) {
    if (words.usesFeet) return readNumber(typed);
    const metres = Number(typed.trim().replace(",", "."));
    return typed.trim() === "" ? null : readNumber(String(Math.round(metres / metresInFoot * 10) / 10));
}

/** @param {import("../core/words.js").Words} words @param {string} wanted feet, of the address */
function toShown(words, wanted) {
    const feet = readNumber(wanted);
    if (feet === null) return "";
    if (words.usesFeet) return String(feet);
    return String(Math.round(feet * metresInFoot * 10) / 10);
}

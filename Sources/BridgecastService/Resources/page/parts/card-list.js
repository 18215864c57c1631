// Cards in the order of what matters; they keep their places while the visitor is among them.
import { html, useLayoutEffect, useRef, useState } from "../vendor/preact.js";
import { useApp, useRedraw, useSelected } from "../core/hooks.js";
import { isNotable, keepOrder, orderBridges } from "../model/forecast.js";
import { Card } from "./card.js";

const movingMilliseconds = 200;
// As in style/now.css, where cards are in two columns.
const rowPixels = 4;
const gapPixels = 8;

/** @typedef {Record<number, boolean>} Chosen which cards the visitor has opened or closed */

/**
 * @param {object} given
 * @param {import("../core/types").Bridge[]} given.bridges in waterway order
 * @param {import("../model/status.js").Status} given.status
 * @param {string} given.label
 * @param {boolean} [given.isLegendHidden] where another list has the legend
 */
export function CardList({ bridges, status, label, isLegendHidden = false }) {
    const { clock } = useApp();
    const pinned = useSelected((state) => state.preferences.pinned);
    /** @type {[Chosen, (change: (chosen: Chosen) => Chosen) => void]} */
    const [chosen, setChosen] = useState(/** @type {Chosen} */ ({}));
    const choose = (/** @type {number} */ id, /** @type {boolean} */ open) =>
        setChosen((all) => ({ ...all, [id]: open }));
    const order = useRef(/** @type {number[]} */ ([]));
    const list = useRef(/** @type {HTMLElement | null} */ (null));
    const { isInside, events } = useInside(list);
    const now = clock.now();
    const isFrozen = isInside && order.current.length > 0;
    const shown = isFrozen ? keepOrder(bridges, order.current) : orderBridges(bridges, pinned, status, now);
    order.current = shown.map((bridge) => bridge.bridge_id);
    useRows(list, order.current.join());
    useMoves(list, order.current.join());
    const isOpen = (/** @type {import("../core/types").Bridge} */ bridge) =>
        chosen[bridge.bridge_id] ?? isNotable(bridge, pinned, status, now);
    const firstOpen = shown.find(isOpen);
    return html`<section class="cards" aria-label=${label} ref=${list} ...${events}>
        ${shown.map((bridge) => html`<${Card} key=${bridge.bridge_id} bridge=${bridge} status=${status}
            isOpen=${isOpen(bridge)} isLegendHidden=${isLegendHidden || bridge !== firstOpen}
            onToggle=${(/** @type {boolean} */ open) => choose(bridge.bridge_id, open)} />`)}
    </section>`;
}

/**
 * Whether the visitor is in an element, by pointer or by keys; draws again when that ends.
 * @param {{ current: HTMLElement | null }} element
 */
function useInside(element) {
    const redraw = useRedraw();
    const inside = useRef({ hasFocus: false, hasPointer: false });
    /** @param {"hasFocus" | "hasPointer"} which @param {boolean} isIn */
    function be(which, isIn) {
        inside.current[which] = isIn;
        if (!isIn) redraw();
    }
    const events = {
        /**
         * A button that was clicked keeps the focus after the pointer has gone: only who moves by keys stays inside.
         * @param {FocusEvent} event
         */
        onFocusIn(event) {
            if (/** @type {Element} */ (event.target).matches(":focus-visible")) be("hasFocus", true);
        },
        /** @param {FocusEvent} event */
        onFocusOut(event) {
            if (!element.current?.contains(/** @type {Node | null} */ (event.relatedTarget))) be("hasFocus", false);
        },
        onPointerEnter: () => be("hasPointer", true),
        onPointerLeave: () => be("hasPointer", false),
    };
    return { isInside: inside.current.hasFocus || inside.current.hasPointer, events };
}

/**
 * In two columns each card takes as many rows of the grid as it is high: the next one comes where room is first.
 * @param {{ current: HTMLElement | null }} list
 * @param {string} order
 */
function useRows(list, order) {
    const fit = () => {
        const cards = [.../** @type {Iterable<HTMLElement>} */ (list.current?.children ?? [])];
        // All are measured before any is changed, which would have each of them laid out anew.
        const rows = cards.map((card) => `span ${Math.ceil((card.offsetHeight + gapPixels) / rowPixels)}`);
        cards.forEach((card, n) => { if (card.style.gridRowEnd !== rows[n]) card.style.gridRowEnd = rows[n]; });
    };
    useLayoutEffect(fit);
    useLayoutEffect(() => {
        const observer = new ResizeObserver(fit);
        for (const card of list.current?.children ?? []) observer.observe(card);
        return () => observer.disconnect();
    }, [order]);
}

/**
 * Cards that change places slide there.
 * @param {{ current: HTMLElement | null }} list
 * @param {string} order
 */
function useMoves(list, order) {
    const places = useRef({ order, at: new Map() });
    useLayoutEffect(() => {
        const cards = [...(list.current?.children ?? [])];
        const origin = list.current?.getBoundingClientRect();
        const isMoved = places.current.order !== order && !matchMedia("(prefers-reduced-motion: reduce)").matches;
        const at = new Map();
        for (const card of cards) {
            const box = card.getBoundingClientRect();
            const place = { x: box.left - (origin?.left ?? 0), y: box.top - (origin?.top ?? 0) };
            const before = places.current.at.get(card);
            at.set(card, place);
            if (!isMoved || !before || (before.x === place.x && before.y === place.y)) continue;
            const by = `translate(${before.x - place.x}px, ${before.y - place.y}px)`;
            card.animate([{ transform: by }, { transform: "none" }],
                { duration: movingMilliseconds, easing: "ease-out" });
        }
        places.current = { order, at };
    });
}

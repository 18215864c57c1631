// The address is the state that a link shares: reads it, writes it, and makes links.
import { ScrollKeeper } from "./scroll.js";

/** @typedef {import("./types").Address} Address */

const views = new Set(["now", "trip", "bridge", "skill", "line", "board", "run", "widget", "me"]);
const names = [
    "bridge", "from", "to", "mode", "leave", "arrive", "sure", "height", "line", "lines", "stop", "run", "date", "near",
    "rows", "arrivals", "size", "theme", "compact", "refresh", "direction", "lang", "replay",
];
// What holds for the whole visit.
const lasting = ["lang", "replay"];
/** Longer values are no address. */
export const maxCharacters = 200;
// What is too long to be a place is kept as far as that can be seen and said.
const places = new Set(["from", "to"]);

/** @param {string} search such as ?view=trip&from=Ballard @returns {Address} */
export function readAddress(search) {
    const given = new URLSearchParams(search);
    const view = given.get("view") ?? "";
    /** @type {Record<string, string>} */
    const values = {};
    for (const name of names) {
        const value = given.get(name);
        if (value === null || value === "") continue;
        if (value.length <= maxCharacters) values[name] = value;
        else if (places.has(name)) values[name] = value.slice(0, maxCharacters) + "…";
    }
    return { view: /** @type {Address["view"]} */ (views.has(view) ? view : "now"), values };
}

/**
 * The search part of an address; "." where there is nothing to say.
 * @param {Address} address
 */
export function writeAddress(address) {
    const said = new URLSearchParams();
    if (address.view !== "now") said.set("view", address.view);
    for (const name of names) if (address.values[name]) said.set(name, address.values[name]);
    const text = said.toString();
    return text === "" ? "." : "?" + text;
}

/**
 * A link to a view; a replay goes along, and the language of the visit.
 * @param {Address} address the one that is shown
 * @param {Address["view"]} view
 * @param {Record<string, string | null>} [values]
 */
export function linkTo(address, view, values = {}) {
    /** @type {Record<string, string>} */
    const kept = {};
    for (const name of lasting) if (address.values[name]) kept[name] = address.values[name];
    for (const [name, value] of Object.entries(values)) {
        if (value === null) delete kept[name];
        else kept[name] = value;
    }
    return writeAddress({ view, values: kept });
}

/** Follows links of the page without loading it again, and the browser's back and forward. */
export class Router {
    #show;
    #scroll = new ScrollKeeper();

    /** @param {(address: Address) => void} show */
    constructor(show) {
        this.#show = show;
        addEventListener("popstate", () => {
            show(this.here());
            this.#scroll.restore();
        });
        document.addEventListener("click", (event) => this.#follow(event));
    }

    here() {
        return readAddress(location.search);
    }

    /**
     * Changes parameters of the address; null takes one out.
     * @param {Record<string, string | null>} changes
     * @param {{ view?: Address["view"], isReplaced?: boolean }} how replaced: no step of its own to go back to
     */
    change(changes, how = {}) {
        const { view, isReplaced = false } = how;
        const address = this.here();
        for (const [name, value] of Object.entries(changes)) {
            if (value === null || value === "") delete address.values[name];
            else address.values[name] = value;
        }
        if (view) address.view = view;
        const written = writeAddress(address);
        const target = written === "." ? location.pathname : written;
        if (isReplaced) history.replaceState(history.state, "", target);
        else this.#push(target);
        this.#show(this.here());
    }

    /** @param {string} target */
    #push(target) {
        history.pushState(null, "", target);
        this.#scroll.begin();
    }

    /** @param {MouseEvent} event */
    #follow(event) {
        const url = ownLink(event);
        if (!url) return;
        event.preventDefault();
        this.#push(url.search || location.pathname);
        this.#show(this.here());
        document.getElementById("main")?.focus({ preventScroll: true });
        scrollTo(0, 0);
    }
}

/**
 * The address of a link of this page that a plain click follows.
 * @param {MouseEvent} event
 */
function ownLink(event) {
    const target = event.target instanceof Element ? event.target.closest("a[href]") : null;
    if (!(target instanceof HTMLAnchorElement) || target.target || target.hasAttribute("download")) return null;
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
    const url = new URL(target.href);
    const isOwn = url.origin === location.origin && url.pathname === location.pathname && !url.hash;
    return isOwn ? url : null;
}

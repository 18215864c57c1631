// The frame of the page: header, views by width, footer. The phone shows one view, a wide screen the map, the board and
// a panel.
import { html, useRef } from "../vendor/preact.js";
import { BoardView, RunView } from "../boards/views.js";
import { useApp, useMedia, useSelected } from "../core/hooks.js";
import { linkTo } from "../core/router.js";
import { addMessages, languages } from "../core/words.js";
import { CityMap } from "../draw/map.js";
import { hasTimetable } from "../model/timetable.js";
import { Banner } from "../parts/banner.js";
import { addStyles, Guard, later, withTransit } from "../parts/fallback.js";
import { NowView } from "./now.js";
import { TimeBar } from "./timebar.js";

const BridgeView = later(() => import("./bridge.js").then((module) => module.BridgeView), true);
const LineView = later(() => withTransit(import("../line/view.js"), "style/line.css")
    .then((module) => module.LineView), false);
const MeView = later(() => Promise.all([
    addStyles("style/boards.css", "last"), withTransit(import("../me/view.js"), "style/me.css"), addMessages("me"),
]).then(([, module]) => module.MeView), false);
const SkillView = later(() => import("./skill.js").then((module) => module.SkillView), false);
const WidgetView = later(() => Promise.all([
    withTransit(import("../widgets/view.js"), "style/widgets.css"), addStyles("style/boards.css", "last"),
]).then(([module]) => module.WidgetView), false);
const TripView = later(() => import("./trip/view.js").then((module) => module.TripView), true);

export function App() {
    const isWide = useMedia("(min-width: 1024px)");
    const isRoomy = useMedia("(min-width: 720px)");
    const theme = useSelected((state) => state.preferences.theme);
    if (theme) document.documentElement.dataset.theme = theme;
    else delete document.documentElement.dataset.theme;
    const address = useSelected((state) => state.address);
    const { view, values } = address;
    const side = view === "bridge" ? guarded(`bridge-${values.bridge}`, html`<${BridgeView} key=${values.bridge} />`)
        : guarded("trip", html`<${TripView} />`);
    const board = guarded("now", html`<${NowView} />`);
    return html`
        <a class="skip" href="#main">${useApp().words.t("skip")}</a>
        <${Top} isRoomy=${isRoomy} />
        ${guarded("banner", html`<${Banner} />`)}
        <${BusTabs} />
        <main id="main" tabindex="-1" class=${`view-${view}${isWide ? " is-wide" : ""}`}>
            ${view === "skill" ? guarded("skill", html`<${SkillView} />`)
        : view === "line" ? guarded("line", html`<${LineView} />`)
        : view === "board" ? guarded("board", html`<${BoardView} />`)
        : view === "run" ? guarded("run", html`<${RunView} />`)
        : view === "widget" ? guarded("widget", html`<${WidgetView} />`)
        : view === "me" ? guarded("me", html`<${MeView} />`)
        : !isWide ? (view === "now" ? board : side)
            : html`
                <div class="column-map">${guarded("map", html`<${CityMap} />`)}</div>
                <div class="column-board">${board}</div>
                <div class="column-side">${side}</div>`}
        </main>
        ${guarded("time", html`<${TimeBar} />`)}
        <${Foot} isRoomy=${isRoomy} />`;
}

/**
 * A view that fails alone.
 * @param {string} key @param {any} view
 */
const guarded = (key, view) => html`<${Guard} key=${key}>${view}</${Guard}>`;

/** @param {{ isRoomy: boolean }} given whether the choices have room next to the views' names */
function Top({ isRoomy }) {
    const { words } = useApp();
    const address = useSelected((state) => state.address);
    const tabs = useTabs();
    return html`<header class="top">
        <p class="brand"><a href=${linkTo(address, "now")}>Bridgecast</a></p>
        <nav aria-label=${words.t("nav.label")}><ul>
            ${tabs.map((tab) => html`<li><a href=${linkTo(address, tab)}
                aria-current=${currentOf(address, tab)}>${words.t(`nav.${tab}`)}</a></li>`)}
        </ul></nav>
        ${isRoomy && html`<${Settings} isNamed=${false} />`}
    </header>`;
}

const ofBuses = /** @type {const} */ (["line", "board"]);

/** @param {import("../core/types").Address} address */
const isOfBuses = ({ view }) => ["line", "board", "run", "widget"].includes(view);

/**
 * Whether a tab names the view, or what it belongs to.
 * @param {import("../core/types").Address} address @param {string} tab
 */
const currentOf = (address, tab) => (address.view === tab ? "page"
    : isOfBuses(address) && tab === "line" ? "true" : undefined);

/** What there is of buses: their lines, and boards of stops. */
function BusTabs() {
    const { words } = useApp();
    const address = useSelected((state) => state.address);
    if (!isOfBuses(address)) return null;
    return html`<nav class="bus-tabs" aria-label=${words.t("nav.line")}><ul>${ofBuses.map((tab) => html`<li key=${tab}>
        <a href=${linkTo(address, tab)} aria-current=${address.view === tab ? "page" : undefined}>
            ${words.t(`nav.buses.${tab}`)}</a></li>`)}</ul></nav>`;
}

/**
 * The views that the top of the page names; buses once the service is seen to have a timetable.
 * @returns {import("../core/types").Address["view"][]}
 */
function useTabs() {
    const hasLines = useRef(false);
    const isSeen = useSelected((state) => hasTimetable(state.board) || isOfBuses(state.address));
    hasLines.current ||= isSeen;
    return hasLines.current ? ["now", "trip", "line", "skill"] : ["now", "trip", "skill"];
}

/** @param {{ isRoomy: boolean }} given */
function Foot({ isRoomy }) {
    const { words } = useApp();
    return html`<footer class="foot">
        ${!isRoomy && html`<${Settings} isNamed=${true} />`}
        <p>${words.t("foot.map")} <a href="https://www.openstreetmap.org/copyright">© OpenStreetMap contributors</a>,
            ODbL. ${words.t("foot.records")}</p>
        <p>${words.t("foot.what")} <a href="openapi.json">API</a> · <a href="?view=me">${words.t("nav.me")}</a></p>
    </footer>`;
}

/** @param {{ isNamed: boolean }} given named: their names are seen, not only heard */
function Settings({ isNamed }) {
    const { router, store, words } = useApp();
    const preferences = useSelected((state) => state.preferences);
    /** @param {string} language */
    const chooseLanguage = (language) => {
        store.dispatch({ type: "preferences", preferences: { language } });
        // The address of a link has another one.
        router.change({ lang: null }, { isReplaced: true });
    };
    /** @param {string} value */
    const chooseTheme = (value) => {
        const theme = value === "light" || value === "dark" ? value : null;
        store.dispatch({ type: "preferences", preferences: { theme } });
    };
    return html`<div class="settings">
        <${Setting} label=${words.t("choice.language")} isNamed=${isNamed} value=${words.locale.slice(0, 2)}
            onChoose=${chooseLanguage}>${Object.entries(languages).map(([code, name]) =>
                html`<option value=${code} lang=${code}>${name}</option>`)}</${Setting}>
        <${Setting} label=${words.t("choice.theme")} isNamed=${isNamed} value=${preferences.theme ?? "auto"}
            onChoose=${chooseTheme}>${["auto", "light", "dark"].map((theme) =>
                html`<option value=${theme}>${words.t(`theme.${theme}`)}</option>`)}</${Setting}>
    </div>`;
}

/**
 * @param {object} given
 * @param {string} given.label
 * @param {boolean} given.isNamed
 * @param {string} given.value
 * @param {(value: string) => void} given.onChoose
 * @param {any} given.children options
 */
function Setting({ label, isNamed, value, onChoose, children }) {
    /** @param {Event} event */
    const choose = (event) => onChoose(/** @type {HTMLSelectElement} */ (event.currentTarget).value);
    return html`<label><span class=${isNamed ? "" : "unseen"}>${label}</span>
        <select value=${value} onChange=${choose}>${children}</select></label>`;
}

// A bridge's own page: the next hours, rules, week, last openings, how good the forecast is. Used by views/app.js.
import { html, useMemo } from "../vendor/preact.js";
import { useAnswer, useApp, useMedia, useNow, useSelected } from "../core/app.js";
import { linkTo } from "../core/router.js";
import { useStatus } from "../core/status.js";
import { ChanceBars } from "../draw/chance-bars.js";
import { DelayDots } from "../draw/delay-dots.js";
import { shownState } from "../model/status.js";
import { AgeLine, StateWords } from "../parts/age.js";
import { CardHappened } from "../parts/card-happened.js";
import { CardWhy } from "../parts/card-why.js";
import { Guard } from "../parts/guard.js";
import { PinButton } from "../parts/pin-button.js";
import { SpanMark } from "../parts/span-mark.js";
import { WatchButton } from "../parts/watch-button.js";
import { BridgeOpenings } from "./bridge-openings.js";
import { BridgePattern } from "./bridge-pattern.js";
import { BridgeRules } from "./bridge-rules.js";
import { BridgeSkill } from "./bridge-skill.js";
import { BridgeVessel } from "./bridge-vessel.js";

/** @typedef {import("../core/types").Bridge} Bridge */

const redrawMilliseconds = 20_000;

export function BridgeView() {
    const { words } = useApp();
    const wanted = useSelected((state) => state.address.values.bridge ?? "");
    const board = useSelected((state) => state.board);
    const own = board?.bridges.find((bridge) => isNamed(bridge, wanted)) ?? null;
    // The board is what cards and map show, and it follows each event; the document has the rules.
    const path = own ? `bridges/${own.bridge_id}?hours=3` : null;
    const answer = useAnswer(path);
    // These do not follow the clock: a new board need not draw them again.
    const [id, name] = [own?.bridge_id, own?.bridge];
    const pattern = useMemo(() => html`<${BridgePattern} bridgeId=${id} />`, [id]);
    const skill = useMemo(() => html`<${BridgeSkill} bridgeId=${id} name=${name} />`, [id, name]);
    if (board && !own) return html`<${UnknownBridge} wanted=${wanted} bridges=${board.bridges} />`;
    if (!own) {
        // What is wrong with the board is told by the banner.
        return html`<div class="bridge"><${Title}>${words.t("bridge.heading_waiting")}</${Title}>
            <p class="small">${words.t("answer.loading", { what: words.t("bridge.what") })}</p>
            <div class="skeleton"></div></div>`;
    }
    const bridge = own;
    return html`<div class="bridge">
        <${Heading} bridge=${bridge} />
        <div class="bridge-cards">
            <div>
                <${Guard}><${NextHours} bridge=${bridge} /></${Guard}>
                <${Guard}><${BridgeRules} answer=${answer} path=${path} /></${Guard}>
                <${BridgeVessel} bridge=${bridge} />
            </div>
            <div>
                <${Guard}>${pattern}</${Guard}>
                <${Guard}><${BridgeOpenings} bridge=${bridge} /></${Guard}>
                <${Guard}>${skill}</${Guard}>
            </div>
        </div>
    </div>`;
}

/** @param {Bridge} bridge @param {string} wanted its number or its name */
function isNamed(bridge, wanted) {
    return String(bridge.bridge_id) === wanted.trim() || bridge.bridge.toLowerCase() === wanted.trim().toLowerCase();
}

/**
 * The heading of the view; on a wide screen the board beside it has the first one.
 * @param {{ children: any }} given
 */
function Title({ children }) {
    const isWide = useMedia("(min-width: 1024px)");
    return isWide ? html`<h2 class="bridge-title">${children}</h2>` : html`<h1>${children}</h1>`;
}

/** @param {{ bridge: Bridge }} given */
function Heading({ bridge }) {
    const { words } = useApp();
    const status = useStatus();
    const shown = shownState(bridge, status);
    return html`<header class="bridge-head">
        <${Title}>${words.t("bridge.heading", { bridge: bridge.bridge })}</${Title}>
        <p class=${`bridge-state is-${shown}`}><${SpanMark} state=${shown} />
            <${StateWords} bridge=${bridge} shown=${shown} isOpen=${true} /></p>
        <${AgeLine} />
        <div class="bridge-buttons"><${PinButton} bridge=${bridge} />
            ${status.kind !== "replay" && shown !== "unknown" && html`<${WatchButton} bridge=${bridge} />`}</div>
    </header>`;
}

/** @param {{ bridge: Bridge }} given */
function NextHours({ bridge }) {
    const { words } = useApp();
    const now = useNow(redrawMilliseconds);
    const status = useStatus();
    const day = useSelected((state) => state.replay?.day ?? null);
    const isPast = status.kind === "replay";
    const isDead = status.kind === "dead";
    const isUsualOnly = shownState(bridge, status) === "unknown" && !isPast;
    const happened = isPast ? day?.bridges.find((entry) => entry.bridge_id === bridge.bridge_id)?.openings ?? [] : [];
    return html`<section class="card">
        <h2>${words.t(isPast ? "card.said_then" : "bridge.next")}</h2>
        <${ChanceBars} bridge=${bridge} isUsualOnly=${isUsualOnly} happened=${happened} />
        ${isPast && html`<${CardHappened} bridge=${bridge} now=${now} />`}
        <${DelayDots} quantilesSeconds=${isDead ? null : bridge.delay_quantiles_s}
            quantilesIfStoppedSeconds=${isDead ? null : bridge.delay_quantiles_if_stopped_s}
            probabilityStopped=${isUsualOnly ? bridge.usual_probability_stopped : bridge.probability_stopped} />
        <${CardWhy} bridge=${bridge} status=${status} now=${now} />
    </section>`;
}

/** @param {{ wanted: string, bridges: Bridge[] }} given */
function UnknownBridge({ wanted, bridges }) {
    const { words } = useApp();
    const address = useSelected((state) => state.address);
    return html`<div class="bridge">
        <${Title}>${words.t(wanted === "" ? "bridge.which" : "bridge.unknown")}</${Title}>
        ${wanted !== "" && html`<p>${words.t("bridge.unknown_name", { name: wanted.slice(0, 60) })}</p>`}
        <ul class="bridge-list">${bridges.map(({ bridge, bridge_id }) => html`<li>
            <a class="button" href=${linkTo(address, "bridge", { bridge: String(bridge_id) })}>
                ${bridge}</a></li>`)}</ul>
    </div>`;
}

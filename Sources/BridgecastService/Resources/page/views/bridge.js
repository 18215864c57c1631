// A bridge's own view: the next hours, its rules and how good its forecast is. Its records are in bridge-records.js.
import { html, useMemo } from "../vendor/preact.js";
import { useAnswer, useApp, useMedia, useNow, useSelected, useStatus } from "../core/hooks.js";
import { linkTo } from "../core/router.js";
import { ChanceBars } from "../draw/chance-bars.js";
import { DelayDots } from "../draw/delay-dots.js";
import { Reliability } from "../draw/skill-pictures.js";
import { WeekWindows } from "../draw/week.js";
import { sayThrough, sayUnknown } from "../model/card.js";
import { evaluationOf, sayBand } from "../model/evaluation.js";
import { sayRule, sayWeek } from "../model/rules.js";
import { shownState } from "../model/status.js";
import { PinButton, WatchButton } from "../parts/buttons.js";
import { CardHappened, CardWhy, sayConfidence } from "../parts/card.js";
import { Guard, NoAnswer } from "../parts/fallback.js";
import { AgeLine, SpanMark, StateWords } from "../parts/state.js";
import { BridgeOpenings, BridgePattern } from "./bridge-records.js";
import { BridgeVessel } from "./bridge-vessel.js";

/** @typedef {import("../core/types").Bridge} Bridge */

const redrawMilliseconds = 20_000;

export function BridgeView() {
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
    if (!own) return html`<${WaitingBridge} />`;
    return html`<div class="bridge">
        <${Heading} bridge=${own} />
        <div class="bridge-cards">
            <div>
                <${Guard}><${NextHours} bridge=${own} /></${Guard}>
                <${Guard}><${BridgeRules} answer=${answer} path=${path} /></${Guard}>
                <${BridgeVessel} bridge=${own} />
            </div>
            <div>
                <${Guard}>${pattern}</${Guard}>
                <${Guard}><${BridgeOpenings} bridge=${own} /></${Guard}>
                <${Guard}>${skill}</${Guard}>
            </div>
        </div>
    </div>`;
}

/** What is wrong with the board is reported by the banner. */
function WaitingBridge() {
    const { words } = useApp();
    return html`<div class="bridge"><h1>${words.t("bridge.heading_waiting")}</h1>
        <p class="small">${words.t("answer.loading", { what: words.t("bridge.what") })}</p>
        <div class="skeleton"></div></div>`;
}

/** @param {Bridge} bridge @param {string} wanted its number or its name */
function isNamed(bridge, wanted) {
    return String(bridge.bridge_id) === wanted.trim() || bridge.bridge.toLowerCase() === wanted.trim().toLowerCase();
}

/** @param {{ bridge: Bridge }} given */
function Heading({ bridge }) {
    const { words } = useApp();
    const status = useStatus();
    const shown = shownState(bridge, status);
    const isWide = useMedia("(min-width: 1024px)");
    return html`<header class="bridge-head">
        <h1>${words.t("bridge.heading", { bridge: bridge.bridge })}</h1>
        <p class=${`bridge-state is-${shown}`}><${SpanMark} state=${shown} />
            <${StateWords} bridge=${bridge} shown=${shown} isOpen=${true} /></p>
        ${!isWide && html`<${AgeLine} />`}
        <div class="bridge-buttons"><${PinButton} bridge=${bridge} />
            ${status.kind !== "replay" && shown !== "unknown" && html`<${WatchButton} bridge=${bridge}
                isRaised=${shown === "raised"} />`}</div>
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
    const confidence = isDead ? null : sayConfidence(words, bridge);
    const shown = shownState(bridge, status);
    const answer = shown === "unknown" ? sayUnknown(words, bridge, status, now)
        : shown === "raised" ? sayThrough(words, bridge, now) : null;
    const happened = isPast ? day?.bridges.find((entry) => entry.bridge_id === bridge.bridge_id)?.openings ?? [] : [];
    return html`<section class="card">
        <h2>${words.t(isPast ? "card.said_then" : "bridge.next")}</h2>
        ${answer && html`<p>${answer}</p>`}
        <${ChanceBars} bridge=${bridge} status=${status} happened=${happened} />
        ${isPast && html`<${CardHappened} bridge=${bridge} now=${now} />`}
        <${DelayDots} quantilesSeconds=${isDead ? null : bridge.delay_quantiles_s}
            quantilesIfStoppedSeconds=${isDead ? null : bridge.delay_quantiles_if_stopped_s}
            probabilityStopped=${isDead ? bridge.climatology_probability_stopped : bridge.probability_stopped} />
        ${confidence && html`<p class="small">${confidence}</p>`}
        <${CardWhy} bridge=${bridge} status=${status} now=${now} />
    </section>`;
}

/** @param {{ wanted: string, bridges: Bridge[] }} given */
function UnknownBridge({ wanted, bridges }) {
    const { words } = useApp();
    const address = useSelected((state) => state.address);
    return html`<div class="bridge">
        <h1>${words.t(wanted === "" ? "bridge.which" : "bridge.unknown")}</h1>
        ${wanted !== "" && html`<p>${words.t("bridge.unknown_name", { name: wanted.slice(0, 60) })}</p>`}
        <ul class="bridge-list">${bridges.map(({ bridge, bridge_id }) => html`<li>
            <a class="button" href=${linkTo(address, "bridge", { bridge: String(bridge_id) })}>
                ${bridge}</a></li>`)}</ul>
    </div>`;
}

const rulesRedrawMilliseconds = 60_000;

/**
 * @param {object} given
 * @param {import("../data/answers.js").Answer<import("../core/types").BridgeDocument>} given.answer
 * @param {string} given.path what was asked
 */
function BridgeRules({ answer, path }) {
    const { words } = useApp();
    const now = useNow(rulesRedrawMilliseconds);
    const document = answer.value;
    const week = document?.closed_windows_week ?? [];
    const hasWaits = week.some(({ windows }) => windows.length > 0);
    const facts = document?.rule_facts;
    return html`<section class="card">
        <h2>${words.t("bridge.rules")}</h2>
        ${!document && html`<${NoAnswer} answer=${answer} path=${path} what=${words.t("bridge.rules")} />`}
        ${document && html`<ul class="bridge-rules">${facts
            ? facts.map((fact, n) => {
                const said = sayRule(words, fact);
                return html`<li lang=${said === null ? "en" : undefined}>
                    ${said ?? document.rules?.[n] ?? fact.code}</li>`;
            })
            : (document.rules ?? []).map((rule) => html`<li lang="en">${rule}</li>`)}</ul>`}
        ${hasWaits && html`<${WeekWindows} week=${week} now=${now} title=${sayWeek(words, week)} />`}
    </section>`;
}

/** @param {{ bridgeId: number, name: string }} given */
export function BridgeSkill({ bridgeId, name }) {
    const { words } = useApp();
    const address = useSelected((state) => state.address);
    /** @type {import("../data/answers.js").Answer<any>} */
    const answer = useAnswer("skill", "once");
    const evaluation = evaluationOf(answer.value);
    const own = evaluation?.by_bridge.find((entry) => entry.bridge_id === bridgeId);
    const bands = own?.reliability ?? [];
    const percent = (/** @type {number} */ share) => words.number(share * 100);
    return html`<section class="card">
        <h2>${words.t("bridge.skill")}</h2>
        ${answer.trouble?.status === 404 || (answer.value && !evaluation) ? html`<p>${words.t("skill.none")}</p>`
        : !evaluation ? html`<${NoAnswer} answer=${answer} path="skill" what=${words.t("bridge.skill")} />`
            : !own ? html`<p>${words.t("bridge.skill_none", { bridge: name })}</p>` : html`
                <p>${words.t("bridge.skill_gain", { gain: percent(own.stopped.log_loss_skill.value),
                    low: percent(own.stopped.log_loss_skill.low), high: percent(own.stopped.log_loss_skill.high) })}</p>
                ${bands.length > 0 && html`<${Reliability} bands=${bands} title=${sayBand(words, bands)} />`}`}
        <p><a class="button" href=${linkTo(address, "skill")}>${words.t("bridge.skill_link")}</a></p>
    </section>`;
}

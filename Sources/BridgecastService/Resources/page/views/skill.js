// How good the forecast is: by range, lead time and bridge, on trips, and where it fails.
import { html } from "../vendor/preact.js";
import { useAnswer, useApp, useSelected } from "../core/hooks.js";
import { linkTo } from "../core/router.js";
import { GainRows, LeadGain, Reliability } from "../draw/skill-pictures.js";
import { evaluationOf, sayAsLive, sayBand, sayEvents, sayFailures, sayLeads, sayRanges, sayWarning } from "../model/evaluation.js";
import { sayDetails, sayDrift, sayWindows, verificationOf } from "../model/verification.js";
import { NoAnswer } from "../parts/fallback.js";

// As models/README.md has it; the answer does not say how it was made.
const command = "tools/bridgecast evaluate --model models/validation/bridgecast.int8.bcm --report report "
    + "--skill skill.json";

export function SkillView() {
    const { words } = useApp();
    /** @type {import("../data/answers.js").Answer<any>} */
    const answer = useAnswer("skill", "once");
    const evaluation = evaluationOf(answer.value);
    if (!evaluation) {
        const isNone = answer.trouble?.status === 404 || answer.value;
        return html`<div class="skill"><h1>${words.t("skill.title")}</h1>
            ${isNone ? html`<p>${words.t("skill.none")}</p><${Command} />`
            : html`<${NoAnswer} answer=${answer} path="skill" what=${words.t("skill.what")} />`}</div>`;
    }
    return html`<div class="skill">
        <h1>${words.t("skill.title")}</h1>
        <p class="skill-answer">${sayBand(words, evaluation.reliability)}</p>
        ${evaluation.as_live.length > 0 && html`<p class="skill-live">${sayAsLive(words, evaluation)}</p>`}
        <${InOperation} />
        <div class="skill-cards"><div>
            ${evaluation.reliability.length > 0 && html`<section class="card"><h2>${words.t("skill.honest")}</h2>
                <${Reliability} bands=${evaluation.reliability} title=${sayRanges(words, evaluation.reliability)}
                    sentence=${words.t("skill.reliability_read")} /></section>`}
            ${evaluation.by_lead.length > 0 && html`<section class="card"><h2>${words.t("skill.sharp")}</h2>
                <${LeadGain} leads=${evaluation.by_lead} title=${sayLeads(words, evaluation)} /></section>`}
            ${evaluation.by_bridge.length > 0 && html`<${ByBridge} evaluation=${evaluation} />`}
        </div><div>
            ${evaluation.routes && html`<${SkillTrips} routes=${evaluation.routes} />`}
            <${Failures} evaluation=${evaluation} warnings=${answer.value.warnings ?? []} />
            <${Evaluated} evaluation=${evaluation} />
        </div></div>
    </div>`;
}

/** The scores of issued forecasts; nothing where the service archives no forecasts. */
function InOperation() {
    const { words } = useApp();
    /** @type {import("../data/answers.js").Answer<any>} */
    const answer = useAnswer("verification", "once");
    const found = verificationOf(answer.value);
    if (!found) return null;
    const isWorse = found.drift?.outcome === "worse";
    const drift = sayDrift(words, found);
    return html`<section class=${isWorse ? "card skill-operation is-worse" : "card skill-operation"}>
        <h2>${words.t("skill.operation")}</h2>
        ${drift && html`<p role=${isWorse ? "alert" : null} class="skill-drift">${drift}</p>`}
        <ul class="skill-fails">
            ${found.isReplay && html`<li>${words.t("skill.operation_replay")}</li>`}
            ${found.windows.length === 0 && html`<li>${words.t("skill.operation_none")}</li>`}
            ${[...sayWindows(words, found), ...sayDetails(words, found)].map((text) => html`<li>${text}</li>`)}</ul>
    </section>`;
}

/** @param {{ evaluation: import("../model/evaluation.js").Evaluation }} given */
function ByBridge({ evaluation }) {
    const { words } = useApp();
    const address = useSelected((state) => state.address);
    const rows = [...evaluation.by_bridge].sort((a, b) => b.stopped.log_loss_skill.value - a.stopped.log_loss_skill.value)
        .map(({ bridge, stopped, cases }) => ({ name: bridge, gain: stopped.log_loss_skill, cases }));
    return html`<section class="card"><h2>${words.t("skill.by_bridge")}</h2>
        <${GainRows} rows=${rows} title=${words.t("skill.best_bridge", {
            bridge: rows[0].name, gain: Math.round(rows[0].gain.value * 100) })} />
        <p class="small">${words.t("skill.bridge_pages")} ${evaluation.by_bridge.map(({ bridge, bridge_id }, n) => html`
            ${n > 0 && ", "}<a href=${linkTo(address, "bridge", { bridge: String(bridge_id) })}>${bridge}</a>`)}</p>
    </section>`;
}

/** @param {{ evaluation: import("../model/evaluation.js").Evaluation, warnings: string[] }} given */
function Failures({ evaluation, warnings }) {
    const { words } = useApp();
    const board = useSelected((state) => state.board);
    return html`<section class="card"><h2>${words.t("skill.fails")}</h2>
        <ul class="skill-fails">
            ${sayFailures(words, evaluation, board?.bridges ?? []).map((text) => html`<li>${text}</li>`)}
            ${warnings.filter((text) => typeof text === "string").map((warning) => sayWarning(words, warning))
                .map(({ text, lang }) => html`<li lang=${lang}>${text}</li>`)}</ul>
    </section>`;
}

/** @param {{ evaluation: import("../model/evaluation.js").Evaluation }} given */
function Evaluated({ evaluation }) {
    const { words } = useApp();
    const fitted = evaluation.evaluated_model?.fitted_before;
    return html`<section class="card"><h2>${words.t("skill.evaluated")}</h2>
        <p>${words.t("skill.period", { n: evaluation.total?.cases ?? 0, days: evaluation.days,
            from: words.day(evaluation.from), to: words.day(Date.parse(evaluation.to) - 1) })}
            ${fitted && ` ${words.t("skill.fitted", { date: words.day(fitted) })}`}</p>
        <p>${words.t("skill.better_means")} ${sayEvents(words, evaluation)}</p>
        <${Command} />
    </section>`;
}

function Command() {
    const { words } = useApp();
    return html`<p>${words.t("skill.rerun")}</p>
        <pre class="skill-command" tabindex="0" aria-label=${words.t("skill.rerun")}><code>${command}</code></pre>`;
}

const known = ["bridgecast", "climatology", "shortest", "fixed_bridge"];

/** @param {{ routes: NonNullable<import("../model/evaluation.js").Evaluation["routes"]> }} given */
function SkillTrips({ routes }) {
    const { words } = useApp();
    const usual = routes.policies.find((policy) => policy.policy === "climatology");
    const own = routes.policies.find((policy) => policy.policy === "bridgecast");
    const saved = usual?.regret_saved_by_bridgecast;
    const lost = (/** @type {number} */ minutes) => (minutes < 1
        ? words.t("unit.seconds", { n: words.number(minutes * 60, 1) }) : words.duration(minutes * 60));
    const inCases = (/** @type {number} */ share) => (share < 0.001
        ? words.t("skill.range_under", { to: words.number(0.1, 1) }) : words.number(share * 100, 1));
    return html`<section class="card"><h2>${words.t("skill.saves")}</h2>
        ${saved && own && usual && html`<p>${words.t("skill.saves_sentence", {
            saved: Math.round(saved.value * 100), low: Math.round(saved.low * 100), high: Math.round(saved.high * 100),
            own: words.number(own.regret_min.value * 60, 1),
            usual: words.number(usual.regret_min.value * 60, 1) })}</p>`}
        <table class="skill-trips">
            <caption class="unseen">${words.t("skill.saves")}</caption>
            <thead><tr><th scope="col">${words.t("skill.choosing")}</th><th scope="col">${words.t("skill.stopped")}</th>
                <th scope="col">${words.t("skill.lost")}</th></tr></thead>
            <tbody>${routes.policies.map((policy) => html`<tr class=${policy === own ? "is-own" : ""}>
                <th scope="row">${known.includes(policy.policy)
                    ? words.t(`skill.policy.${policy.policy}`) : policy.policy}</th>
                <td>${inCases(policy.stopped)}</td>
                <td>${lost(policy.regret_min.value)}</td></tr>`)}</tbody>
        </table>
        <p class="small">${words.t("skill.trips", { n: routes.trips, days: routes.days })}</p>
    </section>`;
}

// How good the forecast is: said and happened, by lead, by bridge, on trips, and where it fails. Used by views/app.js.
import { html } from "../vendor/preact.js";
import { useAnswer, useApp, useSelected } from "../core/app.js";
import { linkTo } from "../core/router.js";
import { GainRows } from "../draw/gain-rows.js";
import { LeadGain } from "../draw/lead-gain.js";
import { Reliability } from "../draw/reliability.js";
import { evaluationOf } from "../model/skill.js";
import { NoAnswer } from "../parts/no-answer.js";
import { SkillTrips } from "./skill-trips.js";
import { sayBand, sayFailures, sayLeads, sayRanges, sayWarning } from "./skill-words.js";

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

/** @param {{ evaluation: import("../model/skill.js").Evaluation }} given */
function ByBridge({ evaluation }) {
    const { words } = useApp();
    const address = useSelected((state) => state.address);
    const rows = [...evaluation.by_bridge].sort((a, b) => b.log_loss_skill.value - a.log_loss_skill.value)
        .map(({ bridge, log_loss_skill: gain, cases }) => ({ name: bridge, gain, cases }));
    return html`<section class="card"><h2>${words.t("skill.by_bridge")}</h2>
        <${GainRows} rows=${rows} title=${words.t("skill.best_bridge", {
            bridge: rows[0].name, gain: Math.round(rows[0].gain.value * 100) })} />
        <p class="small">${words.t("skill.bridge_pages")} ${evaluation.by_bridge.map(({ bridge, bridge_id }, n) => html`
            ${n > 0 && ", "}<a href=${linkTo(address, "bridge", { bridge: String(bridge_id) })}>${bridge}</a>`)}</p>
    </section>`;
}

/** @param {{ evaluation: import("../model/skill.js").Evaluation, warnings: string[] }} given */
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

/** @param {{ evaluation: import("../model/skill.js").Evaluation }} given */
function Evaluated({ evaluation }) {
    const { words } = useApp();
    const fitted = evaluation.evaluated_model?.fitted_before;
    return html`<section class="card"><h2>${words.t("skill.evaluated")}</h2>
        <p>${words.t("skill.period", { n: evaluation.total?.cases ?? 0, days: evaluation.days,
            from: words.day(evaluation.from), to: words.day(Date.parse(evaluation.to) - 1) })}
            ${fitted && ` ${words.t("skill.fitted", { date: words.day(fitted) })}`}</p>
        <p>${words.t("skill.better_means")}</p>
        <${Command} />
    </section>`;
}

function Command() {
    const { words } = useApp();
    return html`<p>${words.t("skill.rerun")}</p>
        <pre class="skill-command" tabindex="0" aria-label=${words.t("skill.rerun")}><code>${command}</code></pre>`;
}

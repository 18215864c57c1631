// How good the forecast is at one bridge: what was said and what happened. Part of a bridge's own page.
import { html } from "../vendor/preact.js";
import { useAnswer, useApp, useSelected } from "../core/app.js";
import { linkTo } from "../core/router.js";
import { Reliability } from "../draw/reliability.js";
import { evaluationOf } from "../model/skill.js";
import { NoAnswer } from "../parts/no-answer.js";
import { sayBand } from "./skill-words.js";

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
                <p>${words.t("bridge.skill_gain", { gain: percent(own.log_loss_skill.value),
                    low: percent(own.log_loss_skill.low), high: percent(own.log_loss_skill.high) })}</p>
                ${bands.length > 0 && html`<${Reliability} bands=${bands} title=${sayBand(words, bands)} />`}`}
        <p><a class="button" href=${linkTo(address, "skill")}>${words.t("bridge.skill_link")}</a></p>
    </section>`;
}

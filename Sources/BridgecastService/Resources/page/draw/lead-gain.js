// How much better than the usual for the hour, by minutes ahead, as columns with intervals. Used by the view of skill.
import { html } from "../vendor/preact.js";
import { useApp } from "../core/app.js";
import { Picture } from "../parts/picture.js";
import { linear, marksOn, roundStep } from "./scale.js";

const left = 34;
const right = 326;
const top = 20;
const base = 150;

/**
 * @param {object} given
 * @param {import("../model/skill.js").LeadSkill[]} given.leads
 * @param {string} given.title
 * @param {string} [given.sentence]
 */
export function LeadGain({ leads, title, sentence }) {
    const { words } = useApp();
    const percent = (/** @type {number} */ share) => words.number(share * 100);
    const figures = leads.map((lead) => lead.log_loss_skill);
    const most = Math.max(0.1, ...figures.map((figure) => figure.high));
    const least = Math.min(0, ...figures.map((figure) => figure.low));
    const step = roundStep(most - least, 4);
    const marks = marksOn(least, most, step);
    const y = linear(least, most, base, top);
    const wide = (right - left) / Math.max(1, leads.length);
    const table = {
        head: [words.t("skill.ahead"), words.t("skill.better"), words.t("skill.interval"), words.t("skill.cases")],
        rows: leads.map(({ lead_min, log_loss_skill: gain, cases }) => [words.t("unit.minutes", { n: lead_min }),
            `${percent(gain.value)} %`, `${percent(gain.low)}–${percent(gain.high)} %`, words.number(cases)]),
    };
    return html`<${Picture} title=${title} sentence=${sentence} table=${table} legend=${words.t("skill.key_gain")}>
        <svg viewBox=${`0 0 328 ${base + 42}`} aria-hidden="true" focusable="false">
            ${marks.map((mark) => html`<path class="grid-line" d=${`M${left} ${y(mark)}H${right}`} />
                <text x=${left - 5} y=${y(mark) + 4} text-anchor="end">${percent(mark)}</text>`)}
            ${leads.map(({ lead_min, log_loss_skill: gain }, n) => {
                const x = left + (n + 0.5) * wide;
                const height = Math.max(2, Math.abs(y(gain.value) - y(0)));
                return html`<rect class="gain-bar" x=${x - wide * 0.32} y=${Math.min(y(0), y(gain.value), y(0) - 2)}
                        width=${wide * 0.64} height=${height} rx="3" />
                    <path class="whisker" d=${`M${x} ${y(gain.low)}V${y(gain.high)}`} />
                    <text class="number" x=${x} y=${y(Math.max(gain.high, 0)) - 6} text-anchor="middle">
                        ${percent(gain.value)}</text>
                    <text x=${x} y=${base + 18} text-anchor="middle">${words.number(lead_min)}</text>`;
            })}
            <path class="axis-line" d=${`M${left} ${y(0)}H${right}`} />
            <text x=${(left + right) / 2} y=${base + 37} text-anchor="middle">${words.t("skill.axis_ahead")}</text>
        </svg>
    </${Picture}>`;
}

// How much better than the usual for the hour, a row for each bridge, with intervals. Used by the view of skill.
import { html } from "../vendor/preact.js";
import { useApp } from "../core/app.js";
import { Picture } from "../parts/picture.js";
import { linear, marksOn, roundStep } from "./scale.js";

const left = 122;
const right = 316;
const high = 28;

/**
 * @param {object} given
 * @param {{ name: string, gain: import("../model/skill.js").Figure, cases: number }[]} given.rows
 * @param {string} given.title
 * @param {string} [given.sentence]
 */
export function GainRows({ rows, title, sentence }) {
    const { words } = useApp();
    const percent = (/** @type {number} */ share) => words.number(share * 100);
    const most = Math.max(0.1, ...rows.map(({ gain }) => gain.high));
    const least = Math.min(0, ...rows.map(({ gain }) => gain.low));
    const step = roundStep(most - least, 4);
    const x = linear(least, most, left, right);
    const bottom = rows.length * high + 2;
    const marks = marksOn(least, most, step);
    const table = {
        head: [words.t("skill.bridge"), words.t("skill.better"), words.t("skill.interval"), words.t("skill.cases")],
        rows: rows.map(({ name, gain, cases }) => [name, `${percent(gain.value)} %`,
            `${percent(gain.low)}–${percent(gain.high)} %`, words.number(cases)]),
    };
    return html`<${Picture} title=${title} sentence=${sentence} table=${table} legend=${words.t("skill.key_gain_rows")}>
        <svg viewBox=${`0 0 328 ${bottom + 24}`} aria-hidden="true" focusable="false">
            ${marks.map((mark) => html`<path class="grid-line" d=${`M${x(mark)} 2V${bottom}`} />
                <text x=${x(mark)} y=${bottom + 19} text-anchor="middle">
                    ${percent(mark)}${mark > most - step ? " %" : ""}</text>`)}
            ${rows.map(({ name, gain }, n) => {
                const y = n * high + high / 2;
                return html`<text class="number" x="0" y=${y + 5}>${name}</text>
                    <path class="interval" d=${`M${x(gain.low)} ${y}H${x(gain.high)}`} />
                    <circle class="dot-gain" cx=${x(gain.value)} cy=${y} r="6" />`;
            })}
            <path class="axis-line" d=${`M${x(0)} 2V${bottom}`} />
        </svg>
    </${Picture}>`;
}

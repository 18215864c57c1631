// What was said against what happened, by ranges of chance. Used by the view of skill and a bridge's own page.
import { html } from "../vendor/preact.js";
import { useApp } from "../core/app.js";
import { Picture } from "../parts/picture.js";
import { Key } from "./key.js";
import { squareRoot } from "./scale.js";

/** @typedef {import("../model/skill.js").Band} Band */

const left = 104;
const right = 318;
const high = 38;
const place = squareRoot(1, left, right);

/**
 * @param {object} given
 * @param {Band[]} given.bands
 * @param {string} given.title
 * @param {string} [given.sentence]
 */
export function Reliability({ bands, title, sentence }) {
    const { words } = useApp();
    const inCases = (/** @type {number} */ chance) => words.number(chance * 100, chance < 0.1 ? 1 : 0);
    const bottom = bands.length * high + 2;
    const table = {
        head: ["range", "said", "happened", "interval", "cases"].map((name) => words.t(`skill.${name}`)),
        rows: bands.map((band) => [sayRange(words, band), inCases(band.said), inCases(band.happened.value),
            `${inCases(band.happened.low)}–${inCases(band.happened.high)}`, words.number(band.cases)]),
    };
    const items = [
        { shape: "ring", words: words.t("skill.key_said") }, { shape: "disc", words: words.t("skill.key_happened") },
        { shape: "bar", words: words.t("skill.key_interval") },
    ];
    return html`<${Picture} title=${title} sentence=${sentence} table=${table}
        legend=${html`<${Key} items=${items} />`}>
        <svg viewBox=${`0 0 328 ${bottom + 40}`} aria-hidden="true" focusable="false">
            ${[1, 5, 20, 50, 100].map((cases) => html`
                <path class="grid-line" d=${`M${place(cases / 100)} 4V${bottom}`} />
                <path class="tick" d=${`M${place(cases / 100)} ${bottom}v5`} />
                <text x=${place(cases / 100)} y=${bottom + 19} text-anchor="middle">${words.number(cases)}</text>`)}
            <path class="axis-line" d=${`M${left} ${bottom}H${right}`} />
            <text x=${(left + right) / 2} y=${bottom + 36} text-anchor="middle">${words.t("skill.axis")}</text>
            ${bands.map((band, n) => {
                const y = n * high + high / 2;
                return html`<text class="number" x="0" y=${y - 1}>${sayRange(words, band)}</text>
                    <text class="count" x="0" y=${y + 14}>${words.t("skill.n_cases", { n: band.cases })}</text>
                    <path class="interval" d=${`M${place(band.happened.low)} ${y}H${place(band.happened.high)}`} />
                    <circle class="dot-happened" cx=${place(band.happened.value)} cy=${y} r="5" />
                    <circle class="dot-said" cx=${place(band.said)} cy=${y} r="9" />`;
            })}
        </svg>
    </${Picture}>`;
}

/**
 * under 1, 5 to 20, over 50
 * @param {import("../core/words.js").Words} words
 * @param {Band} band
 */
export function sayRange(words, band) {
    const values = { from: Math.round(band.from * 100), to: Math.round(band.to * 100) };
    if (band.from <= 0) return words.t("skill.range_under", values);
    return words.t(band.to >= 1 ? "skill.range_over" : "skill.range_between", values);
}

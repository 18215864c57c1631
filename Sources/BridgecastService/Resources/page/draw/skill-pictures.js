// The pictures of an evaluation: what was forecast against what happened, and the gain over climatology by lead time
// and by bridge.
import { html } from "../vendor/preact.js";
import { useApp } from "../core/hooks.js";
import { sayRange } from "../model/evaluation.js";
import { Key, Picture } from "./picture.js";
import { linear, marksOn, roundStep, squareRoot } from "./scale.js";

/** @typedef {import("../core/words.js").Words} Words */
/** @typedef {import("../model/evaluation.js").Band} Band */
/** @typedef {import("../model/evaluation.js").Figure} Figure */

const rangesLeft = 104;
const rangesRightGap = 10;
const rangeHigh = 38;

/**
 * What was forecast against what happened, by ranges of chance.
 * @param {object} given
 * @param {Band[]} given.bands
 * @param {string} given.title
 * @param {string} [given.sentence]
 */
export function Reliability({ bands, title, sentence }) {
    const { words } = useApp();
    const items = [
        { shape: "ring", words: words.t("skill.key_said") }, { shape: "disc", words: words.t("skill.key_happened") },
        { shape: "bar", words: words.t("skill.key_interval") },
    ];
    return html`<${Picture} title=${title} sentence=${sentence} table=${bandTable(words, bands)}
        legend=${html`<${Key} items=${items} />`}>
        ${(/** @type {number} */ width) => html`<${Bands} width=${width} bands=${bands} />`}
    </${Picture}>`;
}

/** @param {{ width: number, bands: Band[] }} given */
function Bands({ width, bands }) {
    const { words } = useApp();
    const bottom = bands.length * rangeHigh + 2;
    const right = width - rangesRightGap;
    const place = squareRoot(1, rangesLeft, right);
    return html`<svg viewBox=${`0 0 ${width} ${bottom + 40}`} aria-hidden="true" focusable="false">
        ${[1, 5, 20, 50, 100].map((cases) => html`
            <path class="grid-line" d=${`M${place(cases / 100)} 4V${bottom}`} />
            <path class="tick" d=${`M${place(cases / 100)} ${bottom}v5`} />
            <text x=${place(cases / 100)} y=${bottom + 19} text-anchor="middle">${words.number(cases)}</text>`)}
        <path class="axis-line" d=${`M${rangesLeft} ${bottom}H${right}`} />
        <text x=${(rangesLeft + right) / 2} y=${bottom + 36} text-anchor="middle">${words.t("skill.axis")}</text>
        ${bands.map((band, n) =>
            html`<${BandRow} band=${band} place=${place} y=${n * rangeHigh + rangeHigh / 2} />`)}
    </svg>`;
}

/** @param {Words} words @param {Band[]} bands */
function bandTable(words, bands) {
    const inCases = (/** @type {number} */ chance) => words.number(chance * 100, chance < 0.1 ? 1 : 0);
    return {
        head: ["range", "said", "happened", "interval", "cases"].map((name) => words.t(`skill.${name}`)),
        rows: bands.map((band) => [sayRange(words, band), inCases(band.forecast_probability), inCases(band.observed_frequency.value),
            `${inCases(band.observed_frequency.low)}–${inCases(band.observed_frequency.high)}`, words.number(band.cases)]),
    };
}

/** @param {{ band: Band, place: (share: number) => number, y: number }} given */
function BandRow({ band, place, y }) {
    const { words } = useApp();
    return html`<text class="number" x="0" y=${y - 1}>${sayRange(words, band)}</text>
        <text x="0" y=${y + 14}>${words.t("skill.n_cases", { n: band.cases })}</text>
        <path class="interval" d=${`M${place(band.observed_frequency.low)} ${y}H${place(band.observed_frequency.high)}`} />
        <circle class="dot-happened" cx=${place(band.observed_frequency.value)} cy=${y} r="5" />
        <circle class="dot-said" cx=${place(band.forecast_probability)} cy=${y} r="9" />`;
}

/** @param {Words} words @param {number} share */
const percent = (words, share) => words.number(share * 100);

/**
 * The range of an axis for gains, with its marks.
 * @param {Figure[]} gains
 */
function gainAxis(gains) {
    const from = Math.min(0, ...gains.map(({ low }) => low));
    const to = Math.max(0.1, ...gains.map(({ high }) => high));
    const step = roundStep(to - from, 4);
    return { from, to, step, marks: marksOn(from, to, step) };
}

/**
 * @param {Words} words @param {string} of what the rows are about
 * @param {{ name: string, gain: Figure, cases: number }[]} rows
 */
const gainTable = (words, of, rows) => ({
    head: [of, words.t("skill.better"), words.t("skill.interval"), words.t("skill.cases")],
    rows: rows.map(({ name, gain, cases }) => [name, `${percent(words, gain.value)} %`,
        `${percent(words, gain.low)}–${percent(words, gain.high)} %`, words.number(cases)]),
});

const leadsLeft = 34;
const leadsTop = 20;
const leadsBase = 150;

/**
 * How much better than the usual for the hour, by minutes ahead, as columns with intervals.
 * @param {object} given
 * @param {import("../model/evaluation.js").LeadSkill[]} given.leads
 * @param {string} given.title
 * @param {string} [given.sentence]
 */
export function LeadGain({ leads, title, sentence }) {
    const { words } = useApp();
    const table = gainTable(words, words.t("skill.ahead"), leads.map(({ lead_min, stopped, cases }) =>
        ({ name: words.t("unit.minutes", { n: lead_min }), gain: stopped.log_loss_skill, cases })));
    return html`<${Picture} title=${title} sentence=${sentence} table=${table} legend=${words.t("skill.key_gain")}>
        ${(/** @type {number} */ width) => html`<${LeadColumns} width=${width} leads=${leads} />`}
    </${Picture}>`;
}

/** @param {{ width: number, leads: import("../model/evaluation.js").LeadSkill[] }} given */
function LeadColumns({ width, leads }) {
    const { words } = useApp();
    const { from, to, marks } = gainAxis(leads.map((lead) => lead.stopped.log_loss_skill));
    const y = linear(from, to, leadsBase, leadsTop);
    const right = width - 2;
    const wide = (right - leadsLeft) / Math.max(1, leads.length);
    return html`<svg viewBox=${`0 0 ${width} ${leadsBase + 42}`} aria-hidden="true" focusable="false">
        ${marks.map((mark) => html`<path class="grid-line" d=${`M${leadsLeft} ${y(mark)}H${right}`} />
            <text x=${leadsLeft - 5} y=${y(mark) + 4} text-anchor="end">${percent(words, mark)}</text>`)}
        ${leads.map((lead, n) =>
            html`<${LeadColumn} lead=${lead} x=${leadsLeft + (n + 0.5) * wide} wide=${wide} y=${y} />`)}
        <path class="axis-line" d=${`M${leadsLeft} ${y(0)}H${right}`} />
        <text x=${(leadsLeft + right) / 2} y=${leadsBase + 37} text-anchor="middle">${words.t("skill.axis_ahead")}</text>
    </svg>`;
}

/**
 * @param {object} given
 * @param {import("../model/evaluation.js").LeadSkill} given.lead
 * @param {number} given.x its middle
 * @param {number} given.wide
 * @param {(gain: number) => number} given.y
 */
function LeadColumn({ lead, x, wide, y }) {
    const { words } = useApp();
    const gain = lead.stopped.log_loss_skill;
    const height = Math.max(2, Math.abs(y(gain.value) - y(0)));
    return html`<rect class="gain-bar" x=${x - wide * 0.32} y=${Math.min(y(0), y(gain.value), y(0) - 2)}
            width=${wide * 0.64} height=${height} rx="3" />
        <path class="whisker" d=${`M${x} ${y(gain.low)}V${y(gain.high)}`} />
        <text class="number" x=${x} y=${y(Math.max(gain.high, 0)) - 6} text-anchor="middle">
            ${percent(words, gain.value)}</text>
        <text x=${x} y=${leadsBase + 18} text-anchor="middle">${words.number(lead.lead_min)}</text>`;
}

const rowsLeft = 122;
const rowsRightGap = 12;
const rowHigh = 28;

/**
 * How much better than the usual for the hour, a row for each bridge, with intervals.
 * @param {object} given
 * @param {{ name: string, gain: Figure, cases: number }[]} given.rows
 * @param {string} given.title
 * @param {string} [given.sentence]
 */
export function GainRows({ rows, title, sentence }) {
    const { words } = useApp();
    return html`<${Picture} title=${title} sentence=${sentence} legend=${words.t("skill.key_gain_rows")}
        table=${gainTable(words, words.t("skill.bridge"), rows)}>
        ${(/** @type {number} */ width) => html`<${GainLines} width=${width} rows=${rows} />`}
    </${Picture}>`;
}

/** @param {{ width: number, rows: { name: string, gain: Figure }[] }} given */
function GainLines({ width, rows }) {
    const { words } = useApp();
    const { from, to, step, marks } = gainAxis(rows.map(({ gain }) => gain));
    const x = linear(from, to, rowsLeft, width - rowsRightGap);
    const bottom = rows.length * rowHigh + 2;
    return html`<svg viewBox=${`0 0 ${width} ${bottom + 24}`} aria-hidden="true" focusable="false">
        ${marks.map((mark) => html`<path class="grid-line" d=${`M${x(mark)} 2V${bottom}`} />
            <text x=${x(mark)} y=${bottom + 19} text-anchor="middle">
                ${percent(words, mark)}${mark > to - step ? " %" : ""}</text>`)}
        ${rows.map(({ name, gain }, n) => {
            const y = n * rowHigh + rowHigh / 2;
            return html`<text class="number" x="0" y=${y + 5}>${name}</text>
                <path class="interval" d=${`M${x(gain.low)} ${y}H${x(gain.high)}`} />
                <circle class="dot-gain" cx=${x(gain.value)} cy=${y} r="6" />`;
        })}
        <path class="axis-line" d=${`M${x(0)} 2V${bottom}`} />
    </svg>`;
}

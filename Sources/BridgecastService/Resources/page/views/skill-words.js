// Sentences about an evaluation, with its figures. Used by the view of skill and a bridge's own page.
import { sayRange } from "../draw/reliability.js";
import { hasSummer, tellingBands, wrongBands } from "../model/skill.js";

/** @typedef {import("../core/words.js").Words} Words */
/** @typedef {import("../model/skill.js").Evaluation} Evaluation */

/** @param {number} share */
const percent = (share) => Math.round(share * 100);

/**
 * When we said 8, 30, and 79 in 100, it happened 7, 34, and 77 in 100.
 * @param {Words} words @param {readonly import("../model/skill.js").Band[]} bands
 */
export function sayBand(words, bands) {
    const telling = tellingBands(bands);
    if (telling.length === 0) return words.t("skill.title");
    const said = sayChances(words, telling.map((band) => band.said));
    return words.t("skill.said_happened", { said, happened: sayChances(words, telling.map((b) => b.happened.value)) });
}

/** @param {Words} words @param {number[]} chances */
function sayChances(words, chances) {
    if (chances.length === 1) return words.chance(chances[0]);
    const cases = chances.map((chance) => words.number(Math.min(99, Math.max(1, Math.round(chance * 100)))));
    return words.t("chance.in_100", { n: words.list(cases) });
}

/**
 * In 4 of 5 ranges it happened as often as we said.
 * @param {Words} words @param {readonly import("../model/skill.js").Band[]} bands
 */
export function sayRanges(words, bands) {
    return words.t("skill.ranges", { total: bands.length, n: bands.length - wrongBands(bands).length });
}

/**
 * 52 % better 2 minutes ahead, 4 % better 30 minutes ahead.
 * @param {Words} words @param {Evaluation} evaluation
 */
export function sayLeads(words, evaluation) {
    const leads = evaluation.by_lead;
    const first = leads[0];
    const half = leads.find((lead) => lead.lead_min === 30) ?? leads[leads.length - 1];
    return words.t("skill.leads", {
        gain: percent(first.log_loss_skill.value), lead: first.lead_min,
        laterGain: percent(half.log_loss_skill.value), laterLead: half.lead_min,
    });
}

const isoTime = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})/g;
const englishDay = new Intl.DateTimeFormat("en-US", {
    timeZone: "America/Los_Angeles", day: "numeric", month: "long", year: "numeric",
});

/**
 * A warning of the service, with its times as days; one of unknown words in its English.
 * @param {Words} words @param {string} text
 * @returns {{ text: string, lang?: string }}
 */
export function sayWarning(words, text) {
    const times = text.match(isoTime) ?? [];
    if (/model in use as fitted to records before/.test(text) && times.length === 1) {
        return { text: words.t("skill.fails_refitted", { date: words.day(times[0]) }) };
    }
    const plain = text.replace(isoTime, (time) => englishDay.format(Date.parse(time)));
    return { text: `${plain.charAt(0).toUpperCase()}${plain.slice(1)}.`, lang: "en" };
}

/**
 * Where the forecast fails, and what the evaluation cannot say, a sentence each.
 * @param {Words} words @param {Evaluation} evaluation
 * @param {readonly import("../core/types").Bridge[]} bridges of the board
 * @returns {string[]}
 */
export function sayFailures(words, evaluation, bridges) {
    const said = [];
    const last = evaluation.by_lead[evaluation.by_lead.length - 1];
    if (last) {
        said.push(words.t(last.log_loss_skill.low <= 0 ? "skill.fails_late" : "skill.fails_late_little",
            { lead: last.lead_min, gain: percent(last.log_loss_skill.value) }));
    }
    const weakest = [...evaluation.by_bridge].sort((a, b) => a.log_loss_skill.value - b.log_loss_skill.value)[0];
    if (weakest) {
        const gain = percent(weakest.log_loss_skill.value);
        said.push(words.t("skill.fails_bridge", { bridge: weakest.bridge, gain }));
    }
    const seen = new Set(evaluation.by_bridge.map((entry) => entry.bridge_id));
    const missing = bridges.filter(({ bridge_id }) => !seen.has(bridge_id)).map(({ bridge }) => bridge);
    if (missing.length > 0) {
        said.push(words.t("skill.fails_unseen", { n: missing.length, bridges: words.list(missing) }));
    }
    for (const band of wrongBands(evaluation.reliability)) {
        const key = band.said > band.happened.value ? "skill.fails_much" : "skill.fails_little";
        said.push(words.t(key, { range: sayRange(words, band) }));
    }
    if (!hasSummer(evaluation)) said.push(words.t("skill.fails_summer"));
    if (evaluation.in_sample) said.push(words.t("skill.fails_in_sample"));
    return said;
}

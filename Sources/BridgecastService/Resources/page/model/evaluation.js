// What an evaluation of the forecast says: its figures, checked, and sentences with them.
import { asList } from "../core/checks.js";
import { dateFormat } from "../core/words.js";

/** @typedef {{ value: number, low: number, high: number }} Figure a value with its 95 % interval */
/** @typedef {{ from: number, to: number, cases: number, forecast_probability: number, observed_frequency: Figure }} Band a range of chances */
/** @typedef {{ log_loss_skill: Figure }} EventSkill of the chance of one event */
/**
 * @typedef {{ bridge: string, bridge_id: number, cases: number, stopped: EventSkill,
 *     reliability?: Band[] }} BridgeSkill
 */
/** @typedef {{ lead_min: number, cases: number, stopped: EventSkill }} LeadSkill */
/**
 * @typedef {object} Policy a way of choosing among routes
 * @property {string} policy bridgecast, climatology, shortest or fixed_bridge
 * @property {number} stopped share of trips
 * @property {Figure} regret_min minutes that a trip took longer than the best in hindsight
 * @property {Figure | null} regret_saved_by_bridgecast
 */
/**
 * @typedef {object} Evaluation
 * @property {string} from
 * @property {string} to
 * @property {number} days
 * @property {boolean} in_sample
 * @property {{ cases: number, raised: EventSkill, stopped: EventSkill }} total raised: the span is up on arrival
 * @property {{ observed_min: number, cases: number, raised: EventSkill, stopped: EventSkill }[]} as_live from the live
 *     feed, after so many minutes of readings
 * @property {LeadSkill[]} by_lead
 * @property {BridgeSkill[]} by_bridge
 * @property {Band[]} reliability
 * @property {{ trips: number, days: number, policies: Policy[] } | null} [routes]
 * @property {{ name: string, weight_format: string, fitted_before: string | null }} [evaluated_model]
 */

/**
 * The evaluation of a document, without what cannot be drawn.
 * @param {any} document of /skill
 * @returns {Evaluation | null}
 */
export function evaluationOf(document) {
    const found = document?.evaluation;
    if (!found || typeof found !== "object") return null;
    return {
        ...found,
        as_live: asList(found.as_live).filter((entry) => isScored(entry) && isFigure(entry?.raised?.log_loss_skill)
            && Number.isFinite(entry.observed_min)),
        by_lead: asList(found.by_lead).filter(isScored),
        by_bridge: asList(found.by_bridge).filter(isScored)
            .map((entry) => ({ ...entry, reliability: bands(entry.reliability) })),
        reliability: bands(found.reliability),
        routes: found.routes && Array.isArray(found.routes.policies) ? {
            ...found.routes, policies: found.routes.policies.filter((/** @type {any} */ p) => isFigure(p?.regret_min)),
        } : null,
    };
}

/** @param {any} given @returns {given is Figure} */
const isFigure = (given) => [given?.value, given?.low, given?.high].every((x) => Number.isFinite(x));

/** @param {any} entry */
const isScored = (entry) => isFigure(entry?.stopped?.log_loss_skill);

/** @param {unknown} given @returns {Band[]} */
const bands = (given) => asList(given).filter((band) => Number.isFinite(band?.forecast_probability) && isFigure(band?.observed_frequency));

// Below this chance visitors do nothing else because of it.
const minRelevantChance = 0.05;
// Fewer cases are no evidence.
const minCases = 20;

/**
 * The ranges of chances that a visitor acts on, all of them: to choose among them were to flatter. Else the one
 * with most cases.
 * @param {readonly Band[]} all
 * @returns {Band[]}
 */
export function relevantBands(all) {
    const relevant = all.filter((band) => band.from >= minRelevantChance && band.cases >= minCases);
    return relevant.length > 0 ? relevant : [...all].sort((a, b) => b.cases - a.cases).slice(0, 1);
}

/**
 * Ranges whose forecast is outside the interval of what happened.
 * @param {readonly Band[]} all
 */
export const wrongBands = (all) => all.filter((band) =>
    band.forecast_probability < band.observed_frequency.low || band.forecast_probability > band.observed_frequency.high);

/**
 * Whether some summer is among the days.
 * @param {Evaluation} evaluation
 */
export function hasSummer(evaluation) {
    const [from, to] = [Date.parse(evaluation.from), Date.parse(evaluation.to)];
    for (let day = from; day < to; day += 86_400_000) {
        const month = new Date(day).getUTCMonth();
        if (month >= 5 && month <= 7) return true;
    }
    return false;
}

/** @typedef {import("../core/words.js").Words} Words */

/** @param {number} share */
const percent = (share) => Math.round(share * 100);

/**
 * When we said 8, 30, and 79 in 100, it happened 7, 34, and 77 in 100.
 * @param {Words} words @param {readonly Band[]} bands
 */
export function sayBand(words, bands) {
    const relevant = relevantBands(bands);
    if (relevant.length === 0) return words.t("skill.title");
    const said = sayChances(words, relevant.map((band) => band.forecast_probability));
    return words.t("skill.said_happened", { said, happened: sayChances(words, relevant.map((b) => b.observed_frequency.value)) });
}

/** @param {Words} words @param {number[]} chances */
function sayChances(words, chances) {
    if (chances.length === 1) return words.chance(chances[0]);
    const cases = chances.map((chance) => words.number(Math.min(99, Math.max(1, Math.round(chance * 100)))));
    return words.t("chance.in_100", { n: words.list(cases) });
}

/**
 * In 4 of 5 ranges it happened as often as we said.
 * @param {Words} words @param {readonly Band[]} bands
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
        gain: percent(first.stopped.log_loss_skill.value), lead: first.lead_min,
        laterGain: percent(half.stopped.log_loss_skill.value), laterLead: half.lead_min,
    });
}

/**
 * How much better the chance of being stopped is, and that of a span that is up on arrival; nothing without either.
 * @param {Words} words @param {Evaluation} evaluation
 */
export function sayEvents(words, evaluation) {
    const { raised, stopped } = evaluation.total ?? {};
    if (!isFigure(raised?.log_loss_skill) || !isFigure(stopped?.log_loss_skill)) return "";
    return words.t("skill.events", {
        stopped: percent(stopped.log_loss_skill.value), raised: percent(raised.log_loss_skill.value) });
}

/**
 * What users of the live feed get: "From the live feed alone, after a day of readings: ...".
 * @param {Words} words @param {Evaluation} evaluation
 */
export function sayAsLive(words, evaluation) {
    const live = [...evaluation.as_live].sort((a, b) => b.observed_min - a.observed_min)[0];
    if (!live) return "";
    return words.t("skill.as_live", {
        stopped: percent(live.stopped.log_loss_skill.value), raised: percent(live.raised.log_loss_skill.value) });
}

const isoTime = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})/g;
/** @type {Intl.DateTimeFormatOptions} */
const englishDay = { day: "numeric", month: "long", year: "numeric" };

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
    const plain = text.replace(isoTime, (time) => dateFormat("en-US", englishDay).format(Date.parse(time)));
    return { text: `${plain.charAt(0).toUpperCase()}${plain.slice(1)}.`, lang: "en" };
}

/**
 * Where the forecast fails, and what the evaluation cannot say, a sentence each.
 * @param {Words} words @param {Evaluation} evaluation
 * @param {readonly import("../core/types").Bridge[]} bridges of the board
 * @returns {string[]}
 */
export function sayFailures(words, evaluation, bridges) {
    const said = [...sayWeakest(words, evaluation)];
    const seen = new Set(evaluation.by_bridge.map((entry) => entry.bridge_id));
    const missing = bridges.filter(({ bridge_id }) => !seen.has(bridge_id)).map(({ bridge }) => bridge);
    if (missing.length > 0) {
        said.push(words.t("skill.fails_unseen", { n: missing.length, bridges: words.list(missing) }));
    }
    for (const band of wrongBands(evaluation.reliability)) {
        const key = band.forecast_probability > band.observed_frequency.value ? "skill.fails_much" : "skill.fails_little";
        said.push(words.t(key, { range: sayRange(words, band) }));
    }
    if (!hasSummer(evaluation)) said.push(words.t("skill.fails_summer"));
    if (evaluation.in_sample) said.push(words.t("skill.fails_in_sample"));
    return said;
}

/**
 * The longest lead time and the bridge with the least gain.
 * @param {Words} words @param {Evaluation} evaluation
 */
function sayWeakest(words, evaluation) {
    const said = [];
    const last = evaluation.by_lead[evaluation.by_lead.length - 1];
    if (last) {
        said.push(words.t(last.stopped.log_loss_skill.low <= 0 ? "skill.fails_late" : "skill.fails_late_little",
            { lead: last.lead_min, gain: percent(last.stopped.log_loss_skill.value) }));
    }
    const weakest = [...evaluation.by_bridge].sort((a, b) => a.stopped.log_loss_skill.value - b.stopped.log_loss_skill.value)[0];
    if (weakest) {
        const gain = percent(weakest.stopped.log_loss_skill.value);
        said.push(words.t("skill.fails_bridge", { bridge: weakest.bridge, gain }));
    }
    return said;
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

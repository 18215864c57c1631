// What became of the forecasts that this service issued: its figures, checked, and sentences with them.
import { asList } from "../core/checks.js";

/** @typedef {import("../core/words.js").Words} Words */
/**
 * @typedef {object} Scores of forecasts of being stopped
 * @property {number} days the length of the window
 * @property {number} cases forecasts that were scored
 * @property {number} uncovered forecasts whose outcome was not seen
 * @property {number} skill log loss skill over climatology
 * @property {number} forecast mean chance
 * @property {number} happened share that was stopped
 * @property {number} delays
 * @property {{ median: number, upper: number } | null} coverage shares of delays below the quantiles of 0.5 and 0.95
 */
/**
 * @typedef {object} Drift of the last complete fortnight from the published evaluation
 * @property {"untested" | "agrees" | "worse"} outcome
 * @property {string} from
 * @property {string} to
 * @property {number} log_loss_skill
 * @property {number} expected_log_loss_skill
 * @property {number} false_alarm_rate
 */
/** @typedef {{ isReplay: boolean, windows: Scores[], drift: Drift | null }} Verification */

/**
 * The scores of a document, without what cannot be shown.
 * @param {any} document of /verification
 * @returns {Verification | null}
 */
export function verificationOf(document) {
    if (!Array.isArray(document?.windows)) return null;
    return {
        isReplay: document.replay === true,
        windows: document.windows.map(scores).filter((/** @type {Scores | null} */ found) => found !== null),
        drift: isDrift(document.drift) ? document.drift : null,
    };
}

/** @param {any} window @returns {Scores | null} */
function scores(window) {
    const total = window?.total;
    const stopped = total?.stopped;
    if (!(total?.cases > 0) || ![window.days, stopped?.log_loss_skill, stopped?.rate].every(Number.isFinite)) return null;
    const bins = asList(stopped.reliability).filter((bin) => bin?.cases > 0 && Number.isFinite(bin.forecast_probability));
    const forecast = bins.reduce((sum, bin) => sum + bin.cases * bin.forecast_probability, 0) / total.cases;
    const below = (/** @type {number} */ level) => asList(total.delay_coverage)
        .find((entry) => entry?.quantile === level)?.observed_frequency;
    const coverage = { median: below(0.5), upper: below(0.95) };
    return {
        days: window.days, cases: total.cases, uncovered: total.uncovered ?? 0, skill: stopped.log_loss_skill, forecast,
        happened: stopped.rate, delays: total.delays ?? 0,
        coverage: Number.isFinite(coverage.median) && Number.isFinite(coverage.upper) ? coverage : null,
    };
}

/** @param {any} drift @returns {drift is Drift} */
function isDrift(drift) {
    if (drift?.outcome === "untested") return true;
    return ["agrees", "worse"].includes(drift?.outcome) && Number.isFinite(drift.log_loss_skill)
        && Number.isFinite(drift.expected_log_loss_skill) && Number.isFinite(Date.parse(drift.from))
        && Number.isFinite(Date.parse(drift.to));
}

/** @param {number} share */
const percent = (share) => Math.round(share * 100);

/**
 * In the last 7 days: 12 % better than the usual for the hour; 30 and 365 days, a sentence each.
 * @param {Words} words @param {Verification} found
 * @returns {string[]}
 */
export function sayWindows(words, found) {
    // Longer windows that hold nothing more say nothing more.
    const distinct = found.windows.filter((one, n) => n === 0 || one.cases > found.windows[n - 1].cases);
    return distinct.map(({ days, skill, cases }) => words.t(
        skill < 0 ? "skill.operation_worse" : "skill.operation_better",
        { days, percent: Math.abs(percent(skill)), n: cases }));
}

/**
 * How often it happened against the forecast, how long it took, and what was not seen, over the longest window.
 * @param {Words} words @param {Verification} found
 * @returns {string[]}
 */
export function sayDetails(words, found) {
    const last = found.windows[found.windows.length - 1];
    if (!last) return [];
    const sentences = [words.t("skill.operation_calibration", {
        forecast: words.number(last.forecast * 100, 1), happened: words.number(last.happened * 100, 1) })];
    if (last.coverage) {
        sentences.push(words.t("skill.operation_delays", {
            n: last.delays, below_median: percent(last.coverage.median),
            below_upper: percent(last.coverage.upper) }));
    }
    if (last.uncovered > 0) sentences.push(words.t("skill.operation_uncovered", { n: last.uncovered }));
    return sentences;
}

/**
 * Whether the last fortnight was as good as published.
 * @param {Words} words @param {Verification} found
 */
export function sayDrift(words, found) {
    const drift = found.drift;
    if (!drift) return "";
    if (drift.outcome === "untested") return words.t("skill.drift_untested");
    // A day without a time is midnight in Greenwich, which is the day before in Seattle.
    const noon = (/** @type {string} */ day) => words.day(Date.parse(`${day.slice(0, 10)}T20:00:00Z`));
    return words.t(`skill.drift_${drift.outcome}`, {
        from: noon(drift.from), to: noon(drift.to), gain: percent(drift.log_loss_skill),
        expected: percent(drift.expected_log_loss_skill), n: Math.round(1 / drift.false_alarm_rate) });
}

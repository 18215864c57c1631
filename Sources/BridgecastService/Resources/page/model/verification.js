// What became of the forecasts that this service issued: its figures, checked, and sentences with them.
import { asList } from "../core/checks.js";

/** @typedef {import("../core/words.js").Words} Words */
/**
 * @typedef {object} Scores of forecasts of being stopped
 * @property {number} days the length of the window
 * @property {number} cases forecasts that were scored
 * @property {number} uncovered forecasts whose outcome was not seen
 * @property {number} gain log loss skill over climatology
 * @property {number} said mean chance
 * @property {number} happened share that was stopped
 * @property {number} delays
 * @property {{ half: number, high: number } | null} coverage shares of delays below the quantiles of 0.5 and 0.95
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
 * The living figures of a document, without what cannot be shown.
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
    const said = bins.reduce((sum, bin) => sum + bin.cases * bin.forecast_probability, 0) / total.cases;
    const below = (/** @type {number} */ level) => asList(total.delay_coverage)
        .find((entry) => entry?.quantile === level)?.observed_frequency;
    const coverage = { half: below(0.5), high: below(0.95) };
    return {
        days: window.days, cases: total.cases, uncovered: total.uncovered ?? 0, gain: stopped.log_loss_skill, said,
        happened: stopped.rate, delays: total.delays ?? 0,
        coverage: Number.isFinite(coverage.half) && Number.isFinite(coverage.high) ? coverage : null,
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
    return distinct.map(({ days, gain, cases }) => words.t(
        gain < 0 ? "skill.living_worse" : "skill.living_better",
        { days, gain: Math.abs(percent(gain)), n: cases }));
}

/**
 * How often it happened against what was said, how long it took, and what was not seen, over the longest window.
 * @param {Words} words @param {Verification} found
 * @returns {string[]}
 */
export function sayDetails(words, found) {
    const last = found.windows[found.windows.length - 1];
    if (!last) return [];
    const said = [words.t("skill.living_said", {
        said: words.number(last.said * 100, 1), happened: words.number(last.happened * 100, 1) })];
    if (last.coverage) {
        said.push(words.t("skill.living_delays", {
            n: last.delays, half: percent(last.coverage.half), high: percent(last.coverage.high) }));
    }
    if (last.uncovered > 0) said.push(words.t("skill.living_unseen", { n: last.uncovered }));
    return said;
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

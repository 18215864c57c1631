// What an evaluation says, in numbers that can be drawn and told. Used by the view of skill and a bridge's own page.

/** @typedef {{ value: number, low: number, high: number }} Figure a value with its 95 % interval */
/** @typedef {{ from: number, to: number, cases: number, said: number, happened: Figure }} Band a range of chances */
/**
 * @typedef {{ bridge: string, bridge_id: number, cases: number, log_loss_skill: Figure,
 *     reliability?: Band[] }} BridgeSkill
 */
/** @typedef {{ lead_min: number, cases: number, log_loss_skill: Figure }} LeadSkill */
/**
 * @typedef {object} Policy a way of choosing among routes
 * @property {string} following bridgecast, climatology, shortest or fixed_bridge
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
 * @property {{ cases: number, blocked_rate: number, log_loss_skill: Figure }} total
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
        by_lead: list(found.by_lead).filter((entry) => isFigure(entry?.log_loss_skill)),
        by_bridge: list(found.by_bridge).filter((entry) => isFigure(entry?.log_loss_skill))
            .map((entry) => ({ ...entry, reliability: bands(entry.reliability) })),
        reliability: bands(found.reliability),
        routes: found.routes && Array.isArray(found.routes.policies) ? {
            ...found.routes, policies: found.routes.policies.filter((/** @type {any} */ p) => isFigure(p?.regret_min)),
        } : null,
    };
}

/** @param {unknown} given @returns {any[]} */
const list = (given) => (Array.isArray(given) ? given : []);

/** @param {any} given @returns {given is Figure} */
const isFigure = (given) => [given?.value, given?.low, given?.high].every((x) => Number.isFinite(x));

/** @param {unknown} given @returns {Band[]} */
const bands = (given) => list(given).filter((band) => Number.isFinite(band?.said) && isFigure(band?.happened));

// Below this chance nobody does anything else because of it.
const leastTelling = 0.05;
// Fewer cases say nothing.
const leastCases = 20;

/**
 * The ranges of chances that a visitor acts on, all of them: to choose among them were to flatter. Else the one
 * with most cases.
 * @param {readonly Band[]} all
 * @returns {Band[]}
 */
export function tellingBands(all) {
    const telling = all.filter((band) => band.from >= leastTelling && band.cases >= leastCases);
    return telling.length > 0 ? telling : [...all].sort((a, b) => b.cases - a.cases).slice(0, 1);
}

/**
 * Ranges where what was said lies outside the interval of what happened.
 * @param {readonly Band[]} all
 */
export const wrongBands = (all) => all.filter((band) =>
    band.said < band.happened.low || band.said > band.happened.high);

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

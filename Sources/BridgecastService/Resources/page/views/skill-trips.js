// What following the forecast saves on trips, against other ways of choosing. Part of the view of skill.
import { html } from "../vendor/preact.js";
import { useApp } from "../core/app.js";

const known = ["bridgecast", "climatology", "shortest", "fixed_bridge"];

/** @param {{ routes: NonNullable<import("../model/skill.js").Evaluation["routes"]> }} given */
export function SkillTrips({ routes }) {
    const { words } = useApp();
    const usual = routes.policies.find((policy) => policy.following === "climatology");
    const own = routes.policies.find((policy) => policy.following === "bridgecast");
    const saved = usual?.regret_saved_by_bridgecast;
    const lost = (/** @type {number} */ minutes) => (minutes < 1
        ? words.t("unit.seconds", { n: words.number(minutes * 60, 1) }) : words.duration(minutes * 60));
    const inCases = (/** @type {number} */ share) => (share < 0.001
        ? words.t("skill.range_under", { to: words.number(0.1, 1) }) : words.number(share * 100, 1));
    return html`<section class="card"><h2>${words.t("skill.saves")}</h2>
        ${saved && own && usual && html`<p>${words.t("skill.saves_sentence", {
            saved: Math.round(saved.value * 100), low: Math.round(saved.low * 100), high: Math.round(saved.high * 100),
            own: words.number(own.regret_min.value * 60, 1),
            usual: words.number(usual.regret_min.value * 60, 1) })}</p>`}
        <table class="skill-trips">
            <caption class="unseen">${words.t("skill.saves")}</caption>
            <thead><tr><th scope="col">${words.t("skill.choosing")}</th><th scope="col">${words.t("skill.stopped")}</th>
                <th scope="col">${words.t("skill.lost")}</th></tr></thead>
            <tbody>${routes.policies.map((policy) => html`<tr class=${policy === own ? "is-own" : ""}>
                <th scope="row">${known.includes(policy.following)
                    ? words.t(`skill.policy.${policy.following}`) : policy.following}</th>
                <td>${inCases(policy.stopped)}</td>
                <td>${lost(policy.regret_min.value)}</td></tr>`)}</tbody>
        </table>
        <p class="small">${words.t("skill.trips", { n: routes.trips, days: routes.days })}</p>
    </section>`;
}

// When a bridge does not open for small boats: its rules today, and its week. Part of a bridge's own page.
import { html } from "../vendor/preact.js";
import { useApp, useNow } from "../core/app.js";
import { WeekWindows } from "../draw/week-windows.js";
import { sayRule, sayWeek } from "../model/rules.js";
import { NoAnswer } from "../parts/no-answer.js";

const redrawMilliseconds = 60_000;

/**
 * @param {object} given
 * @param {import("../data/answers.js").Answer<import("../core/types").BridgeDocument>} given.answer
 * @param {string} given.path what was asked
 */
export function BridgeRules({ answer, path }) {
    const { words } = useApp();
    const now = useNow(redrawMilliseconds);
    const document = answer.value;
    const week = document?.closed_windows_week ?? [];
    const hasWaits = week.some(({ windows }) => windows.length > 0);
    const facts = document?.rule_facts;
    return html`<section class="card">
        <h2>${words.t("bridge.rules")}</h2>
        ${!document && html`<${NoAnswer} answer=${answer} path=${path} what=${words.t("bridge.rules")} />`}
        ${document && html`<ul class="bridge-rules">${facts
            ? facts.map((fact, n) => {
                const said = sayRule(words, fact);
                return html`<li lang=${said === null ? "en" : undefined}>
                    ${said ?? document.rules?.[n] ?? fact.code}</li>`;
            })
            : (document.rules ?? []).map((rule) => html`<li lang="en">${rule}</li>`)}</ul>`}
        ${hasWaits && html`<${WeekWindows} week=${week} now=${now} title=${sayWeek(words, week)} />`}
    </section>`;
}

// The journeys that are kept, the latest first, each to be removed.
import { html, useState } from "../vendor/preact.js";
import { useApp } from "../core/hooks.js";
import { readJourneys } from "../data/me-answers.js";
import { AddJourney } from "./add-journey.js";
import { focusOn, useMine } from "./hooks.js";
import { Refusal } from "./refusal.js";
import { sayDay, sayForecast, sayJourney, sayMeTrouble, sayOutcome, sayTime } from "./words.js";

/** @typedef {import("../data/me-answers.js").Journey} Journey */
/** @typedef {import("./session.js").MeSession} MeSession */

const pageSize = 10;
const morePages = 4;
// The service answers with no more.
const maxShown = 1000;

/** @param {{ me: MeSession }} given */
export function Journal({ me }) {
    const { words } = useApp();
    const [limit, setLimit] = useState(pageSize);
    const [isAdding, setAdding] = useState(false);
    const { value, trouble } = useMine(me, `/journeys?limit=${limit}`, readJourneys);
    const note = trouble && sayMeTrouble(words, trouble);
    const hasMore = limit < maxShown && (me.person?.journeys ?? 0) > limit;
    return html`<section class="card me-journal" aria-labelledby="me-journal-title">
        <h2 id="me-journal-title">${words.t("me.journeys")}</h2>
        <${Refusal} note=${note} />
        ${value === null ? !note && html`<div class="skeleton" aria-busy="true"></div>`
        : value.length === 0 ? html`<p>${words.t("me.journeys.none")}</p>`
        : html`<ol>${value.map((journey) => html`<${Row} key=${journey.id} me=${me} journey=${journey} />`)}</ol>`}
        <p class="me-buttons">
            ${hasMore && html`<button type="button" onClick=${() => setLimit(Math.min(maxShown, limit + morePages * pageSize))}>
                ${words.t("me.journeys.more")}</button>`}
            ${!isAdding && html`<button type="button" id="me-add-journey" onClick=${() => setAdding(true)}>
                ${words.t("me.journeys.add")}</button>`}
        </p>
        ${isAdding && html`<${AddJourney} me=${me} onClose=${() => setAdding(false)} />`}
    </section>`;
}

/** @param {{ me: MeSession, journey: Journey }} given */
function Row({ me, journey }) {
    const { words } = useApp();
    const name = sayJourney(words, journey);
    const day = sayDay(words, journey.began);
    const { forecast } = journey;
    async function remove() {
        await me.removeJourney(journey, words.t("me.journey.removed", { journey: name, day }));
        focusOn("me-undo");
    }
    return html`<li><p><b>${name}</b></p>
        <p class="small">${words.t("me.day_time", { day, time: sayTime(words, journey.began) })}: ${
            sayOutcome(words, journey)}</p>
        ${forecast && html`<p class="small">${sayForecast(words, forecast)}</p>`}
        <button type="button" class="chip" disabled=${me.isWorking} onClick=${remove}>${words.t("me.remove")}
            <span class="unseen">: ${name}, ${day}</span></button></li>`;
}

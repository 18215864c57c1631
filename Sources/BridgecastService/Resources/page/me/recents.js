// The trips that were made last, to be made again or to become favourites.
import { html, useEffect, useState } from "../vendor/preact.js";
import { useApp } from "../core/hooks.js";
import { focusOn } from "./hooks.js";
import { endsOf, sayDayAndTime, sayJourney } from "./words.js";

/** @typedef {import("../data/me-answers.js").Journey} Journey */

const shown = 5;

/** @param {{ me: import("./session.js").MeSession }} given */
export function Recents({ me }) {
    const { words } = useApp();
    const recents = (me.person?.recents ?? []).filter(({ id }) => id !== me.person?.underWay?.id).slice(0, shown);
    return html`<section class="card me-recents" aria-labelledby="me-recents-title">
        <h2 id="me-recents-title">${words.t("me.recents")}</h2>
        ${recents.length === 0 ? html`<p>${words.t("me.recents.none")}</p>`
        : html`<ul>${recents.map((journey) => html`<${Recent} key=${journey.route} me=${me} journey=${journey} />`)}</ul>`}
    </section>`;
}

/** @param {{ me: import("./session.js").MeSession, journey: Journey }} given */
function Recent({ me, journey }) {
    const { words } = useApp();
    const [isNaming, setNaming] = useState(false);
    const ends = endsOf(journey.name);
    const name = sayJourney(words, journey);
    const form = ends && { ...ends, mode: journey.mode };
    async function start() {
        if (form && await me.start(form)) focusOn("me-under-way-title");
    }
    const isKept = me.favourites.some(({ target }) => target.kind === "trip" && ends !== null && target.from === ends.from
        && target.to === ends.to && target.mode === journey.mode);
    return html`<li>
        <span class="me-recent-name"><b>${name}</b>
            <span class="small">${sayDayAndTime(words, journey.began)}</span></span>
        ${form && journey.mode !== "transit" && html`<button type="button" class="chip"
            disabled=${me.isWorking || me.person?.underWay !== null} onClick=${start}>
            ${words.t("me.start_again")}<span class="unseen">: ${name}</span></button>`}
        ${form && !isKept && !isNaming && html`<button type="button" class="chip" onClick=${() => setNaming(true)}>
            ${words.t("me.make_favourite")}<span class="unseen">: ${name}</span></button>`}
        ${form && !isKept && isNaming && html`<${NameForm} me=${me} form=${form} id=${journey.id} />`}
    </li>`;
}

/** @param {{ me: import("./session.js").MeSession, form: Record<string, string>, id: string }} given */
function NameForm({ me, form, id }) {
    const { words } = useApp();
    const field = `me-recent-${id}`;
    useEffect(() => focusOn(field), []);
    const [name, setName] = useState(`${form.from} → ${form.to}`);
    /** @param {Event} event */
    function add(event) {
        event.preventDefault();
        const own = name.trim();
        if (own !== "") me.addFavourite({ ...form, name: own }, words.t("me.favourite.added", { name: own }));
    }
    return html`<form class="me-inline" onSubmit=${add}>
        <label for=${field}>${words.t("me.favourite.name")}</label>
        <input id=${field} type="text" maxlength="200" required value=${name}
            onInput=${(/** @type {any} */ event) => setName(event.currentTarget.value)} />
        <button type="submit" disabled=${me.isWorking}>${words.t("me.add")}</button></form>`;
}

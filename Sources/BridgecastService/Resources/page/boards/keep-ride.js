// Keeps a ride on the run that is shown as a journey, for a person with a token who lets the service keep journeys.
import { html, useEffect, useMemo, useState } from "../vendor/preact.js";
import { useApp } from "../core/hooks.js";
import { MeAPI } from "../data/me.js";
import { readSettings } from "../data/me-answers.js";
import { followForgetting, keptToken } from "../data/me-token.js";
import { readRide } from "../data/ride.js";
import { Refusal } from "../me/refusal.js";
import { MeSession } from "../me/session.js";
import { sayMeTrouble } from "../me/words.js";
import { followRide, formOfRide } from "../model/ride.js";
import { ridePath } from "./paths.js";
import { passedCount } from "./run-rows.js";
import { useFollowed } from "./use-feed.js";

/** @typedef {import("../data/run.js").Run} Run */
/** @typedef {{ from: string, to: string }} Stops their identifiers */

/** @param {{ run: Run, path: string }} given */
export function KeepRide({ run, path }) {
    const me = useConsentingPerson();
    const [stops, setStops] = useState(/** @type {Stops | null} */ (null));
    const [isFollowed, setFollowed] = useState(false);
    if (me === null || run.isCancelled || run.stops.length < 2) return null;
    return isFollowed && stops !== null
        ? html`<${FollowedRide} me=${me} run=${run} path=${ridePath(path, stops)} onEnd=${() => setFollowed(false)} />`
        : html`<${ChosenRide} run=${run} stops=${stops} onChoose=${setStops} onKeep=${() => setFollowed(true)} />`;
}

/** @returns {MeSession | null} null without a token, and without the consent that journeys are kept */
function useConsentingPerson() {
    const [token, setToken] = useState(() => keptToken()?.token ?? null);
    const [isAllowed, setAllowed] = useState(false);
    useEffect(() => followForgetting(() => setToken(keptToken()?.token ?? null)), []);
    const me = useMemo(() => (token === null ? null : new MeSession(new MeAPI(token), () => setToken(null))), [token]);
    useEffect(() => {
        let isWanted = true;
        setAllowed(false);
        me?.read("/settings", readSettings).then(
            ({ keepsHistory, tracksJourneys }) => { if (isWanted) setAllowed(keepsHistory && tracksJourneys); },
            // Nothing is offered that would be refused.
            () => undefined);
        return () => { isWanted = false; };
    }, [me]);
    return isAllowed ? me : null;
}

/**
 * Where the person boards and alights.
 * @param {{ run: Run, stops: Stops | null, onChoose: (stops: Stops) => void, onKeep: () => void }} given
 */
function ChosenRide({ run, stops, onChoose, onKeep }) {
    const { clock, words } = useApp();
    const first = Math.min(passedCount(run.stops, clock.serviceNow()), run.stops.length - 2);
    const from = run.stops.find(({ id }) => id === stops?.from) ?? run.stops[Math.max(0, first)];
    const later = run.stops.filter(({ sequence }) => sequence > (from?.sequence ?? 0));
    const to = later.find(({ id }) => id === stops?.to) ?? later[later.length - 1];
    /** @param {Partial<Stops>} change */
    const choose = (change) => onChoose({ from: from?.id ?? "", to: to?.id ?? "", ...change });
    function keep() {
        choose({});
        onKeep();
    }
    return html`<section class="card run-keep" aria-labelledby="run-keep-title">
        <h2 id="run-keep-title">${words.t("run.keep.title")}</h2>
        <div class="me-fields">
            <${StopField} id="run-keep-from" label=${words.t("run.keep.from")} stops=${run.stops.slice(0, -1)}
                value=${from?.id} onChange=${(/** @type {string} */ id) => choose({ from: id })} />
            <${StopField} id="run-keep-to" label=${words.t("run.keep.to")} stops=${later}
                value=${to?.id} onChange=${(/** @type {string} */ id) => choose({ to: id })} />
        </div>
        <p><button type="button" id="run-keep" disabled=${!from || !to} onClick=${keep}>
            ${words.t("run.keep")}</button></p>
    </section>`;
}

/**
 * @param {object} given
 * @param {string} given.id
 * @param {string} given.label
 * @param {Run["stops"]} given.stops
 * @param {string | undefined} given.value
 * @param {(id: string) => void} given.onChange
 */
const StopField = ({ id, label, stops, value, onChange }) => html`<div class="me-field">
    <label for=${id}>${label}</label>
    <select id=${id} value=${value} onChange=${(/** @type {any} */ event) => onChange(event.currentTarget.value)}>
        ${stops.map((stop) => html`<option key=${`${stop.sequence}`} value=${stop.id}>${stop.name}</option>`)}
    </select></div>`;

/**
 * Follows a ride until the vehicle is at its last stop, and then enters it.
 * @param {{ me: MeSession, run: Run, path: string, onEnd: () => void }} given
 */
function FollowedRide({ me, path, onEnd }) {
    const { clock, words } = useApp();
    const known = useFollowed(path, readRide);
    const [ride, setRide] = useState(/** @type {import("../model/ride.js").Ride | null} */ (null));
    const [state, setState] = useState(/** @type {"followed" | "kept" | "refused"} */ ("followed"));
    useEffect(() => {
        if (known.value) setRide(followRide(ride, known.value, clock.serviceNow()));
    }, [known.value]);
    const form = ride && formOfRide(ride);
    useEffect(() => {
        if (form === null || state !== "followed") return;
        setState("kept");
        me.addJourney(form, "").then((isKept) => { if (!isKept) setState("refused"); });
    }, [form !== null]);
    const to = ride?.view.to ?? "";
    return html`<section class="card run-keep" aria-labelledby="run-keep-title">
        <h2 id="run-keep-title">${words.t("run.keep.title")}</h2>
        <p role="status">${state === "kept" ? words.t("run.keep.kept")
            : state === "followed" ? words.t("run.keep.followed", { stop: to }) : ""}</p>
        ${state === "refused" && html`<${Refusal} note=${me.trouble && sayMeTrouble(words, me.trouble)} />`}
        ${state !== "kept" && html`<p><button type="button" class="is-plain" onClick=${onEnd}>
            ${words.t("run.keep.end")}</button></p>`}
    </section>`;
}

// The live line: a poster of a transit line in space, with its vehicles, and the next arrivals at the visitor's stop.
import { html, useEffect, useState } from "../vendor/preact.js";
import { linkToWidget } from "../boards/paths.js";
import { useApp, useSelected } from "../core/hooks.js";
import { Alerts } from "../parts/alerts.js";
import { PastDay } from "../parts/past-day.js";
import { ShareButton } from "../parts/share.js";
import { readLineIDs, readStopID } from "./address.js";
import { LineChange, LineHead } from "./head.js";
import { longNameOf } from "./layout.js";
import { NextArrivals } from "./next.js";
import { OwnLine } from "./own.js";
import { LineStart, NoTimetable } from "./picker.js";
import { Picture, PictureSettings } from "./picture.js";
import { Said } from "./said.js";
import { StopTable, VehicleList } from "./table.js";
import { useFeed, useLayout } from "./use-feed.js";
import { VehicleCard } from "./vehicle-card.js";
import { badgeOf, sayName, sayPicture } from "./words.js";

/** @typedef {import("../data/line-answers.js").Vehicle} Vehicle */

export function LineView() {
    const lines = readLineIDs(useSelected((state) => state.address.values));
    if (lines.length === 0) return html`<${OwnLine} />`;
    return html`<${Line} key=${lines.join()} lines=${lines} />`;
}

/** @param {{ lines: string[] }} given */
function Line({ lines }) {
    const { router, words } = useApp();
    const address = useSelected((state) => state.address);
    const { values } = address;
    const preferences = useSelected((state) => state.preferences);
    const isLive = useSelected((state) => state.replay === null);
    const { feed, stop } = useFeed(lines,
        ({ maps }) => readStopID(values, preferences, maps.value?.[0] ?? null), isLive);
    const { state } = feed;
    const layout = useLayout(state);
    const choice = useChoice(layout, (/** @type {string} */ id) => router.change({ stop: id }, { isReplaced: true }));
    const map = state.maps.value?.[0] ?? null;
    useTitle(isLive ? map : null, stop, state.arrivals.value);
    if (state.maps.trouble?.code === "noData") return html`<${NoTimetable} />`;
    if (state.maps.trouble?.status === 404) return html`<${LineStart} isUnknown=${true} />`;
    const vehicles = (isLive ? state.positions.value?.vehicles ?? [] : [])
        .filter(({ routeID }) => choice.alone === null || routeID === choice.alone);
    const chosen = vehicles.find(({ id }) => id === choice.vehicle) ?? null;
    const title = map?.line.title ?? lines[0];
    const looks = {
        layout, positions: isLive ? state.positions.value : null, stop, alone: choice.alone, chosen: choice.vehicle,
        isWaiting: isLive && state.positions.value === null && state.positions.trouble === null,
        isFollowed: choice.isFollowed && chosen !== null, badgeOf,
        nameOf: (/** @type {Vehicle} */ vehicle) => sayName(words, vehicle),
    };
    const sentence = isLive ? sayPicture(words, title, state.positions.value && vehicles)
        : words.t("line.picture_past", { line: title });
    return html`<article class="line" aria-labelledby="line-title">
        <${LineHead} lines=${lines} maps=${state.maps} alone=${choice.alone} onAlone=${choice.setAlone}>
            <${PastDay} what="buses" /></${LineHead}>
        <${Picture} looks=${looks} sentence=${sentence} onChoose=${choice.take}>
            ${isLive && html`<${Said} state=${state} onRetry=${() => feed.retry()} />`}
        </${Picture}>
        <div class="line-side">
            <${Alerts} alerts=${isLive ? state.positions.value?.alerts ?? [] : []} />
            ${chosen && html`<${VehicleCard} vehicle=${chosen} isFollowed=${choice.isFollowed}
                stopName=${map?.stops.find(({ id }) => id === stop)?.name ?? null}
                onFollow=${choice.turnFollow} onClose=${choice.close} />`}
            ${isLive && html`<${NextArrivals} map=${map} stop=${stop} arrivals=${state.arrivals}
                onStop=${choice.setStop} />`}
            <${LineChange} lines=${lines}>
                <${ShareButton} title=${words.t("line.title", { line: title })} view="line" />
                ${stop !== null && html`<a class="button" href=${linkToWidget(address, stop, lines[0])}>
                    ${words.t("widget.link")}</a>`}</${LineChange}>
            <${PictureSettings} />
        </div>
        <div class="line-lists">
            <${VehicleList} vehicles=${vehicles} chosen=${choice.vehicle} onChoose=${choice.setVehicle} />
            ${state.maps.value?.map((own) => html`<${StopTable} key=${own.line.id} map=${own} vehicles=${vehicles} />`)}
        </div>
    </article>`;
}

/**
 * What the visitor has chosen in the picture.
 * @param {import("./layout.js").Layout | null} layout @param {(stop: string) => void} setStop
 */
function useChoice(layout, setStop) {
    const [vehicle, setVehicle] = useState(/** @type {string | null} */ (null));
    const [alone, setAlone] = useState(/** @type {string | null} */ (null));
    const [isFollowed, setFollowed] = useState(false);
    /** @param {import("./pointing.js").Found | null} found */
    function take(found) {
        setVehicle(found?.kind === "vehicle" ? found.id : null);
        if (found?.kind !== "vehicle") setFollowed(false);
        if (found?.kind === "stop") setStop(found.id);
        if (found?.kind === "line" && layout && layout.lines.length > 1) setAlone(alone === found.id ? null : found.id);
    }
    function close() {
        setVehicle(null);
        setFollowed(false);
    }
    const turnFollow = () => setFollowed(!isFollowed);
    return { vehicle, alone, isFollowed, take, close, setStop, setVehicle, setAlone, turnFollow };
}

/**
 * Has the document's title name the line and count down.
 * @param {import("../data/line-answers.js").LineMap | null} map @param {string | null} stop
 * @param {import("../data/line-answers.js").Arrival[] | null} arrivals
 */
function useTitle(map, stop, arrivals) {
    const { store } = useApp();
    const title = map ? [map.line.title, longNameOf(map)].filter((part) => part !== "").join(" ") : null;
    const stopName = map?.stops.find(({ id }) => id === stop)?.name ?? null;
    const arrivesAt = arrivals?.[0]?.at ?? null;
    useEffect(() => {
        store.dispatch({ type: "line", line: title === null ? null : { title, stop: stopName, arrivesAt } });
    }, [title, stopName, arrivesAt]);
    useEffect(() => () => store.dispatch({ type: "line", line: null }), []);
}

// A canvas that writes down what is painted on it, and a line with everything that can be painted.
import { readLineMap } from "../../../Sources/BridgecastService/Resources/page/data/line-answers.js";
import { fit } from "../../../Sources/BridgecastService/Resources/page/line/camera.js";
import { lightAt } from "../../../Sources/BridgecastService/Resources/page/line/light.js";
import { layOut } from "../../../Sources/BridgecastService/Resources/page/line/layout.js";

/** Points that a path goes through. */
class Points {
    points = [];
    moveTo(x, y) { this.points.push({ x, y }); }
    lineTo(x, y) { this.points.push({ x, y }); }
    arcTo(x1, y1, x2, y2) { this.points.push({ x: x1, y: y1 }, { x: x2, y: y2 }); }
    quadraticCurveTo(x1, y1, x, y) { this.points.push({ x, y }); }
    arc(x, y, radius) { this.points.push({ x, y, radius }); }
    rect(x, y, width, height) { this.points.push({ x, y }, { x: x + width, y: y + height }); }
    ellipse(x, y, radius) { this.points.push({ x, y, radius }); }
    closePath() {}
}

// Modules make their paths once, as they are loaded: this module has to be imported before them.
globalThis.Path2D = class extends Points {};

/** @returns {{ colours: string[], addColorStop: (at: number, colour: string) => void }} */
const gradient = () => ({ colours: [], addColorStop(at, colour) { this.colours.push(colour); } });

const paints = ["fill", "stroke", "fillRect", "clearRect", "fillText", "strokeText"];

/**
 * A 2D context. `done` has each painting with the colour, the width and the path that it had; letters are 7 wide.
 * @returns {any}
 */
export function recordingContext() {
    const done = [];
    const state = { globalAlpha: 1, lineWidth: 1, fillStyle: "#000", strokeStyle: "#000", dash: [], matrix: [1, 0, 0, 1, 0, 0] };
    const saved = [];
    let path = new Points();
    const made = {
        done,
        beginPath() { path = new Points(); },
        save() { saved.push({ ...state }); },
        restore() { Object.assign(state, saved.pop()); },
        setTransform(...matrix) { state.matrix = matrix; },
        transform(...matrix) { state.matrix = matrix; },
        setLineDash(dash) { state.dash = dash; },
        measureText: (text) => ({ width: text.length * 7 }),
        createRadialGradient: gradient,
        createLinearGradient: gradient,
    };
    const record = (how, given) => {
        const own = given[0] instanceof Points ? given[0] : path;
        const colour = how.startsWith("stroke") ? state.strokeStyle : state.fillStyle;
        done.push({ how, given, path: own, points: own.points, colour, ...state });
    };
    return new Proxy(made, {
        get(target, name) {
            if (name in target) return target[name];
            if (paints.includes(name)) return (...given) => record(name, given);
            if (name in Points.prototype) return (...given) => path[name](...given);
            return state[name];
        },
        set(target, name, value) {
            state[name] = value;
            return true;
        },
    });
}

/** Colours that cannot be taken for each other. */
export const palette = {
    paper: [245, 241, 232], ink: [44, 62, 80], line: [52, 73, 94], far: [190, 190, 190], grid: [127, 140, 141],
    water: [191, 215, 227], edge: [138, 133, 119], red: [231, 76, 60], early: [30, 96, 180], on_time: [30, 113, 69],
    late: [176, 58, 46], isPlain: false,
};

const size = { width: 800, height: 600 };
const route = { id: "100511", short_name: "542", title: "542", long_name: "", color: "#2980B9" };

/** @param {string} kind of vehicles @param {string} [id] of the line */
export function lineMap(kind, id = route.id) {
    const stops = [0, 0.25, 0.5, 0.505, 0.75, 1].map((share, n) => ({ id: `s${n}`, share }));
    const place = (share) => [-122.3 + 0.2 * share, 47.65 + 0.1 * share];
    const point = (feature, properties, share) => ({
        type: "Feature", geometry: { type: "Point", coordinates: place(share) }, properties: { feature, ...properties } });
    return readLineMap({
        type: "FeatureCollection", time_zone: "America/Los_Angeles", route: { ...route, kind, id },
        features: [
            {
                type: "Feature", geometry: { type: "LineString", coordinates: [place(0), place(0.5), place(1)] },
                properties: {
                    feature: "line", pattern: 0, direction: 0, headsign: "Redmond", is_main: true, length_m: 20_000,
                    stops: stops.map((stop) => ({ id: stop.id, along_m: stop.share * 20_000 })),
                    bridges: [{ bridge_id: 4, along_m: 12_500 }],
                },
            },
            ...stops.map((stop, n) => point("stop", { id: stop.id, name: `Stop ${n}` }, stop.share)),
            point("bridge", { bridge_id: 4, name: "Montlake" }, 0.625),
        ],
    });
}

/**
 * A scene at noon, with a lowered bridge and without a favourite.
 * @param {object} [more] @param {import("../../../Sources/BridgecastService/Resources/page/line/layout.js").Layout} [layout]
 */
export function sceneOf(more = {}, layout = layOut([lineMap("bus")])) {
    return {
        layout, isSkeleton: false, camera: fit(layout.spots, size, { x: 60, y: 60 }), size, density: 1, palette,
        light: lightAt(12), alone: null, stop: null, named: null, hasGrid: false,
        leaves: new Map([[4, { share: 0, state: "lowered" }]]), ...more,
    };
}

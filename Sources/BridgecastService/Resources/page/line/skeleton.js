// The line that stands there before the real one is known: a curve across the table.
import { layOut } from "./layout.js";

const points = /** @type {import("../model/geo.js").Position[]} */ (
    [[0, 0], [0.02, 0.012], [0.035, 0.04], [0.06, 0.05], [0.075, 0.08], [0.1, 0.1]]);

export const skeleton = layOut([{
    line: { id: "", title: "", longName: "", color: null, kind: "bus" }, zone: null, stops: [], bridges: [],
    ways: [{ pattern: 0, direction: null, headsign: "", isMain: true, length: 10_000, points, stops: [], bridges: [] }],
}]);

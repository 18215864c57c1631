// Which ways are about the same, and what one costs against another.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
    differences, isAboutSame, mainDifference, minutesMore, oddsBetween, whyBehind,
} from "../../Sources/BridgecastService/Resources/page/model/ties.js";

/** @param {string} id @param {number} p50 minutes @param {object} [more] */
const route = (id, p50, more = {}) => ({
    id, name: `${id} St, ${id} Bridge`, metres: 5000, probability_stopped: 0.02, crossings: [],
    travel_s: { p50: p50 * 60, p90: p50 * 60 + 240 }, travel_quantiles_s: Array(20).fill(p50 * 60), ...more,
});

test("ways are about the same by their medians or where either may win, and their bad days are alike", () => {
    const comparisons = [{ route: "a", other: "b", probability_faster: 0.55, probability_tie: 0.02 },
        { route: "c", other: "a", probability_faster: 0.1, probability_tie: 0 }];
    const odd = [{ route: "a", other: "b", probability_faster: 0.6, probability_tie: 0.09 }];
    const [a, b, c] = [route("a", 17), route("b", 19), route("c", 22)];
    assert.equal(isAboutSame([], a, route("d", 17.9)), true);
    assert.equal(isAboutSame([], a, route("d", 18.1)), false);
    const near = route("b", 19, { travel_s: { p50: 19 * 60, p90: 17 * 60 + 240 + 119 } });
    assert.equal(isAboutSame(comparisons, a, near), true);
    assert.equal(isAboutSame(comparisons, a, b), false, "two minutes apart for 9 in 10");
    assert.equal(isAboutSame(odd, a, near), false, "one of them wins twice as often");
    const rough = route("d", 17, { travel_s: { p50: 17 * 60, p90: 30 * 60 } });
    assert.equal(isAboutSame([], a, rough), false, "the same half the time only");
    assert.equal(isAboutSame(comparisons, a, c), false);
    const { faster, slower } = oddsBetween(comparisons, "b", "a");
    assert.ok(Math.abs(faster - 0.43) < 1e-9 && Math.abs(slower - 0.55) < 1e-9);
    assert.equal(oddsBetween(comparisons, "b", "c"), null);
    const unsaid = [{ route: "a", other: "b", probability_faster: null, probability_tie: 0 }];
    assert.equal(oddsBetween(unsaid, "a", "b"), null);
});

test("a way of the second rank is told by what differs, and by what counts against it where its time does not", () => {
    const first = route("a", 19);
    assert.deepEqual(mainDifference(first, route("b", 21)), { kind: "half", by: 2 });
    const rough = route("c", 18.9, { travel_s: { p50: 18.9 * 60, p90: 26 * 60 } });
    assert.deepEqual(mainDifference(first, rough), { kind: "nine", by: 3 });
    const behind = (minutes, more) => route("d", minutes, { behind_best_min: more });
    assert.equal(whyBehind(first, behind(17, { probability_stopped: 3, expected_minutes: -1, p90_minutes: 0.2 })),
        "stopped");
    assert.equal(whyBehind(first, behind(17, { p90_minutes: 0.2, idle_minutes: 9 })), "nine");
    assert.equal(whyBehind(first, behind(17, {})), null);
    assert.equal(whyBehind(first, route("d", 17)), null);
    assert.equal(whyBehind(first, behind(21, { probability_stopped: 3 })), null, "its time says it");
});

test("what the first costs against the second has its sign, and small things are left out", () => {
    const first = route("a", 17, { probability_stopped: 0.11, metres: 8000 });
    const other = route("b", 20, { probability_stopped: 0.02, metres: 8200 });
    assert.equal(minutesMore(first, other), 3);
    assert.equal(minutesMore(other, first), -3);
    assert.equal(minutesMore(first, route("c", 17.2)), 1);
    const { gains, costs } = differences(first, other);
    assert.deepEqual(gains.map(({ kind, by }) => [kind, by]), [["half", 3], ["nine", 3]]);
    assert.deepEqual(costs.map(({ kind }) => kind), ["stopped"]);
    assert.deepEqual(differences(first, first), { gains: [], costs: [] });
});

// A ride that is followed and kept as a journey: what is sent, against what `trip --keep` enters for the same ride.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { followRide, formOfRide } from "../../Sources/BridgecastService/Resources/page/model/ride.js";
import { readRide } from "../../Sources/BridgecastService/Resources/page/data/ride.js";
import { ridePath } from "../../Sources/BridgecastService/Resources/page/boards/paths.js";

/** Views over Montlake Bridge on a recorded afternoon; the tests of the command and the service read the same file. */
const recorded = JSON.parse(readFileSync(new URL("support/ride-montlake.json", import.meta.url), "utf8"));

test("what is sent is what the command enters for the same ride", () => {
    let ride = null;
    const forms = recorded.views.map((document) => {
        const view = readRide(document);
        ride = followRide(ride, view, view.at);
        return formOfRide(ride);
    });
    assert.deepEqual(forms.slice(0, -1), forms.slice(0, -1).map(() => null), "nothing before the end");
    assert.deepEqual(forms[forms.length - 1], recorded.form);
});

const minute = 60_000;
const view = {
    line: "44", from: "A", to: "B", at: 0, plannedDeparture: 0, plannedArrival: 10 * minute,
    departure: 2 * minute, arrival: 13 * minute, bridges: [], delay: null,
};

test("a ride that was not followed when it left has no forecast", () => {
    const form = formOfRide(followRide(null, view, 20 * minute));
    assert.equal(form?.minutes, "10");
    assert.ok(!("expected_s" in form));
    assert.equal(formOfRide(followRide(null, { ...view, arrival: null }, 20 * minute)), null, "no feed knows when it arrived");
    assert.equal(formOfRide(followRide(null, { ...view, plannedArrival: null }, 20 * minute)), null);
});

test("times that a feed leaves out once a stop is passed stay, and an arrival is not moved afterwards", () => {
    let ride = followRide(null, view, minute);
    assert.deepEqual(ride.forecast, { expected: 660, nine: 660, delay: 0, chance: 0, bridges: [] });
    ride = followRide(ride, { ...view, departure: null, arrival: 14 * minute }, 5 * minute);
    ride = followRide(ride, { ...view, departure: null, arrival: null }, 14 * minute);
    ride = followRide(ride, { ...view, departure: null, arrival: 30 * minute }, 15 * minute);
    assert.deepEqual([ride.departure, ride.arrival, ride.forecast?.expected], [2 * minute, 14 * minute, 660]);
});

test("an answer without a ride is none", () => {
    for (const document of [null, {}, { data: {} }, { data: { ride: { line: "44" } }, valid_at: "2026-02-20T12:00:00Z" }]) {
        assert.equal(readRide(document), null);
    }
    assert.equal(ridePath("trips/7", { from: "a b", to: "c" }), "trips/7?from=a+b&to=c");
    assert.equal(ridePath("trips/7?date=2026-02-20", { from: "a", to: "c" }), "trips/7?date=2026-02-20&from=a&to=c");
});

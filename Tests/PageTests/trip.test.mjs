// A trip: what the address says about it, the questions it makes, what is made of the answers, and how ways differ.
import assert from "node:assert/strict";
import { test } from "node:test";
import { trouble } from "../../Sources/BridgecastService/Resources/page/data/api.js";
import {
    departPath, isAskable, isPoint, proposedTime, readTrip, routesPath, sayTripTrouble, tooLongEnd, wallText,
} from "../../Sources/BridgecastService/Resources/page/views/trip/question.js";
import { piles, sharedMinutes } from "../../Sources/BridgecastService/Resources/page/views/trip/routes.js";
import { readCorner } from "../../Sources/BridgecastService/Resources/page/model/title.js";
import { sayTrip } from "../../Sources/BridgecastService/Resources/page/views/trip/form.js";
import { readDirections, sayStep } from "../../Sources/BridgecastService/Resources/page/views/trip/directions.js";
import { sayAnswer } from "../../Sources/BridgecastService/Resources/page/views/trip/answer.js";
import {
    choicesOf, differences, isAboutSame, mainDifference, minutesMore, nineInTenBy, oddsBetween, oddsInHundred,
    quickerBelow, readDepartures, readWays, roadName, shortName, waiting, whyRankedLower,
} from "../../Sources/BridgecastService/Resources/page/views/trip/ways.js";
import { english } from "./support/language.mjs";

const now = Date.parse("2026-02-20T18:00:20-08:00");
const minute = 60_000;

test("an address is a trip, and what it lacks has its default", () => {
    const trip = readTrip({ from: " Ballard ", to: "Downtown" }, now);
    assert.deepEqual(trip, { from: "Ballard", to: "Downtown", mode: "car", sure: 0.9, when: "now", time: null,
        timeTrouble: null });
    const hostile = readTrip({ from: "a", to: "b", mode: "plane", sure: "7", leave: "<b>" }, now);
    assert.deepEqual([hostile.mode, hostile.sure, hostile.timeTrouble], ["car", 0.9, "unreadable"]);
});

test("a time without a day is that of the day that is shown, in Seattle", () => {
    assert.equal(readTrip({ arrive: "18:30" }, now).time, Date.parse("2026-02-20T18:30:00-08:00"));
    assert.equal(readTrip({ arrive: "7:05" }, now).time, Date.parse("2026-02-20T07:05:00-08:00"));
    assert.equal(readTrip({ leave: "2026-07-01T09:00" }, now).time, Date.parse("2026-07-01T09:00:00-07:00"));
    assert.equal(wallText(Date.parse("2026-07-01T16:00:00Z")), "2026-07-01T09:00");
    assert.equal(readTrip({ leave: "2026-02-30T09:00" }, now).timeTrouble, "unreadable");
});

test("a time that is over is refused, but for one to leave at that has just gone by", () => {
    assert.equal(readTrip({ leave: "17:56" }, now).timeTrouble, null);
    assert.equal(readTrip({ leave: "17:50" }, now).timeTrouble, "past");
    assert.equal(readTrip({ arrive: "17:59" }, now).timeTrouble, "past");
    assert.equal(proposedTime("arrive", now), "2026-02-20T19:05");
    assert.equal(proposedTime("leave", now), "2026-02-20T18:20");
});

test("a time more than a year ahead is not asked for, and is reported", () => {
    assert.equal(readTrip({ arrive: "2027-02-21T18:00" }, now).timeTrouble, null, "366 days");
    for (const values of [{ arrive: "2027-02-21T18:01" }, { leave: "2031-03-01T09:00" }]) {
        const trip = readTrip({ from: "Ballard", to: "Downtown", ...values }, now);
        assert.deepEqual([trip.timeTrouble, isAskable(trip)], ["far", false]);
        assert.deepEqual([departPath(trip, now), routesPath(trip, now, null)], [null, null]);
        const said = sayTripTrouble(english, trip, null);
        assert.deepEqual([said.place, said.text],
            ["when", "That is more than a year ahead; nothing is forecast for it."]);
    }
});

test("a place that is too long is not asked for, and is reported at its field", () => {
    const trip = readTrip({ from: "Ballard", to: "x".repeat(201) }, now);
    assert.deepEqual([tooLongEnd(trip), isAskable(trip)], ["to", false]);
    const said = sayTripTrouble(english, trip, null);
    assert.deepEqual([said.place, said.text], ["to", "This is too long to be a place: at most 200 characters."]);
    assert.equal(tooLongEnd(readTrip({ from: "x".repeat(200), to: "b" }, now)), null);
});

test("the questions say what the service needs, encoded", () => {
    const ends = { from: "Café & Co", to: "47.6,-122.3" };
    const soon = readTrip({ ...ends, mode: "bike" }, now);
    assert.equal(routesPath(soon, now, null),
        "routes?from=Caf%C3%A9%20%26%20Co&to=47.6%2C-122.3&mode=bike&directions=true");
    assert.equal(departPath(soon, now), "depart?from=Caf%C3%A9%20%26%20Co&to=47.6%2C-122.3&mode=bike");
    const arrive = readTrip({ ...ends, arrive: "18:30", sure: "0.95" }, now);
    const by = "2026-02-20T18%3A30%3A00-08%3A00";
    assert.ok(departPath(arrive, now).endsWith(`&mode=car&arrive_by=${by}&confidence=0.95`));
    const leaveBy = Date.parse("2026-02-20T18:09:40-08:00");
    assert.ok(routesPath(arrive, now, leaveBy).endsWith(`&depart=2026-02-20T18%3A09%3A00-08%3A00&arrive_by=${by}`));
    const leaving = (leave) => routesPath(readTrip({ ...ends, leave }, now), now, null);
    assert.ok(leaving("18:20").includes("&depart=2026-02-20T18%3A20"));
    assert.ok(!leaving("18:00").includes("depart"));
    const [from, to] = ["a", "b"];
    for (const values of [{ from }, { from, to, arrive: "17:00" }, { from, to, leave: "x" }]) {
        assert.equal(routesPath(readTrip(values, now), now, null), null);
        assert.equal(departPath(readTrip(values, now), now), null);
    }
    assert.equal(isPoint("47.6,-122.3"), true);
    assert.equal(isPoint("12th Ave, 3"), false);
});

/** @param {string} id @param {number} p50 minutes @param {object} [more] */
const route = (id, p50, more = {}) => ({
    id, name: `${id} St, ${id} Bridge`, metres: 5000, probability_stopped: 0.02, crossings: [],
    travel_s: { p50: p50 * 60, p90: p50 * 60 + 240 }, travel_quantiles_s: Array(20).fill(p50 * 60), ...more,
});
const document = (routes, more = {}) => ({
    departure: "2026-02-20T18:00:20-08:00", issue_time: "2026-02-20T18:00:00-08:00", warnings: [],
    groups: [{ origin: "Ballard", destination: "Downtown", mode: "car", routes, comparisons: [] }], ...more,
});

test("what cannot be shown of an answer is left out, and nothing is made of nothing", () => {
    for (const empty of [null, {}, { groups: [] }, document([]), document([{ id: "x" }]), document([route("a", NaN)]),
        document([route("a", 10)], { departure: "soon" })]) assert.equal(readWays(empty), null);
    const given = [route("Ballard", 17), null, route("Aurora", NaN)];
    const ways = readWays(document(given, { warnings: ["one is old", 7] }));
    assert.deepEqual(ways.routes.map(({ id }) => id), ["Ballard"]);
    assert.deepEqual(ways.warnings, ["One is old."]);
    assert.equal(ways.issuedAt, Date.parse("2026-02-20T18:00:00-08:00"));
});

test("an answer is climatology if all its bridges are met in an hour or later", () => {
    const crossing = (lead, basis) => ({ bridge: "Ballard", probability_stopped: 0.1, lead_time_s: lead, basis });
    const isUsual = (...crossings) => readWays(document([route("a", 20, { crossings })])).isUsualOnly;
    assert.equal(isUsual(crossing(4000, "calendar")), true);
    assert.equal(isUsual(crossing(4000, "calendar"), crossing(4000, "live")), false);
    assert.equal(isUsual(crossing(600, "calendar")), false);
    assert.equal(isUsual(), false);
});

test("nine in ten are there by a whole minute that is not too early", () => {
    const ways = readWays(document([route("a", 17)]));
    assert.equal(nineInTenBy(ways, ways.routes[0]), Date.parse("2026-02-20T18:22:00-08:00"), "18:21:20 is after 18:21");
});

test("a way is called by its bridge", () => {
    assert.equal(shortName({ id: "Fremont Bridge", name: "Leary Way, Fremont Bridge" }), "Fremont Bridge");
    assert.equal(shortName({ id: "7", name: "A St, Aurora Bridge, B St" }), "Aurora Bridge");
    assert.equal(shortName({ id: "7", name: "A St, B St, C St" }), "A St, B St");
});

test("a second way over the same bridges has a road in its name", () => {
    const dexter = { id: "Fremont Bridge by Dexter Ave N", name: "Fremont Bridge, Dexter Ave N" };
    assert.equal(shortName(dexter), "Fremont Bridge, Dexter Ave N");
    assert.equal(shortName({ id: "no crossing by Rainier Ave S", name: "Rainier Ave S" }), "Rainier Ave S");
});

test("to leave by is the last departure that is sure enough, by whatever way", () => {
    const leaving = (clock, id, chance) => ({ departure: `2026-02-20T${clock}:00-08:00`, route_id: id, route: id,
        expected_s: 1000, p90_s: 1300, probability_on_time: chance });
    const found = readDepartures({
        points: [{ routes: [leaving("18:00", "a", 0.9), leaving("18:00", "b", 0.95)] }, { routes: [] }, null,
            { routes: [leaving("18:05", "a", null), leaving("18:05", "b", null), { route_id: "c" }] }],
        latest: [leaving("18:07", "a", 0.9), leaving("18:09", "b", 0.91), leaving("18:09", "c", 0.93)],
    });
    assert.deepEqual(found.points.map(({ best }) => best.route_id), ["b", "a"]);
    assert.equal(found.leaveBy.best.route_id, "c");
    assert.equal(found.leaveByRoute.get("a"), Date.parse("2026-02-20T18:07:00-08:00"));
    assert.equal(readDepartures({ points: [], latest: null }).leaveBy, null);
    assert.equal(readDepartures({}), null);
});

test("dots stand in columns, none of them across the border between early and late", () => {
    const border = 100;
    const dots = piles([10, 11, 12, 99, 100, 101, 113.5], border);
    assert.equal(dots.length, 7);
    assert.deepEqual(dots.map(({ x }) => x <= border), [true, true, true, true, true, false, false]);
    const places = new Set(dots.map(({ x, row }) => `${x} ${row}`));
    assert.equal(places.size, 7, "no dot hides another");
    const axis = sharedMinutes([route("a", 17), route("b", 20, { travel_quantiles_s: [1200, 9000] })]);
    assert.ok(axis.from <= 17 && axis.to >= 44 && axis.to <= 46, JSON.stringify(axis));
});

test("what is wrong with a trip is shown where it can be corrected", () => {
    const trip = readTrip({ from: "Balard", to: "Downtown" }, now);
    const say = (more, kind = "status") => sayTripTrouble(english, trip, trouble(kind, more));
    const place = say({ status: 404, parameter: "from", near: ["Ballard"], detail: "there is no such place" });
    assert.deepEqual([place.place, place.text, place.near, place.isRetried],
        ["from", "“Balard” is not a place known here. Perhaps:", ["Ballard"], false]);
    assert.match(place.hint, /no house numbers/);
    const same = say({ status: 400, parameter: "to", detail: "from and to are the same place" });
    assert.deepEqual([same.text, same.hint], ["From and to are the same place.", null]);
    const busy = say({ status: 429, retryAfterSeconds: 4.2 });
    assert.equal(busy.text, "The service is asked too often just now. Next try in 5 s.");
    assert.equal(say({ status: 503 }).text, "The service answered 503. Trying again.");
    assert.equal(say({}, "cut").text, "The service cannot be reached. Trying again.");
    const refused = say({ status: 422, detail: "no" });
    assert.deepEqual([refused.isRetried, refused.english], [false, "no"]);
    assert.equal(say({ status: 422, parameter: "arrive_by" }).place, "when");
    assert.equal(sayTripTrouble(english, readTrip({ leave: "17:00" }, now), null).text,
        "This time is over. Choose a later one.");
    assert.equal(sayTripTrouble(english, trip, null), null);
});

test("ways are about the same by their medians, or where either may win", () => {
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

test("a way of the second rank shows what differs and what counts against it", () => {
    const first = route("a", 19);
    assert.deepEqual(mainDifference(first, route("b", 21)), { kind: "half", by: 2 });
    const rough = route("c", 18.9, { travel_s: { p50: 18.9 * 60, p90: 26 * 60 } });
    assert.deepEqual(mainDifference(first, rough), { kind: "nine", by: 3 });
    const behind = (minutes, more) => route("d", minutes, { excess_over_best_min: more });
    assert.equal(whyRankedLower(first, behind(17, { probability_stopped: 3, expected_minutes: -1, p90_minutes: 0.2 })),
        "stopped");
    assert.equal(whyRankedLower(first, behind(17, { p90_minutes: 0.2, idle_minutes: 9 })), "nine");
    assert.equal(whyRankedLower(first, behind(17, {})), null);
    assert.equal(whyRankedLower(first, route("d", 17)), null);
    assert.equal(whyRankedLower(first, behind(21, { probability_stopped: 3 })), null, "its time says it");
});

test("differences of ways have their sign, and small ones are left out", () => {
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

test("ways over the same bridges are one choice; without a bridge each is its own", () => {
    const over = (id, ...bridges) => route(id, 17, { crossings: bridges.map((bridge) => ({ bridge })) });
    const choices = choicesOf([over("Ballard Bridge", "Ballard"), over("Ballard Bridge by Elliott Ave", "Ballard"),
        over("Aurora Bridge"), over("no crossing"), over("no crossing by 4th Ave"), over("Aurora Bridge by Dexter")]);
    assert.deepEqual(choices.map(({ main, others }) => [main.id, others.map(roadName)]), [
        ["Ballard Bridge", ["Elliott Ave"]], ["Aurora Bridge", ["Dexter"]], ["no crossing", []],
        ["no crossing by 4th Ave", []],
    ]);
});

test("the answer names two choices, never two roads of one, and its minutes", () => {
    const ids = ["Ballard Bridge", "Ballard Bridge by Elliott Ave", "Aurora Bridge"];
    const ways = readWays(document(ids.map((id, n) => route(id, 17 + n / 3, { name: id }))));
    const trip = readTrip({ from: "a", to: "b" }, now);
    const answer = sayAnswer(english, { trip, ways, departures: null, choices: choicesOf(ways.routes), now });
    assert.deepEqual(answer, { head: "17 min by Ballard Bridge or Aurora Bridge", large: "17 min",
        detail: "About the same: 9 times in 10 there by 6:22\u00a0PM." });
});

test("of ways that may be left for as late, the answer names the one on the first card", () => {
    const ways = readWays(document(["Aurora Bridge", "Ballard Bridge"].map((id, n) => route(id, 17 + n, { name: id }))));
    const trip = readTrip({ from: "a", to: "b", arrive: "18:30" }, now);
    const departure = now + 6 * minute;
    const leaveBy = { departure, best: { route_id: "Ballard Bridge", route: "Ballard Bridge" } };
    const answer = (/** @type {[string, number][]} */ leaveByRoute) => sayAnswer(english, { trip, ways, now,
        departures: { points: [], leaveBy, leaveByRoute: new Map(leaveByRoute) }, choices: choicesOf(ways.routes) }).head;
    assert.match(answer([["Aurora Bridge", departure], ["Ballard Bridge", departure]]), /take Aurora Bridge/);
    assert.match(answer([["Aurora Bridge", departure - minute], ["Ballard Bridge", departure]]), /take Ballard Bridge/);
});

test("faster, as fast and slower are hundred together, and none is certain", () => {
    assert.deepEqual(oddsInHundred({ faster: 0.503, tie: 0.097, slower: 0.4 }), { faster: 50, tie: 10, slower: 40 });
    assert.deepEqual(oddsInHundred({ faster: 0.333, tie: 0.333, slower: 0.334 }), { faster: 33, tie: 33, slower: 34 });
    assert.deepEqual(oddsInHundred({ faster: 1, tie: 0, slower: 0 }), { faster: 99, tie: 0, slower: 1 });
    assert.deepEqual(oddsInHundred({ faster: 0, tie: 1, slower: 0 }), { faster: 1, tie: 98, slower: 1 });
});

test("a way that stands above a quicker one has the reason of the ranking", () => {
    const at = (id, minutes, stopped) => route(id, minutes, { excess_over_best_min:
        { expected_minutes: 2 * minutes - 30, probability_stopped: stopped } });
    const [first, second, third] = [route("a", 17), at("b", 20, 0), at("c", 19, 5)];
    const { other, by, why } = quickerBelow(second, [first, second, third]);
    assert.deepEqual([other.id, by, why], ["c", 1, "stopped"]);
    assert.equal(quickerBelow(first, [first, second, third]), null);
    assert.equal(quickerBelow(second, [first, second, at("c", 19.4, 5)]).why, "stopped", "20 and 19 min are shown");
    assert.equal(quickerBelow(second, [first, second, at("c", 19.6, 5)]), null, "both are shown as 20 min");
    assert.equal(quickerBelow(second, [first, second, route("c", 19)]), null, "no reason is given");
});

test("what ten minutes of waiting change is in the departures", () => {
    const leaving = (minutes, p50, p90) =>
        ({ departure: now + minutes * 60_000, best: { p50_s: p50 * 60, p90_s: p90 * 60 } });
    const after = (...later) => {
        const { kind, by, nine } = waiting({ points: [leaving(0, 20, 25), leaving(5, 9, 9), ...later] }, 10);
        return [kind, by, nine];
    };
    assert.deepEqual(after(leaving(10, 18, 24.5)), ["half", -2, 25]);
    assert.deepEqual(after(leaving(10, 20.5, 29)), ["nine", 4, 29]);
    assert.deepEqual(after(leaving(10, 20.5, 25.5)), ["same", 0, 26]);
    assert.equal(waiting({ points: [leaving(0, 20, 25)] }, 10), null);
});

test("a step of the directions is a sentence, also one of a kind that is not known", () => {
    const steps = readDirections([{ manoeuvre: "left", name: "Denny Way", metres: 322 }, { name: "x" }, null,
        { manoeuvre: "arrive", name: "", metres: 0 }, { manoeuvre: "ferry", name: "Pier 52", metres: 0 }]);
    assert.deepEqual(steps.map((step) => sayStep(english, step)),
        ["Left on Denny Way, 0.2 mi", "Arrive on a street without a name", "Pier 52"]);
    assert.deepEqual(readDirections(undefined), []);
});

test("a point is named by the corner nearest to it, and without one it is a point on the map", () => {
    const corner = readCorner({ places: [{ name: "15th Ave NW & NW Market St" }, { name: "x" }] });
    assert.equal(corner, "15th Ave NW & NW Market St");
    for (const odd of [null, {}, { places: [] }, { places: [{ name: 7 }] }]) assert.equal(readCorner(odd), null);
    const trip = readTrip({ from: "47.6,-122.3", to: "Downtown", arrive: "18:30" }, now);
    assert.equal(sayTrip(english, trip, now, { "47.6,-122.3": corner }),
        "15th Ave NW & NW Market St to Downtown by car, arrive by 6:30\u00a0PM");
    assert.equal(sayTrip(english, trip, now, {}), "a point on the map to Downtown by car, arrive by 6:30\u00a0PM");
});

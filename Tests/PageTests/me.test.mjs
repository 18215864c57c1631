// A person's journal: where the token is kept and sent, what answers are read, changes and how they are taken back, texts.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { MeAPI, readToken } from "../../Sources/BridgecastService/Resources/page/data/me.js";
import { journalOf, readFavourites, readImport, readJourneys, readOutlook, readPerson, readSettings, readStatistics } from "../../Sources/BridgecastService/Resources/page/data/me-answers.js";
import { followForgetting, forgetToken, keepToken, keptToken } from "../../Sources/BridgecastService/Resources/page/data/me-token.js";
import { NoAnswer, trouble } from "../../Sources/BridgecastService/Resources/page/data/api.js";
import { Refresher } from "../../Sources/BridgecastService/Resources/page/data/refresher.js";
import { saySettings } from "../../Sources/BridgecastService/Resources/page/me/settings.js";
import { readForm } from "../../Sources/BridgecastService/Resources/page/me/add-journey.js";
import { MeSession } from "../../Sources/BridgecastService/Resources/page/me/session.js";
import { sayLargest, sayReliability } from "../../Sources/BridgecastService/Resources/page/me/statistics.js";
import { sayImport } from "../../Sources/BridgecastService/Resources/page/me/transfer.js";
import * as say from "../../Sources/BridgecastService/Resources/page/me/words.js";
import { replaceGlobals, settled } from "./support/fakes.mjs";
import { english, firstTexts, meTexts, plain, spanish, transitTexts } from "./support/language.mjs";

const token = `bcp_${"0f".repeat(32)}`;

/** Storage of a browser that keeps text. */
function storage() {
    const kept = new Map();
    return { kept, getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value), removeItem: (key) => kept.delete(key) };
}

/** Both storages of a browser. */
function storages(t) {
    const both = { sessionStorage: storage(), localStorage: storage() };
    replaceGlobals(t, both);
    return both;
}

test("a token is kept for the tab; on the device only if that is wanted; and then nowhere", (t) => {
    const { sessionStorage, localStorage } = storages(t);
    assert.equal(keptToken(), null);
    keepToken(token, false);
    assert.deepEqual([[...sessionStorage.kept.values()], localStorage.kept.size], [[token], 0]);
    assert.deepEqual(keptToken(), { token, isOnDevice: false });
    keepToken(token, true);
    assert.deepEqual([sessionStorage.kept.size, [...localStorage.kept.values()]], [0, [token]]);
    assert.deepEqual(keptToken(), { token, isOnDevice: true });
    forgetToken();
    assert.deepEqual([sessionStorage.kept.size, localStorage.kept.size, keptToken()], [0, 0, null]);
});

test("a browser that forbids storage keeps nothing and fails nowhere", (t) => {
    for (const name of ["sessionStorage", "localStorage"]) {
        Object.defineProperty(globalThis, name, { configurable: true, get() { throw new Error("forbidden"); } });
        t.after(() => delete globalThis[name]);
    }
    keepToken(token, true);
    forgetToken();
    assert.equal(keptToken(), null);
});

test("what another tab forgets is heard, other keys are not", (t) => {
    let hear = () => {};
    replaceGlobals(t, { addEventListener: (name, call) => { hear = call; }, removeEventListener: () => { hear = null; } });
    let heard = 0;
    const leave = followForgetting(() => { heard += 1; });
    hear({ key: "bridgecast.preferences", newValue: null });
    hear({ key: "bridgecast.token", newValue: token });
    assert.equal(heard, 0);
    hear({ key: "bridgecast.token", newValue: null });
    hear({ key: null, newValue: null });
    assert.equal(heard, 2);
    leave();
    assert.equal(hear, null);
});

test("a token is what a header can have", () => {
    assert.equal(readToken(` ${token}\n`), token);
    for (const text of ["", " ", "two words", "bcp_é", "bcp_\u0000", "x".repeat(201), "a\r\nX: y"]) assert.equal(readToken(text), null, text);
});

/** The API before a network that answers, with what it was asked. */
function connected(answer = () => new Response("{}")) {
    const asked = [];
    return { asked, api: new MeAPI(token, async (address, request) => { asked.push({ address, ...request }); return answer(address, request); }) };
}

test("the token is in a header of every request, in no address and no body, and nothing is kept", async () => {
    const { asked, api } = connected();
    await api.get("/statistics?range=all");
    await api.getText("/export");
    await api.post("/favourites", { name: "a & b", from: "Ballard" });
    await api.postDocument("/import", "{\"a\":1}");
    await api.remove("/journeys/x");
    await api.patch("/settings", { keeps_history: "true" });
    assert.equal(asked.length, 6);
    for (const { address, headers, cache, mode, redirect, credentials, body } of asked) {
        assert.match(address, /^api\/v1\/me\//);
        assert.equal(headers.Authorization, `Bearer ${token}`);
        assert.deepEqual([cache, mode, redirect, credentials], ["no-store", "same-origin", "error", "omit"]);
        assert.ok(!address.includes("bcp_") && !String(body).includes("bcp_"));
    }
    assert.deepEqual(asked.map(({ method }) => method), [undefined, undefined, "POST", "POST", "DELETE", "PATCH"]);
    assert.equal(String(asked[2].body), "name=a+%26+b&from=Ballard");
    assert.equal(asked[3].headers["Content-Type"], "application/json");
});

test("a refusal has the service's status, its line and its pause; a network that fails has none", async (t) => {
    const problem = { status: 422, detail: "line 3: route: is missing", recovery: "correct that", retry_after_s: null };
    const refusing = connected(() => new Response(JSON.stringify(problem), { status: 422 }));
    await assert.rejects(refusing.api.postDocument("/import", "{}"), (error) => error.trouble.detail === "line 3: route: is missing" && error.trouble.status === 422);
    const busy = connected(() => new Response("", { status: 429, headers: { "Retry-After": "7" } }));
    await assert.rejects(busy.api.get(""), (error) => error.trouble.status === 429 && error.trouble.retryAfterSeconds === 7);
    replaceGlobals(t, { navigator: { onLine: true } });
    const cut = connected(() => { throw new TypeError("failed"); });
    await assert.rejects(cut.api.get(""), (error) => error.trouble.kind === "cut");
    const page = connected(() => new Response("<html>"));
    await assert.rejects(page.api.get(""), (error) => error.trouble.kind === "not_json");
});

const journey = {
    id: "j1", route: "car/ballard/downtown", name: "Ballard -> Downtown", mode: "car", planned_departure: "2018-01-04T15:00:00-08:00",
    planned_arrival: "2018-01-04T15:20:00-08:00", actual_departure: "2018-01-04T15:00:00-08:00", actual_arrival: "2018-01-04T15:23:00-08:00",
    abandoned: false, stopped: true, way: "Ballard Bridge", expected_s: 1200, p90_s: 1440, probability_stopped: 0.04, bridges: ["Ballard"],
    created_at: "2018-01-04T15:00:00-08:00",
};
const favourite = { id: "f1", name: "commute", kind: "trip", from: "Ballard", to: "Downtown", mode: "car", refresh_min: 2, last_used_at: null, use_count: 0, average_s: null };
const [read] = readJourneys({ journeys: [journey] });

test("journeys, favourites and the person are read; what is none is left out", () => {
    assert.deepEqual([read.arrived - read.began, read.wasStopped, read.forecast.bridges, read.forecast.nine], [1_380_000, true, ["Ballard"], 1440]);
    const bad = [null, 7, "x", [], { id: "" }, { ...journey, planned_arrival: "never" }];
    assert.equal(readJourneys({ journeys: [...bad, { ...journey, expected_s: null }] }).length, 1);
    assert.equal(readJourneys({ journeys: [{ ...journey, expected_s: null }] })[0].forecast, null);
    const stop = { ...favourite, id: "f2", kind: "stop", line: "542", stop: "25243", direction: "" };
    const favourites = readFavourites({ favourites: [favourite, stop, { ...favourite, to: "" }, { ...stop, kind: "boat" }, null] });
    assert.deepEqual(favourites.map(({ target }) => target.kind), ["trip", "stop"]);
    assert.equal(favourites[0].refresh, 2);
    assert.equal(readFavourites({ favourites: [{ ...favourite, refresh_min: 3 }] })[0].refresh, 0);
    const person = readPerson({ name: "Ann", journeys: 3, max_journeys: 1000, recents: [journey, null], under_way: null });
    assert.deepEqual([person.name, person.journeys, person.recents.length, person.underWay], ["Ann", 3, 1, null]);
    for (const value of [null, [], "x", { name: "Ann" }, { name: 7, recents: [] }]) assert.equal(readPerson(value), null);
    assert.equal(person.features.length, 4, "a service that switches nothing");
    const some = readPerson({ name: "Ann", recents: [], features: ["statistics", "unknown", 7] });
    assert.deepEqual(some.features, ["statistics"]);
});

test("settings are read whole or not at all, and a change of them says what was removed", async () => {
    const settings = { refresh_min: 10, reminder_lead_s: 600, announces_moves: true, tracks_journeys: true, keeps_history: false, keeps_location: true };
    assert.deepEqual(readSettings(settings), {
        refresh: 10, lead: 600, announcesMoves: true, tracksJourneys: true, keepsHistory: false, keepsLocation: true });
    const wrong = [null, {}, { ...settings, keeps_history: "true" }, { ...settings, refresh_min: 3 }, { ...settings, reminder_lead_s: null }];
    for (const value of wrong) assert.equal(readSettings(value), null);
    const { me, asked } = journal({ "PATCH /settings": () => ({ removed_journeys: 2, removed_favourites: 1, removed_reminders: 3 }) });
    await me.setSettings({ keeps_location: "false" }, (report) => saySettings(english, report));
    assert.deepEqual(asked[0], ["PATCH /settings", { keeps_location: "false" }]);
    assert.equal(me.done.text, "Your settings are changed. Removed: 2 journeys, one favourite, and 3 reminders.");
    await me.resetSettings((report) => saySettings(english, report));
    assert.equal(me.done.text, "Your settings are changed.");
});

test("statistics of an empty journal and of a strange document have whole counts and no figures", () => {
    const empty = readStatistics({ journeys: 0, routes: [], mean_delay_min: null, forecasts: null });
    assert.deepEqual([empty.hours.length, empty.weekdays.length, empty.months, empty.meanDelay, empty.forecasts], [24, 7, [], null, null]);
    const strange = readStatistics({
        journeys: 2, routes: [{ name: "a", arrived: -1, frequency: "never" }, 7], hourly_pattern: ["x", -3, 2.7], monthly_trend: [{ month: "May" }, { month: "2018-01", journeys: 2 }],
        forecasts: { journeys: 0, mean_error_min: 1, mean_absolute_error_min: 1, p90_coverage: 1 },
    });
    assert.deepEqual([strange.hours.slice(0, 3), strange.months, strange.forecasts], [[0, 0, 2], [{ month: "2018-01", journeys: 2 }], null]);
    assert.deepEqual([strange.routes.length, strange.routes[0].arrived, strange.routes[0].frequency], [1, 0, "rarely"]);
    for (const value of [null, {}, { journeys: "2", routes: [] }]) assert.equal(readStatistics(value), null);
});

test("what is forecast now is that of the route that ranks first", () => {
    const route = { name: "a", travel_s: { mean: 600, p90: 700 }, probability_stopped: 0.1 };
    assert.deepEqual(readOutlook({ groups: [{ routes: [route, { ...route, name: "b" }] }] }), { way: "a", expected: 600, nine: 700, chance: 0.1 });
    for (const value of [null, {}, { groups: [] }, { groups: [{ routes: [{}] }] }]) assert.equal(readOutlook(value), null);
    assert.deepEqual(readImport({ added: 2, replaced: 1, dropped: 0, favourites: 3, overlapping: 9 }), { added: 2, replaced: 1, dropped: 0, favourites: 3 });
});

/** A journal whose service keeps favourites and does what it is asked. */
function journal(answers = {}) {
    const asked = [];
    const listed = [{ ...favourite, id: "f0", name: "first" }, favourite];
    const person = { name: "Ann", journeys: 1, max_journeys: 9, recents: [], under_way: journey };
    const answer = async (what, more) => {
        asked.push(more === undefined ? what : [what, more]);
        if (answers[what]) return answers[what]();
        return what === "GET " ? person : what === "GET /favourites" ? { favourites: listed } : {};
    };
    const refused = [];
    const me = new MeSession({
        get: (path) => answer(`GET ${path}`), getText: (path) => answer(`GET ${path}`), post: (path, form) => answer(`POST ${path}`, form),
        patch: (path, form) => answer(`PATCH ${path}`, form),
        postDocument: (path, text) => answer(`POST ${path}`, JSON.parse(text)), remove: (path) => answer(`DELETE ${path}`),
    }, (found) => refused.push(found.status));
    return { me, asked, refused, listed };
}

test("a change is followed by what it changed; a second press meanwhile does nothing", async () => {
    const { me, asked } = journal();
    await me.refresh();
    const revision = me.revision;
    asked.length = 0;
    const [first, second] = await Promise.all([me.start({ favourite: "f1" }), me.start({ favourite: "f1" })]);
    assert.deepEqual([first, second], [true, false]);
    assert.deepEqual(asked, [["POST /journeys/start", { favourite: "f1" }], "GET ", "GET /favourites"]);
    assert.ok(me.revision > revision && !me.isWorking);
});

test("settings that are chosen one right after the other are all sent, in their order", async () => {
    const { me, asked } = journal();
    await me.refresh();
    asked.length = 0;
    await Promise.all(["1", "15", "5"].map((minutes) => me.setFavourite("f1", { refresh_min: minutes })));
    assert.deepEqual(asked.filter(Array.isArray).map(([, form]) => form.refresh_min), ["1", "15", "5"]);
});

test("a removed favourite comes back as it was, where it was; a removed journey and an ended one as well", async () => {
    const { me, asked } = journal();
    await me.refresh();
    await me.removeFavourite(me.favourites[1], "gone");
    assert.equal(me.done.text, "gone");
    asked.length = 0;
    await me.done.undo();
    assert.deepEqual(asked.slice(0, 2), [
        ["POST /import", { format: "bridgecast-journal", version: 2, journeys: [], favourites: [favourite], reminders: [] }],
        ["POST /favourites/f1", { position: "2" }]]);
    assert.equal(me.done, null);
    for (const act of [() => me.removeJourney(read, "gone"), () => me.stop({ stopped: "true" }, "ended")]) {
        await act();
        asked.length = 0;
        await me.done.undo();
        assert.deepEqual(asked[0], ["POST /import", { format: "bridgecast-journal", version: 2, journeys: [journey], favourites: [], reminders: [] }]);
    }
    assert.equal(JSON.parse(journalOf({})).journeys.length, 0);
});

test("a refused change says why and keeps what is known; a refused token is reported", async () => {
    const refusal = (status) => () => { throw new NoAnswer(trouble("status", { status, detail: "no" })); };
    const { me, refused } = journal({ "POST /journeys/start": refusal(422) });
    await me.refresh();
    assert.equal(await me.start({ favourite: "f1" }), false);
    assert.deepEqual([me.trouble.status, me.person.name, me.isWorking, refused], [422, "Ann", false, []]);
    const other = journal({ "GET ": refusal(401) });
    await other.me.refresh();
    assert.deepEqual([other.me.person, other.refused], [null, [401]]);
});

test("a refresher asks at its interval, one question at a time, and not in a hidden page", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    let now = 0;
    t.mock.method(performance, "now", () => now);
    let seen = () => {};
    const document = { hidden: false, addEventListener: (name, call) => { seen = call; }, removeEventListener: () => { seen = () => {}; } };
    replaceGlobals(t, { document });
    const pass = async (milliseconds) => { now += milliseconds; t.mock.timers.tick(milliseconds); await settled(); };
    let asked = 0;
    let answer = () => {};
    const refresher = new Refresher(() => { asked += 1; return new Promise((done) => { answer = done; }); }, () => 120);
    refresher.open();
    await pass(300_000);
    refresher.refresh();
    assert.equal(asked, 1, "the first is not answered yet");
    answer();
    await settled();
    await pass(0);
    assert.equal(asked, 2, "its interval is over");
    answer();
    await settled();
    await pass(119_000);
    assert.equal(asked, 2);
    document.hidden = true;
    await pass(600_000);
    assert.equal(asked, 2, "hidden");
    document.hidden = false;
    seen();
    assert.equal(asked, 3);
    answer();
    await settled();
    refresher.close();
    await pass(600_000);
    assert.equal(asked, 3, "closed");
    const manual = new Refresher(async () => { asked += 1; }, () => null);
    manual.open();
    await settled();
    await pass(3_600_000);
    seen();
    assert.equal(asked, 4, "only when asked");
    manual.refresh();
    assert.equal(asked, 5);
});

test("delays, elapsed times and outcomes are sentences", () => {
    assert.deepEqual([-2.6, -0.4, 0.4, 3, 75].map((minutes) => say.sayDelay(english, minutes)), ["3 min early", "on time", "on time", "3 min late", "1 h 15 min late"]);
    assert.deepEqual([-5, 0, 65.9, 3665].map(say.sayElapsed), ["0:00", "0:00", "1:05", "1:01:05"]);
    assert.equal(say.sayOutcome(english, read), "took 23 min, 3 min late, stopped at a bridge");
    assert.equal(say.sayOutcome(english, { ...read, arrived: null, isAbandoned: true }), "given up");
    assert.equal(say.sayOutcome(english, { ...read, arrived: null }), "under way");
    assert.equal(say.sayForecast(english, read.forecast), "Forecast: 20 min on average, 9 in 10 within 24 min. Chance of being stopped at Ballard: 4 in 100.");
    assert.ok(say.sayForecast(english, { ...read.forecast, bridges: ["Ballard", "Fremont", "Ballard"] }).includes("at Ballard or Fremont"));
    assert.ok(say.sayForecast(english, { ...read.forecast, bridges: [] }).includes("No drawbridge"));
    assert.equal(say.sayJourney(spanish, read), "Ballard → Downtown, en coche");
    assert.equal(say.sayJourney(english, { name: "line 44 at 1_29240", mode: "transit" }), "line 44 at 1_29240");
    assert.deepEqual([say.endsOf("a -> b -> c"), say.endsOf(" -> b"), say.endsOf("a -> b")], [null, null, { from: "a", to: "b" }]);
    assert.equal(say.sayMonth(english, "2018-01", "long"), "January 2018");
});

test("times are in the person's own zone", () => {
    assert.equal(say.personZone(), Intl.DateTimeFormat().resolvedOptions().timeZone);
    const own = new Intl.DateTimeFormat("en-US", { hour: "numeric", minute: "2-digit", timeZone: say.personZone() }).format(read.began);
    assert.equal(say.sayTime(english, read.began), own);
});

test("Wilson's interval is that of the commands, and lies within 0 and 1", () => {
    // The examples of Journeys.md: 10 of 10 and 5 of 5 on time.
    assert.deepEqual([10, 5].map((n) => Math.round(100 * say.wilson(1, n).low)), [72, 57]);
    // statsmodels.stats.proportion.proportion_confint(9, 10, method="wilson") is 0.5958, 0.9821.
    const { low, high } = say.wilson(0.9, 10);
    assert.ok(Math.abs(low - 0.5958) < 1e-3 && Math.abs(high - 0.9821) < 1e-3, `${low} ${high}`);
    for (const n of [1, 2, 1000]) for (const share of [0, 0.5, 1]) {
        const bounds = say.wilson(share, n);
        assert.ok(bounds.low >= -1e-12 && bounds.high <= 1 + 1e-12 && bounds.low < bounds.high);
    }
});

test("how good the forecasts were is judged by what so many journeys can show", () => {
    const accuracy = { journeys: 10, error: -1.2, magnitude: 2.6, covered: 0.9, known: 10, stopped: 2, skill: -0.2 };
    const text = (changes) => plain(say.sayAccuracy(english, { ...accuracy, ...changes }).join(" "));
    assert.ok(text({}).startsWith("Over 10 journeys the forecast was wrong by 3 min on average. You were faster than forecast, by 1 min on average. Of 10 journeys, 9 took no longer"));
    assert.match(text({}), /as it should be/);
    assert.match(text({ journeys: 200, covered: 0.7 }), /too sure of themselves/);
    assert.match(text({ journeys: 200, covered: 1 }), /too careful/);
    assert.match(text({ journeys: 3, covered: 1 }), /as it should be/);
    assert.match(text({ error: 2 }), /slower than forecast/);
    assert.match(text({ error: 0.1 }), /as often too long as too short/);
    assert.match(text({}), /A bridge stopped you on 2 of 10 journeys\. Your own average would have been as good/);
    assert.match(text({ skill: 0.1 }), /knew better/);
    assert.match(text({ skill: null, stopped: 0 }), /nothing can be concluded/);
    assert.match(text({ known: 0, skill: null }), /not? .*known|Of no journey/);
});

test("a journey by hand is sent by the clock of the device, once all of it is there", () => {
    const fields = { favourite: "", from: "Ballard", to: "Downtown", mode: "bike", departed: "2026-02-20T17:30", arrived: "2026-02-20T17:50", minutes: "", stopped: "" };
    const utc = (text) => new Date(text).toISOString();
    const times = { departed: utc("2026-02-20T17:30"), arrived: utc("2026-02-20T17:50") };
    assert.deepEqual(readForm(fields), { from: "Ballard", to: "Downtown", mode: "bike", ...times });
    assert.deepEqual(readForm({ ...fields, favourite: "f1", minutes: "18", stopped: "false" }), { favourite: "f1", minutes: "18", stopped: "false", ...times });
    for (const changes of [{ to: "" }, { departed: "" }, { arrived: "2026-02-20" }, { arrived: "2026-02-30T99:99" }]) assert.equal(readForm({ ...fields, ...changes }), null);
});

test("the busiest hour is named only where no other has as many, and no journey is divided by", () => {
    const say = (counts) => sayLargest(english, counts, (index) => `at ${index}`);
    assert.deepEqual([say([1, 3, 2]), say([2, 2, 0]), say([0, 0])], ["at 1", "Several have the maximum of 2 journeys.", "Several have the maximum of 0 journeys."]);
    assert.equal(sayReliability(english, { arrived: 0, onTime: 0, atLeast: null }), "Not arrived yet");
    assert.equal(sayReliability(english, { arrived: 10, onTime: 9, atLeast: 0.596 }), "On time 9 of 10; at least 60%, 95 % sure");
});

test("an import says what was added, replaced and dropped", () => {
    assert.equal(sayImport(english, { added: 2, replaced: 1, dropped: 0, favourites: 0 }), "The file is in your journal: 2 journeys added and one replaced.");
    assert.match(sayImport(english, { added: 0, replaced: 0, dropped: 3, favourites: 1 }), /one favourite added or replaced, and 3 oldest dropped/);
});

test("a refusal says what to do", () => {
    const text = (more, isAtDoor) => say.sayMeTrouble(english, trouble("status", more), isAtDoor);
    assert.match(text({ status: 401 }).text, /not valid.*token renew/);
    assert.match(text({ status: 404 }, true).text, /token add.*--people FOLDER/);
    assert.match(text({ status: 429, retryAfterSeconds: 65 }).text, /Wait 1 min/);
    assert.equal(text({ status: 422, detail: "line 3: route: is missing", recovery: "correct that" }).english, "line 3: route: is missing");
    assert.equal(text({ status: 404, detail: "there is no 'x'" }).english, "there is no 'x'");
    assert.equal(say.sayMeTrouble(english, trouble("offline")).text, "There is no connection.");
});

test("every text of the journal exists in both languages, apart from those of a first visit, and none is left over", () => {
    const folder = new URL("../../Sources/BridgecastService/Resources/page/me/", import.meta.url);
    const source = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), "utf8")).join("\n");
    const used = new Set([...source.matchAll(/"(me\.[\w.]+)"/g)].map(([, key]) => key));
    const families = [...source.matchAll(/`(me\.[\w.]+\.)\$\{/g)].map(([, start]) => start);
    for (const language of ["en", "es"]) {
        for (const key of used) assert.ok(key in meTexts[language], `${language} ${key}`);
        for (const key of Object.keys(meTexts[language])) {
            assert.ok(used.has(key) || families.some((start) => key.startsWith(start)), `${key} is not used`);
            assert.ok(!(key in firstTexts[language]) && !(key in transitTexts[language]), key);
        }
    }
});

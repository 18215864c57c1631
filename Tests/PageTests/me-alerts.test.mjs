// A person's alerts and reminders: what is read and sent, when a browser subscribes again, the stream, and the service worker.
import assert from "node:assert/strict";
import { createHash, webcrypto } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import vm from "node:vm";
import { NoAnswer, trouble } from "../../Sources/BridgecastService/Resources/page/data/api.js";
import { readAlerts, readReminders } from "../../Sources/BridgecastService/Resources/page/data/alert-answers.js";
import { EventReader, MeEvents } from "../../Sources/BridgecastService/Resources/page/data/me-events.js";
import { MeAPI } from "../../Sources/BridgecastService/Resources/page/data/me.js";
import { journalOf } from "../../Sources/BridgecastService/Resources/page/data/me-answers.js";
import * as push from "../../Sources/BridgecastService/Resources/page/data/push.js";
import { blankRule, readRuleForm } from "../../Sources/BridgecastService/Resources/page/me/add-rule.js";
import { sayNext, sayReminder, sayRule } from "../../Sources/BridgecastService/Resources/page/me/alert-words.js";
import { canRemind, readReminderForm } from "../../Sources/BridgecastService/Resources/page/me/reminders.js";
import { MeSession } from "../../Sources/BridgecastService/Resources/page/me/session.js";
import { replaceGlobals } from "./support/fakes.mjs";
import { english, meTexts, plain, spanish } from "./support/language.mjs";

const page = new URL("../../Sources/BridgecastService/Resources/page/", import.meta.url);

const reminder = {
    id: "r", favourite_id: "f", time: "09:00", days: "mon+tue+wed+thu+fri", zone: "America/Los_Angeles", confidence: 0.9,
    lead_s: 300, walk_s: 0, on: true, favourite: "commute", kind: "trip", next_deadline: "2026-02-23T09:00:00-08:00", problem: null,
};
const rule = {
    id: "a", kind: "bridge", bridge: "Ballard", up: true, down: true, still_up_min: [15, 20], likely: 0.5,
    days: "mon+tue+wed+thu+fri", from: "07:00", until: "09:30", priority: "high", created_at: "2026-02-20T18:00:00-08:00",
};

test("reminders and alerts are read; what is no such thing is left out", () => {
    const [read] = readReminders({ reminders: [reminder, { id: "" }, null, { ...reminder, time: "9" }] });
    assert.deepEqual([read.lead, read.days.length, read.isOn, read.next], [5, 5, true, Date.parse("2026-02-23T17:00:00Z")]);
    assert.equal(read.problem, "");
    assert.equal(readReminders({ reminders: [{ ...reminder, problem: "no such place" }] })[0].problem, "no such place");
    assert.equal(readReminders({}), null);
    assert.equal(readReminders({ reminders: [{ ...reminder, zone: "Mars/Base" }] })[0].zone, "America/Los_Angeles");
    const alerts = readAlerts({
        push_key: "BA", paused_until: null, browsers: [{ id: "b", host: "push.example", added_at: "2026-02-20T18:00:00-08:00" }],
        max_browsers: 10, rules: [rule, { id: "x", kind: "weather" }],
        alerts: [{ id: "1", title: "T", text: "t", at: "2026-02-20T18:00:00-08:00", status: "odd" }, { id: "2" }],
    });
    assert.deepEqual([alerts.rules.length, alerts.rules[0].stillUp, alerts.sent.length, alerts.sent[0].status], [1, [15, 20], 1, "unknown"]);
    for (const wrong of [null, [], "x", { rules: 5, browsers: [] }]) assert.equal(readAlerts(wrong), null);
});

test("a reminder that was removed is put back without what only answers have", () => {
    const { reminders } = JSON.parse(journalOf({ reminders: readReminders({ reminders: [reminder] }) }));
    const { favourite, kind, next_deadline, problem, ...own } = reminder;
    assert.deepEqual(reminders, [own]);
});

test("the reminders of a favourite that is removed come back with it, and no others", async () => {
    const favourite = { id: "f", name: "commute", document: { id: "f" } };
    const sent = [];
    const answers = { "": { name: "Ann", recents: [] }, "/favourites": { favourites: [] },
        "/reminders": { reminders: [reminder, { ...reminder, id: "s", favourite_id: "g" }] } };
    const api = { get: async (path) => answers[path], remove: async () => ({}), post: async () => ({}),
        postDocument: async (path, text) => { sent.push([path, JSON.parse(text)]); } };
    const session = new MeSession(api, () => {});
    session.favourites = [favourite];
    await session.removeFavourite(favourite, "gone");
    await session.done.undo();
    const [[path, { favourites, reminders }]] = sent;
    assert.deepEqual([path, favourites, reminders.map(({ id }) => id)], ["/import", [{ id: "f" }], ["r"]]);
});

test("rules and reminders have sentences in both languages", () => {
    const [own] = readAlerts({ rules: [rule], browsers: [] }).rules;
    assert.equal(plain(sayRule(english, own)),
        "Ballard goes up, will likely open (50%), is still up after 15, 20 min, and is down again: Mon to Fri, 7:00 AM to 9:30 AM. High.");
    const [kept] = readReminders({ reminders: [reminder] });
    assert.equal(plain(sayReminder(english, kept)), "commute: be there by 9:00 AM, Mon to Fri, 90% sure. It comes 5 min before you leave.");
    assert.equal(plain(sayNext(english, { ...kept, zone: "America/New_York" })),
        "Next: Mon, Feb 23, 2026, 12:00 PM, by the clocks of America/New York");
    assert.equal(sayNext(english, { ...kept, isOn: false }), "Switched off");
    assert.match(plain(sayRule(spanish, own)), /^Ballard se levanta, .* de lun a vie, de 7:00 a 9:30\. Alta\.$/);
    const wide = { ...own, days: ["mon", "wed"], from: "00:00", until: "24:00", priority: "normal" };
    assert.match(plain(sayRule(english, wide)), /: Mon and Wed\.$/);
});

test("a form becomes what the service takes, and nothing while something is missing", () => {
    const fields = { ...blankRule, bridge: "Fremont" };
    assert.deepEqual(readRuleForm({ ...fields, days: ["fri", "mon"], from: "07:00", until: "00:00", stillUp: true }),
        { bridge: "Fremont", up: "true", down: "true", still_up: "15,20,30", days: "mon,fri", from: "07:00", until: "24:00", priority: "normal" });
    assert.deepEqual(readRuleForm({ ...fields, kind: "reminders", from: "07:00", days: ["mon"] }),
        { reminders: "true", days: "mon", priority: "normal" });
    assert.equal(readRuleForm({ ...fields, kind: "line", line: " " }), null);
    assert.equal(readRuleForm({ ...fields, up: false, down: false }), null);
    assert.equal(readRuleForm({ ...fields, days: [] }), null);
    assert.equal(readRuleForm(blankRule), null, "without a bridge");
    const own = { favourite: "f", time: "09:00", days: ["mon"], confidence: "0.95", walk: "6", lead: "5" };
    const { zone, ...trip } = readReminderForm(own, true);
    assert.deepEqual(trip, { favourite: "f", days: "mon", lead_min: "5", by: "09:00", confidence: "0.95" });
    assert.equal(readReminderForm(own, false).walk_min, "6");
    assert.ok(!("lead_min" in readReminderForm({ ...own, lead: null }, true)), "what is not chosen is the person's setting");
    for (const wrong of [{ time: "" }, { days: [] }, { lead: "121" }, { lead: "-1" }]) assert.equal(readReminderForm({ ...own, ...wrong }, true), null);
    assert.ok(!canRemind({ target: { kind: "trip", mode: "transit" } }) && canRemind({ target: { kind: "stop" } }));
});

test("both languages have the same texts of alerts, and every status has one", () => {
    const [inEnglish, inSpanish] = ["en", "es"].map((code) => JSON.parse(readFileSync(new URL(`text/${code}-me.json`, page), "utf8")));
    assert.deepEqual(Object.keys(inEnglish), Object.keys(inSpanish));
    for (const status of ["waiting", "delivered", "gave_up", "too_late"]) assert.ok(inEnglish[`me.sent.${status}`]);
    assert.ok(meTexts);
});

test("a browser's id is the hash of its endpoint, as the service makes it", async (t) => {
    if (!globalThis.crypto) replaceGlobals(t, { crypto: webcrypto });
    const endpoint = "https://push.example.org/send/abc";
    const digest = createHash("sha256").update(endpoint).digest("hex").slice(0, 32);
    assert.equal(await push.browserID(endpoint), digest);
    assert.deepEqual([...push.bytesOf("-_8")], [251, 255]);
});

test("a browser subscribes again only where it lost what it had for this person", () => {
    const kept = { id: "old", person: "Ann" };
    const due = (changes) => push.isRepairDue({ kept, person: "Ann", current: null, known: ["old"], isAllowed: true, ...changes });
    assert.ok(due({}), "its subscription is gone");
    assert.ok(due({ current: "new" }), "it has another one");
    assert.ok(due({ current: "new", known: [] }), "which the service found out");
    assert.ok(!due({ current: "old" }), "it still has it");
    assert.ok(!due({ current: "old", known: [] }), "it was switched off elsewhere");
    assert.ok(!due({ current: "new", known: ["new"] }), "the service knows already");
    assert.ok(!due({ person: "Bob" }), "it is another person's");
    assert.ok(!due({ isAllowed: false }) && !due({ kept: null }));
});

test("a subscription by another key is ended before there is a new one", async (t) => {
    const calls = [];
    const before = { options: { applicationServerKey: new Uint8Array([9]).buffer }, unsubscribe: async () => calls.push("end") };
    const pushManager = {
        getSubscription: async () => before,
        subscribe: async ({ userVisibleOnly, applicationServerKey }) => calls.push([userVisibleOnly, [...applicationServerKey]]),
    };
    replaceGlobals(t, { navigator: { serviceWorker: { ready: Promise.resolve({ pushManager }) } } });
    await push.subscribe("AQI");
    assert.deepEqual(calls, ["end", [true, [1, 2]]]);
    before.options.applicationServerKey = new Uint8Array([1, 2]).buffer;
    await push.subscribe("AQI");
    assert.deepEqual(calls.slice(2), [[true, [1, 2]]]);
});

test("events are read however the bytes are cut", () => {
    const text = ": still here\n\nretry: 2000\n\nid: 7\nevent: alert\ndata: {\"a\":\"ñ\"}\n\nid: 8\r\ndata: x\r\ndata: y\r\n\r\nid: 9\ndata: half";
    const bytes = new TextEncoder().encode(text);
    for (const size of [1, 2, 3, 7, bytes.length]) {
        const reader = new EventReader();
        const events = [];
        for (let n = 0; n < bytes.length; n += size) events.push(...reader.take(bytes.slice(n, n + size)));
        assert.deepEqual(events, [{ id: "7", name: "alert", data: "{\"a\":\"ñ\"}" }, { id: "8", name: "message", data: "x\ny" }]);
    }
});

test("a stream goes on from its last event, and ends where the token is not valid any more", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const answers = [new Response("id: 7\ndata: x\n\n"), new Response("", { status: 401 })];
    const asked = [];
    const heard = [];
    const events = new MeEvents(async (last) => { asked.push(last); return answers.shift(); }, ({ id }) => heard.push(id));
    events.start();
    for (let n = 0; n < 30; n += 1) await Promise.resolve();
    await new Promise((done) => setImmediate(done));
    t.mock.timers.tick(60_000);
    await new Promise((done) => setImmediate(done));
    t.mock.timers.tick(600_000);
    await new Promise((done) => setImmediate(done));
    assert.deepEqual([asked, heard], [[null, "7"], ["7"]]);
});

test("the token of a stream is in a header alone", async () => {
    let sent;
    const api = new MeAPI("bcp_x", async (url, request) => { sent = { url, request }; return new Response(""); });
    await api.stream("/events", "12", new AbortController().signal);
    assert.equal(sent.url, "api/v1/me/events");
    assert.deepEqual(sent.request.headers, { Accept: "text/event-stream", "Last-Event-ID": "12", Authorization: "Bearer bcp_x" });
    assert.deepEqual([sent.request.redirect, sent.request.mode, sent.request.cache], ["error", "same-origin", "no-store"]);
});

test("forgetting the token ends the browser's alerts, whatever fails", async () => {
    const removed = [];
    const api = { remove: async (path) => { removed.push(path); throw new Error("offline"); } };
    for (const leave of [async () => "abc", async () => null, async () => { throw new Error("no push"); }]) {
        await new MeSession(api, () => {}, { leave }).leaveBrowser();
    }
    assert.deepEqual(removed, ["/alerts/push/abc"]);
});

test("a token that is refused ends the browser's alerts; one that was mistyped, and other failures, do not", async () => {
    for (const [status, isNew, expected] of [[503, false, ""], [401, false, "left,forgotten"], [401, true, "forgotten"]]) {
        const happened = new Set();
        const leave = async () => { happened.add("left"); throw new Error("no push"); };
        const get = async () => { throw new NoAnswer(trouble("status", { status })); };
        await new MeSession({ get }, () => happened.add("forgotten"), { leave, isNew }).refresh();
        assert.equal([...happened].join(), expected);
    }
});

// MARK: The service worker

/** The functions of push-message.js, as the worker has them. */
function workerFunctions() {
    const context = vm.createContext({ encodeURIComponent, Intl });
    vm.runInContext(readFileSync(new URL("push-message.js", page), "utf8"), context);
    return context;
}

const same = (value) => JSON.parse(JSON.stringify(value));

test("a message becomes a notification that replaces the one before of its occasion", () => {
    const { notificationOf, readMessage } = workerFunctions();
    const message = { id: "m", title: "Ballard Bridge is up", text: "…", priority: "normal", tag: "t", kind: "up", bridge: "South Park" };
    assert.deepEqual(same(notificationOf(readMessage(JSON.stringify(message)))), {
        title: "Ballard Bridge is up",
        options: {
            body: "…", icon: "icon.svg", lang: "en", silent: false, requireInteraction: false,
            data: { target: "?view=bridge&bridge=South%20Park" }, tag: "t", renotify: true,
        },
    });
    const low = notificationOf({ ...message, priority: "low" }).options;
    assert.deepEqual([low.silent, low.renotify], [true, false]);
    assert.ok(notificationOf({ ...message, priority: "critical" }).options.requireInteraction);
});

test("a message that cannot be read is shown all the same, and leads nowhere else", () => {
    const { notificationOf, readMessage } = workerFunctions();
    for (const text of ["", "x", "5", "[]", "null", "{\"title\": 5, \"tag\": {}}"]) {
        const { title, options } = notificationOf(readMessage(text));
        assert.deepEqual([title, options.data.target, "tag" in options], ["Bridgecast", "?view=me", false], text);
    }
    assert.equal(notificationOf({ link: "javascript:alert(1)" }).options.data.target, "?view=me");
    assert.equal(notificationOf({ link: "https://kingcounty.gov/x" }).options.data.target, "https://kingcounty.gov/x");
});

const pushWords = JSON.parse(readFileSync(new URL("text/es-push.json", page), "utf8"));

test("alerts are worded in the language of the page, each kind that has words of its own", () => {
    const { notificationOf } = workerFunctions();
    const at = "2026-02-20T15:02:00-08:00";
    const shown = (...alerts) => notificationOf({ title: "English", text: "In English.", alerts }, pushWords);
    const up = { kind: "up", bridge: "Ballard", at };
    assert.equal(shown(up).title, "Está levantado: puente Ballard");
    assert.equal(shown(up).options.lang, "es");
    assert.match(shown(up).options.body, /^Se levantó a las 15:02 .*entonces\.$/);
    assert.match(shown({ ...up, kind: "still-up-15" }).options.body, /^A las 15:02 \S+ llevaba 15 min levantado\.$/);
    for (const kind of ["up", "down", "likely", "still-up-20", "test"]) {
        const { title, options } = shown({ kind, bridge: "Ballard", at });
        assert.ok(!/[{}]|undefined|English/.test(title + options.body), kind);
    }
    assert.equal(shown(up, { kind: "down", bridge: "Fremont", at }).title, "Está levantado: puente Ballard, y 1 más");
    assert.equal(shown(up, { kind: "down", bridge: "Fremont", at }).options.body.split("\n").length, 2);
});

test("what has no words in a language, and English, are as the service wrote them", () => {
    const { notificationOf } = workerFunctions();
    const message = { title: "Line 44", text: "A detour.", alerts: [{ kind: "line", bridge: null, at: "2026-02-20T15:02:00-08:00" }] };
    for (const [one, words] of [[message, pushWords], [{ ...message, alerts: undefined }, pushWords], [{ ...message, alerts: [{ kind: "constructor" }] }, pushWords],
        [{ ...message, alerts: [{ kind: "up", at: "never" }] }, pushWords], [message, null]]) {
        const { title, options } = notificationOf(one, words);
        assert.deepEqual([title, options.body, options.lang], ["Line 44", "A detour.", "en"]);
    }
});

/** The worker with what a browser gives it. */
function worker(pages) {
    const kept = new Map();
    const cache = {
        match: async (key) => kept.get(key)?.clone(), keys: async () => [...kept.keys()], delete: async (key) => kept.delete(key),
        put: async (key, response) => { kept.set(key, response); },
    };
    const answer = async (address) => new Response(readFileSync(new URL(address.replace("https://bridges.example/b/", ""), page)));
    const handlers = {};
    const calls = [];
    const self = {
        registration: {
            scope: "https://bridges.example/b/",
            showNotification: async (title, options) => calls.push(["show", title, options.tag]),
            pushManager: {
                getSubscription: async () => null,
                subscribe: async ({ applicationServerKey }) => calls.push(["subscribe", applicationServerKey]),
            },
        },
        clients: {
            matchAll: async () => pages.map((url) => ({
                url, focus: () => calls.push(["focus", url]), postMessage: (message) => calls.push(["post", same(message)]),
                navigate: async (to) => { calls.push(["navigate", to]); return { focus: () => calls.push(["focus", to]) }; },
            })),
            openWindow: async (to) => calls.push(["open", to]),
        },
        addEventListener: (name, handle) => { handlers[name] = handle; }, skipWaiting() {},
    };
    const context = vm.createContext({
        self, URL, Intl, Date, encodeURIComponent, fetch: answer, caches: { open: async () => cache },
        importScripts: (name) => vm.runInContext(readFileSync(new URL(name, page), "utf8"), context),
    });
    vm.runInContext(readFileSync(new URL("sw.js", page), "utf8"), context);
    /** @param {string} name @param {object} event */
    const dispatch = async (name, event) => {
        let waited;
        handlers[name]({ ...event, waitUntil: (promise) => { waited = promise; } });
        await waited;
        return calls;
    };
    return { dispatch, calls };
}

test("the worker keeps the words of the language that the page was shown in last", async () => {
    const text = JSON.stringify({ title: "Ballard Bridge is up", tag: "t", alerts: [{ kind: "up", bridge: "Ballard", at: "2026-02-20T15:02:00Z" }] });
    const { dispatch, calls } = worker([]);
    const push = () => dispatch("push", { data: { text: () => text } });
    for (const language of [undefined, "es", "../x", "en"]) {
        await dispatch("message", { data: { language } });
        await push();
    }
    assert.deepEqual(calls.map(([, title]) => title), ["Ballard Bridge is up", "Está levantado: puente Ballard",
        "Está levantado: puente Ballard", "Ballard Bridge is up"]);
});

test("a press on a notification brings an open page to it, or opens one; a page elsewhere is not touched", async () => {
    const press = (target) => ({ notification: { close() {}, data: target === undefined ? null : { target } } });
    const bridge = "?view=bridge&bridge=Ballard";
    const address = `https://bridges.example/b/${bridge}`;
    assert.deepEqual(await worker([]).dispatch("notificationclick", press(bridge)), [["open", address]]);
    assert.deepEqual(await worker(["https://bridges.example/b/"]).dispatch("notificationclick", press(bridge)),
        [["navigate", address], ["focus", address]]);
    assert.deepEqual(await worker(["https://bridges.example/b/", address]).dispatch("notificationclick", press(bridge)), [["focus", address]]);
    assert.deepEqual(await worker(["https://bridges.example/other/"]).dispatch("notificationclick", press(bridge)), [["open", address]]);
    assert.deepEqual(await worker(["https://bridges.example/b/"]).dispatch("notificationclick", press("https://kingcounty.gov/x")),
        [["open", "https://kingcounty.gov/x"]]);
    assert.deepEqual(await worker(["https://bridges.example/b/?view=trip"]).dispatch("notificationclick", press(undefined)),
        [["focus", "https://bridges.example/b/?view=trip"]]);
});

test("a push is shown, and a changed subscription is renewed and reported to pages", async () => {
    const text = JSON.stringify({ title: "T", tag: "t" });
    assert.deepEqual(await worker([]).dispatch("push", { data: { text: () => text } }), [["show", "T", "t"]]);
    assert.deepEqual(await worker([]).dispatch("push", { data: null }), [["show", "Bridgecast", undefined]]);
    const oldSubscription = { options: { applicationServerKey: "key" } };
    assert.deepEqual(await worker(["https://bridges.example/b/"]).dispatch("pushsubscriptionchange", { oldSubscription }),
        [["subscribe", "key"], ["post", { resubscribed: true }]]);
    assert.deepEqual(await worker([]).dispatch("pushsubscriptionchange", {}), []);
});

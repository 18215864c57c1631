// The page's network: its condition, when favourites are refreshed, equal questions, what follows a failure.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { test } from "node:test";
import { refreshSeconds } from "../../Sources/BridgecastService/Resources/page/data/adaptive-refresh.js";
import { API, NoAnswer, trouble } from "../../Sources/BridgecastService/Resources/page/data/api.js";
import { MeAPI } from "../../Sources/BridgecastService/Resources/page/data/me.js";
import { network, networkCondition, NetworkMeter } from "../../Sources/BridgecastService/Resources/page/data/network.js";
import { recoveryFrom } from "../../Sources/BridgecastService/Resources/page/data/recovery.js";
import { Refresher } from "../../Sources/BridgecastService/Resources/page/data/refresher.js";
import { allowFeedback, FeedbackUnavailable } from "../../Sources/BridgecastService/Resources/page/core/feedback.js";
import { notificationProblem } from "../../Sources/BridgecastService/Resources/page/core/notify.js";
import { replaceGlobals, settled } from "./support/fakes.mjs";

const vectors = JSON.parse(readFileSync(new URL("../Samples/refresh/vectors.json", import.meta.url), "utf8"));

test("a favourite is refreshed as the shared vectors say", () => {
    assert.ok(vectors.adaptive.length > 300);
    for (const { interval, departure, condition, seconds } of vectors.adaptive) {
        assert.equal(refreshSeconds(interval, departure, condition), seconds, JSON.stringify({ interval, departure, condition }));
    }
});

test("the network's condition is as the shared vectors say", () => {
    for (const { requests, conditions } of vectors.network) {
        const meter = new NetworkMeter();
        const found = requests.map((seconds) => { meter.record(seconds); return meter.condition; });
        assert.deepEqual(found, conditions);
    }
});

test("a favourite near its departure is asked for sooner, and later offline", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    let now = 0;
    t.mock.method(performance, "now", () => now);
    replaceGlobals(t, { document: { hidden: false, addEventListener() {}, removeEventListener() {} }, navigator: { onLine: true } });
    const pass = async (seconds) => {
        for (let n = 0; n < seconds; n += 1) { now += 1000; t.mock.timers.tick(1000); await settled(); }
    };
    let leaveAt = 1200;
    let asked = 0;
    const refresher = new Refresher(async () => { asked += 1; }, () => refreshSeconds(900, leaveAt - now / 1000, networkCondition()));
    refresher.open();
    await settled();
    await pass(199);
    assert.equal(asked, 1);
    await pass(2);
    assert.equal(asked, 2, "a sixth of twenty minutes");
    navigator.onLine = false;
    leaveAt = now / 1000;
    await pass(180);
    const before = asked;
    assert.equal(networkCondition(), "offline");
    await pass(119);
    assert.ok(asked - before <= 1, "four times thirty seconds");
    refresher.close();
});

/** A server that counts requests, and a fetch of it. */
async function counting(t, milliseconds) {
    const counts = new Map();
    const server = createServer((request, response) => {
        counts.set(request.url, (counts.get(request.url) ?? 0) + 1);
        const status = request.url.includes("broken") ? 500 : 200;
        setTimeout(() => response.writeHead(status, { "Content-Type": "application/json" }).end("{}"), milliseconds);
    });
    await new Promise((done) => server.listen(0, "127.0.0.1", done));
    t.after(() => new Promise((done) => { server.closeAllConnections(); server.close(done); }));
    const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
    const ask = (path, { signal, method, headers, body } = {}) =>
        fetch(`http://127.0.0.1:${port}/${path}`, { signal, method, headers, body });
    return { counts, ask };
}

test("equal questions within half a second are one request at a real server", async (t) => {
    replaceGlobals(t, { navigator: { onLine: true } });
    let now = 10_000;
    t.mock.method(performance, "now", () => now);
    const { counts, ask } = await counting(t, 30);
    const api = new API(() => {}, ask);
    await Promise.all([1, 2, 3, 4].map(() => api.get("bridges")));
    await api.getOrKept("bridges");
    assert.equal(counts.get("/api/v1/bridges"), 1);
    await api.get("bridges/3");
    assert.equal(counts.get("/api/v1/bridges/3"), 1, "another question is another request");
    now += 499;
    await api.get("bridges");
    assert.equal(counts.get("/api/v1/bridges"), 1);
    now += 1;
    await api.get("bridges");
    assert.equal(counts.get("/api/v1/bridges"), 2, "half a second later");
    await assert.rejects(Promise.all([api.get("broken"), api.get("broken")]), NoAnswer);
    assert.equal(counts.get("/api/v1/broken"), 1);
    await assert.rejects(api.get("broken"), NoAnswer);
    assert.equal(counts.get("/api/v1/broken"), 2, "a failure is not kept");
});

test("one who leaves does not take the answer from the other; the last one ends the request", async (t) => {
    replaceGlobals(t, { navigator: { onLine: true } });
    let aborted = 0;
    const answers = [];
    const api = new API(() => {}, (path, { signal }) => new Promise((resolve, reject) => {
        answers.push(() => resolve(new Response("{}")));
        signal.addEventListener("abort", () => { aborted += 1; reject(new DOMException("aborted", "AbortError")); });
    }));
    const [first, second] = [new AbortController(), new AbortController()];
    const left = assert.rejects(api.get("routes", first.signal), NoAnswer);
    const kept = api.get("routes", second.signal);
    first.abort();
    await left;
    assert.equal(aborted, 0);
    answers[0]();
    assert.deepEqual(await kept, {});
    const last = assert.rejects(api.get("other", first.signal), NoAnswer);
    await last;
    const leaving = new AbortController();
    const gone = assert.rejects(api.get("third", leaving.signal), NoAnswer);
    leaving.abort();
    await gone;
    await settled();
    assert.ok(aborted >= 1);
});

test("a person's reading is one request, and is asked for again after a change", async (t) => {
    replaceGlobals(t, { navigator: { onLine: true } });
    const { counts, ask } = await counting(t, 10);
    const me = new MeAPI("bcp_x", ask);
    await Promise.all([me.get("/favourites"), me.get("/favourites")]);
    assert.equal(counts.get("/api/v1/me/favourites"), 1);
    await me.post("/other", { position: "1" });
    await me.get("/favourites");
    assert.equal(counts.get("/api/v1/me/favourites"), 2);
});

test("requests measure the network, and a refusal is an answer", async (t) => {
    replaceGlobals(t, { navigator: { onLine: true } });
    const record = t.mock.method(network, "record");
    const asks = [async () => new Response("{}"), async () => new Response("{}", { status: 404 }), async () => { throw new TypeError("failed"); }];
    for (const ask of asks) await new API(() => {}, ask).get("bridges").catch(() => {});
    assert.deepEqual(record.mock.calls.map(({ arguments: [seconds] }) => seconds === null), [false, false, true]);
});

test("a refusal is the visitor's to mend, all else is asked again", () => {
    const refused = trouble("status", { status: 422, recovery: "correct that" });
    assert.deepEqual(recoveryFrom(refused, 1), { result: "userActionRequired", message: "correct that" });
    assert.deepEqual([1, 2, 3, 9].map((n) => recoveryFrom(trouble("cut"), n).seconds), [2, 4, 8, 60]);
    const busy = trouble("status", { status: 503, retryAfterSeconds: 90 });
    assert.deepEqual([recoveryFrom(busy, 1).seconds, recoveryFrom(busy, 1, { maxRestSeconds: 600 }).seconds], [60, 90]);
    assert.ok(recoveryFrom(trouble("late"), 3, { random: 0 }).seconds < recoveryFrom(trouble("late"), 3, { random: 1 }).seconds);
});

test("a browser that cannot notify says why and what to do", async (t) => {
    const texts = ["en", "es"].map((name) => JSON.parse(readFileSync(
        new URL(`../../Sources/BridgecastService/Resources/page/text/${name}.json`, import.meta.url), "utf8")));
    const cases = [["insecure", { isSecureContext: false }], ["unsupported", { isSecureContext: true, Notification: undefined }],
        ["refused", { isSecureContext: true, Notification: { requestPermission: async () => "denied" } }]];
    for (const [reason, globals] of cases) {
        replaceGlobals(t, globals);
        await assert.rejects(allowFeedback(), (error) => error instanceof FeedbackUnavailable && error.reason === reason);
        for (const text of texts) assert.ok(text[`feedback.${reason}`].includes(". "), "what is wrong, and what to do");
        assert.equal(notificationProblem(), reason === "refused" ? null : reason);
    }
    replaceGlobals(t, { isSecureContext: true, Notification: { requestPermission: async () => "granted" } });
    await allowFeedback();
});

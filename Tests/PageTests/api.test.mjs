// Asking the service: every answer that is none says why.
import assert from "node:assert/strict";
import { test } from "node:test";
import { API, NoAnswer } from "../../Sources/BridgecastService/Resources/page/data/api.js";
import { replaceGlobals } from "./support/fakes.mjs";

const noon = "2026-02-20T12:00:00-08:00";

/** What a browser's fetch would answer. */
const response = (status, text, headers = {}) => ({
    status, ok: status < 400, headers: { get: (name) => headers[name] ?? null }, text: async () => text,
});

test("every answer that is none says why", async (t) => {
    replaceGlobals(t, { navigator: { onLine: true } });
    const asks = async (answer) => {
        const heard = [];
        const api = new API((time) => heard.push(time), answer);
        try {
            return { value: await api.getOrKept("bridges"), heard };
        } catch (error) {
            assert.ok(error instanceof NoAnswer, String(error));
            return { trouble: error.trouble, heard };
        }
    };
    assert.equal((await asks(async () => response(200, "<html>"))).trouble.kind, "not_json");
    assert.equal((await asks(async () => response(200, "null"))).trouble.kind, "not_json");
    assert.equal((await asks(async () => response(200, '{"bridges": ['))).trouble.kind, "not_json");
    assert.equal((await asks(async () => { throw new TypeError("Failed to fetch"); })).trouble.kind, "cut");
    const busy = await asks(async () => response(503, "<html>", { "Retry-After": "20" }));
    assert.deepEqual([busy.trouble.kind, busy.trouble.status, busy.trouble.retryAfterSeconds], ["status", 503, 20]);
    const problem = { detail: "x".repeat(9000), suggestions: ["Fremont", 4, null], retry_after_s: -3 };
    const wrong = await asks(async () => response(404, JSON.stringify(problem)));
    assert.equal(wrong.trouble.detail.length, 400);
    assert.deepEqual(wrong.trouble.near, ["Fremont"]);
    assert.equal(wrong.trouble.retryAfterSeconds, null);
    const reported = await asks(async () => response(200, "{}", { "X-Service-Time": noon }));
    assert.deepEqual(reported.heard, [Date.parse(noon)]);
    const fields = { "X-Service-Time": noon, "X-Kept-At": "2026-11-23T04:00:00Z" };
    const old = await asks(async () => response(200, "{}", fields));
    assert.deepEqual(old.heard, [], "what was kept does not set the clock");
    assert.equal(old.value.kept.serviceTime, Date.parse(noon));
    globalThis.navigator.onLine = false;
    assert.equal((await asks(async () => { throw new TypeError("Failed to fetch"); })).trouble.kind, "offline");
});

test("an answer that does not come in ten seconds is late", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const api = new API(() => {}, (path, { signal }) => new Promise((resolve, reject) => {
        signal.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
    }));
    const asked = api.get("bridges").then(() => null, (error) => error.trouble);
    t.mock.timers.tick(10_001);
    assert.equal((await asked).kind, "late");
});

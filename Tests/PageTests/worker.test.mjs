// The service worker as a whole: what it keeps for how long, and what it gives up where there is no room.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import vm from "node:vm";

const source = (name) => readFileSync(new URL(`../../Sources/BridgecastService/Resources/page/${name}`, import.meta.url), "utf8");
const day = 86_400_000;

/** A worker with a storage of some responses, a network and a clock. */
function worker({ room = Infinity, now = { time: 0 }, ask }) {
    const stored = new Map();
    const count = () => [...stored.values()].reduce((sum, kept) => sum + kept.size, 0);
    const open = async (name) => {
        if (!stored.has(name)) stored.set(name, new Map());
        const kept = stored.get(name);
        return {
            match: async (key) => kept.get(key)?.clone(), delete: async (key) => kept.delete(key), keys: async () => [...kept.keys()],
            put: async (key, response) => {
                if (!kept.has(key) && count() >= room) throw new DOMException("full", "QuotaExceededError");
                kept.set(key, response);
            },
        };
    };
    const listeners = {};
    const caches = { open, keys: async () => [...stored.keys()], delete: async (name) => stored.delete(name) };
    class FakeDate extends Date {
        constructor(...given) { super(...(given.length > 0 ? given : [now.time])); }
        static now() { return now.time; }
    }
    const self = {
        registration: { scope: "https://bridges.example/" }, addEventListener: (name, hear) => { listeners[name] = hear; },
        clients: { claim: async () => {} }, skipWaiting() {},
    };
    const context = vm.createContext({ self, caches, fetch: ask, URL, Response, Headers, Date: FakeDate, Promise, setTimeout, console });
    context.importScripts = (name) => vm.runInContext(source(name), context);
    vm.runInContext(source("sw.js"), context);
    const get = async (path) => {
        let answer = null;
        const waits = [];
        listeners.fetch({
            request: { method: "GET", url: `https://bridges.example/${path}`, mode: "cors", signal: { aborted: false } },
            respondWith: (response) => { answer = response; }, waitUntil: (promise) => waits.push(promise),
        });
        try {
            return answer === null ? null : await answer;
        } finally {
            await Promise.all(waits);
        }
    };
    const names = () => [...stored].flatMap(([name, kept]) => (kept.size > 0 ? [name.split(" ")[2]] : []));
    return { get, names };
}

const json = () => new Response("{}", { headers: { "Content-Type": "application/json" } });
const paths = { answers: "api/v1/bridges", stops: "api/v1/stops/25243/board", runs: "api/v1/trips/7", lines: "api/v1/routes/542/map" };

test("what is kept is given for as long as its kind is of use, and a journal is never kept", async () => {
    const now = { time: Date.parse("2026-02-20T12:00:00Z") };
    let isUp = true;
    const { get, names } = worker({ now, ask: async () => { if (isUp) return json(); throw new TypeError("failed"); } });
    for (const path of Object.values(paths)) await get(path);
    assert.equal(await get("api/v1/me/favourites"), null, "passes the worker by");
    assert.deepEqual(names().sort(), Object.keys(paths).sort());
    isUp = false;
    const start = now.time;
    for (const [kind, days] of [["runs", 1], ["stops", 7], ["lines", 30], ["answers", 30]]) {
        now.time = start + days * day;
        assert.equal((await get(paths[kind])).headers.get("X-Kept-At"), "2026-02-20T12:00:00.000Z");
        now.time += 1;
        await assert.rejects(get(paths[kind]), TypeError, kind);
    }
});

test("where there is no room the lowest priority goes first, and nothing higher", async () => {
    const { get, names } = worker({ room: 3, ask: async () => json() });
    for (const path of [paths.runs, paths.lines, paths.stops]) await get(path);
    await get(paths.answers);
    assert.deepEqual(names().sort(), ["answers", "lines", "stops"]);
    await get("core/store.js");
    assert.deepEqual(names().sort(), ["answers", "shell", "stops"]);
    await get(paths.runs);
    assert.deepEqual(names().sort(), ["answers", "shell", "stops"], "a run is not worth a board");
});

// The live part: asks, listens, backs off, takes what was kept for what it is, and begins anew when it can.
import assert from "node:assert/strict";
import { test } from "node:test";
import { NoAnswer, trouble } from "../../Sources/BridgecastService/Resources/page/data/api.js";
import { boardAt, settled } from "./support/fakes.mjs";
import { createPage } from "./support/page.mjs";

const noon = "2026-02-20T12:00:00-08:00";

const good = () => ({ value: { ...boardAt(noon, {}), clock_rate: 1 }, kept: null });
const failing = (kind, more = {}) => () => { throw new NoAnswer(trouble(kind, more)); };

test("events of the stream ask for the board, once a second at most", async (t) => {
    const page = createPage(t, good);
    page.live.start();
    await settled();
    assert.equal(page.asked.length, 1);
    assert.equal(page.streams.length, 1);
    await page.run(2000);
    for (let n = 0; n < 50; n += 1) page.streams[0].say("forecast", { bridges: [] });
    await page.run(2000);
    assert.equal(page.asked.length, 2);
    page.streams[0].say("state", { bridge_id: 2, state: "raised", since: noon });
    assert.equal(page.store.state.board.bridges[0].state, "raised", "a span is up before the next forecast is made");
    page.streams[0].say("state", { bridge_id: 2, state: "sideways" });
    page.streams[0].say("feed", { sources: [{ id: "feed", fetched_at: noon, stale: true }] });
    assert.equal(page.store.state.board.sources[0].stale, true);
});

test("without a stream the board is asked every 20 seconds", async (t) => {
    const page = createPage(t, good);
    page.live.start();
    await page.run(61_000);
    assert.equal(page.asked.length, 4);
});

test("after failures it waits longer and longer, and keeps the board", async (t) => {
    const page = createPage(t, good);
    page.live.start();
    await page.run(1000);
    page.answer = failing("cut");
    await page.run(200_000);
    const board = page.store.state.board;
    assert.ok(board, "the last good board stays");
    assert.equal(page.store.state.trouble.kind, "cut");
    const pauses = page.asked.slice(2).map((one, n) => one.at - page.asked[n + 1].at);
    assert.ok(pauses.length >= 5 && pauses.length <= 14, String(pauses));
    assert.ok(pauses.at(-1) > 20_000 && Math.max(...pauses) <= 60_000, String(pauses));
    assert.ok(page.store.state.nextTryAt > performance.now());
    page.answer = good;
    page.live.retry();
    await settled();
    assert.equal(page.store.state.trouble, null);
    assert.equal(page.store.state.nextTryAt, null);
});

test("any answer of a service that was not reached brings the board back at once", async (t) => {
    const page = createPage(t, failing("cut"));
    page.live.start();
    await page.run(20_000);
    const { length } = page.asked;
    page.answer = good;
    page.live.wake();
    page.live.wake();
    await settled();
    assert.deepEqual([page.asked.length, page.store.state.trouble], [length + 1, null]);
    page.live.wake();
    page.answer = failing("status", { status: 503, retryAfterSeconds: 600 });
    page.live.retry();
    await settled();
    page.live.wake();
    await settled();
    assert.equal(page.asked.length, length + 2, "one that refuses is asked when it says");
});

test("the service's own pause is kept", async (t) => {
    const page = createPage(t, failing("status", { status: 503, retryAfterSeconds: 20 }));
    page.live.start();
    await page.run(19_000);
    assert.equal(page.asked.length, 1);
    await page.run(2000);
    assert.equal(page.asked.length, 2);
});

test("an answer that is no board is a trouble", async (t) => {
    const page = createPage(t, () => ({ value: { bridges: "all" }, kept: null }));
    page.live.start();
    await settled();
    assert.equal(page.store.state.board, null);
    assert.equal(page.store.state.trouble.kind, "not_json");
});

test("a kept board is shown with its age, and never over a newer one", async (t) => {
    const kept = { value: boardAt(noon, { 2: true }), kept: { at: 1.7e12 - 720_000, serviceTime: Date.parse(noon) } };
    const page = createPage(t, () => kept);
    page.live.start();
    await settled();
    assert.equal(page.store.state.board, kept.value);
    assert.notEqual(page.store.state.trouble, null);
    assert.equal(page.clock.now() - Date.parse(noon), 720_000, "it is 12 minutes old, and its age says so");
    const newer = { ...boardAt("2026-02-20T12:20:00-08:00", {}), clock_rate: 1 };
    page.answer = () => ({ value: newer, kept: null });
    page.live.retry();
    await settled();
    assert.equal(page.store.state.trouble, null);
    page.answer = () => kept;
    page.live.retry();
    await settled();
    assert.equal(page.store.state.board, newer);
    assert.notEqual(page.store.state.trouble, null);
});

test("a stream that breaks again and again is not asked for in a hurry", async (t) => {
    const page = createPage(t, good);
    page.live.start();
    await settled();
    for (let n = 0; n < 600; n += 1) {
        const last = page.streams.at(-1);
        if (!last.isClosed) last.listeners.get("error")?.({});
        await page.run(100);
    }
    assert.ok(page.streams.length >= 4 && page.streams.length <= 9, `${page.streams.length} streams in a minute`);
});

test("a hidden page holds no stream and asks nothing; shown again it asks at once", async (t) => {
    const page = createPage(t, good);
    page.live.start();
    await page.run(1000);
    page.document.hidden = true;
    page.pageListeners.get("visibilitychange")();
    assert.equal(page.streams[0].isClosed, true);
    const asked = page.asked.length;
    await page.run(300_000);
    assert.equal(page.asked.length, asked);
    page.document.hidden = false;
    page.pageListeners.get("visibilitychange")();
    await settled();
    assert.equal(page.asked.length, asked + 1);
    assert.equal(page.streams.at(-1).isClosed, false);
});

test("while a day is played nothing live is asked or shown", async (t) => {
    const page = createPage(t, good);
    page.live.start();
    await page.run(1000);
    const replay = { date: "2026-02-19", day: null, isPlaying: false, speed: 60, trouble: null };
    page.store.dispatch({ type: "replay", replay });
    page.live.pause();
    const board = page.store.state.board;
    const asked = page.asked.length;
    await page.run(100_000);
    assert.equal(page.asked.length, asked);
    assert.equal(page.store.state.board, board);
    page.store.dispatch({ type: "replay", replay: null });
    page.live.retry();
    await settled();
    assert.equal(page.asked.length, asked + 1);
});

test("the network's coming back is heard at once", async (t) => {
    const page = createPage(t, failing("offline"));
    page.live.start();
    page.pageListeners.get("offline")();
    assert.equal(page.store.state.isOnline, false);
    await page.run(100_000);
    const asked = page.asked.length;
    page.answer = good;
    page.pageListeners.get("online")();
    await settled();
    assert.equal(page.asked.length, asked + 1);
    assert.equal(page.store.state.isOnline, true);
    assert.equal(page.store.state.trouble, null);
});

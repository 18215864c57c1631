// A past day is played through the store of the live page: boards of then, states to the second, nothing later; and the
// address that names the time.
import assert from "node:assert/strict";
import { test } from "node:test";
import { trouble } from "../../Sources/BridgecastService/Resources/page/data/api.js";
import { dayEnd, lanesOf } from "../../Sources/BridgecastService/Resources/page/model/day.js";
import { boardAt, settled } from "./support/fakes.mjs";
import { closedAt, createWorld, openedAt } from "./support/world.mjs";

test("a time of a day shows the board of its minute, and live boards are let go", async () => {
    const world = createWorld();
    world.store.dispatch({ type: "board", board: boardAt("2026-02-21T12:00:00-08:00", {}) });
    world.replay.open("2026-02-20", "18:01");
    assert.equal(world.store.state.board, null, "what is live is never shown as past");
    await world.timeline.run(1000);
    assert.equal(world.store.state.board.issue_time, "2026-02-20T18:01:00-08:00");
    assert.equal(world.clock.now(), Date.parse("2026-02-20T18:01:00-08:00"));
    assert.equal(world.store.state.replay.isPlaying, false);
    assert.deepEqual(world.changes.at(-1), { replay: "2026-02-20T18:01", isReplaced: false });
    assert.ok(world.asked.some((one) => one.path === "days/2026-02-20?forecasts=false"));
});

test("at 60 times a span moves within a second of the records' time", async () => {
    const world = createWorld();
    world.replay.open("2026-02-20", "18:00");
    world.replay.setSpeed(60);
    await world.timeline.run(1000);
    world.replay.play();
    const changes = [];
    let last = world.bridge().state;
    for (let n = 0; n < 800; n += 1) {
        await world.timeline.run(10);
        const now = world.bridge();
        if (now.state !== last) changes.push({ state: now.state, since: now.since, played: world.clock.now() });
        last = now.state;
    }
    assert.deepEqual(changes.map((change) => change.state), ["raised", "lowered"]);
    assert.deepEqual(changes.map((change) => change.since), [openedAt, closedAt]);
    const risen = new Date(changes[0].played).toISOString();
    assert.ok(Math.abs(changes[0].played - Date.parse(openedAt)) <= 3000, `raised at ${risen}`);
    assert.ok(Math.abs(changes[1].played - Date.parse(closedAt)) <= 3000);
});

test("boards are asked for one at a time and ahead, and not shown before their time", async () => {
    const world = createWorld();
    world.replay.open("2026-02-20", "17:00");
    await world.timeline.run(1000);
    world.replay.play();
    await world.timeline.run(30_000);
    const boards = world.asked.filter((one) => one.path.startsWith("bridges"));
    assert.ok(boards.length >= 25 && boards.length <= 33, `${boards.length} boards in 31 s`);
    for (let n = 1; n < boards.length; n += 1) assert.ok(boards[n].at - boards[n - 1].at >= 999);
    assert.equal(world.maxBusy, 1);
    for (const [time, board] of world.shownBoards) {
        if (board) assert.ok(Date.parse(board.issue_time) <= time, "a board of later was shown");
    }
    const lag = world.clock.now() - Date.parse(world.store.state.board.issue_time);
    assert.ok(lag < 120_000, `the board is ${lag / 1000} s of the day behind`);
});

test("boards that are kept are bounded through a whole day", async () => {
    const world = createWorld();
    world.delay = 5;
    world.replay.open("2026-02-20", "00:00");
    world.replay.setSpeed(300);
    world.replay.play();
    await world.timeline.run(300_000);
    assert.equal(world.store.state.replay.isPlaying, false, "it stops at the day's end");
    assert.equal(world.clock.now(), Date.parse("2026-02-20T23:59:00-08:00"));
    assert.ok(world.asked.length > 200);
    assert.ok(world.timeline.waiting <= 2, `${world.timeline.waiting} timers are left`);
});

test("a seek asks for the newest time that is wanted, and writes the address once", async () => {
    const world = createWorld();
    world.replay.open("2026-02-20", "08:00");
    await world.timeline.run(5000);
    const before = world.asked.length;
    const changes = world.changes.length;
    for (let n = 1; n <= 30; n += 1) {
        world.replay.seek(Date.parse("2026-02-20T10:00:00-08:00") + n * 600_000);
        await world.timeline.run(10);
    }
    await world.timeline.run(3000);
    assert.ok(world.asked.length - before <= 3, "not every place of the slider is asked for");
    assert.equal(world.store.state.board.issue_time, "2026-02-20T15:00:00-08:00");
    assert.equal(world.changes.length - changes, 1);
    assert.deepEqual(world.changes.at(-1), { replay: "2026-02-20T15:00", isReplaced: true });
});

test("a seek back never leaves forecasts of later on the page", async () => {
    const world = createWorld();
    world.replay.open("2026-02-20", "18:00");
    await world.timeline.run(2000);
    world.isFailing = trouble("cut");
    world.replay.seek(Date.parse("2026-02-20T09:00:00-08:00"));
    await world.timeline.run(1000);
    assert.equal(world.store.state.board, null);
    assert.equal(world.store.state.replay.trouble.kind, "cut");
    world.isFailing = null;
    await world.timeline.run(10_000);
    assert.equal(world.store.state.board.issue_time, "2026-02-20T09:00:00-08:00");
    assert.equal(world.store.state.replay.trouble, null);
});

test("back to live shows what was known last until the service answers", async () => {
    const world = createWorld();
    const board = boardAt("2026-02-21T12:00:00-08:00", {});
    world.store.dispatch({ type: "board", board });
    world.replay.open("2026-02-20", "18:00");
    await world.timeline.run(500);
    world.replay.play();
    await world.timeline.run(500);
    world.replay.stop();
    assert.equal(world.store.state.board, board);
    assert.equal(world.store.state.replay, null);
    assert.equal(world.retried, 1);
    assert.equal(world.store.state.address.values.replay, undefined);
    const asked = world.asked.length;
    await world.timeline.run(10_000);
    assert.equal(world.asked.length, asked, "nothing of the past is asked any more");
});

test("today is played up to the last minute that is over", async () => {
    const world = createWorld();
    world.replay.open("2026-02-21", "23:00");
    await world.timeline.run(500);
    assert.equal(world.clock.now(), Date.parse("2026-02-21T11:59:00-08:00"));
});

test("a day that is over offers the next one where that has begun", () => {
    const at = (text) => Date.parse(`${text}-08:00`);
    const now = at("2026-02-21T12:00:00");
    assert.deepEqual(dayEnd("2026-02-20", at("2026-02-20T23:58:59"), now), { isOver: false, next: null });
    assert.deepEqual(dayEnd("2026-02-20", at("2026-02-20T23:59:00"), now),
        { isOver: true, next: { date: "2026-02-21", from: at("2026-02-21T00:00:00") } });
    assert.deepEqual(dayEnd("2026-02-21", at("2026-02-21T23:59:00"), at("2026-02-22T00:00:30")),
        { isOver: true, next: null });
});

test("a day without records shows bridges as not known", async () => {
    const world = createWorld();
    world.isEmpty = true;
    world.replay.open("2026-02-20", "18:00");
    await world.timeline.run(1500);
    assert.equal(world.bridge().state, "unknown");
    assert.equal(world.store.state.replay.day.covered, false);
});

test("the bar has a lane a waterway, and a gap where none of its bridges was recorded", () => {
    const at = (hour) => `2026-02-20T${String(hour).padStart(2, "0")}:00:00-08:00`;
    const entry = (bridge_id, covered, ...openings) => ({ bridge: `Bridge ${bridge_id}`, bridge_id,
        coverage: covered.map(([from, to]) => ({ from: at(from), to: at(to) })),
        openings: openings.map(([from, to]) => ({ opened_at: at(from), closed_at: at(to) })) });
    const day = { from: at(0), to: at(23), bridges: [entry(2, [[0, 10], [14, 23]], [3, 4]), entry(3, [[0, 12]], [5, 6]),
        entry(29, [], []), entry(1, [[0, 23]])] };
    const hours = ({ from, to }) => [from, to].map((time) => (time - Date.parse(at(0))) / 3_600_000);
    const [canal, duwamish] = lanesOf(day);
    assert.deepEqual(canal.openings.map((one) => [one.bridge, ...hours(one)]), [["Bridge 2", 3, 4], ["Bridge 3", 5, 6]]);
    assert.deepEqual([canal.gaps.map(hours), duwamish.gaps], [[[12, 14]], []]);
});

test("with less motion the clock jumps once a second", async () => {
    const world = createWorld({ isStepped: true });
    world.delay = 300;
    world.replay.open("2026-02-20", "18:00");
    await world.timeline.run(1500);
    world.replay.play();
    const seen = new Set();
    for (let n = 0; n < 50; n += 1) {
        await world.timeline.run(100);
        seen.add(world.clock.now());
    }
    assert.ok(seen.size >= 5 && seen.size <= 6, `${seen.size} times in 5 s`);
});

test("answers that come late do not touch the day that was opened after", async () => {
    const world = createWorld();
    world.delay = 4000;
    world.replay.open("2026-02-20", "18:00");
    await world.timeline.run(500);
    world.replay.open("2026-02-19", "09:00");
    await world.timeline.run(20_000);
    assert.equal(world.store.state.replay.day.date, "2026-02-19");
    assert.ok(world.shownBoards.every(([, board]) => !board || board.issue_time.startsWith("2026-02-19")));
    await settled();
});

test("wrong, future and too early dates are refused with a message, and the page stays live", async () => {
    for (const [value, code] of [
        ["2026-02-30T18:00", "no_day"], ["<script>", "no_day"], ["2026-02-22T10:00", "not_yet"],
        ["1999-01-01T10:00", "too_early"], ["2026-02-20T25:00", "no_day"],
    ]) {
        const world = createWorld({ address: { replay: value } });
        world.replay.start();
        await world.timeline.run(1000);
        assert.deepEqual(world.store.state.refused, { value, code });
        assert.equal(world.store.state.replay, null);
        assert.equal(world.clock.isPlayed, false);
        assert.equal(world.store.state.address.values.replay, value, "it stays in the address beside the reason");
        assert.equal(world.asked.length, 0);
        world.replay.stop();
        assert.equal(world.store.state.refused, null);
        assert.equal(world.store.state.address.values.replay, undefined);
        assert.equal(world.changes.length, 1);
    }
});

test("the address is followed: a link opens a time, the way back leaves it", async () => {
    const world = createWorld({ address: { replay: "2026-02-20T18:00" }, isSet: false });
    world.replay.start();
    assert.equal(world.store.state.replay, null, "which days are over is not known yet");
    world.clock.heardService(Date.parse("2026-02-21T12:00:00-08:00"), 1);
    await world.timeline.run(1000);
    assert.equal(world.store.state.replay.date, "2026-02-20");
    world.router.change({ replay: "2026-02-19T08:30" });
    await world.timeline.run(2000);
    assert.equal(world.store.state.replay.date, "2026-02-19");
    assert.equal(world.store.state.board.issue_time, "2026-02-19T08:30:00-08:00");
    world.router.change({ replay: null });
    assert.equal(world.store.state.replay, null);
    assert.equal(world.clock.isPlayed, false);
    assert.equal(world.retried, 1);
});

test("an address that names a time to come says the one that is shown instead", async () => {
    const world = createWorld({ address: { replay: "2026-02-21T18:30" } });
    world.replay.start();
    await world.timeline.run(1000);
    assert.deepEqual(world.changes, [{ replay: "2026-02-21T11:59", isReplaced: true }]);
    assert.equal(world.store.state.replay.date, "2026-02-21");
    assert.deepEqual(world.store.state.refused, { value: "2026-02-21T18:30", code: "later" }, "and why");
    world.replay.seek(Date.parse("2026-02-21T09:00:00-08:00"));
    assert.equal(world.store.state.refused, null, "until another time is chosen");
});

test("a page that is loaded again while a day is played goes on in the same second", async () => {
    const kept = new Map();
    const storage = { getItem: (name) => kept.get(name) ?? null, setItem: (name, text) => kept.set(name, text),
        removeItem: (name) => kept.delete(name) };
    const before = createWorld({ storage });
    before.replay.open("2026-02-20", "17:00");
    before.replay.setSpeed(10);
    before.replay.play();
    await before.timeline.run(9_000);
    before.replay.keepMoment();
    const { replay } = before.store.state.address.values;
    const after = createWorld({ storage, address: { replay } });
    after.replay.start();
    assert.equal(after.clock.now(), before.clock.now());
    assert.deepEqual([after.store.state.replay.isPlaying, after.store.state.replay.speed], [true, 10]);
    await after.timeline.run(2_000);
    assert.equal(after.clock.now(), before.clock.now() + 20_000);
    const another = createWorld({ storage, address: { replay } });
    another.replay.start();
    assert.equal(another.store.state.replay.isPlaying, false, "a link that is opened later does not play");
    before.replay.keepMoment();
    const elsewhere = createWorld({ storage, address: { replay: "2026-02-19T08:00" } });
    elsewhere.replay.start();
    assert.equal(elsewhere.clock.now(), Date.parse("2026-02-19T08:00:00-08:00"), "nor does another time");
});

test("while a day is played the address keeps up, and is not read again for it", async () => {
    const world = createWorld();
    world.replay.start();
    world.replay.open("2026-02-20", "17:00");
    await world.timeline.run(1000);
    world.replay.play();
    await world.timeline.run(11_000);
    const written = world.changes.slice(1);
    assert.deepEqual(written.map((change) => change.replay), ["2026-02-20T17:05", "2026-02-20T17:10"]);
    assert.ok(written.every((change) => change.isReplaced));
    assert.equal(world.clock.now(), Date.parse("2026-02-20T17:11:00-08:00"), "the clock has not jumped");
    world.replay.pause();
    const count = world.changes.length;
    await world.timeline.run(20_000);
    assert.equal(world.changes.length, count);
});

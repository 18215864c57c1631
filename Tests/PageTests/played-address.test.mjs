// The address of a played day: links that open a moment, wrong ones, and one that keeps up while the day plays.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createWorld } from "./support/world.mjs";

test("wrong, future and too early dates are refused in words, and the page stays live", async () => {
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

test("the address is followed: a link opens a moment, the way back leaves it", async () => {
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

test("an address that names a moment to come says the one that is shown instead", async () => {
    const world = createWorld({ address: { replay: "2026-02-21T18:30" } });
    world.replay.start();
    await world.timeline.run(1000);
    assert.deepEqual(world.changes, [{ replay: "2026-02-21T11:59", isReplaced: true }]);
    assert.equal(world.store.state.replay.date, "2026-02-21");
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

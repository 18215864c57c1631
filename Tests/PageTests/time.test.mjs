// Seattle's wall clock and its days, also those on which summer time begins and ends.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
    daySpan, movedBridges, nextChange, openingsOf, readTime, shiftDate, stateAt, uncovered,
} from "../../Sources/BridgecastService/Resources/page/model/day.js";
import {
    seattleClock, seattleDate, seattleText, seattleTime,
} from "../../Sources/BridgecastService/Resources/page/model/time.js";
import { boardAt } from "./support/fakes.mjs";

const hours = (date) => (daySpan(date).to - daySpan(date).from) / 3_600_000;

test("days have 23 hours where summer time begins, and 25 where it ends", () => {
    assert.equal(hours("2025-03-09"), 23);
    assert.equal(hours("2025-11-02"), 25);
    assert.equal(hours("2026-03-08"), 23);
    assert.equal(hours("2026-11-01"), 25);
    assert.equal(hours("2026-02-20"), 24);
    assert.equal(hours("2025-12-31"), 24);
});

test("a skipped hour is the one after, a repeated one is the first", () => {
    for (const date of ["2025-03-09", "2026-03-08"]) {
        assert.equal(seattleText(seattleTime(`${date}T01:59`)), `${date}T01:59:00-08:00`);
        assert.equal(seattleText(seattleTime(`${date}T02:30`)), `${date}T03:30:00-07:00`);
    }
    for (const date of ["2025-11-02", "2026-11-01"]) {
        const first = seattleTime(`${date}T01:30`);
        assert.equal(seattleText(first), `${date}T01:30:00-07:00`);
        assert.equal(seattleText(first + 3_600_000), `${date}T01:30:00-08:00`);
        assert.equal(seattleClock(first + 3_600_000), "01:30");
    }
});

test("every minute of a day with a change is read as written, but for a repeated hour", () => {
    for (const date of ["2026-03-08", "2025-11-02"]) {
        const { from, to } = daySpan(date);
        for (let time = from; time < to; time += 60_000) {
            assert.equal(Date.parse(seattleText(time)), time);
            assert.equal(seattleDate(time), date);
            const again = seattleTime(`${date}T${seattleClock(time)}`);
            assert.ok(again === time || time - again === 3_600_000);
        }
    }
});

test("what is no time is none", () => {
    for (const text of [
        "", "2026-02-30", "2026-13-01", "2026-00-10", "2026-02-20T24:00", "2026-02-20T18:60", "20-02-2026",
        "2026-02-20 18:00", "2026-02-20T18:00Z",
    ]) {
        assert.equal(seattleTime(text), null, text);
    }
});

test("a time to replay is refused where there is none, or where it has not come", () => {
    const now = Date.parse("2026-02-20T00:30:00-08:00");
    const evening = readTime("2026-02-19T18:00", now);
    assert.equal(evening.date, "2026-02-19");
    assert.equal(evening.time, Date.parse("2026-02-19T18:00:00-08:00"));
    assert.deepEqual(evening.day, daySpan("2026-02-19"));
    assert.equal(readTime("2026-02-19", now).time, Date.parse("2026-02-19T00:00:00-08:00"));
    assert.deepEqual(readTime("2026-02-21", now), { refused: "not_yet" });
    assert.deepEqual(readTime("1900-01-01", now), { refused: "too_early" });
    assert.deepEqual(readTime("\u0000".repeat(9000), now), { refused: "no_day" });
    assert.equal(shiftDate("2026-03-01", -1), "2026-02-28");
    assert.equal(shiftDate("2024-02-28", 1), "2024-02-29");
});

const day = {
    from: "2026-02-20T00:00:00-08:00", to: "2026-02-21T00:00:00-08:00",
    bridges: [{
        bridge: "Ballard", bridge_id: 2,
        coverage: [{ from: "2026-02-20T00:00:00-08:00", to: "2026-02-20T20:00:00-08:00" }],
        openings: [
            { opened_at: "2026-02-19T23:58:00-08:00", closed_at: "2026-02-20T00:03:00-08:00" },
            { opened_at: "2026-02-20T18:02:00-08:00", closed_at: "2026-02-20T18:06:00-08:00" },
        ],
    }],
};
const at = (clock) => Date.parse(`2026-02-20T${clock}-08:00`);

test("a day has the state of a bridge to the second, and none without records", () => {
    const [entry] = day.bridges;
    assert.deepEqual(stateAt(entry, at("00:01:00")), { state: "raised", since: "2026-02-19T23:58:00-08:00" });
    assert.deepEqual(stateAt(entry, at("18:01:59")), { state: "lowered", since: "2026-02-20T00:03:00-08:00" });
    assert.equal(stateAt(entry, at("18:02:00")).state, "raised");
    assert.equal(stateAt(entry, at("18:05:59")).state, "raised");
    assert.deepEqual(stateAt(entry, at("18:06:00")), { state: "lowered", since: "2026-02-20T18:06:00-08:00" });
    assert.deepEqual(stateAt(entry, at("21:00:00")), { state: "unknown", since: null });
    assert.equal(nextChange(day, at("12:00:00")), at("18:02:00"));
    assert.equal(nextChange(day, at("18:03:00")), at("18:06:00"));
    assert.equal(nextChange(day, at("20:30:00")), Infinity);
    assert.deepEqual(uncovered(day, entry), [{ from: at("20:00:00"), to: Date.parse(day.to) }]);
    assert.equal(openingsOf(day, entry)[0].from, at("00:00:00"), "an opening of the night before is cut");
});

test("only bridges that have moved since the board are reported", () => {
    assert.deepEqual(movedBridges(day, boardAt("2026-02-20T18:02:00-08:00", { 2: true }), at("18:03:00")),
        [{ bridgeId: 2, state: "raised", since: "2026-02-20T18:02:00-08:00" }]);
    const board = boardAt("2026-02-20T18:02:00-08:00", { 2: true });
    board.bridges[0].since = "2026-02-21T02:02:00Z";
    assert.deepEqual(movedBridges(day, board, at("18:03:00")), []);
    assert.equal(movedBridges(day, board, at("18:06:00"))[0].state, "lowered");
    assert.deepEqual(movedBridges(null, board, at("18:06:00")), []);
    assert.deepEqual(movedBridges(day, board, Date.parse(day.to) + 1), []);
});

// A bridge's week: hours and weekdays as text, rules, and how often it opens.
import assert from "node:assert/strict";
import { test } from "node:test";
import { happenedAfter, sayHappened } from "../../Sources/BridgecastService/Resources/page/model/day.js";
import {
    fifth, gridOf, highestCell, levelOf, stepEdges, nearlyHighest,
} from "../../Sources/BridgecastService/Resources/page/model/pattern.js";
import { sayRule, sayWeek, sayWhenOpens } from "../../Sources/BridgecastService/Resources/page/model/rules.js";
import {
    clockMinutes, hoursInto, sayClockSpan, sayHour, sayHourSpan, sayWeekday, sayWindow, weekdayOf,
} from "../../Sources/BridgecastService/Resources/page/model/time.js";
import { english, plain, spanish } from "./support/language.mjs";

const window = (date, from, to, zone = "-08:00") =>
    ({ from: `${date}T${from}:00${zone}`, to: `${date}T${to}:00${zone}` });

test("hours and spans are written by the clock of the locale", () => {
    assert.equal(plain(sayHour("en-US", 15)), "3 PM");
    assert.equal(sayHour("es", 15), "15");
    assert.equal(plain(sayHourSpan("en-US", 15)), "3:00–4:00 PM");
    assert.equal(plain(sayHourSpan("es", 23)), "23:00–0:00");
    assert.equal(plain(sayClockSpan("en-US", "07:00", "09:00")), "7:00–9:00 AM");
    assert.equal(plain(sayClockSpan("es", "23:00", "07:00")), "23:00–7:00");
    assert.equal(sayClockSpan("en-US", "soon", null), "–");
    assert.equal(clockMinutes("07:30"), 450);
    assert.equal(clockMinutes(7), null);
    const evening = { from: "2026-02-21T02:00:00Z", to: "2026-02-21T04:00:00Z" };
    assert.equal(plain(sayWindow("en-US", evening)), "6:00–8:00 PM");
    assert.equal(sayWindow("en-US", { from: "x", to: "y" }), "–");
});

test("weekdays are Seattle's dates', Monday first", () => {
    assert.equal(weekdayOf("2026-02-20"), 5);
    assert.equal(weekdayOf("2026-02-22"), 7);
    assert.equal(sayWeekday("en-US", 1), "Monday");
    assert.equal(sayWeekday("en-US", 7, "short"), "Sun");
    assert.equal(sayWeekday("es", 5), "viernes");
});

test("a window is at the hours of the wall clock, also on days of 23 or 25 hours", () => {
    for (const [date, zone] of [["2026-02-20", "-08:00"], ["2026-03-08", "-07:00"], ["2026-11-01", "-08:00"]]) {
        const { from, to } = window(date, "07:00", "09:30", zone);
        assert.deepEqual([hoursInto(date, from), hoursInto(date, to)], [7, 9.5], date);
    }
    assert.equal(hoursInto("2026-02-20", "2026-02-21T00:00:00-08:00"), 24);
    assert.equal(hoursInto("2026-02-20", "2026-02-19T23:00:00-08:00"), 0);
    assert.equal(hoursInto("2026-02-20", "nonsense"), 0);
});

test("every rule of the service has a sentence in both languages", () => {
    const facts = [
        { code: "closed_hours", values: { windows: [{ from: "07:00", to: "09:00" }, { from: "16:00", to: "18:00" }],
            exempt_gross_tons: 1000 } },
        { code: "closed_hours", values: { windows: [{ from: "07:00", to: "09:00" }], exempt_gross_tons: null } },
        { code: "no_closed_hours" }, { code: "no_closed_hours_today" },
        { code: "half_hour_only", values: { from: "12:30", to: "18:30" } },
        { code: "night_notice", values: { from: "23:00", to: "07:00", notice_h: 1 } },
        { code: "regulation", values: { section: "117.1051" } },
    ];
    for (const fact of facts) {
        for (const words of [english, spanish]) {
            assert.doesNotMatch(sayRule(words, fact), /[{}–]$|undefined|NaN|bridge\./);
        }
    }
    assert.equal(plain(sayRule(english, facts[0])),
        "Today small boats wait 7:00–9:00 AM and 4:00–6:00 PM; ships of 1,000 gross tons and more do not.");
    assert.equal(plain(sayRule(english, facts[5])), "11:00 PM–7:00 AM it needs 1 hour's notice.");
    assert.equal(sayRule(english, { code: "tide" }), null);
    assert.equal(sayRule(english, { code: "closed_hours", values: {} }), null);
});

test("a week is given in one sentence where its days are alike", () => {
    const day = (date, ...windows) => ({ date, windows });
    const dates = ["2026-02-20", "2026-02-21", "2026-02-22", "2026-02-23", "2026-02-24", "2026-02-25", "2026-02-26"];
    const isWeekday = (date) => weekdayOf(date) < 6;
    const workdays = dates.map((date) => isWeekday(date) ? day(date, window(date, "07:00", "09:00")) : day(date));
    assert.equal(plain(sayWeek(english, workdays)), "Small boats wait 7:00–9:00 AM on weekdays.");
    assert.equal(plain(sayWeek(english, dates.map((date) => day(date, window(date, "07:00", "09:00"))))),
        "Small boats wait 7:00–9:00 AM every day.");
    assert.equal(sayWeek(english, dates.map((date) => day(date))), "No waiting hours this week.");
    assert.equal(plain(sayWeek(spanish, [day(dates[0], window(dates[0], "07:00", "09:00")), day(dates[1])])),
        "Esta semana los barcos pequeños esperan 7:00–9:00: viernes.");
});

test("a boat that is too high reads when it may signal", () => {
    const document = {
        closed_windows_today: [window("2026-02-20", "16:00", "18:00")],
        rule_facts: [{ code: "night_notice", values: { from: "23:00", to: "07:00", notice_h: 1 } },
            { code: "half_hour_only", values: { from: "12:00", to: "13:00" } }],
    };
    const at = (clock) => plain(sayWhenOpens(english, document, Date.parse(`2026-02-20T${clock}:00-08:00`)));
    assert.equal(at("16:00"), "Small boats wait until 6:00 PM.");
    assert.equal(at("18:00"), "It may signal now.");
    for (const clock of ["23:00", "02:00", "06:59"]) assert.equal(at(clock), "It needs 1 hour's notice at this hour.");
    assert.equal(at("07:00"), "It may signal now.");
    assert.equal(at("12:30"), "It opens on the hour and the half-hour now.");
});

const entry = (weekday, hour, perHour, more = {}) => ({
    weekday, hour, covered_h: 40, openings: Math.round(perHour * 40), openings_per_h: perHour, median_duration_s: 240,
    ...more,
});

test("a pattern is seven days of 24 hours, empty where the records are too few", () => {
    const grid = gridOf({ hours: [entry(1, 0, 0.5), entry(7, 23, 1), entry(3, 5, 2, { covered_h: 4 }),
        entry(4, 5, 0.1), entry(9, 5, 3), entry(1, 24, 3)] });
    assert.deepEqual([grid.length, ...new Set(grid.map((day) => day.length))], [7, 24]);
    assert.deepEqual([grid[0][0].perHour, grid[0][0].minutes], [0.5, 4]);
    assert.equal(grid[2][5].perHour, null, "four hours say little");
    assert.equal(grid[3][5].minutes, null, "the middle of four openings is chance");
    assert.equal(grid[5][5].perHour, null);
    const perHour = (cell) => cell.perHour;
    assert.deepEqual([highestCell(grid, perHour).weekday, highestCell(grid, perHour).hour], [7, 23]);
    assert.equal(highestCell(gridOf({ hours: [] }), perHour), null);
    assert.equal(nearlyHighest(gridOf({ hours: [] }), perHour), 0);
    const odd = Array.from({ length: 168 }, (_, n) => entry(Math.floor(n / 24) + 1, n % 24, n === 0 ? 50 : 1));
    assert.equal(nearlyHighest(gridOf({ hours: odd }), perHour), 1, "one odd cell does not make the others pale");
});

test("five round steps reach to the highest, and every value is on one of them", () => {
    for (const most of [0, 0.001, 0.13, 0.5, 0.99, 1, 4.7, 17, 1234]) {
        const step = fifth(most);
        assert.ok(step * 5 >= most - 1e-9 && step * 5 <= Math.max(most * 2.01, 0.003), `${most}: ${step}`);
        assert.equal(levelOf(0, step), 0);
        assert.equal(levelOf(most * 10 + 1, step), 4);
    }
    assert.deepEqual([0, 0.29, 0.3, 0.6, 1.5].map((value) => levelOf(value, 0.3)), [0, 0, 1, 2, 4]);
});

test("the legend of a week ends where its highest value is", () => {
    assert.deepEqual(stepEdges(0.25, 1.304), [0, 0.25, 0.5, 0.75, 1, 1.3]);
    assert.equal(stepEdges(0.25, 1.19)[5], 1.2);
    assert.equal(stepEdges(4, 17.35)[5], 17);
    assert.equal(stepEdges(4, 12)[5], 20, "nothing is on the last step");
    assert.equal(stepEdges(0.0002, 0)[5], 0.001);
});

test("what happened after a time comes from the records alone", () => {
    const at = (clock) => Date.parse(`2026-02-20T${clock}:00-08:00`);
    const day = (openings, coverage = [window("2026-02-20", "00:00", "22:00")]) => ({
        from: "2026-02-20T00:00:00-08:00", to: "2026-02-20T22:00:00-08:00",
        bridges: [{ bridge: "Fremont", bridge_id: 3, coverage,
            openings: openings.map(([up, down]) => ({ opened_at: `2026-02-20T${up}:00-08:00`,
                closed_at: down && `2026-02-20T${down}:00-08:00` })) }],
    });
    const say = (clock, openings, coverage) =>
        plain(sayHappened(english, happenedAfter(day(openings, coverage), 3, at(clock))));
    assert.equal(say("18:00", [["18:12", "18:16"]]), "Went up 6:12 PM for 4 min.");
    assert.equal(say("18:14", [["18:12", "18:16"]]), "Was up since 6:12 PM, for 4 min in all.");
    assert.equal(say("18:00", [["18:12", null]]), "Went up 6:12 PM; its end is not known.");
    assert.equal(say("18:17", [["18:12", "18:16"]]), "No opening in the next two hours.");
    assert.equal(say("18:00", [], []), "No records for this time, which does not mean no openings.");
    assert.equal(say("21:00", []), "No opening until 10:00 PM, where these records end.");
    assert.equal(say("21:58", []), "The records end here.");
    assert.equal(happenedAfter(day([]), 4, at("18:00")).kind, "no_records");
});

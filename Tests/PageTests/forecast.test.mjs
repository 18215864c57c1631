// What is made of a forecast: chances at a time, dots, bars, the order of cards, the headline.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
    atMostMinutes, cleanQuantiles, dotsOf, roundUpWait, sayDots,
} from "../../Sources/BridgecastService/Resources/page/model/dots.js";
import {
    barsOf, calmAgainAt, chanceAt, highestChance, isNotable, keepOrder, nextRise, orderBridges, roundTime,
    sayOutlook, valueAt,
} from "../../Sources/BridgecastService/Resources/page/model/forecast.js";
import { headlineOf, sayHeadline, sayNext } from "../../Sources/BridgecastService/Resources/page/model/headline.js";
import { noticeOf, sayNotice } from "../../Sources/BridgecastService/Resources/page/model/notice.js";
import { bridgeWith, dead, english, live, noon, plain, spanish } from "./support/language.mjs";

const minute = 60_000;
const near = (actual, expected) => assert.ok(Math.abs(actual - expected) < 1e-9, `${actual}, not ${expected}`);

test("a chance is interpolated between points, and missing beyond the outlook", () => {
    const bridge = bridgeWith(2, [0.1, 0.2, 0.4]);
    near(chanceAt(bridge, noon + 2.5 * minute, live), 0.15);
    near(chanceAt(bridge, noon + 6 * minute, live), 0.24);
    near(chanceAt(bridge, noon - minute, live), 0.1);
    near(chanceAt(bridge, noon + 12 * minute, live), 0.4);
    assert.equal(chanceAt(bridge, noon + 13 * minute, live), null);
    assert.equal(chanceAt(bridgeWith(2, []), noon, live), null);
    near(chanceAt(bridge, noon, dead), 0.04);
    assert.equal(valueAt(bridge, noon, (point) => point.unheard_of), null);
});

test("the highest chance is that of now or of a point within the minutes asked for", () => {
    const bridge = bridgeWith(2, [0.1, 0.2, 0.4, 0.9]);
    assert.deepEqual(highestChance(bridge, noon, 10, live), { chance: 0.4, at: noon + 10 * minute });
    assert.deepEqual(highestChance(bridgeWith(2, [0.5, 0.1]), noon, 60, live), { chance: 0.5, at: noon });
    assert.equal(calmAgainAt(bridgeWith(2, [1, 0.5, 0.09, 0.2]), noon, live), noon + 10 * minute);
    assert.equal(calmAgainAt(bridgeWith(2, [1, 0.5]), noon, live), null);
});

test("a time said with around is on five minutes and not over", () => {
    assert.equal(roundTime(noon + 13 * minute, noon), noon + 15 * minute);
    assert.equal(roundTime(noon + 12 * minute, noon), noon + 10 * minute);
    assert.equal(roundTime(noon + 2 * minute, noon + 2 * minute), noon + 5 * minute);
    assert.equal(roundTime(noon, noon), noon);
});

test("dots are as many as cases, whatever waits there are", () => {
    const mixed = [-5, 0, 0.9, 1, 59.9, 60, 61, 119, 120, 899, 900];
    for (const waits of [[], Array(20).fill(0), Array(20).fill(1e6), mixed]) {
        for (const isCertain of [false, true]) {
            const { noWait, columns, beyond, total } = dotsOf(waits, 15, isCertain);
            assert.equal(noWait + columns.reduce((sum, n) => sum + n, 0) + beyond, waits.length);
            assert.equal(total, waits.length);
            if (isCertain) assert.equal(noWait, 0);
        }
    }
    const dots = dotsOf([0, 0.9, 1, 60, 119, 900], 15);
    assert.deepEqual([dots.noWait, dots.columns[0], dots.columns[1], dots.beyond], [2, 1, 2, 1]);
    assert.deepEqual(cleanQuantiles([3, null, "4", 1, NaN]), [1, 3]);
    assert.deepEqual(cleanQuantiles(undefined), []);
});

test("at most is never too little", () => {
    assert.equal(atMostMinutes([10, 60, 61, 240], 1), 1);
    assert.equal(atMostMinutes([10, 60, 61, 240], 2), 1);
    assert.equal(atMostMinutes([10, 60, 61, 240], 3), 2);
    assert.deepEqual([8, 60, 60.1, 120, 369, 600].map(roundUpWait), [10, 60, 120, 120, 420, 600]);
    const raised = [...Array(17).fill(300), 369, 400, 500];
    assert.equal(sayDots(english, raised, false), "10 of 20 times at most 5 min; 18 of 20 at most 7 min.");
    const waits = [...Array(14).fill(0), 30, 70, 130, 235, 300, 400];
    assert.equal(sayDots(english, waits, false), "14 of 20 times no wait; 18 of 20 at most 4 min.");
    assert.equal(sayDots(english, Array(20).fill(0), false), "20 of 20 times no wait.");
    const certain = Array.from({ length: 20 }, (_, n) => 30 * (n + 1));
    assert.equal(sayDots(english, certain, true), "10 of 20 times at most 5 min; 18 of 20 at most 9 min.");
    const rare = [...Array(19).fill(0), 100];
    assert.equal(sayDots(english, rare, false), "19 of 20 times no wait; 20 of 20 at most 2 min.");
});

test("bars are solid up to half an hour, and hollow where only the usual is known", () => {
    const { outlook } = bridgeWith(2, Array(40).fill(0.2));
    const bars = barsOf(outlook, false);
    assert.equal(bars.length, 24);
    assert.equal(bars.filter((bar) => bar.isSolid).length, 6);
    const usual = barsOf(outlook, true);
    assert.ok(usual.every((bar) => !bar.isSolid && bar.chance === 0.04));
    assert.equal(barsOf([{ ...outlook[0], probability_stopped: null }], false).length, 0);
});

test("the outlook is shown with its chance now and its highest", () => {
    const say = (chances) => plain(sayOutlook(english, barsOf(bridgeWith(2, chances).outlook, false)));
    assert.equal(say([0.06, 0.1, 0.31, 0.2]), "6 in 100 stopped now, highest 31 in 100 at 12:10 PM.");
    assert.equal(say([0.2, 0.1]), "20 in 100 stopped now, fewer later.");
    assert.equal(say([0.004, 0.001]), "under 1 in 100 stopped, the same for the next two hours.");
});

test("cards: pinned ones first, then raised, then likely, then along the water", () => {
    const bridges = [bridgeWith(2, [0.05]), bridgeWith(3, [0.05]), bridgeWith(4, [0.3]),
        bridgeWith(1, [0.1], { state: "raised" })];
    const order = (pinned, status) => orderBridges(bridges, pinned, status, noon).map((bridge) => bridge.bridge_id);
    assert.deepEqual(order([], live), [1, 4, 2, 3]);
    assert.deepEqual(order([3, 2], live), [3, 2, 1, 4]);
    assert.deepEqual(order([], dead), [2, 3, 4, 1], "an unknown bridge is not up, and the usual is the same for all");
    assert.deepEqual(keepOrder(bridges, [4, 1, 9]).map((bridge) => bridge.bridge_id), [4, 1, 2, 3]);
});

test("cards are open if pinned, up or likely, not if unknown", () => {
    assert.equal(isNotable(bridgeWith(2, [0.09]), [], live, noon), false);
    assert.equal(isNotable(bridgeWith(2, [0.09]), [2], live, noon), true);
    assert.equal(isNotable(bridgeWith(2, [0.01, 0.1]), [], live, noon), true);
    assert.equal(isNotable(bridgeWith(2, [0.01], { state: "raised" }), [], live, noon), true);
    assert.equal(isNotable(bridgeWith(2, [1], { state: "raised" }), [], dead, noon), false);
    assert.equal(isNotable(bridgeWith(2, [0.9], { state: "unknown" }), [], live, noon), false);
    const late = bridgeWith(2, [...Array(7).fill(0.01), 0.5]);
    assert.equal(isNotable(late, [], live, noon), false, "35 minutes ahead is not soon");
});

/** @param {object[]} bridges */
const stateWith = (bridges, more = {}) => ({ board: { bridges, sources: [] }, trouble: null, isOnline: true, ...more });
const headline = (bridges, status = live, words = english) => {
    const found = headlineOf(stateWith(bridges), status, noon);
    return [sayHeadline(words, found, false), sayNext(words, found, false)].map((text) => text && plain(text));
};

test("the headline says which are up and which may follow on the same water", () => {
    const up = bridgeWith(2, [1], { state: "raised" });
    const soon = [0.05, 0.1, 0.2, 0.3];
    assert.deepEqual(headline([up, bridgeWith(3, soon)]),
        ["Ballard is up.", "Fremont may follow: 30 in 100 stopped around 12:15 PM."]);
    assert.deepEqual(headline([up, bridgeWith(1, soon)]),
        ["Ballard is up.", "1st Ave S may go up: 30 in 100 stopped around 12:15 PM."]);
    assert.deepEqual(headline([up, bridgeWith(3, [0.05])]),
        ["Ballard is up.", "At any other bridge fewer than 10 in 100 arrivals are stopped within the hour."]);
    const two = headline([up, bridgeWith(3, [1], { state: "raised" })]);
    assert.equal(two[0], "Ballard and Fremont are up.");
});

test("a chance that only falls is a queue, and not the next opening", () => {
    const queue = bridgeWith(2, [0.9, 0.4, 0.05, 0.12]);
    assert.equal(nextRise(bridgeWith(2, [0.9, 0.4, 0.4, 0.1]), noon, 60, live), null);
    near(nextRise(queue, noon, 60, live).chance, 0.12);
    assert.equal(nextRise(queue, noon, 60, live).at, noon + 15 * minute);
    near(nextRise(queue, noon + 2 * minute, 60, live).chance, 0.12);
    assert.deepEqual(headline([queue, bridgeWith(3, [0.01, 0.3, 0.44, 0.2])]),
        ["All two watched bridges are down.", "Fremont may go up: 44 in 100 stopped around 12:10 PM."]);
    assert.equal(headline([bridgeWith(2, [0.9, 0.4])])[1], "Ballard: 90 in 100 stopped now, fewer later.");
    assert.equal(headline([bridgeWith(2, [0.05, 0.09])])[1], "At each of them fewer than 10 in 100 arrivals are stopped within the hour.",
        "no claim about going up within the hour, which may be likelier than being stopped at any time of it");
    assert.equal(headline([bridgeWith(2, [0.01, 0.3])], live, spanish)[1],
        "Ballard puede levantarse: hacia las 12:05 paran 30 de cada 100.");
});

test("the headline counts what is seen, and nothing unseen counts as down", () => {
    const down = [1, 2, 3, 4, 29].map((id) => bridgeWith(id, [0.01]));
    assert.equal(headline(down)[0], "All five watched bridges are down.");
    const without = bridgeWith(5, [0.01], { state: "unknown", has_live_sensor: false });
    assert.equal(headline([...down, without])[0], "All five watched bridges are down.");
    assert.equal(headline(down, live, spanish)[0], "Los cinco puentes vigilados están bajados.");
    const four = [...down.slice(0, 4), bridgeWith(29, [0.01], { state: "unknown" })];
    assert.equal(headline(four)[0], "All four bridges that report are down.");
    const one = [down[0], ...down.slice(1).map((bridge) => ({ ...bridge, state: "unknown" }))];
    assert.equal(headline(one)[0], "1st Ave S is down; no other bridge reports.");
    assert.deepEqual(headline(down, dead), ["We cannot see the bridges.", null]);
    // A late feed is shown in the past tense; that the bridges cannot be seen is still true.
    const unseen = { board: { bridges: down.map((bridge) => ({ ...bridge, state: "unknown" })) }, trouble: null };
    const text = (kind) => sayHeadline(english, headlineOf(unseen, { ...live, kind }, noon), true);
    assert.equal(text("stale"), "We cannot see the bridges.");
    assert.equal(text("replay"), "No bridge was seen then.");
    assert.equal(headlineOf({ board: null, trouble: null }, { kind: "loading" }, noon).kind, "loading");
    assert.equal(headlineOf({ board: null, trouble: { kind: "cut" } }, { kind: "loading" }, noon).kind, "blind");
});

test("one notice at a time, the most important, as a text that names what is missing", () => {
    const silent = [bridgeWith(1, [], { state: "unknown" }), bridgeWith(2, [])];
    const notice = (state, status = live) => {
        const kind = noticeOf(state, status);
        return kind && plain(sayNotice(english, kind, state, status, noon));
    };
    assert.equal(notice(stateWith([bridgeWith(2, [])])), null);
    assert.equal(notice(stateWith(silent)), "1st Ave S is not reporting; one bridge is live.");
    const stale = { kind: "stale", readAt: noon - 120_000, ageSeconds: 120 };
    assert.equal(notice(stateWith(silent), stale), "Last reading 2 min ago, 11:58:00 AM. Trying again.");
    assert.equal(notice(stateWith(silent), dead), "No live reading since 11:00 AM. Showing the usual for the hour.");
    const blind = silent.map((bridge) => ({ ...bridge, state: "unknown" }));
    assert.equal(notice(stateWith(blind)), "No bridge is reporting. Forecasts are made without their states.",
        "a feed that was read this second is not said to be silent since then");
    const refused = { kind: "status", status: 503 };
    assert.equal(notice(stateWith(silent, { trouble: refused }), dead), "The service answered 503.");
    assert.equal(notice(stateWith(silent, { trouble: refused, isOnline: false }), dead),
        "You are offline. This is from 11:00 AM, 1 h ago.");
    assert.equal(notice(stateWith([], { replay: { date: "2026-02-20" } })), "Replay: Fri, Feb 20, 2026, 12:00 PM.");
});

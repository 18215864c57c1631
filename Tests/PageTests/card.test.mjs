// What a bridge's card says: one series for words and bars, the reasons of the time that it names, the way through.
import assert from "node:assert/strict";
import { test } from "node:test";
import { sayCard, sayIfStopped, sayShort, sayWhy } from "../../Sources/BridgecastService/Resources/page/model/card.js";
import { axisOf, barsAhead, barsOf } from "../../Sources/BridgecastService/Resources/page/model/forecast.js";
import { cameDown } from "../../Sources/BridgecastService/Resources/page/model/watch.js";
import { labelsThatFit } from "../../Sources/BridgecastService/Resources/page/draw/scale.js";
import { bridgeWith, dead, english, live, noon, plain, spanish } from "./support/language.mjs";

const minute = 60_000;
const lowerSpokane = (chances, more = {}) => bridgeWith(21, chances, { state: "unknown", has_live_sensor: false, ...more });
const card = (bridge, status = live, now = noon, words = english) => sayCard(words, bridge, status, now).map(plain);

test("a forecast without a sensor is named so, next to the usual, and is what the bars draw", () => {
    const bridge = lowerSpokane([0.02, 0.07, 0.05]);
    assert.deepEqual(card(bridge),
        ["No sensor: forecast without one, 2 in 100 stopped; usual 4 in 100.", "Highest 7 in 100 at 12:05 PM."]);
    assert.equal(sayShort(english, bridge, live, noon), "forecast without a sensor, 2 in 100 stopped");
    assert.deepEqual(barsAhead(bridge, noon, live).map((bar) => bar.chance), [0.02, 0.07, 0.05]);
    assert.equal(card(bridge, live, noon, spanish)[0],
        "Sin sensor: según el pronóstico sin él, paran 2 de cada 100; lo habitual, 4 de cada 100.");
    const silent = { ...bridge, has_live_sensor: true };
    assert.equal(card(silent)[0], "Not reporting: forecast without its state, 2 in 100 stopped; usual 4 in 100.");
    assert.equal(sayShort(english, silent, live, noon), "forecast without its state, 2 in 100 stopped");
    assert.deepEqual(card(lowerSpokane([])), ["No sensor."]);
});

test("where the feed is dead the usual is shown, and named so, on every card", () => {
    for (const bridge of [lowerSpokane([0.02, 0.07]), bridgeWith(2, [0.9], { state: "raised" })]) {
        assert.deepEqual(card(bridge, dead), ["No live reading: usual for the hour, 4 in 100 stopped."]);
        assert.equal(sayShort(english, bridge, dead, noon), "usual for the hour, 4 in 100 stopped");
        assert.ok(barsAhead(bridge, noon, dead).every((bar) => bar.chance === 0.04));
    }
});

test("a card says nothing of what is over", () => {
    const bridge = bridgeWith(3, [0.3, 0.01, 0.02, 0.06]);
    assert.equal(card(bridge, live, noon + 6 * minute)[0], "1 in 100 stopped now, highest 6 in 100 at 12:15 PM.");
    assert.equal(sayShort(english, bridge, live, noon + 6 * minute), "1 in 100 stopped");
    assert.deepEqual(card(bridge, live, noon + 60 * minute), ["No forecast reaches this far."]);
});

const convoy = { code: "convoy_now", values: {}, text: "Ballard has just gone up" };
const downNow = { code: "down_now", values: { bridge: "Fremont", probability: 0.125 }, text: "" };
const highest = { valid_time: new Date(noon + 10 * minute).toISOString(), lead_time_s: 600, reasons: [convoy] };

/** The reasons of Fremont's card. */
function why(more = {}, status = live, now = noon) {
    const bridge = bridgeWith(3, [0.01, 0.2, 0.49, 0.1], { reasons: [downNow], highest, ...more });
    const { label, reasons } = sayWhy(english, bridge, status, now, { isWindowSaid: false, agedMinutes: 0 });
    return plain([label, ...reasons.map(({ text }) => text)].join(" "));
}

test("the reasons are those of the time that the card names", () => {
    const now = "Why: Fremont is down now; at this hour 13 in 100 are usually stopped.";
    assert.equal(why(), "Why 12:10 PM: Ballard has just gone up.");
    assert.equal(why({ highest: undefined }), now, "a day that is played may have none");
    assert.equal(why({ highest: null }), now);
    assert.equal(why({ state: "raised" }), now, "a raised bridge's card is about now");
    assert.equal(why({ outlook: bridgeWith(3, [0.01, 0.01]).outlook }), now, "no peak is named");
    assert.equal(why({}, live, noon + 13 * minute), now, "the peak is over");
    assert.equal(why({}, dead), "");
});

/** Twenty waits from one to another, in seconds. */
const waits = (from, to) => Array.from({ length: 20 }, (_, n) => from + (to - from) * n / 19);

test("a raised bridge's card says when cars that arrive now go on, their queue included", () => {
    const raised = (quantiles, more = {}) =>
        bridgeWith(2, [1, 0.8, 0.05], { state: "raised", delay_quantiles_s: quantiles, ...more });
    const calm = "Under 10 in 100 stopped again around 12:10 PM.";
    assert.deepEqual(card(raised(waits(100, 500))),
        ["Cars that arrive now get across around 12:05 PM, 9 in 10 of them by 12:08 PM.", calm]);
    assert.deepEqual(card(raised(waits(100, 500)), live, noon + 2 * minute),
        ["Cars that arrive now get across around 12:05 PM, 9 in 10 of them by 12:08 PM.", calm], "a board two minutes old");
    assert.deepEqual(card(raised(waits(290, 300)), live, noon), ["Cars that arrive now get across around 12:05 PM.", calm]);
    assert.equal(card(raised(waits(100, 500)), live, noon, spanish)[0],
        "Quien llega ahora cruza hacia las 12:05; 9 de cada 10, antes de las 12:08.");
    const older = "Arrive now: wait about 10 s.";
    assert.equal(card(raised(Array(20).fill(0)))[0], older, "the forecast is of before it went up");
    assert.equal(card(raised([]))[0], older);
    assert.match(card(raised(waits(100, 500)), live, noon + 6 * minute)[0], /^Arrive now/, "what is over is not promised");
});

test("the axis goes to 100 where 20 would cut what matters soon", () => {
    const max = (chances, isRaised = false) => axisOf(barsOf(bridgeWith(2, chances).outlook, false), isRaised).max;
    assert.equal(max([0.02, 0.35]), 0.2);
    assert.equal(max([0.02, 0.49]), 1);
    assert.equal(max([...Array(7).fill(0.02), 0.49]), 0.2, "35 minutes ahead is not soon");
    assert.equal(max([0.02], true), 1);
    assert.deepEqual(axisOf([], true).marks, [0, 0.5, 1]);
});

test("labels of an axis do not run into each other", () => {
    const labels = [{ x: 28, anchor: "start", text: "ahora" }, { x: 300, anchor: "end", text: "8:07 p.m." },
        { x: 164, anchor: "middle", text: "7:07 p.m." }, { x: 96, anchor: "middle", text: "6:37 p.m." }];
    assert.deepEqual(labelsThatFit(labels).map(({ text }) => text), ["ahora", "8:07 p.m.", "7:07 p.m."]);
    assert.equal(labelsThatFit(labels.map((label) => ({ ...label, text: "18" }))).length, 4);
});

test("that a bridge comes down is reported once, and is not waited for the next time", () => {
    const seen = (states) => new Map(Object.entries(states).map(([id, state]) => [Number(id), state]));
    const [up, down, unknown] = ["raised", "lowered", "unknown"].map((state) => seen({ 2: state, 3: "raised" }));
    assert.deepEqual(cameDown([2, 3], up, down), { due: [2], kept: [3] });
    assert.deepEqual(cameDown([2], up, up), { due: [], kept: [2] });
    assert.deepEqual(cameDown([2], up, unknown), { due: [], kept: [2] }, "what is not seen has not come down");
    assert.deepEqual(cameDown([2], unknown, down), { due: [2], kept: [] });
    assert.deepEqual(cameDown([2], seen({}), down), { due: [], kept: [] }, "it came down while the page was closed");
});

test("the wait of those who are stopped is that of the peak where the card names it", () => {
    const bridge = bridgeWith(2, [0.01, 0.09, 0.01], { expected_delay_if_stopped_s: 600 });
    const at = bridge.outlook[1].valid_time;
    const highest = { valid_time: at, probability_stopped: 0.09, expected_delay_s: 18, reasons: [] };
    assert.match(sayIfStopped(english, { ...bridge, state: "lowered", highest }, live, noon), /about 3 min/);
    assert.match(sayIfStopped(english, { ...bridge, state: "lowered", highest: null }, live, noon), /about 10 min/);
});

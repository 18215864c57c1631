// Why a forecast is what it is: every code of the service in both languages, with all its values.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { cardReasons, sayReason, sayReasons } from "../../Sources/BridgecastService/Resources/page/model/reasons.js";
import { bridgeWith, english, plain, spanish } from "./support/said.mjs";

const samples = {
    raised: {}, raised_for: { minutes: 3 }, raised_long: { minutes: 14, shorter_share: 0.97 }, lowered_recently: { minutes_ago: 12 },
    convoy: { neighbour: "Ballard", minutes_ago: 3, least_minutes: 9, most_minutes: 20 },
    convoy_in_order: { neighbour: "University", minutes_ago: 21 },
    neighbour_often: { neighbour: "Ballard", openings: 3, minutes: 35 },
    long_openings: { last_minutes: 9, usual_minutes: 5 }, busy_day: { openings: 6, usual_openings: 3 },
    quiet_day: { openings: 1, usual_openings: 4 },
    closed_window: { until: "2026-02-20T18:00:00-08:00" }, window_ended: { from: "2026-02-20T18:00:00-08:00" },
    half_hour_only: {}, usual: { probability: 0.042 }, state_unknown: { probability: 0.3 },
};
const reason = (code, more = {}) =>
    ({ code, values: { bridge: "Fremont", ...samples[code], ...more }, text: "as told" });

/** The codes that the service knows. */
function codes() {
    const source = readFileSync(
        new URL("../../Sources/BridgecastCore/Forecasts/Reason.swift", import.meta.url), "utf8");
    const listed = /enum Code[^{]*\{(.*?)\n {4}\}/s.exec(source)?.[1] ?? "";
    return [...listed.matchAll(/case (\w+)(?: = "(\w+)")?/g)].map(([, name, raw]) => raw ?? name);
}

test("every code of the service is said in both languages, without a place left empty", () => {
    assert.deepEqual(codes().sort(), Object.keys(samples).sort());
    for (const code of codes()) {
        for (const words of [english, spanish]) {
            const said = sayReason(words, reason(code));
            assert.equal(said.lang, undefined, code);
            assert.doesNotMatch(said.text, /[{}]|undefined|null|NaN|as told/, code);
            assert.match(said.text, /\.$/, code);
        }
        assert.notEqual(sayReason(english, reason(code)).text, sayReason(spanish, reason(code)).text, code);
    }
    assert.equal(sayReason(english, reason("convoy")).text,
        "Ballard went up 3 min ago; boats usually reach Fremont in 9 to 20 min.");
    assert.equal(sayReason(english, reason("usual")).text, "Usual for the hour: up 4 in 100 times.");
    assert.equal(plain(sayReason(english, reason("closed_window")).text), "Closed to smaller boats until 6:00 PM.");
});

test("what the day's openings say is told with their numbers", () => {
    const say = (code, more, words = english) => sayReason(words, reason(code, more)).text;
    assert.equal(say("long_openings"), "Its openings have lasted 9 min lately, usually 5.");
    assert.equal(say("busy_day"), "A busy day: 6 openings where 3 are usual by now.");
    assert.equal(say("quiet_day"), "A quiet day: 1 opening where 4 are usual by now.");
    assert.equal(say("quiet_day", { openings: 0 }), "A quiet day: 0 openings where 4 are usual by now.");
    assert.equal(say("quiet_day", { openings: 2 }, spanish),
        "Día tranquilo: 2 aperturas; a esta hora lo habitual son 4.");
    assert.equal(say("raised_long"), "Of its openings 97 in 100 do not last so long.");
    assert.equal(say("raised_long", { shorter_share: 0.999 }), "Of its openings over 99 in 100 do not last so long.");
    assert.equal(say("convoy_in_order"), "University went up before, 21 min ago: boats come from bridge to bridge.");
    assert.equal(sayReason(english, reason("neighbour_often"), 4).text,
        "Ballard went up 3 times in the last 39 min.", "the first of them is longer ago by now");
});

test("minutes go on while the board grows older, and what is not a minute ago has just been", () => {
    assert.equal(sayReason(english, reason("lowered_recently", { minutes_ago: 0 })).text,
        "Fremont has just been lowered.");
    assert.equal(sayReason(english, reason("lowered_recently", { minutes_ago: 0 }), 4).text,
        "Fremont was lowered 4 min ago.");
    assert.equal(sayReason(english, reason("convoy"), 5).text,
        "Ballard went up 8 min ago; boats usually reach Fremont in 9 to 20 min.");
});

test("an unknown code is told in the service's English, and one without values or words not at all", () => {
    assert.deepEqual(sayReason(spanish, { code: "tide", values: {}, text: "the tide is low" }),
        { text: "The tide is low.", lang: "en" });
    assert.deepEqual(sayReason(spanish, { code: "convoy", values: { bridge: "Fremont" }, text: "a boat comes" }),
        { text: "A boat comes.", lang: "en" });
    assert.equal(sayReason(english, { code: "tide" }), null);
});

test("the usual alone explains no forecast that is far from it", () => {
    const say = (chance, usual, reasons = [reason("usual")], words = english) =>
        sayReasons(words, reasons, { chance, usual }).map(({ text }) => text);
    assert.deepEqual(say(0.16, 0.03), ["More than usual for the hour (3 in 100)."]);
    assert.deepEqual(say(0.16, 0.03, [reason("usual")], spanish), ["Más de lo habitual a esta hora (3 de cada 100)."]);
    assert.deepEqual(say(0.02, 0.1), ["Less than usual for the hour (10 in 100)."]);
    const usual = "Usual for the hour: up 4 in 100 times.";
    assert.deepEqual(say(0.05, 0.03), [usual]);
    assert.deepEqual(say(0.001, 0.0001), [usual], "both are under 1 in 100");
    assert.deepEqual(say(NaN, 0.03), [usual]);
    assert.equal(say(0.16, 0.03, [reason("half_hour_only"), null, reason("usual")])[1], usual);
    const bridge = bridgeWith(3, [0.16],
        { reasons: [reason("usual")], probability_stopped: 0.16, usual_probability_stopped: 0.03 });
    assert.deepEqual(cardReasons(english, bridge, false, 0), [{ text: "More than usual for the hour (3 in 100)." }]);
    const raised = { ...bridge, reasons: [reason("raised_for"), reason("usual")] };
    assert.deepEqual(cardReasons(english, raised, false, 0), [{ text: usual }]);
});

test("a card does not say again what it says already", () => {
    const reasons = [reason("raised_for"), reason("closed_window"), reason("usual"), null];
    const bridge = bridgeWith(3, [0.1], { reasons });
    const said = (isWindowSaid) => cardReasons(english, bridge, isWindowSaid, 0).map(({ text }) => plain(text));
    assert.deepEqual(said(true), ["Usual for the hour: up 4 in 100 times."]);
    assert.equal(said(false).length, 2);
});

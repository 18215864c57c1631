// Why a forecast is what it is: every code of the service in both languages, with all its values.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { cardReasons, sayReason, sayReasons } from "../../Sources/BridgecastService/Resources/page/model/reasons.js";
import { english, plain, spanish } from "./support/language.mjs";

const samples = {
    raised: {}, raised_for: { minutes: 3 }, raised_long: { minutes: 14, shorter_share: 0.97 }, lowered_recently: { minutes_ago: 12 },
    convoy: { neighbour: "Ballard", minutes_ago: 3, min_minutes: 9, max_minutes: 20 },
    convoy_in_order: { neighbour: "University", minutes_ago: 21 },
    neighbour_often: { neighbour: "Ballard", openings: 3, minutes: 35 },
    long_openings: { last_minutes: 9, typical_minutes: 5 }, busy_day: { openings: 6, typical_openings: 3 },
    quiet_day: { openings: 1, typical_openings: 4 },
    closed_window: { until: "2026-02-20T18:00:00-08:00" }, window_ended: { from: "2026-02-20T18:00:00-08:00" },
    down_now: { probability: 0.042 }, down_lately: { minutes_ago: 3 }, down_long: { hours: 6 },
    above_climatology: { probability: 0.042 }, below_climatology: { probability: 0.042 },
    half_hour_only: {}, usual: { probability: 0.042 }, state_unknown: { probability: 0.3 },
};
const reason = (code, more = {}) =>
    ({ code, values: { bridge: "Fremont", ...samples[code], ...more }, text: "as reported" });

/** The codes that the service knows. */
function codes() {
    const source = readFileSync(
        new URL("../../Sources/BridgecastCore/Forecasts/Reason.swift", import.meta.url), "utf8");
    const listed = /enum Code[^{]*\{(.*?)\n {4}\}/s.exec(source)?.[1] ?? "";
    return [...listed.matchAll(/case (\w+)(?: = "(\w+)")?/g)].map(([, name, raw]) => raw ?? name);
}

test("every code of the service has a text in both languages, without a place left empty", () => {
    assert.deepEqual(codes().sort(), Object.keys(samples).sort());
    for (const code of codes()) {
        for (const words of [english, spanish]) {
            const said = sayReason(words, reason(code));
            assert.equal(said.lang, undefined, code);
            assert.doesNotMatch(said.text, /[{}]|undefined|null|NaN|as reported/, code);
            assert.match(said.text, /\.$/, code);
        }
        assert.notEqual(sayReason(english, reason(code)).text, sayReason(spanish, reason(code)).text, code);
    }
    assert.equal(sayReason(english, reason("convoy")).text,
        "Ballard went up 3 min ago; boats usually reach Fremont in 9 to 20 min.");
    assert.equal(sayReason(english, reason("usual")).text, "Usual for the hour: 4 in 100 stopped.");
    assert.equal(plain(sayReason(english, reason("closed_window")).text), "Closed to smaller boats until 6:00 PM.");
});

test("the reasons from the day's openings have their numbers", () => {
    const say = (code, more, words = english) => sayReason(words, reason(code, more)).text;
    assert.equal(say("long_openings"), "Its openings have lasted 9 min lately, usually 5.");
    assert.equal(say("busy_day"), "A busy day: 6 openings where 3 are usual by now.");
    assert.equal(say("quiet_day"), "A quiet day: 1 opening where 4 are usual by now.");
    assert.equal(say("quiet_day", { openings: 0 }), "A quiet day: 0 openings where 4 are usual by now.");
    assert.equal(say("quiet_day", { openings: 2 }, spanish),
        "Día tranquilo: 2 aperturas; a esta hora lo habitual son 4.");
    assert.equal(say("raised_long"), "Of openings like this 97 in 100 do not last so long.");
    assert.equal(say("raised_long", { shorter_share: 0.999 }), "Of openings like this over 99 in 100 do not last so long.");
    assert.equal(say("convoy_in_order"), "University went up before, 21 min ago: boats come from bridge to bridge.");
    assert.equal(sayReason(english, reason("neighbour_often"), 4).text,
        "Ballard went up 3 times in the last 39 min.", "the first of them is longer ago by now");
});

test("minutes go on while the board grows older, and none is just now", () => {
    assert.equal(sayReason(english, reason("lowered_recently", { minutes_ago: 0 })).text,
        "Fremont has just been lowered.");
    assert.equal(sayReason(english, reason("lowered_recently", { minutes_ago: 0 }), 4).text,
        "Fremont was lowered 4 min ago.");
    assert.equal(sayReason(english, reason("convoy"), 5).text,
        "Ballard went up 8 min ago; boats usually reach Fremont in 9 to 20 min.");
});

test("an unknown code is shown in the service's English, or not at all", () => {
    assert.deepEqual(sayReason(spanish, { code: "tide", values: {}, text: "the tide is low" }),
        { text: "The tide is low.", lang: "en" });
    assert.deepEqual(sayReason(spanish, { code: "convoy", values: { bridge: "Fremont" }, text: "a boat comes" }),
        { text: "A boat comes.", lang: "en" });
    assert.equal(sayReason(english, { code: "tide" }), null);
});

test("bridges that stay down have the usual chance, and unexplained forecasts say so", () => {
    const say = (code, more, words = english, aged = 0) => sayReason(words, reason(code, more), aged).text;
    assert.equal(say("down_now"), "Fremont is down now; at this hour 4 in 100 are usually stopped.");
    assert.equal(say("down_now", {}, spanish),
        "Fremont está bajado ahora; a esta hora suelen tener que parar 4 de cada 100.");
    assert.equal(say("down_lately"), "Fremont came down 3 min ago and seldom goes up again so soon.");
    assert.equal(say("down_lately", {}, english, 2), "Fremont came down 5 min ago and seldom goes up again so soon.");
    assert.equal(say("down_lately", { minutes_ago: 0 }), "Fremont has just come down and seldom goes up again so soon.");
    assert.equal(say("down_long"), "No opening in the last 6 h.");
    assert.equal(say("down_long", {}, spanish, 5), "Sin aperturas en las últimas 6 h.");
    assert.equal(say("above_climatology"), "More likely than usual for the hour (4 in 100 stopped), by all that is known.");
    assert.equal(say("below_climatology"), "Less likely than usual for the hour (4 in 100 stopped), by all that is known.");
});

test("a card and a list say the service's reasons as they are", () => {
    const reasons = [reason("down_now"), null, reason("quiet_day")];
    const said = reasons.filter(Boolean).map((one) => sayReason(english, one));
    assert.deepEqual(sayReasons(english, reasons), said);
    assert.deepEqual(cardReasons(english, reasons, false, 0), said);
});

test("that a bridge has just come down is dropped from a card once it has rested", () => {
    const reasons = [reason("down_lately"), reason("quiet_day")];
    const count = (agedMinutes) => cardReasons(english, reasons, false, agedMinutes).length;
    assert.deepEqual([0, 5, 6].map(count), [2, 2, 1]);
});

test("a card does not say again what it says already", () => {
    const reasons = [reason("raised_for"), reason("closed_window"), reason("usual"), null];
    const said = (isWindowSaid) => cardReasons(english, reasons, isWindowSaid, 0).map(({ text }) => plain(text));
    assert.deepEqual(said(true), ["Usual for the hour: 4 in 100 stopped."]);
    assert.equal(said(false).length, 2);
});

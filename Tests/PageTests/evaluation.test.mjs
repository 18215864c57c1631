// What an evaluation says: its ranges, the sentences about them, and its warnings.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
    evaluationOf, hasSummer, sayAsLive, sayBand, sayEvents, sayWarning, relevantBands, wrongBands,
} from "../../Sources/BridgecastService/Resources/page/model/evaluation.js";
import { english, spanish } from "./support/language.mjs";

test("an evaluation is taken without what cannot be drawn", () => {
    const figure = { value: 0.3, low: 0.2, high: 0.4 };
    const band = (from, to, forecast_probability, cases, observed_frequency = figure) =>
        ({ from, to, forecast_probability, cases, observed_frequency });
    const found = evaluationOf({ evaluation: {
        from: "2026-02-15T00:00:00-08:00", to: "2026-03-01T00:00:00-08:00",
        by_lead: [{ stopped: { log_loss_skill: figure } }, {}, { raised: { log_loss_skill: figure } }, null],
        by_bridge: [{ bridge_id: 2, stopped: { log_loss_skill: figure }, reliability: null }],
        routes: { policies: [{}, { regret_min: figure }] },
        reliability: [band(0, 0.05, 0.02, 900), band(0.05, 0.2, 0.3, 50), band(0.2, 0.5, NaN, 9), { forecast_probability: 0.1 }] } });
    assert.deepEqual([found.by_lead.length, found.reliability.length, found.routes.policies.length], [1, 2, 1]);
    assert.deepEqual(found.by_bridge[0].reliability, []);
    assert.deepEqual(relevantBands(found.reliability).map(({ from }) => from), [0.05]);
    assert.deepEqual(relevantBands([band(0.2, 0.5, 0.3, 5), band(0.5, 1, 0.6, 50)]).map(({ from }) => from), [0.5]);
    assert.deepEqual(relevantBands([band(0, 0.01, 0.003, 500), band(0.5, 1, 0.6, 9)]).map(({ from }) => from), [0]);
    assert.deepEqual(relevantBands([]), []);
    assert.deepEqual(wrongBands(found.reliability).map((one) => one.from), [0]);
    assert.equal(hasSummer(found), false);
    assert.equal(hasSummer({ from: "2025-05-20T00:00:00-07:00", to: "2025-06-20T00:00:00-07:00" }), true);
    assert.equal(evaluationOf({ evaluation: null }), null);
    assert.equal(evaluationOf(null), null);
});

test("both events are named, or neither", () => {
    const of = (value) => ({ log_loss_skill: { value, low: 0, high: 1 } });
    const total = { cases: 9, raised: of(0.14), stopped: of(0.16) };
    assert.match(sayEvents(english, { total }), /16 % better.*14 %/);
    assert.match(sayEvents(spanish, { total }), /16 %.*14 %/);
    assert.equal(sayEvents(english, { total: { cases: 9, stopped: of(0.16) } }), "");
    assert.equal(sayEvents(english, {}), "");
});

test("what the live feed gives is that of the longest readings, without figures that cannot be read", () => {
    const of = (value) => ({ log_loss_skill: { value, low: 0, high: 1 } });
    const live = (observed_min, stopped, raised) => ({ observed_min, cases: 9, stopped: of(stopped), raised: of(raised) });
    const found = evaluationOf({ evaluation: { as_live: [live(60, 0.1, 0.09), live(1440, 0.124, 0.113), {}, live(NaN, 0.9, 0.9)] } });
    assert.equal(found.as_live.length, 2);
    assert.match(sayAsLive(english, found), /after a day.*12 %.*11 %/);
    assert.match(sayAsLive(spanish, found), /12 %.*11 %/);
    assert.deepEqual(evaluationOf({ evaluation: {} }).as_live, []);
    assert.equal(sayAsLive(english, evaluationOf({ evaluation: {} })), "");
});

test("all ranges that matter are reported at once, none chosen", () => {
    const band = (from, to, forecast_probability, value, cases = 300) =>
        ({ from, to, forecast_probability, cases, observed_frequency: { value, low: 0, high: 1 } });
    const all = [band(0, 0.05, 0.01, 0.01, 9000), band(0.05, 0.2, 0.076, 0.07), band(0.2, 0.5, 0.3, 0.34),
        band(0.5, 1, 0.79, 1)];
    assert.equal(sayBand(english, all), "When we said 8, 30, and 79 in 100, it happened 7, 34, and 99 in 100.");
    assert.equal(sayBand(spanish, all.slice(0, 2)), "Cuando se dijo 8 de cada 100, ocurrió 7 de cada 100.");
    assert.equal(sayBand(english, []), "How good is it?");
});

test("a warning has days for times, in the visitor's language where it is known", () => {
    const refitted = "what was evaluated is the model in use as fitted to records before 2026-02-15T00:00:00-08:00; "
        + "the one in use saw later ones as well";
    for (const words of [english, spanish]) {
        const { text, lang } = sayWarning(words, refitted);
        assert.equal(lang, undefined);
        assert.match(text, /15/);
        assert.doesNotMatch(text, /T00:00|[{}]/);
    }
    assert.deepEqual(sayWarning(spanish, "no records after 2026-02-15T23:30:00-08:00"),
        { text: "No records after February 15, 2026.", lang: "en" });
});

// What is shown of the issued forecasts: windows, details, and whether they have drifted from the published evaluation.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
    sayDetails, sayDrift, sayWindows, verificationOf,
} from "../../Sources/BridgecastService/Resources/page/model/verification.js";
import { english, spanish } from "./support/language.mjs";

const window = (days, cases, skill, more = {}) => ({ days, total: { cases, uncovered: 0, delays: 40,
    delay_coverage: [{ quantile: 0.5, observed_frequency: 0.52 }, { quantile: 0.95, observed_frequency: 0.97 }],
    stopped: { rate: 0.02, log_loss_skill: skill, reliability: [
        { cases: cases / 2, forecast_probability: 0.01 }, { cases: cases / 2, forecast_probability: 0.05 }] }, ...more } });
const drift = (outcome) => ({ outcome, from: "2026-02-12", to: "2026-02-25", log_loss_skill: 0.05,
    expected_log_loss_skill: 0.19, false_alarm_rate: 0.005 });

test("figures are taken without what cannot be shown", () => {
    assert.equal(verificationOf(null), null);
    assert.equal(verificationOf({ windows: "7" }), null);
    const found = verificationOf({ windows: [window(7, 0, null), {}, null, window(30, 100, 0.16)], drift: { outcome: "odd" } });
    assert.deepEqual(found.windows.map(({ days }) => days), [30]);
    assert.equal(found.drift, null);
    assert.equal(found.isReplay, false);
});

test("a window is better or worse than the usual; one that adds nothing is left out", () => {
    const found = verificationOf({ windows: [window(7, 100, -0.12), window(30, 400, 0.16), window(365, 400, 0.16)] });
    const sentences = sayWindows(english, found);
    assert.equal(sentences.length, 2);
    assert.match(sentences[0], /last 7 days 12 % worse/);
    assert.match(sentences[1], /last 30 days 16 % better.*400/);
    assert.match(sayWindows(spanish, found)[1], /16 % mejor/);
});

test("the mean forecast, the delays and what was not seen are reported", () => {
    const found = verificationOf({ windows: [window(7, 100, 0.1, { uncovered: 12 })] });
    const sentences = sayDetails(english, found);
    assert.match(sentences[0], /3.*on average.*2.* in 100/);
    assert.match(sentences[1], /40 delays 52 %.*97 %/);
    assert.match(sentences[2], /12 forecasts could not be scored/);
    assert.deepEqual(sayDetails(english, { windows: [], isReplay: false, drift: null }), []);
});

test("a drift names the fortnight, both skills and how often it is a false alarm", () => {
    const of = (outcome) => verificationOf({ windows: [], drift: drift(outcome) });
    assert.match(sayDrift(english, of("worse")), /Feb 12.*Feb 25.*worse.* 5 %.*19 %.*fortnight of 200/);
    assert.match(sayDrift(english, of("agrees")), /not worse than/);
    assert.match(sayDrift(spanish, of("worse")), /peor.*19 %.*200/);
    assert.match(sayDrift(english, verificationOf({ windows: [], drift: { outcome: "untested" } })), /Too few days/);
    assert.equal(sayDrift(english, verificationOf({ windows: [] })), "");
});

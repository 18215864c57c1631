// The one clock: the service's time and its rate, a played day, a machine that slept.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Clock, Elapsed } from "../../Sources/BridgecastService/Resources/page/core/clock.js";

const noon = Date.parse("2026-02-20T12:00:00-08:00");

for (const rate of [1, 20, 60]) {
    test(`ages are right at rate ${rate}, and delays of the network make no jumps`, () => {
        let passed = 0;
        const clock = new Clock(() => passed);
        clock.heardService(noon);
        clock.heardRate(rate);
        assert.equal(clock.now(), noon);
        let jumps = 0;
        clock.subscribe(() => { jumps += 1; });
        for (let n = 1; n <= 100; n += 1) {
            passed += 1000;
            // The service tells whole seconds, and an answer takes up to 300 ms.
            const reported = Math.floor((noon + (passed - (n % 4) * 100) * rate) / 1000) * 1000;
            clock.heardService(reported);
            assert.ok(Math.abs(clock.now() - (noon + passed * rate)) <= 1000 + 500 * rate);
        }
        assert.equal(jumps, 0);
    });
}

test("the rate counts from what the service said last", () => {
    let passed = 0;
    const clock = new Clock(() => passed);
    clock.heardService(noon);
    passed = 2000;
    clock.heardRate(60);
    assert.equal(clock.now(), noon + 120_000);
    clock.heardService(noon + 120_000);
    clock.heardRate(0);
    passed = 50_000;
    assert.equal(clock.now(), noon + 120_000, "a clock that has stopped stands");
});

test("the clock of a service that plays records stops at their end", () => {
    let passed = 0;
    const clock = new Clock(() => passed);
    clock.heardService(noon, 60);
    clock.heardEnd(noon + 600_000);
    passed = 60_000;
    assert.equal(clock.now(), noon + 600_000);
    let jumps = 0;
    clock.subscribe(() => { jumps += 1; });
    clock.heardService(noon + 600_000);
    assert.equal(jumps, 0);
    clock.heardService(noon + 60_000, 1);
    assert.equal(clock.now(), noon + 60_000);
    clock.heardEnd(Infinity);
    passed += 3_600_000;
    assert.equal(clock.now(), noon + 3_660_000);
});

test("a clock that was wrong is set, and listeners hear of it", () => {
    let passed = 0;
    const clock = new Clock(() => passed);
    let heard = 0;
    const leave = clock.subscribe(() => { heard += 1; });
    assert.equal(clock.isSet, false);
    clock.heardService(noon);
    assert.equal(clock.isSet, true);
    passed = 1000;
    clock.heardService(noon + 3_600_000);
    assert.equal(clock.now(), noon + 3_600_000);
    assert.equal(heard, 2);
    clock.heardService(NaN);
    assert.equal(heard, 2);
    leave();
    clock.heardService(noon);
    assert.equal(heard, 2);
});

test("a played day has its own time and rate, and leaves the service's alone", () => {
    let passed = 0;
    const clock = new Clock(() => passed);
    clock.heardService(noon);
    clock.play(noon - 86_400_000, 60);
    passed = 1000;
    assert.equal(clock.now(), noon - 86_400_000 + 60_000);
    assert.equal(clock.serviceNow(), noon + 1000);
    assert.equal(clock.isPlayed, true);
    clock.leavePlay();
    assert.equal(clock.now(), noon + 1000);
    assert.equal(clock.rate, 1);
});

test("a kept answer sets the clock until the service is heard", () => {
    const clock = new Clock(() => 0);
    clock.heardKept(noon, Date.now() - 720_000);
    assert.ok(Math.abs(clock.now() - (noon + 720_000)) < 2000);
    assert.equal(clock.isSet, false);
    clock.heardService(noon + 900_000);
    clock.heardKept(noon, Date.now());
    assert.equal(clock.now(), noon + 900_000);
});

test("sleep of the machine counts as age, and a clock set back does not", () => {
    let running = 0;
    let wall = noon;
    const passing = new Elapsed(() => running, () => wall);
    running += 1000;
    wall += 1000;
    assert.equal(passing.read(), 1000);
    wall += 8 * 3_600_000;
    assert.equal(passing.read(), 1000 + 8 * 3_600_000);
    assert.equal(passing.slept, 8 * 3_600_000);
    wall -= 3_600_000;
    assert.equal(passing.read(), 1000 + 8 * 3_600_000);
    running += 500;
    wall += 500;
    assert.equal(passing.read(), 1500 + 8 * 3_600_000);
});

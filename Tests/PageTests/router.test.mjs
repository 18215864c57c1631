// The address is the state that a link shares: what is written is read again, and hostile addresses do no harm.
import assert from "node:assert/strict";
import { test } from "node:test";
import { linkTo, readAddress, writeAddress } from "../../Sources/BridgecastService/Resources/page/core/router.js";

test("an address that is written is read as it was", () => {
    const values = {
        bridge: "3", from: "Ballard & Market <b>", to: "47.6,-122.3", mode: "bike", leave: "2026-02-20T18:05",
        arrive: "2026-02-20T19:00", sure: "0.9", height: "45", line: "542", lines: "540,556",
        stop: "25243", run: "t/1 2", date: "2018-01-04", near: "here", rows: "5", arrivals: "true",
        size: "large", theme: "dark", compact: "true", refresh: "60", direction: "0", lang: "es", replay: "2026-02-20T18:00",
    };
    for (const view of ["now", "trip", "bridge", "skill", "line", "board", "run", "widget"]) {
        assert.deepEqual(readAddress(writeAddress({ view, values })), { view, values });
    }
    assert.equal(writeAddress({ view: "now", values: {} }), ".");
});

test("hostile addresses become the first view, with what is known and short", () => {
    for (const search of [
        "?view=__proto__", "?view=constructor&view=trip", "?%", "?%E0%A4%A", "?view=%00", "?" + "a".repeat(100_000),
    ]) {
        const address = readAddress(search);
        assert.equal(address.view, "now");
        assert.deepEqual(address.values, {});
    }
    assert.deepEqual(readAddress("?leave=" + "x".repeat(10_000) + "&to=Downtown").values, { to: "Downtown" });
    assert.deepEqual(readAddress("?__proto__=1&constructor=2&evil=3").values, {});
    const address = readAddress("?view=trip&from=" + encodeURIComponent("<img src=x onerror=alert(1)>\u202e"));
    assert.deepEqual(readAddress(writeAddress(address)), address);
    assert.ok(!writeAddress(address).includes("<"));
});

test("a place that is too long stays long enough to be reported, and no longer", () => {
    const address = readAddress("?view=trip&to=Downtown&from=" + "x".repeat(3_000));
    assert.equal(address.values.from.length, 201);
    assert.deepEqual(readAddress(writeAddress(address)), address);
    assert.equal(readAddress("?from=" + "x".repeat(200)).values.from, "x".repeat(200));
});

test("a link to another view takes the replay and the visit's language along, and nothing else", () => {
    const address = { view: "trip", values: { from: "Ballard", replay: "2026-02-20T18:00" } };
    assert.equal(linkTo(address, "bridge", { bridge: "3" }), "?view=bridge&bridge=3&replay=2026-02-20T18%3A00");
    assert.equal(linkTo(address, "now", { replay: null }), ".");
    const spanish = { view: "line", values: { line: "542", lang: "es" } };
    assert.equal(linkTo(spanish, "board", { stop: "25243" }), "?view=board&stop=25243&lang=es");
});

// Addresses of widgets, and what is copied into other pages; the script of an embedded one.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import vm from "node:vm";
import { defaultRows, maxRows, sizes, snippets, widgetAddress } from "../../Sources/BridgecastService/Resources/page/widgets/address.js";
import { countdownText } from "../../Sources/BridgecastService/Resources/page/model/countdown.js";

const plain = { line: "542", stop: "25243", size: "small", theme: "auto", rows: 1, isCompact: false, refresh: 30, language: "en" };
const board = { ...plain, line: null, size: "medium", rows: 3 };

test("an address has only what differs from what the service takes for granted", () => {
    assert.equal(widgetAddress(plain, ""), "widget/542/25243");
    assert.equal(widgetAddress(board, ".svg"), "widget/board/25243.svg");
    const other = { ...plain, size: "large", theme: "dark", rows: 5, isCompact: true, refresh: 60, language: "es" };
    assert.equal(widgetAddress(other, ""), "widget/542/25243?size=large&theme=dark&rows=5&compact=true&refresh=60&lang=es");
    assert.ok(!widgetAddress(other, ".png").includes("refresh"));
});

test("identifiers with slashes, spaces and letters of all kinds are one part of the path", () => {
    assert.equal(widgetAddress({ ...plain, line: "15/Ä", stop: "S/1 süd?" }, ".png"),
        "widget/15%2F%C3%84/S%2F1%20s%C3%BCd%3F.png");
});

test("no size has more rows than the service takes", () => {
    for (const size of sizes) {
        for (const isBoard of [true, false]) assert.ok(defaultRows(size, isBoard) <= maxRows(size));
        assert.ok(!widgetAddress({ ...plain, size, rows: 99 }, "").includes("99"));
    }
});

test("what is copied has whole addresses and stays text", () => {
    const made = snippets(plain, "https://example.org/buses/?view=widget", { width: 160, height: 160 }, 'A "B" <C>');
    assert.equal(made.picture, "https://example.org/buses/widget/542/25243.png");
    assert.match(made.html, /^<iframe src="https:\/\/example\.org\/buses\/widget\/542\/25243" width="160" height="160" title="A &quot;B&quot; &lt;C>"/);
    assert.match(made.html, /color-scheme: light dark/);
    assert.match(snippets({ ...plain, theme: "dark" }, "https://example.org/", { width: 1, height: 1 }, "").html, /color-scheme: dark/);
    assert.match(made.homeAssistant, /^type: iframe\nurl: "https:[^"]+"\naspect_ratio: 100%\n$/);
});

/** An element of the embedded document. */
const element = (more = {}) => ({ hidden: true, textContent: "", dataset: {}, ...more });

/** Runs the script of an embedded widget at a time with a countdown to an epoch, and answers of the service. */
function embedded({ now, at, answer, data = {} }) {
    const text = element({ getAttribute: () => String(at) });
    const age = element();
    const timers = [];
    const clock = { now };
    const picture = element({ querySelectorAll: () => [text], replaceChildren: () => { picture.replaced = true; } });
    const document = {
        hidden: false, body: { dataset: { refresh: "30", made: String(now / 1000), now: "now", before: "Data is", after: "min old", ...data } },
        getElementById: (id) => ({ picture, age })[id], importNode: (node) => node,
        addEventListener: (name, act) => { document.seen = act; },
    };
    const context = {
        document, location: { pathname: "/widget/542/25243", search: "?rows=2" }, fetched: [],
        Date: { now: () => clock.now, parse: Date.parse }, AbortController, clearTimeout: () => {},
        setTimeout: (act, after) => timers.push({ act, after }), setInterval: (act, after) => { context.reload = act; context.period = after; },
        fetch: async (address) => { context.fetched.push(address); return answer(); },
        DOMParser: class { parseFromString() { return { documentElement: { nodeName: "svg", querySelector: () => null } }; } },
    };
    const source = readFileSync(new URL("../../Sources/BridgecastService/Resources/page/widgets/embed.js", import.meta.url), "utf8");
    vm.runInNewContext(source, context);
    const tick = (seconds) => { clock.now += seconds * 1000; timers.findLast(({ after }) => after <= 1000).act(); };
    return { text, age, picture, document, context, tick };
}

const noon = Date.parse("2026-02-20T20:00:00Z");

test("an embedded widget counts down each second, as the page does", () => {
    for (const seconds of [1, 59, 60, 125, 3599, 3600, 7325]) {
        const widget = embedded({ now: noon, at: noon / 1000 + seconds, answer: () => { throw new Error("offline"); } });
        assert.equal(widget.text.textContent, countdownText(seconds));
        widget.tick(1);
        assert.equal(widget.text.textContent, countdownText(seconds - 1));
    }
});

test("the age shows after two minutes without an answer", async () => {
    const widget = embedded({ now: noon, at: noon / 1000 + 600, answer: () => { throw new Error("offline"); } });
    assert.equal(widget.context.period, 30_000);
    await widget.context.reload();
    assert.equal(widget.context.fetched[0], "/widget/542/25243.svg?rows=2");
    widget.tick(110);
    assert.ok(widget.age.hidden);
    widget.tick(70);
    assert.equal(widget.age.textContent, "Data is 3 min old");
    assert.ok(!widget.age.hidden && !widget.picture.replaced);
});

test("a new picture takes the old one's place and ends the silence; a hidden page asks for none", async () => {
    const reply = { ok: true, text: async () => "<svg/>", headers: { get: () => new Date(noon + 200_000).toISOString() } };
    const widget = embedded({ now: noon, at: noon / 1000 + 600, answer: () => reply });
    widget.tick(200);
    assert.ok(!widget.age.hidden);
    await widget.context.reload();
    assert.ok(widget.picture.replaced && widget.age.hidden);
    widget.document.hidden = true;
    const before = widget.context.fetched.length;
    await widget.context.reload();
    assert.equal(widget.context.fetched.length, before);
});

test("the clock of a replay is the service's", () => {
    const then = Date.parse("2018-01-04T23:00:00Z") / 1000;
    const widget = embedded({ now: noon, at: then + 90, answer: () => { throw new Error("offline"); }, data: { made: String(then) } });
    assert.equal(widget.text.textContent, "1:30");
});

test("a clock that is wrong by seconds or by minutes gives way to the service's", async () => {
    for (const wrong of [-50, -12, 12, 300]) {
        const reply = { ok: true, text: async () => "<svg/>", headers: { get: () => new Date(noon - wrong * 1000).toISOString() } };
        const widget = embedded({ now: noon, at: noon / 1000 + 600 - wrong, answer: () => reply });
        await widget.context.reload();
        const seconds = widget.text.textContent.split(":").reduce((sum, part) => 60 * sum + Number(part), 0);
        assert.ok(Math.abs(seconds - 600) <= 1, `${wrong}: ${widget.text.textContent}`);
    }
});

test("after a sleep a new picture is fetched at once, and what has left is a dash", () => {
    const widget = embedded({ now: noon, at: noon / 1000 + 30, answer: () => { throw new Error("offline"); } });
    const before = widget.context.fetched.length;
    widget.tick(3600);
    assert.equal(widget.context.fetched.length, before + 1);
    assert.equal(widget.text.textContent, "—");
});

test("a widget that is fetched seldom is not old between two pictures", () => {
    const widget = embedded({ now: noon, at: noon / 1000 + 9000, answer: () => { throw new Error("offline"); }, data: { refresh: "300" } });
    widget.tick(320);
    assert.ok(widget.age.hidden);
    widget.tick(400);
    assert.ok(!widget.age.hidden);
});

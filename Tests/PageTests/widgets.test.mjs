// Addresses of widgets, and what is copied into other pages; the script of an embedded one.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import vm from "node:vm";
import {
    defaultRows, maxRows, readChoices, sizes, snippets, widgetAddress, writeChoices,
} from "../../Sources/BridgecastService/Resources/page/widgets/address.js";
import { readAddress, writeAddress } from "../../Sources/BridgecastService/Resources/page/core/router.js";
import { countdownText } from "../../Sources/BridgecastService/Resources/page/model/countdown.js";

const plain = {
    line: "542", stop: "25243", size: "small", theme: "auto", rows: 1, isCompact: false, refresh: 30, direction: null,
    language: "en",
};
const board = { ...plain, line: null, size: "medium", rows: 3 };

test("an address has only what differs from what the service takes for granted", () => {
    assert.equal(widgetAddress(plain, ""), "widget/542/25243");
    assert.equal(widgetAddress(board, ".svg"), "widget/board/25243.svg");
    const other = { ...plain, size: "large", theme: "dark", rows: 5, isCompact: true, refresh: 60, direction: 0, language: "es" };
    assert.equal(widgetAddress(other, ""),
        "widget/542/25243?size=large&theme=dark&rows=5&compact=true&refresh=60&direction=0&lang=es");
    assert.ok(!widgetAddress(other, ".png").includes("refresh"));
});

test("identifiers with slashes, spaces and letters of all kinds are one part of the path", () => {
    assert.equal(widgetAddress({ ...plain, line: "15/Ä", stop: "S/1 süd?" }, ".png"),
        "widget/15%2F%C3%84/S%2F1%20s%C3%BCd%3F.png");
});

test("the page's address keeps the choices, so that a reload and a shared link have them", () => {
    const choices = { size: "large", theme: "dark", rows: 5, isCompact: true, refresh: 300, direction: 1 };
    for (const isBoard of [true, false]) {
        for (const chosen of [choices, { ...choices, size: "round", rows: 1, direction: 0 }, readChoices({}, isBoard)]) {
            const values = Object.fromEntries(Object.entries(writeChoices(chosen, isBoard)).filter(([, value]) => value !== null));
            const address = readAddress(writeAddress({ view: "widget", values: { stop: "25243", ...values } }));
            assert.deepEqual(address, { view: "widget", values: { stop: "25243", ...values } });
            assert.deepEqual(readChoices(address.values, isBoard), chosen);
        }
        assert.ok(Object.values(writeChoices(readChoices({}, isBoard), isBoard)).every((value) => value === null));
    }
    assert.equal(readChoices({}, true).size, "medium");
    assert.equal(readChoices({}, false).size, "small");
});

test("what cannot be chosen is the default", () => {
    for (const bad of ["", "huge", "<b>", "-1", "0", "1.5", "9", "1e1", " 2", "11", "yes", "toString", "null"]) {
        const values = { size: bad, theme: bad, rows: bad, compact: bad, refresh: bad, direction: bad === "0" ? "2" : bad };
        assert.deepEqual(readChoices(values, true), readChoices({}, true), bad);
    }
    assert.equal(readChoices({ size: "small", rows: "8" }, true).rows, 3);
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
    assert.match(made.html, /^<iframe src="https:\/\/example\.org\/buses\/widget\/542\/25243" width="160" height="160" title="A &quot;B&quot; &lt;C&gt;"/);
    assert.match(made.html, /color-scheme: light dark/);
    assert.match(snippets({ ...plain, theme: "dark" }, "https://example.org/", { width: 1, height: 1 }, "").html, /color-scheme: dark/);
    assert.match(made.homeAssistant, /^type: iframe\nurl: "https:[^"]+"\naspect_ratio: 100%\n$/);
});

test("names with markup, quotes and characters that turn text round stay in the title", () => {
    for (const name of ["<b>Bus</b>", `"><script>alert('x')</script>`, "Main\u202eteertS niaM", "\u2066A\u2069 & &quot;\u0007\n"]) {
        const { html } = snippets(plain, "https://example.org/", { width: 160, height: 160 }, name);
        const title = /^<iframe [^<>]* title="([^"<>]*)" style="[^"<>]*" loading="lazy"><\/iframe>$/.exec(html)?.[1] ?? "";
        assert.ok(!/[\p{Cc}\p{Cf}]/u.test(html), JSON.stringify(html));
        const named = { amp: "&", quot: '"', lt: "<", gt: ">" };
        const read = title.replace(/&(?:#(\d+)|(\w+));/g, (whole, code, word) =>
            (code ? String.fromCodePoint(Number(code)) : named[word] ?? whole));
        assert.equal(read, name);
    }
});

/** An element of the embedded document, which counts how often its text is written. */
function element(more = {}) {
    let text = "";
    const own = {
        hidden: true, dataset: {}, style: {}, written: 0, ...more,
        get textContent() { return text; },
        set textContent(value) { text = value; own.written += 1; },
    };
    return own;
}

/** A parsed picture; with what is no picture it is the browser's page about that. */
const parsed = (text) => ({
    text, nodeName: text.startsWith("<svg") ? "svg" : "html",
    querySelector: (name) => (text.includes(`<${name}`) ? { textContent: text } : null),
});

/** Timers that a test sets off. */
class Timers {
    #all = new Map();
    #last = 0;
    set = (act, after) => { this.#all.set(this.#last += 1, { act, after }); return this.#last; };
    clear = (id) => { this.#all.delete(id); };
    of = (isWanted) => [...this.#all.values()].filter(({ after }) => isWanted(after));

    /** Sets off the one timer of a kind. */
    fire(isWanted) {
        const found = [...this.#all].filter(([, { after }]) => isWanted(after));
        assert.equal(found.length, 1);
        this.#all.delete(found[0][0]);
        return found[0][1].act();
    }
}

/** Runs the script of an embedded widget at a time with a countdown to an epoch, and answers of the service. */
function embedded({ now, at, answer, data = {} }) {
    const text = element({ getAttribute: () => String(at) });
    const age = element();
    const timers = new Timers();
    const clock = { now };
    const picture = element({ querySelectorAll: () => [text], replaceChildren: (shown) => { picture.shown = shown.text; } });
    const document = {
        hidden: false, body: { dataset: { refresh: "30", made: String(now / 1000), now: "now", before: "Data is", after: "min old", ...data } },
        getElementById: (id) => ({ picture, age })[id], importNode: (node) => node,
        addEventListener: (name, act) => { document.seen = act; },
    };
    const fetched = [];
    const context = {
        document, location: { pathname: "/widget/542/25243", search: "?rows=2" },
        Date: { now: () => clock.now, parse: Date.parse }, AbortController, clearTimeout: timers.clear, setTimeout: timers.set,
        fetch: async (address) => { fetched.push(address); return answer(); },
        DOMParser: class { parseFromString = (source) => ({ documentElement: parsed(source) }); },
    };
    const source = readFileSync(new URL("../../Sources/BridgecastService/Resources/page/widgets/embed.js", import.meta.url), "utf8");
    vm.runInNewContext(source, context);
    const period = Number(document.body.dataset.refresh) * 1000;
    const isTick = (after) => after <= 1000;
    return {
        text, age, picture, document, clock, fetched,
        /** How many ticks and next pictures are due. */
        due: () => [timers.of(isTick).length, timers.of((after) => after === period).length],
        tick: (seconds) => { clock.now += seconds * 1000; timers.fire(isTick); },
        reload: () => timers.fire((after) => after === period),
        /** Sets off what waits for so many seconds. */
        retry: (seconds) => timers.fire((after) => after === seconds * 1000),
        show: (isShown) => { document.hidden = !isShown; document.seen(); },
    };
}

/** An answer of the service with a picture made at a time. */
const answered = (milliseconds, body = "<svg/>", ok = true, age = null) => ({
    ok, text: async () => body,
    headers: { get: (name) => ({ "X-Service-Time": new Date(milliseconds).toISOString(), Age: age })[name] ?? null },
});
const offline = () => { throw new Error("offline"); };
/** Lets an answer arrive. */
const arrive = () => new Promise((done) => setImmediate(done));

const noon = Date.parse("2026-02-20T20:00:00Z");

test("an embedded widget counts down each second, as the page does", () => {
    for (const seconds of [1, 59, 60, 125, 3599, 3600, 7325]) {
        const widget = embedded({ now: noon, at: noon / 1000 + seconds, answer: offline });
        assert.equal(widget.text.textContent, countdownText(seconds));
        widget.tick(1);
        assert.equal(widget.text.textContent, countdownText(seconds - 1));
    }
});

test("the age shows after two minutes without an answer", async () => {
    const widget = embedded({ now: noon, at: noon / 1000 + 600, answer: offline });
    assert.deepEqual(widget.fetched, ["/widget/542/25243.svg?rows=2"]);
    await arrive();
    await widget.retry(4);
    assert.equal(widget.fetched.length, 2);
    widget.tick(110);
    assert.equal(widget.age.textContent, "");
    widget.tick(70);
    assert.equal(widget.age.textContent, "Data is 3 min old");
    assert.equal(widget.picture.shown, undefined);
});

test("after a failure it tries again in some seconds, longer each time, and no longer than its period", async () => {
    let body = null;
    const failing = { ...answered(noon, "<svg>late</svg>", false), status: 503 };
    const widget = embedded({ now: noon, at: noon / 1000 + 600, answer: () => body ?? failing });
    for (const seconds of [4, 8, 16, 30, 30]) {
        await arrive();
        assert.equal(widget.picture.shown, undefined);
        await widget.retry(seconds);
    }
    body = answered(noon, "<svg>new</svg>");
    await arrive();
    await widget.retry(30);
    await arrive();
    assert.equal(widget.picture.shown, "<svg>new</svg>");
    body = failing;
    await widget.reload();
    await arrive();
    await widget.retry(4);
});

test("the age is written once a minute", () => {
    const widget = embedded({ now: noon, at: noon / 1000 + 600, answer: offline });
    assert.equal(widget.age.textContent, "");
    widget.tick(180);
    assert.equal(widget.age.textContent, "Data is 3 min old");
    const before = widget.age.written;
    for (let second = 0; second < 29; second += 1) widget.tick(1);
    assert.equal(widget.age.written, before);
    widget.tick(1);
    assert.deepEqual([widget.age.textContent, widget.age.written], ["Data is 4 min old", before + 1]);
});

test("a new picture takes the old one's place and ends the silence", async () => {
    const widget = embedded({ now: noon, at: noon / 1000 + 600, answer: () => answered(noon + 200_000, "<svg>new</svg>") });
    widget.tick(200);
    assert.notEqual(widget.age.textContent, "");
    await arrive();
    assert.equal(widget.picture.shown, "<svg>new</svg>");
    assert.equal(widget.age.textContent, "");
});

test("what is wrong is shown as a picture without counting as an answer; what is no picture is not shown", async () => {
    for (const [body, shown] of [
        ["<svg>no such stop</svg>", "<svg>no such stop</svg>"], ["{}", undefined], ["<svg><parsererror/>", undefined],
    ]) {
        const widget = embedded({ now: noon, at: noon / 1000 + 600, answer: () => answered(noon, body, false) });
        widget.clock.now += 180_000;
        await arrive();
        assert.equal(widget.picture.shown, shown);
        widget.tick(1);
        assert.equal(widget.age.textContent, "Data is 3 min old");
    }
});

test("a hidden page fetches nothing and does not tick; shown again it fetches once", async () => {
    let now = noon;
    const widget = embedded({ now, at: noon / 1000 + 6000, answer: () => answered(now) });
    await arrive();
    assert.deepEqual([widget.fetched.length, widget.due()], [1, [1, 1]]);
    widget.show(false);
    assert.deepEqual([widget.fetched.length, widget.due()], [1, [0, 0]]);
    widget.clock.now += 600_000;
    now = widget.clock.now;
    widget.show(true);
    await arrive();
    assert.deepEqual([widget.fetched.length, widget.due()], [2, [1, 1]]);
    assert.equal(widget.text.textContent, "1:30:00");
});

test("one picture is fetched at a time, and the next one is due a period later", async () => {
    let send;
    const widget = embedded({ now: noon, at: noon / 1000 + 6000, answer: () => new Promise((done) => { send = done; }) });
    widget.tick(10);
    widget.reload();
    widget.show(false);
    widget.show(true);
    assert.deepEqual([widget.fetched.length, widget.due()], [1, [1, 1]]);
    send(answered(noon + 10_000));
    await arrive();
    widget.reload();
    assert.deepEqual([widget.fetched.length, widget.due()], [2, [1, 1]]);
});

test("the clock of a replay is the service's", () => {
    const then = Date.parse("2018-01-04T23:00:00Z") / 1000;
    const widget = embedded({ now: noon, at: then + 90, answer: offline, data: { made: String(then) } });
    assert.equal(widget.text.textContent, "1:30");
});

test("a clock that is wrong by seconds or by minutes gives way to the service's", async () => {
    for (const wrong of [-50, -12, 12, 300]) {
        const widget = embedded({ now: noon, at: noon / 1000 + 600 - wrong, answer: () => answered(noon - wrong * 1000) });
        await arrive();
        const seconds = widget.text.textContent.split(":").reduce((sum, part) => 60 * sum + Number(part), 0);
        assert.ok(Math.abs(seconds - 600) <= 1, `${wrong}: ${widget.text.textContent}`);
    }
});

test("an answer that a cache has kept is as old as it says", async () => {
    const old = answered(noon, "<svg/>", true, "9");
    const widget = embedded({ now: noon + 9_000, at: noon / 1000 + 600, answer: () => old, data: { made: String(noon / 1000 + 9) } });
    await arrive();
    assert.equal(widget.text.textContent, "9:51");
});

test("the countdown is right to half a second, whatever part of a second the service leaves out", async () => {
    const isShownAs = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
    for (let wrong = -2_000; wrong <= 2_000; wrong += 130) {
        for (const part of [0, 300, 600, 999]) {
            const now = noon + part;
            const served = Math.floor(now / 1000) * 1000;
            const widget = embedded({ now: now + wrong, at: noon / 1000 + 600, answer: () => answered(served), data: { made: String(served / 1000) } });
            await arrive();
            const left = (noon + 600_000 - now) / 1000;
            const allowed = wrong <= -1000 || wrong >= 1000 ? 0.5 : 1;
            assert.ok([left - allowed, left, left + allowed].map(isShownAs).includes(widget.text.textContent),
                `${wrong} ms wrong, ${part}: ${widget.text.textContent} for ${left}`);
        }
    }
});

test("after a sleep a new picture is fetched at once, and what has left is a dash", async () => {
    const widget = embedded({ now: noon, at: noon / 1000 + 30, answer: offline });
    await arrive();
    const before = widget.fetched.length;
    widget.tick(3600);
    assert.equal(widget.fetched.length, before + 1);
    assert.equal(widget.text.textContent, "—");
});

test("a widget that is fetched seldom is not old between two pictures", () => {
    const widget = embedded({ now: noon, at: noon / 1000 + 9000, answer: offline, data: { refresh: "300" } });
    widget.tick(320);
    assert.equal(widget.age.textContent, "");
    widget.tick(400);
    assert.notEqual(widget.age.textContent, "");
});

// Answers to single views: asked again with the board, never in a crowd, and never of another time than is shown.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Clock } from "../../Sources/BridgecastService/Resources/page/core/clock.js";
import { Store } from "../../Sources/BridgecastService/Resources/page/core/store.js";
import { Answers } from "../../Sources/BridgecastService/Resources/page/data/answers.js";
import { NoAnswer, trouble } from "../../Sources/BridgecastService/Resources/page/data/api.js";
import { replaceGlobals, settled } from "./support/fakes.mjs";

const noon = Date.parse("2026-02-20T12:00:00-08:00");

/** A page with answers whose time a test moves. @param {any} t @param {() => number} random */
function createPage(t, random = () => 0) {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    let passed = 0;
    t.mock.method(performance, "now", () => passed);
    const page = { asked: [], board: {}, hear: () => {}, look: () => {}, document: { hidden: false }, drawn: 0 };
    page.document.addEventListener = (name, call) => { page.look = call; };
    replaceGlobals(t, { document: page.document });
    page.clock = new Clock(() => passed);
    page.clock.heardService(noon, 1);
    page.answer = (path) => ({ path });
    const api = { get: async (path) => { page.asked.push({ path, at: passed }); return page.answer(path); } };
    const store = { get state() { return { board: page.board }; }, subscribe: (call) => { page.hear = call; } };
    page.answers = new Answers(api, store, page.clock, random);
    page.follow = (path, following = "board") => page.answers.follow(path, following, () => { page.drawn += 1; });
    page.newBoard = () => { page.board = {}; page.hear(); };
    page.run = async (milliseconds) => {
        for (let done = 0; done < milliseconds; done += 100) {
            passed += 100;
            t.mock.timers.tick(100);
            await settled();
        }
    };
    return page;
}
const failing = (more) => () => { throw new NoAnswer(trouble("status", more)); };

test("an answer is asked once, and again with a new board, two seconds apart at least", async (t) => {
    const page = createPage(t);
    assert.equal(page.answers.read("routes").isLoading, true);
    page.follow("routes");
    page.follow("skill", "once");
    await page.run(5000);
    assert.deepEqual(page.asked.map(({ path }) => path), ["routes", "skill"]);
    for (let n = 0; n < 100; n += 1) {
        page.newBoard();
        await page.run(100);
    }
    const routes = page.asked.filter(({ path }) => path === "routes");
    assert.ok(routes.length >= 5 && routes.length <= 7, `${routes.length} in ten seconds`);
    assert.equal(page.asked.filter(({ path }) => path === "skill").length, 1);
    assert.ok(page.drawn >= routes.length);
});

test("pages ask for a new board one after the other, sooner where a bridge has moved; a page that is looked at asks at once", async (t) => {
    const page = createPage(t, () => 0.5);
    page.follow("routes");
    await page.run(5000);
    page.board = { bridges: [{ state: "raised" }] };
    page.hear();
    await page.run(1400);
    assert.equal(page.asked.length, 1);
    await page.run(200);
    assert.deepEqual(page.asked.map(({ at }) => at), [0, 6500]);
    page.board = { bridges: [{ state: "raised" }] };
    page.hear();
    await page.run(10_000);
    assert.deepEqual(page.asked.map(({ at }) => at), [0, 6500, 16_000]);
    page.document.hidden = true;
    page.newBoard();
    await page.run(5000);
    page.document.hidden = false;
    page.look();
    await page.run(100);
    assert.deepEqual(page.asked.map(({ at }) => at), [0, 6500, 16_000, 21_700]);
});

test("a search of departures is asked at most once a minute of the clock that is shown", async (t) => {
    const page = createPage(t);
    const leave = page.follow("depart", "minute");
    for (let n = 0; n < 9; n += 1) {
        await page.run(20_000);
        page.newBoard();
    }
    assert.equal(page.asked.length, 3, "in three minutes");
    leave();
    page.follow("depart", "minute");
    assert.equal(page.asked.length, 3, "seen again within a minute");
    page.clock.play(noon - 86_400_000, 0);
    page.newBoard();
    await page.run(3000);
    assert.equal(page.asked.length, 4, "another day");
});

test("the same board again, as a page that opens gets it, asks nothing; a bridge that moves does", async (t) => {
    const page = createPage(t);
    page.answer = () => ({ issue_time: "2026-02-20T12:00:00-08:00" });
    page.newBoard = (time) => { page.board = { issue_time: time }; page.hear(); };
    page.follow("routes");
    for (let n = 0; n < 3; n += 1) {
        await page.run(1000);
        page.newBoard("2026-02-20T12:00:00-08:00");
    }
    await page.run(5000);
    assert.equal(page.asked.length, 1);
    page.newBoard("2026-02-20T12:00:09-08:00");
    await page.run(3000);
    assert.equal(page.asked.length, 2);
});

test("what was refused together is not asked again together, and not before its time", async (t) => {
    const page = createPage(t);
    page.answer = failing({ status: 429, retryAfterSeconds: 5 });
    for (let n = 0; n < 6; n += 1) page.follow(`question${n}`);
    await page.run(4900);
    assert.equal(page.asked.length, 6);
    // A view that is left and entered does not ask earlier.
    page.follow("question0")();
    page.follow("question0");
    assert.equal(page.asked.length, 6);
    page.answer = (path) => ({ path });
    await page.run(6000);
    const again = page.asked.slice(6);
    assert.equal(again.length, 6);
    for (let n = 1; n < again.length; n += 1) assert.ok(again[n].at - again[n - 1].at >= 600, "they are apart");
    assert.equal(page.answers.read("question5").trouble, null);
});

test("what the visitor has to mend is not asked again until an earlier time is shown", async (t) => {
    const page = createPage(t);
    page.answer = failing({ status: 422 });
    page.follow("depart");
    await page.run(1000);
    page.newBoard();
    await page.run(100_000);
    assert.equal(page.asked.length, 1);
    page.clock.play(noon - 3_600_000, 0);
    page.newBoard();
    await page.run(3000);
    assert.equal(page.asked.length, 2);
});

test("a hidden page asks nothing, and asks again for what failed when it is seen", async (t) => {
    const page = createPage(t);
    page.follow("routes");
    await settled();
    page.answer = failing({ status: 503 });
    page.newBoard();
    await page.run(2500);
    assert.equal(page.asked.length, 2);
    page.document.hidden = true;
    page.newBoard();
    await page.run(300_000);
    assert.equal(page.asked.length, 2);
    page.answer = (path) => ({ path });
    page.document.hidden = false;
    page.look();
    await page.run(2500);
    assert.equal(page.asked.length, 3);
    assert.equal(page.answers.read("routes").trouble, null);
});

test("a question without followers rests, and is asked again by the next one", async (t) => {
    const page = createPage(t);
    const leave = page.follow("routes");
    await settled();
    page.answer = failing({ status: 503 });
    page.newBoard();
    await page.run(2500);
    leave();
    await page.run(60_000);
    assert.equal(page.asked.length, 2);
    page.answer = (path) => ({ path, isNew: true });
    page.follow("routes");
    page.newBoard();
    await page.run(3000);
    assert.equal(page.answers.read("routes").value.isNew, true);
});

test("a past day shows no answer that was known later", async (t) => {
    const page = createPage(t);
    page.follow("routes");
    await settled();
    assert.equal(page.answers.read("routes").value.path, "routes");
    page.clock.play(noon - 86_400_000, 0);
    assert.deepEqual(page.answers.read("routes"), { value: null, trouble: null, isLoading: true });
    page.newBoard();
    await page.run(3000);
    assert.equal(page.answers.read("routes").value.path, "routes?issue_time=2026-02-19T12%3A00%3A00-08%3A00");
    page.clock.play(noon - 90_000_000, 0);
    assert.equal(page.answers.read("routes").value, null, "an hour earlier it was not known");
    page.answer = failing({ status: 503 });
    page.newBoard();
    await page.run(3000);
    assert.equal(page.answers.read("routes").value, null);
    assert.equal(page.answers.read("routes").trouble.status, 503);
    page.clock.leavePlay();
    assert.equal(page.answers.read("routes").value, null, "a past day's answer is not today's");
});

test("answers that are kept are bounded, and none that is followed goes", async (t) => {
    const page = createPage(t);
    page.follow("kept");
    for (let n = 0; n < 300; n += 1) page.follow(`routes?${n}`)();
    await settled();
    assert.equal(page.answers.read("kept").value.path, "kept");
    assert.equal(page.answers.read("routes?0").value, null);
    assert.equal(page.answers.read("routes?299").value.path, "routes?299");
});

test("the store notifies once a frame, also a page that was hidden meanwhile", (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const frames = [];
    const fakes = { document: { hidden: false }, requestAnimationFrame: (call) => frames.push(call) };
    replaceGlobals(t, fakes);
    const store = new Store(0, (state, action) => state + action);
    const heard = [];
    const leave = store.subscribe(() => heard.push(store.state));
    store.dispatch(1);
    store.dispatch(1);
    store.dispatch(0);
    assert.equal(frames.length, 1);
    frames.pop()();
    assert.deepEqual(heard, [2]);
    store.dispatch(1);
    fakes.document.hidden = true;
    store.dispatch(1);
    t.mock.timers.tick(100);
    assert.deepEqual(heard, [2, 4]);
    leave();
    store.dispatch(1);
    t.mock.timers.tick(100);
    assert.deepEqual(heard, [2, 4]);
});

// Answers to single views: asked again with the board, never in a crowd, and never of another time than is shown.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createClock } from "../../Sources/BridgecastService/Resources/page/core/clock.js";
import { createStore } from "../../Sources/BridgecastService/Resources/page/core/store.js";
import { createAnswers } from "../../Sources/BridgecastService/Resources/page/data/answers.js";
import { NoAnswer, trouble } from "../../Sources/BridgecastService/Resources/page/data/api.js";
import { settled } from "./support/fakes.mjs";

const noon = Date.parse("2026-02-20T12:00:00-08:00");

/** A page with answers whose time a test moves. @param {any} t */
function createDesk(t) {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    let passed = 0;
    t.mock.method(performance, "now", () => passed);
    const desk = { asked: [], board: {}, hear: () => {}, look: () => {}, document: { hidden: false }, drawn: 0 };
    desk.document.addEventListener = (name, call) => { desk.look = call; };
    const before = Object.getOwnPropertyDescriptor(globalThis, "document");
    Object.defineProperty(globalThis, "document", { value: desk.document, configurable: true });
    t.after(() => before ? Object.defineProperty(globalThis, "document", before) : delete globalThis.document);
    desk.clock = createClock(() => passed);
    desk.clock.heardService(noon, 1);
    desk.answer = (path) => ({ path });
    const api = { get: async (path) => { desk.asked.push({ path, at: passed }); return desk.answer(path); } };
    const store = { get state() { return { board: desk.board }; }, subscribe: (call) => { desk.hear = call; } };
    desk.answers = createAnswers(api, store, desk.clock);
    desk.follow = (path, following = "board") => desk.answers.follow(path, following, () => { desk.drawn += 1; });
    desk.newBoard = () => { desk.board = {}; desk.hear(); };
    desk.run = async (milliseconds) => {
        for (let done = 0; done < milliseconds; done += 100) {
            passed += 100;
            t.mock.timers.tick(100);
            await settled();
        }
    };
    return desk;
}
const failing = (more) => () => { throw new NoAnswer(trouble("status", more)); };

test("an answer is asked once, and again with a new board, two seconds apart at least", async (t) => {
    const desk = createDesk(t);
    assert.equal(desk.answers.read("routes").isLoading, true);
    desk.follow("routes");
    desk.follow("skill", "once");
    await desk.run(5000);
    assert.deepEqual(desk.asked.map(({ path }) => path), ["routes", "skill"]);
    for (let n = 0; n < 100; n += 1) {
        desk.newBoard();
        await desk.run(100);
    }
    const routes = desk.asked.filter(({ path }) => path === "routes");
    assert.ok(routes.length >= 5 && routes.length <= 7, `${routes.length} in ten seconds`);
    assert.equal(desk.asked.filter(({ path }) => path === "skill").length, 1);
    assert.ok(desk.drawn >= routes.length);
});

test("what was refused together is not asked again together, and not before its time", async (t) => {
    const desk = createDesk(t);
    desk.answer = failing({ status: 429, retryAfterSeconds: 5 });
    for (let n = 0; n < 6; n += 1) desk.follow(`question${n}`);
    await desk.run(4900);
    assert.equal(desk.asked.length, 6);
    // A view that is left and entered does not ask earlier.
    desk.follow("question0")();
    desk.follow("question0");
    assert.equal(desk.asked.length, 6);
    desk.answer = (path) => ({ path });
    await desk.run(6000);
    const again = desk.asked.slice(6);
    assert.equal(again.length, 6);
    for (let n = 1; n < again.length; n += 1) assert.ok(again[n].at - again[n - 1].at >= 600, "they are apart");
    assert.equal(desk.answers.read("question5").trouble, null);
});

test("what the visitor has to mend is not asked again until an earlier time is shown", async (t) => {
    const desk = createDesk(t);
    desk.answer = failing({ status: 422 });
    desk.follow("depart");
    await desk.run(1000);
    desk.newBoard();
    await desk.run(100_000);
    assert.equal(desk.asked.length, 1);
    desk.clock.play(noon - 3_600_000, 0);
    desk.newBoard();
    await desk.run(3000);
    assert.equal(desk.asked.length, 2);
});

test("a hidden page asks nothing; what failed meanwhile is asked when it is seen again", async (t) => {
    const desk = createDesk(t);
    desk.follow("routes");
    await settled();
    desk.answer = failing({ status: 503 });
    desk.newBoard();
    await desk.run(2500);
    assert.equal(desk.asked.length, 2);
    desk.document.hidden = true;
    desk.newBoard();
    await desk.run(300_000);
    assert.equal(desk.asked.length, 2);
    desk.answer = (path) => ({ path });
    desk.document.hidden = false;
    desk.look();
    await desk.run(2500);
    assert.equal(desk.asked.length, 3);
    assert.equal(desk.answers.read("routes").trouble, null);
});

test("a question that nobody follows rests, and is asked again by whoever comes", async (t) => {
    const desk = createDesk(t);
    const leave = desk.follow("routes");
    await settled();
    desk.answer = failing({ status: 503 });
    desk.newBoard();
    await desk.run(2500);
    leave();
    await desk.run(60_000);
    assert.equal(desk.asked.length, 2);
    desk.answer = (path) => ({ path, isNew: true });
    desk.follow("routes");
    desk.newBoard();
    await desk.run(3000);
    assert.equal(desk.answers.read("routes").value.isNew, true);
});

test("what was known later, or in another time, is not shown at the moment of a past day", async (t) => {
    const desk = createDesk(t);
    desk.follow("routes");
    await settled();
    assert.equal(desk.answers.read("routes").value.path, "routes");
    desk.clock.play(noon - 86_400_000, 0);
    assert.deepEqual(desk.answers.read("routes"), { value: null, trouble: null, isLoading: true });
    desk.newBoard();
    await desk.run(3000);
    assert.equal(desk.answers.read("routes").value.path, "routes?issue_time=2026-02-19T12%3A00%3A00-08%3A00");
    desk.clock.play(noon - 90_000_000, 0);
    assert.equal(desk.answers.read("routes").value, null, "an hour earlier nobody knew it");
    desk.answer = failing({ status: 503 });
    desk.newBoard();
    await desk.run(3000);
    assert.equal(desk.answers.read("routes").value, null);
    assert.equal(desk.answers.read("routes").trouble.status, 503);
    desk.clock.leavePlay();
    assert.equal(desk.answers.read("routes").value, null, "a past day's answer is not today's");
});

test("answers that are kept are bounded, and none that is followed goes", async (t) => {
    const desk = createDesk(t);
    desk.follow("kept");
    for (let n = 0; n < 300; n += 1) desk.follow(`routes?${n}`)();
    await settled();
    assert.equal(desk.answers.read("kept").value.path, "kept");
    assert.equal(desk.answers.read("routes?0").value, null);
    assert.equal(desk.answers.read("routes?299").value.path, "routes?299");
});

test("the store tells once a frame, and a page that was hidden before its frame came is told too", (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const frames = [];
    const fakes = { document: { hidden: false }, requestAnimationFrame: (call) => frames.push(call) };
    for (const [name, value] of Object.entries(fakes)) {
        const before = Object.getOwnPropertyDescriptor(globalThis, name);
        Object.defineProperty(globalThis, name, { value, configurable: true });
        t.after(() => before ? Object.defineProperty(globalThis, name, before) : delete globalThis[name]);
    }
    const store = createStore(0, (state, action) => state + action);
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

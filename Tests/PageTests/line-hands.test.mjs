// What hands do to the live line: drag, two fingers, wheel and keys, and what is under a point of the picture.
import assert from "node:assert/strict";
import { test } from "node:test";
import { lineMap, sceneOf } from "./support/canvas.mjs";
import { project } from "../../Sources/BridgecastService/Resources/page/line/camera.js";
import { followHands } from "../../Sources/BridgecastService/Resources/page/line/gestures.js";
import { layOut } from "../../Sources/BridgecastService/Resources/page/line/layout.js";
import { findAt } from "../../Sources/BridgecastService/Resources/page/line/pointing.js";
import { replaceGlobals } from "./support/fakes.mjs";

/** A picture of 400 by 300 whose corner is at 100, 50, and what hands did to it. */
function held(t) {
    const heard = new Map();
    const done = [];
    const frame = {
        addEventListener: (name, hear) => heard.set(name, hear), removeEventListener: (name) => heard.delete(name),
        setPointerCapture() {}, getBoundingClientRect: () => ({ left: 100, top: 50 }),
    };
    const names = ["take", "drag", "release", "press", "zoom", "shift", "reset", "point", "choose"];
    const hands = Object.fromEntries(names.map((name) => [name, (...given) => done.push([name, ...given])]));
    const leave = followHands(frame, hands);
    const page = { activeElement: null };
    replaceGlobals(t, { document: page });
    const send = (name, event = {}) => {
        const own = {
            button: 0, pointerId: 1, clientX: 0, clientY: 0, isPrevented: false, ...event,
            preventDefault() { own.isPrevented = true; },
        };
        heard.get(name)(own);
        return own.isPrevented;
    };
    const at = (x, y, pointerId = 1) => ({ clientX: 100 + x, clientY: 50 + y, pointerId });
    return { done, frame, heard, leave, page, send, at };
}

test("a drag is reported by its steps, and a click only where the hand hardly moved", (t) => {
    const { done, send, at } = held(t);
    send("pointerdown", at(10, 10));
    send("pointermove", at(30, 5));
    send("pointerup", at(30, 5));
    assert.deepEqual(done.splice(0), [["take"], ["drag", 20, -5], ["release"]]);
    send("pointerdown", at(50, 60));
    send("pointermove", at(52, 61));
    send("pointerup", at(52, 61));
    assert.deepEqual(done.splice(0).at(-1), ["choose", { x: 52, y: 61 }]);
    send("pointerdown", at(50, 60));
    send("pointercancel", at(50, 60));
    assert.deepEqual(done.splice(0).map(([name]) => name), ["take", "release"], "what is cancelled is no click");
    send("pointerdown", { ...at(1, 1), button: 2 });
    assert.deepEqual(done, []);
});

test("a hand that holds nothing points, and does not where it has left", (t) => {
    const { done, send, at } = held(t);
    send("pointermove", at(7, 8));
    send("pointerleave");
    assert.deepEqual(done, [["point", { x: 7, y: 8 }], ["point", null]]);
});

test("two fingers zoom about their middle and shift by half of what one moves, and are no click", (t) => {
    const { done, send, at } = held(t);
    send("pointerdown", at(100, 100, 1));
    send("pointerdown", at(200, 100, 2));
    send("pointermove", at(300, 100, 2));
    assert.deepEqual(done, [["take"], ["zoom", 2, { x: 200, y: 100 }], ["shift", 50, 0]]);
    send("pointerup", at(300, 100, 2));
    send("pointerup", at(100, 100, 1));
    assert.deepEqual(done.slice(3), [["release"]]);
});

test("the wheel zooms a picture that was chosen and scrolls the page otherwise; a pinch on a touchpad always zooms", (t) => {
    const { done, frame, page, send, at } = held(t);
    assert.equal(send("wheel", { ...at(9, 9), deltaY: -100, ctrlKey: false }), false);
    assert.deepEqual(done, []);
    page.activeElement = frame;
    assert.equal(send("wheel", { ...at(9, 9), deltaY: -100, ctrlKey: false }), true);
    assert.equal(send("wheel", { ...at(9, 9), deltaY: 100, ctrlKey: false }), true);
    page.activeElement = null;
    assert.equal(send("wheel", { ...at(9, 9), deltaY: -10, ctrlKey: true }), true);
    const [nearer, farther, pinched] = done.map(([, factor]) => factor);
    assert.ok(nearer > 1.1 && Math.abs(nearer * farther - 1) < 1e-9 && pinched > 1);
    assert.deepEqual(done[0][2], { x: 9, y: 9 }, "about where the pointer is");
});

test("keys turn, zoom and show all of it, but not with Ctrl and not in what lies in the picture", (t) => {
    const { done, frame, send } = held(t);
    const press = (key, more = {}) => send("keydown", { key, target: frame, ...more });
    for (const key of ["ArrowLeft", "ArrowDown", "+", "-", "Escape", "0"]) assert.equal(press(key), true, key);
    assert.deepEqual(done.map(([name]) => name), ["press", "press", "zoom", "zoom", "reset", "reset"]);
    assert.deepEqual([done[0].slice(1), done[1].slice(1)], [[-1, 0], [0, 1]]);
    assert.ok(done[2][1] > 1 && done[3][1] < 1);
    for (const more of [{ ctrlKey: true }, { altKey: true }, { metaKey: true }, { target: {} }]) {
        assert.equal(press("+", more), false);
    }
    assert.equal(press("x"), false);
    assert.equal(done.length, 6);
});

test("a picture that is gone hears nothing", (t) => {
    const { heard, leave } = held(t);
    assert.ok(heard.size >= 7);
    leave();
    assert.equal(heard.size, 0);
});

test("under a point is a vehicle before a stop, and a stop before a line; stops of faint lines cannot be chosen", () => {
    const layout = layOut([lineMap("bus"), lineMap("bus", "2")]);
    const scene = sceneOf({}, layout);
    const [line] = layout.lines;
    const own = line.stops.find(({ ids }) => ids.includes("s1"));
    const stop = project(scene.camera, own.x, 0, own.z);
    const vehicles = [{ id: "near", x: stop.x + 5, y: stop.y }, { id: "far", x: stop.x + 20, y: stop.y }];
    assert.deepEqual(findAt(stop, scene, vehicles), { kind: "vehicle", id: "near" });
    assert.deepEqual(findAt(stop, scene, [{ id: "away", x: stop.x + 90, y: stop.y }]), { kind: "stop", id: "s1" });
    const [first, next] = [0.3, 0.4].map((share) => {
        const { curve } = line.ways[0];
        const [a, b] = [curve[0], curve.at(-1)];
        return project(scene.camera, a.x + (b.x - a.x) * share, 0, a.z + (b.z - a.z) * share);
    });
    const between = { x: (first.x + next.x) / 2, y: (first.y + next.y) / 2 };
    assert.deepEqual(findAt(between, { ...scene, layout: { ...layout, lines: [line] } }, []), { kind: "line", id: "100511" });
    assert.equal(findAt({ x: 5, y: 5 }, scene, []), null);
    assert.notEqual(findAt(stop, { ...scene, alone: "3" }, [])?.kind, "stop");
});

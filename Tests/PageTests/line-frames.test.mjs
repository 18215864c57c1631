// How often the live line is painted, on a screen that a slow machine misses now and then.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Frames } from "../../Sources/BridgecastService/Resources/page/line/frames.js";

const screenMilliseconds = 1000 / 60;

/**
 * The frames that are drawn in ten seconds.
 * @param {(frame: number) => boolean} isMissed which frames of the screen come to nothing
 * @param {number} [perSecond] that are wanted
 */
function framesOf(isMissed, perSecond = 30) {
    const kept = {};
    const screen = { waiting: null };
    const fakes = {
        requestAnimationFrame: (act) => { screen.waiting = act; return 1; },
        cancelAnimationFrame: () => { screen.waiting = null; },
        IntersectionObserver: class {
            constructor(hear) { this.hear = hear; }
            observe() { this.hear([{ isIntersecting: true }]); }
            disconnect() {}
        },
        document: { hidden: false, addEventListener() {}, removeEventListener() {} },
    };
    for (const name of Object.keys(fakes)) kept[name] = globalThis[name];
    Object.assign(globalThis, fakes);
    try {
        const drawn = [];
        const frames = new Frames({}, (time) => { drawn.push(time); return 0; });
        frames.minPause = 1000 / perSecond;
        frames.open();
        for (let n = 0; n < 600; n += 1) {
            const act = screen.waiting;
            if (!act || isMissed(n)) continue;
            screen.waiting = null;
            act(n * screenMilliseconds);
        }
        frames.close();
        return drawn;
    } finally {
        Object.assign(globalThis, kept);
    }
}

test("thirty frames in a second are kept where the screen's frames are missed now and then", () => {
    assert.equal(framesOf(() => false).length, 300);
    assert.ok(framesOf((n) => n % 7 === 0).length >= 295, "every seventh");
    assert.ok(framesOf((n) => n % 10 < 2).length >= 275, "two in a row");
    assert.equal(framesOf(() => false, 60).length, 600);
});

test("after a long pause frames are not made up for", () => {
    const drawn = framesOf((n) => n > 100 && n < 400);
    const after = drawn.filter((time) => time >= 400 * screenMilliseconds);
    assert.ok(Math.abs(after.length - 100) <= 1, `${after.length} frames in 200 of the screen`);
});

// A page in a browser that tests move by hand: live part, store and clock are real; timers, network and stream are not.
import { Clock } from "../../../Sources/BridgecastService/Resources/page/core/clock.js";
import { Live } from "../../../Sources/BridgecastService/Resources/page/data/live.js";
import { reduce } from "../../../Sources/BridgecastService/Resources/page/core/store.js";
import { replaceGlobals, settled } from "./fakes.mjs";

/** A stream of events that a test says. */
class Stream {
    listeners = new Map();
    isClosed = false;
    addEventListener(name, call) { this.listeners.set(name, call); }
    close() { this.isClosed = true; }
    say(name, data) { this.listeners.get(name)?.({ data: JSON.stringify(data) }); }
}

/**
 * @param {any} t the test, which puts the globals back
 * @param {() => any} answer what the service answers
 */
export function createPage(t, answer) {
    t.mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
    let passed = 0;
    const page = { streams: [], asked: [], pageListeners: new Map(), actions: [] };
    const listen = (name, call) => page.pageListeners.set(name, call);
    const fakes = {
        document: { hidden: false, addEventListener: listen }, addEventListener: listen, navigator: { onLine: true },
        EventSource: class extends Stream { constructor() { super(); page.streams.push(this); } },
    };
    replaceGlobals(t, fakes);
    t.mock.method(performance, "now", () => passed);
    t.mock.method(Date, "now", () => 1.7e12 + passed + (page.slept ?? 0));
    page.document = fakes.document;
    page.store = {
        state: {
            board: null, trouble: null, nextTryAt: null, isOnline: true, replay: null,
            address: { view: "now", values: {} }, preferences: { pinned: [], watched: [], watchedDown: [] },
        },
        dispatch(action) { page.actions.push(action); this.state = reduce(this.state, action); },
    };
    page.clock = new Clock(() => passed);
    page.answer = answer;
    const api = { getOrKept: async (path) => { page.asked.push({ path, at: passed }); return page.answer(); } };
    page.live = new Live(api, page.store, page.clock);
    page.run = async (milliseconds) => {
        for (let done = 0; done < milliseconds; done += 100) {
            passed += 100;
            t.mock.timers.tick(100);
            await settled();
        }
    };
    return page;
}

// A page that replays a day: the real store, clock and player before a service that tests make up.
import { Clock } from "../../../Sources/BridgecastService/Resources/page/core/clock.js";
import { NoAnswer } from "../../../Sources/BridgecastService/Resources/page/data/api.js";
import { reduce } from "../../../Sources/BridgecastService/Resources/page/core/store.js";
import { PlayedMoment } from "../../../Sources/BridgecastService/Resources/page/data/played-address.js";
import { Replay } from "../../../Sources/BridgecastService/Resources/page/data/replay.js";
import { boardAt, createTimeline } from "./fakes.mjs";

export const openedAt = "2026-02-20T18:02:20-08:00";
export const closedAt = "2026-02-20T18:05:50-08:00";

/** A service at noon of 21 February whose records know one opening of the day before. */
export function createWorld({ address = {}, isStepped = false, isSet = true, storage = null } = {}) {
    const timeline = createTimeline();
    const clock = new Clock(timeline.elapsed);
    const world = {
        timeline, clock, asked: [], shownBoards: [], changes: [], isFailing: null, isEmpty: false, retried: 0,
        delay: 20, busy: 0, maxBusy: 0,
    };
    world.store = createStore(world, address);
    world.api = { get: (path) => answer(world, path) };
    world.router = { change: (changes, how = {}) => changeAddress(world, changes, how) };
    world.live = { retry() { world.retried += 1; }, pause() {} };
    world.replay = new Replay({
        api: world.api, store: world.store, clock, live: world.live, router: world.router,
        elapsed: timeline.elapsed, wait: timeline.wait, isStepped: () => isStepped,
        moment: new PlayedMoment(storage),
    });
    if (isSet) clock.heardService(Date.parse("2026-02-21T12:00:00-08:00"), 1);
    world.bridge = () => world.store.state.board?.bridges.find((bridge) => bridge.bridge_id === 2);
    return world;
}

/** A store that notifies at once. */
function createStore(world, values) {
    const listeners = new Set();
    return {
        state: {
            board: null, trouble: null, nextTryAt: null, isOnline: true, replay: null,
            address: { view: "now", values }, preferences: {},
        },
        dispatch(action) {
            this.state = reduce(this.state, action);
            if (action.type === "board") world.shownBoards.push([world.clock.now(), action.board]);
            for (const listener of [...listeners]) listener();
        },
        subscribe(listener) { listeners.add(listener); return () => listeners.delete(listener); },
    };
}

/** What the service answers to a question for a board or a day, after a while. */
async function answer(world, path) {
    const { timeline } = world;
    world.asked.push({ at: timeline.elapsed(), path });
    world.busy += path.startsWith("bridges") ? 1 : 0;
    world.maxBusy = Math.max(world.maxBusy, world.busy);
    await new Promise((resolve) => timeline.wait(resolve, world.delay));
    world.busy -= path.startsWith("bridges") ? 1 : 0;
    if (world.isFailing) throw new NoAnswer(world.isFailing);
    if (path.startsWith("days/")) return day(path.slice(5, 15), world.isEmpty);
    const time = new URLSearchParams(path.slice(path.indexOf("?"))).get("issue_time");
    const isUp = Date.parse(time) >= Date.parse(openedAt) && Date.parse(time) < Date.parse(closedAt);
    return boardAt(time, { 2: isUp });
}

function changeAddress(world, changes, how) {
    const values = { ...world.store.state.address.values };
    for (const [name, value] of Object.entries(changes)) {
        if (value === null) delete values[name]; else values[name] = value;
    }
    world.changes.push({ ...changes, isReplaced: how.isReplaced ?? false });
    world.store.dispatch({ type: "address", address: { view: "now", values } });
}

function day(date, isEmpty) {
    const from = `${date}T00:00:00-08:00`;
    const to = new Date(Date.parse(from) + 86_400_000).toISOString();
    return {
        date, from, to, covered: !isEmpty, sources: [],
        bridges: [{
            bridge: "Ballard", bridge_id: 2, coverage: isEmpty ? [] : [{ from, to }],
            openings: isEmpty ? [] : [{ opened_at: openedAt, closed_at: closedAt }],
        }],
    };
}

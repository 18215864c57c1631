// The page's state in one place: actions change it through a pure function, listeners hear of it once a frame.

/** @template S, A */
export class Store {
    #state;
    #reduce;
    #isNotified = true;
    /** @type {Set<() => void>} */
    #listeners = new Set();

    /**
     * @param {S} initial
     * @param {(state: S, action: A) => S} reduce a pure function
     */
    constructor(initial, reduce) {
        this.#state = initial;
        this.#reduce = reduce;
    }

    get state() { return this.#state; }

    /** @param {A} action */
    dispatch(action) {
        const next = this.#reduce(this.#state, action);
        if (next === this.#state) return;
        this.#state = next;
        const isScheduled = !this.#isNotified;
        this.#isNotified = false;
        const notify = () => this.#notify();
        // A hidden page has no frames, also none that it has asked for, and its title still changes.
        if (document.hidden) setTimeout(notify, 50);
        else if (!isScheduled) requestAnimationFrame(notify);
    }

    /** @param {() => void} listener @returns {() => void} ends it */
    subscribe(listener) {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
    }

    #notify() {
        if (this.#isNotified) return;
        this.#isNotified = true;
        for (const listener of [...this.#listeners]) listener();
    }
}

/** @typedef {import("./types").State} State */
/** @typedef {import("./types").Action} Action */

/** @param {State} state @param {Action} action @returns {State} */
export function reduce(state, action) {
    switch (action.type) {
        case "board":
            return { ...state, board: action.board };
        case "bridge":
            return state.board ? { ...state, board: withBridge(state.board, action) } : state;
        case "sources":
            return state.board ? { ...state, board: { ...state.board, sources: action.sources } } : state;
        case "trouble":
            if (state.trouble === null && action.trouble === null) return state;
            return { ...state, trouble: action.trouble, nextTryAt: action.nextTryAt };
        case "online":
            return state.isOnline === action.isOnline ? state : { ...state, isOnline: action.isOnline };
        case "address":
            return { ...state, address: action.address };
        case "replay":
            return { ...state, replay: action.replay };
        case "refused":
            return { ...state, refused: action.refused };
        case "line":
            return { ...state, line: action.line };
        case "preferences":
            return { ...state, preferences: { ...state.preferences, ...action.preferences } };
    }
}

/**
 * A bridge has moved: its state is known before the next forecast is.
 * @param {import("./types").Board} board
 * @param {Extract<Action, { type: "bridge" }>} moved
 */
function withBridge(board, moved) {
    return {
        ...board,
        bridges: board.bridges.map((bridge) => bridge.bridge_id === moved.bridgeId
            ? { ...bridge, state: moved.state, since: moved.since } : bridge),
    };
}

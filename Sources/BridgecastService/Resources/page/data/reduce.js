// How the state answers to an action: a pure function, the same for live, played and kept boards. Used by the store.

/** @typedef {import("../core/types").State} State */
/** @typedef {import("../core/types").Action} Action */

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
        case "preferences":
            return { ...state, preferences: { ...state.preferences, ...action.preferences } };
    }
}

/**
 * A bridge has moved: its state is known before the next forecast is.
 * @param {import("../core/types").Board} board
 * @param {Extract<Action, { type: "bridge" }>} moved
 */
function withBridge(board, moved) {
    return {
        ...board,
        bridges: board.bridges.map((bridge) => bridge.bridge_id === moved.bridgeId
            ? { ...bridge, state: moved.state, since: moved.since } : bridge),
    };
}

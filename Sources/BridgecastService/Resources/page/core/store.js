// The one place of the page's state: actions go in, listeners hear of a change once a frame. Used by main.js.

/**
 * @template S, A
 * @param {S} initial
 * @param {(state: S, action: A) => S} reduce a pure function
 */
export function createStore(initial, reduce) {
    let state = initial;
    let isTold = true;
    /** @type {Set<() => void>} */
    const listeners = new Set();

    function tell() {
        if (isTold) return;
        isTold = true;
        for (const listener of [...listeners]) listener();
    }

    return {
        get state() { return state; },
        /** @param {A} action */
        dispatch(action) {
            const next = reduce(state, action);
            if (next === state) return;
            state = next;
            const isAsked = !isTold;
            isTold = false;
            // A hidden page has no frames, also none that it has asked for, and its title still changes.
            if (document.hidden) setTimeout(tell, 50);
            else if (!isAsked) requestAnimationFrame(tell);
        },
        /** @param {() => void} listener @returns {() => void} ends it */
        subscribe(listener) {
            listeners.add(listener);
            return () => listeners.delete(listener);
        },
    };
}

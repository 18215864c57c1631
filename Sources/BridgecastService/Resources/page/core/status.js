// The status of what is shown, for components: drawn again when its kind changes, not each second. Used by views.
import { useState } from "../vendor/preact.js";
import { statusOf } from "../model/status.js";
import { useApp, useSelected, useTick } from "./app.js";

const checkMilliseconds = 1_000;

/**
 * How far the board can be trusted now. Its age is that of the last drawing: what shows an age ticks by itself.
 * @returns {import("../model/status.js").Status}
 */
export function useStatus() {
    const { store, clock } = useApp();
    const [, redraw] = useState(0);
    useSelected((state) => state.board);
    useSelected((state) => state.replay);
    const status = statusOf(store.state, clock.now(), clock.rate);
    useTick(checkMilliseconds, () => {
        if (statusOf(store.state, clock.now(), clock.rate).kind !== status.kind) {
            redraw((/** @type {number} */ n) => n + 1);
        }
    }, [status.kind]);
    return status;
}

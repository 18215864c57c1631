// What components of the journal share: the journal itself, parts of it that are read on their own, and what is forecast now.
import { useEffect, useRef, useState } from "../vendor/preact.js";
import { useApp, useRedraw } from "../core/hooks.js";
import { refreshSeconds } from "../data/adaptive-refresh.js";
import { NoAnswer, trouble, troubleOf } from "../data/api.js";
import { networkCondition } from "../data/network.js";
import { Refresher } from "../data/refresher.js";

/** @typedef {import("../core/types").Trouble} Trouble */
/** @typedef {import("./session.js").MeSession} MeSession */
/**
 * @template T
 * @typedef {{ value: T | null, trouble: Trouble | null }} Read the last good value, and why there is no newer one
 */

/**
 * Moves the focus once all is drawn: to the first of some elements that is there and can be used.
 * @param {string[]} ids
 */
export function focusOn(...ids) {
    setTimeout(() => ids.map((id) => document.getElementById(id))
        .find((found) => found && !found.matches(":disabled"))?.focus());
}

/**
 * Moves the focus to what is drawn only once a value has changed.
 * @param {unknown} value
 * @returns {(id: string) => void} where to, after the next change
 */
export function useFocusAfter(value) {
    const wanted = useRef(/** @type {string | null} */ (null));
    useEffect(() => {
        if (wanted.current !== null) focusOn(wanted.current);
        wanted.current = null;
    }, [value]);
    return (id) => { wanted.current = id; };
}

/** @param {MeSession} me draws the component again with each change of it */
export function useMe(me) {
    const redraw = useRedraw();
    useEffect(() => me.subscribe(redraw), [me]);
}

/**
 * A part of the journal, read again after each change.
 * @template T
 * @param {MeSession} me @param {string} path @param {(document: any) => T | null} read
 * @returns {Read<T>}
 */
export function useMine(me, path, read) {
    const [known, setKnown] = useState(/** @type {Read<T>} */ ({ value: null, trouble: null }));
    useEffect(() => {
        let isWanted = true;
        me.read(path, read).then(
            (value) => { if (isWanted) setKnown({ value, trouble: null }); },
            (error) => { if (isWanted) setKnown((before) => ({ ...before, trouble: troubleOf(error) })); });
        return () => { isWanted = false; };
    }, [me, path, me.revision]);
    return known;
}

/**
 * An answer that needs no token, asked for again at a favourite's interval: sooner before its departure, later on a bad
 * network.
 * @template T
 * @param {string} path
 * @param {Pick<import("../data/me-answers.js").Favourite, "refresh" | "leaveBy">} favourite
 * @param {(document: any) => T | null} read
 * @returns {Read<T> & { at: number | null, isLoading: boolean, refresh: () => void }} at: by the service's clock
 */
export function useRefreshed(path, { refresh: minutes, leaveBy }, read) {
    const { api, clock } = useApp();
    const [known, setKnown] = useState(
        /** @type {Read<T> & { at: number | null, isLoading: boolean }} */ (
            { value: null, trouble: null, at: null, isLoading: false }));
    const refresher = useRef(/** @type {Refresher | null} */ (null));
    useEffect(() => {
        const leaving = new AbortController();
        /** @param {Partial<typeof known>} changes */
        const show = (changes) => { if (!leaving.signal.aborted) setKnown((before) => ({ ...before, ...changes })); };
        const own = new Refresher(async () => {
            show({ isLoading: true });
            try {
                const value = read(await api.get(path, leaving.signal));
                if (value === null) throw new NoAnswer(trouble("not_json"));
                show({ value, trouble: null, at: clock.serviceNow(), isLoading: false });
            } catch (error) {
                // The last good value stays.
                show({ trouble: troubleOf(error), isLoading: false });
            }
        }, () => refreshSeconds(minutes === 0 ? null : minutes * 60,
            leaveBy === null ? null : (leaveBy - clock.serviceNow()) / 1000, networkCondition()));
        refresher.current = own;
        own.open();
        return () => {
            own.close();
            leaving.abort();
        };
    }, [path, minutes, leaveBy]);
    return { ...known, refresh: () => refresher.current?.refresh() };
}

// What components of the journal share: the journal itself, parts of it that are read on their own, and what is forecast now.
import { useEffect, useRef, useState } from "../vendor/preact.js";
import { useApp, useRedraw } from "../core/hooks.js";
import { trouble as troubleWith, troubleOf } from "../data/api.js";

/** @typedef {import("../core/types").Trouble} Trouble */
/** @typedef {import("./session.js").MeSession} MeSession */
/**
 * @template T
 * @typedef {{ value: T | null, trouble: Trouble | null }} Read the last good value, and why there is no newer one
 */

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

const minutes = 60_000;

/**
 * An answer that needs no token, asked for at an interval: not while the page is hidden, and one question at a time.
 * @template T
 * @param {string} path @param {number} everyMinutes 0 for only when asked
 * @param {(document: any) => T | null} read
 * @returns {Read<T> & { at: number | null, isLoading: boolean, refresh: () => void }} at: by the service's clock
 */
export function useRefreshed(path, everyMinutes, read) {
    const { api, clock } = useApp();
    const [known, setKnown] = useState(
        /** @type {Read<T> & { at: number | null }} */ ({ value: null, trouble: null, at: null }));
    const [isLoading, setLoading] = useState(false);
    const asking = useRef({ isOn: false, at: -Infinity, isGone: false });

    async function refresh() {
        const own = asking.current;
        if (own.isOn || document.hidden) return;
        Object.assign(own, { isOn: true, at: performance.now() });
        setLoading(true);
        /** @type {Partial<Read<T> & { at: number }>} */
        let found = await api.get(path).then(
            (answer) => ({ value: read(answer), trouble: null, at: clock.serviceNow() }),
            (error) => ({ trouble: troubleOf(error) }));
        // The last good value stays.
        if ("value" in found && found.value === null) found = { trouble: troubleWith("not_json") };
        own.isOn = false;
        if (own.isGone) return;
        setLoading(false);
        setKnown((before) => ({ ...before, ...found }));
    }

    useEffect(() => {
        asking.current = { isOn: false, at: -Infinity, isGone: false };
        const own = asking.current;
        refresh();
        return () => { own.isGone = true; };
    }, [path]);
    useEffect(() => {
        const period = everyMinutes === 0 ? Infinity : everyMinutes * minutes;
        const isDue = () => asking.current.at === -Infinity || performance.now() - asking.current.at >= period;
        const look = () => { if (isDue()) refresh(); };
        const timer = everyMinutes === 0 ? undefined : setInterval(refresh, period);
        document.addEventListener("visibilitychange", look);
        return () => {
            clearInterval(timer);
            document.removeEventListener("visibilitychange", look);
        };
    }, [path, everyMinutes]);
    return { ...known, isLoading, refresh };
}

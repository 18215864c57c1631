// What is in sight: maps are drawn and curves are asked for only when they are seen.
import { useEffect, useState } from "../vendor/preact.js";

// A little before it is seen, so that it is there by then.
const margin = { rootMargin: "200px" };

/**
 * Does something once an element is in sight, or nearly.
 * @param {HTMLElement} element @param {() => void} act
 * @returns {() => void} ends it
 */
export function whenInSight(element, act) {
    const watch = new IntersectionObserver((entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        watch.disconnect();
        act();
    }, margin);
    watch.observe(element);
    return () => watch.disconnect();
}

/**
 * Whether an element is in sight now.
 * @param {{ current: HTMLElement | null }} frame
 */
export function useInSight(frame) {
    const [isInSight, setInSight] = useState(false);
    useEffect(() => {
        if (!frame.current) return undefined;
        const watch = new IntersectionObserver((entries) =>
            setInSight(entries[entries.length - 1].isIntersecting));
        watch.observe(frame.current);
        return () => watch.disconnect();
    }, []);
    return isInSight;
}

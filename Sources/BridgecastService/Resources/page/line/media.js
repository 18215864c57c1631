// What the visitor prefers, for what is no component.

/**
 * @param {string} query of media @param {(holds: boolean) => void} hear also at once
 * @returns {() => void} ends it
 */
export function hearMedia(query, hear) {
    const list = matchMedia(query);
    const report = () => hear(list.matches);
    list.addEventListener("change", report);
    report();
    return () => list.removeEventListener("change", report);
}

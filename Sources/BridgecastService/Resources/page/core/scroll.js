// Where each entry of the browser's history was scrolled to. The browser itself restores that at once, when a view has
// not been drawn yet or still waits for its answer.

const storageName = "bridgecast scroll";
const maxEntries = 50;
// Answers that a view waits for come in that time; then the visitor has what is there.
const maxWaitMilliseconds = 5_000;
// Parts above may still be drawn: the position is held so long.
const holdMilliseconds = 1_500;

export class ScrollKeeper {
    /** @type {Map<string, number>} positions by entry */
    #positions;
    #entry;
    /** Only the last restoring counts; the visitor ends it. */
    #round = 0;

    constructor() {
        history.scrollRestoration = "manual";
        this.#positions = new Map(readPositions());
        this.#entry = ownEntry();
        addEventListener("scroll", () => this.#positions.set(this.#entry, scrollY), { passive: true });
        for (const name of ["wheel", "touchstart", "pointerdown", "keydown"]) {
            addEventListener(name, () => { this.#round += 1; }, { passive: true });
        }
        addEventListener("pagehide", () => this.#keep());
        this.restore();
    }

    /** A new entry has begun. */
    begin() {
        this.#round += 1;
        this.#entry = ownEntry();
        this.#positions.set(this.#entry, scrollY);
    }

    /** Scrolls to where the entry was that is shown now, as soon as the page is long enough. */
    restore() {
        this.#entry = ownEntry();
        const target = this.#positions.get(this.#entry);
        const round = ++this.#round;
        if (target === undefined) return;
        const began = performance.now();
        let reachedAt = Infinity;
        const step = () => {
            const now = performance.now();
            if (round !== this.#round) return;
            if (document.documentElement.scrollHeight - innerHeight >= target) {
                reachedAt = Math.min(reachedAt, now);
                if (Math.abs(scrollY - target) > 1) scrollTo(0, target);
            }
            if (now < Math.min(began + maxWaitMilliseconds, reachedAt + holdMilliseconds)) requestAnimationFrame(step);
            this.#positions.set(this.#entry, target);
        };
        step();
    }

    /** For a page that is loaded again. */
    #keep() {
        try {
            sessionStorage.setItem(storageName, JSON.stringify([...this.#positions].slice(-maxEntries)));
        } catch {
            // Full or forbidden: the page begins at its top.
        }
    }
}

/** The name of the entry that is shown, which it is given where it has none. @returns {string} */
function ownEntry() {
    const known = history.state?.entry;
    if (typeof known === "string") return known;
    const entry = `${Date.now()}-${Math.random().toString(36).slice(2, 8)}`;
    history.replaceState({ ...history.state, entry }, "");
    return entry;
}

/** @returns {[string, number][]} */
function readPositions() {
    try {
        const kept = JSON.parse(sessionStorage.getItem(storageName) ?? "[]");
        return Array.isArray(kept) ? kept.filter((one) => Array.isArray(one) && Number.isFinite(one[1])) : [];
    } catch {
        return [];
    }
}

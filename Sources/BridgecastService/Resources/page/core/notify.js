// Tells the visitor of changes: a live region for screen readers, and notifications of the browser.

const minMilliseconds = 10_000;

/** Speaks changes to screen readers: a sentence at most every ten seconds, the newest last. */
export class Announcer {
    #region;
    #isSilent;
    /** @type {string[]} */
    #waiting = [];
    #spokenAt = -Infinity;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #timer;

    /**
     * @param {HTMLElement} region an element with role=status, empty at load
     * @param {() => boolean} isSilent such as while a day is played
     */
    constructor(region, isSilent) {
        this.#region = region;
        this.#isSilent = isSilent;
    }

    /** @param {string} sentence */
    say(sentence) {
        if (this.#isSilent() || this.#waiting.includes(sentence)) return;
        this.#waiting = [...this.#waiting, sentence].slice(-3);
        this.#timer ??= setTimeout(() => this.#speak(),
            Math.max(100, this.#spokenAt + minMilliseconds - performance.now()));
    }

    #speak() {
        this.#timer = undefined;
        if (this.#waiting.length === 0) return;
        this.#spokenAt = performance.now();
        this.#region.textContent = this.#waiting.join(" ");
        this.#waiting = [];
    }
}

/** @returns {"insecure" | "unsupported" | null} what no visitor can allow; null where they can be asked */
export function notificationProblem() {
    // Plain HTTP beyond this machine has no notifications.
    if (!isSecureContext) return "insecure";
    return typeof Notification === "undefined" ? "unsupported" : null;
}

/**
 * Asks the visitor, who has just pressed a button for it.
 * @returns {Promise<boolean>} whether it is allowed
 */
export const askToNotify = async () => await Notification.requestPermission() === "granted";

/**
 * @param {string} title
 * @param {{ body: string, tag: string, lang: string }} about of one tag only the newest is shown
 */
export async function notify(title, about) {
    if (notificationProblem() !== null || Notification.permission !== "granted") return;
    const options = { ...about, icon: "icon.svg" };
    try {
        const notification = new Notification(title, options);
        notification.addEventListener("click", () => { window.focus(); notification.close(); });
    } catch {
        // Phones show them only through a service worker.
        const worker = await navigator.serviceWorker?.getRegistration().catch(() => undefined);
        await worker?.showNotification(title, options).catch(() => undefined);
    }
}

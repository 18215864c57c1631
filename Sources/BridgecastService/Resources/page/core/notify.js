// The browser's own notifications: whether there are any, and one that is shown. Used by views that tell of a moment.

/** Plain HTTP beyond this machine has no notifications. */
export const canNotify = () => typeof Notification !== "undefined" && isSecureContext;

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
    if (!canNotify() || Notification.permission !== "granted") return;
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

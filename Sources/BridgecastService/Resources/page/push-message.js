// What the service worker makes of a push message: a notification, and where it leads. It is a script of the worker, which
// loads it by importScripts.

const maxCharacters = 1000;

/**
 * The text of a field of a message; empty where there is none.
 * @param {any} message @param {string} name
 */
function fieldOf(message, name) {
    const value = message?.[name];
    return typeof value === "string" ? value.slice(0, maxCharacters) : "";
}

/**
 * The document of a message; null where it has none that can be read.
 * @param {string} text
 */
function readMessage(text) {
    try {
        const message = JSON.parse(text);
        return typeof message === "object" && !Array.isArray(message) ? message : null;
    } catch {
        return null;
    }
}

/**
 * The notification of a message. One of the same tag replaces the one before, and is announced again. A browser wants one
 * for every message, also for one that cannot be read.
 * @param {any} message
 */
function notificationOf(message) {
    const priority = fieldOf(message, "priority");
    const isQuiet = priority === "low";
    const tag = fieldOf(message, "tag") || fieldOf(message, "id");
    return {
        title: fieldOf(message, "title") || "Bridgecast",
        options: {
            body: fieldOf(message, "text"), icon: "icon.svg", lang: "en", silent: isQuiet,
            requireInteraction: priority === "critical", data: { target: targetOf(message) },
            ...(tag === "" ? {} : { tag, renotify: !isQuiet }),
        },
    };
}

/**
 * Where a notification leads: a view of the page, or the agency's page about its alert.
 * @param {any} message
 */
function targetOf(message) {
    const bridge = fieldOf(message, "bridge");
    if (bridge !== "") return `?view=bridge&bridge=${encodeURIComponent(bridge)}`;
    const link = fieldOf(message, "link");
    return link.startsWith("https://") ? link : "?view=me";
}

/**
 * The page to bring to the front for an address: one that shows it, or else any; null for none.
 * @param {string} address @param {readonly { url: string }[]} pages
 */
function pageFor(address, pages) {
    return pages.find(({ url }) => url === address) ?? pages[0] ?? null;
}

// What the service worker makes of a push message: a notification in the language of the page, and where it leads. It is a
// script of the worker, which loads it by importScripts.

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
 * @param {Record<string, string> | null} [words] messages of a language; null for English, in which the service writes
 */
function notificationOf(message, words = null) {
    const { title, body, lang } = textOf(message, words);
    const priority = fieldOf(message, "priority");
    const isQuiet = priority === "low";
    const tag = fieldOf(message, "tag") || fieldOf(message, "id");
    return {
        title,
        options: {
            body, icon: "icon.svg", lang, silent: isQuiet,
            requireInteraction: priority === "critical", data: { target: targetOf(message) },
            ...(tag === "" ? {} : { tag, renotify: !isQuiet }),
        },
    };
}

/**
 * What is shown of a message: in a language where all of its alerts can be worded in it, else as the service wrote it.
 * @param {any} message @param {Record<string, string> | null} words
 * @returns {{ title: string, body: string, lang: string }}
 */
function textOf(message, words) {
    const alerts = Array.isArray(message?.alerts) ? message.alerts : [];
    const worded = words === null ? [] : alerts.map((/** @type {any} */ alert) => alertText(alert, words));
    if (words === null || worded.length === 0 || worded.includes(null)) {
        return { title: fieldOf(message, "title") || "Bridgecast", body: fieldOf(message, "text"), lang: "en" };
    }
    const [{ title: first }] = worded;
    const title = worded.length === 1 ? first : filled(words.several, { first, n: worded.length - 1 });
    const body = worded.length === 1 ? worded[0].text : worded.map((/** @type {any} */ one) => `${one.title}. ${one.text}`).join("\n");
    return { title, body, lang: words.locale };
}

/**
 * An alert in a language; null where that has no words for it: a line's are the agency's, a departure's are its own.
 * @param {any} alert @param {Record<string, string>} words
 * @returns {{ title: string, text: string } | null}
 */
function alertText(alert, words) {
    const [, kind, minutes] = /^([a-z-]+?)(?:-(\d+))?$/.exec(fieldOf(alert, "kind")) ?? [];
    const [title, text] = [words[`${kind}.title`], words[`${kind}.text`]];
    const at = Date.parse(fieldOf(alert, "at"));
    if (typeof title !== "string" || typeof text !== "string" || !Number.isFinite(at)) return null;
    const values = { bridge: fieldOf(alert, "bridge"), minutes: minutes ?? "", time: clockOf(at, words.locale) };
    return { title: filled(title, values), text: filled(text, values) };
}

/** @param {number} at @param {string} locale */
const clockOf = (at, locale) => new Intl.DateTimeFormat(locale, {
    timeZone: "America/Los_Angeles", hour: "numeric", minute: "2-digit", timeZoneName: "short",
}).format(at);

/** @param {string} text @param {Record<string, string | number>} values */
const filled = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));

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

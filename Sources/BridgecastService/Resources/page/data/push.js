// Alerts through the browser's push service: whether it has one, subscribing, and what is kept about that in this browser.

import { notificationProblem } from "../core/notify.js";

/** @typedef {{ id: string, person: string }} Kept under which id this browser gets alerts, and whose */
/** @typedef {"ready" | "insecure" | "unsupported" | "denied"} PushState */

const key = "bridgecast.alerts";

/** @returns {PushState} */
export function pushState() {
    const problem = notificationProblem();
    if (problem !== null) return problem;
    if (!("serviceWorker" in navigator) || !("PushManager" in globalThis)) return "unsupported";
    return Notification.permission === "denied" ? "denied" : "ready";
}

/**
 * The bytes of a text in base64url.
 * @param {string} text
 */
export function bytesOf(text) {
    const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

/**
 * The id by which the service knows a subscription: the endpoint itself is a secret.
 * @param {string} endpoint
 */
export async function browserID(endpoint) {
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint));
    return [...new Uint8Array(digest).slice(0, 16)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @returns {Promise<PushSubscription | null>} */
export async function currentSubscription() {
    const registration = await navigator.serviceWorker?.getRegistration();
    return await registration?.pushManager?.getSubscription() ?? null;
}

/**
 * Subscribes this browser by a service's key; one by another key is ended first.
 * @param {string} pushKey in base64url
 * @returns {Promise<PushSubscription>}
 */
export async function subscribe(pushKey) {
    const { pushManager } = await navigator.serviceWorker.ready;
    const wanted = bytesOf(pushKey);
    const before = await pushManager.getSubscription();
    if (before && !isSameKey(before.options?.applicationServerKey, wanted)) await before.unsubscribe();
    return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: wanted });
}

/** @param {ArrayBuffer | null | undefined} one @param {Uint8Array} other */
export function isSameKey(one, other) {
    const bytes = new Uint8Array(one ?? []);
    return bytes.length === other.length && bytes.every((byte, n) => byte === other[n]);
}

/**
 * What a page sends to the service: the subscription, and the id that it replaces.
 * @param {PushSubscription} subscription @param {string | null} former
 */
export const subscriptionDocument = (subscription, former) =>
    JSON.stringify({ ...subscription.toJSON(), ...(former === null ? {} : { replaces: former }) });

/** @returns {Kept | null} */
export function keptBrowser() {
    try {
        const { id, person } = JSON.parse(localStorage.getItem(key) ?? "");
        return typeof id === "string" && typeof person === "string" ? { id, person } : null;
    } catch {
        return null;
    }
}

/** @param {Kept | null} kept null to forget it */
export function keepBrowser(kept) {
    try {
        if (kept) localStorage.setItem(key, JSON.stringify(kept));
        else localStorage.removeItem(key);
    } catch {
        // Where storage is forbidden, a subscription that the browser changes has to be switched on again.
    }
}

/**
 * Whether this browser has to be subscribed again: it has lost or changed the subscription under which it got this
 * person's alerts. One that it still has, and that the service does not know, was switched off elsewhere.
 * @param {object} given
 * @param {Kept | null} given.kept
 * @param {string} given.person whose journal is open
 * @param {string | null} given.current the id of the browser's subscription
 * @param {readonly string[]} given.known the ids that the service has
 * @param {boolean} given.isAllowed to notify
 */
export function isRepairDue({ kept, person, current, known, isAllowed }) {
    if (!kept || kept.person !== person || !isAllowed) return false;
    return current !== kept.id && !(current !== null && known.includes(current));
}

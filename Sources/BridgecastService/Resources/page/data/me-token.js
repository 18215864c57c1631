// Where this browser keeps a person's token: until the tab is closed, or on the device if the person wants that.
import { readToken } from "./me.js";

const key = "bridgecast.token";

/** @param {() => Storage} storage which may be forbidden @param {(storage: Storage) => string | null | void} act */
function attempt(storage, act) {
    try {
        return act(storage()) ?? null;
    } catch {
        return null;
    }
}

const ofTab = () => sessionStorage;
const ofDevice = () => localStorage;

/** @returns {{ token: string, isOnDevice: boolean } | null} */
export function keptToken() {
    for (const [storage, isOnDevice] of /** @type {const} */ ([[ofTab, false], [ofDevice, true]])) {
        const token = readToken(attempt(storage, (one) => one.getItem(key)) ?? "");
        if (token !== null) return { token, isOnDevice };
    }
    return null;
}

/** @param {string} token @param {boolean} isOnDevice also after the tab is closed */
export function keepToken(token, isOnDevice) {
    forgetToken();
    // Where storage is forbidden the token holds until the page is closed.
    attempt(isOnDevice ? ofDevice : ofTab, (one) => one.setItem(key, token));
}

export function forgetToken() {
    for (const storage of [ofTab, ofDevice]) attempt(storage, (one) => one.removeItem(key));
}

/**
 * A token that is forgotten in another tab is forgotten in this one.
 * @param {() => void} hear
 * @returns {() => void} ends it
 */
export function followForgetting(hear) {
    /** @param {StorageEvent} event */
    const look = (event) => {
        // Without a key everything was cleared.
        if ((event.key === key || event.key === null) && event.newValue === null) hear();
    };
    addEventListener("storage", look);
    return () => removeEventListener("storage", look);
}

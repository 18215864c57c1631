// Has the service worker keep the page for times without a network. Used by main.js.

const settlingMilliseconds = 5_000;

/** Starts when the page has loaded: nothing waits for it. Plain HTTP beyond this machine has no service workers. */
export function keepShell() {
    if (!isSecureContext || !("serviceWorker" in navigator)) return;
    if (document.readyState === "complete") keep();
    else addEventListener("load", () => keep(), { once: true });
}

async function keep() {
    try {
        await navigator.serviceWorker.register("sw.js");
        const { active } = await navigator.serviceWorker.ready;
        const tell = () => active?.postMessage({ keep: loaded() });
        tell();
        // What was on its way when the worker began did not pass through it.
        setTimeout(tell, settlingMilliseconds);
    } catch {
        // Forbidden by the browser's settings: the page needs a network then, and nothing else changes.
    }
}

/** What the page has loaded from its own host; the worker leaves out what it does not keep. */
function loaded() {
    const files = performance.getEntriesByType("resource").map((entry) => entry.name);
    return [new URL(".", location.href).href, ...files.filter((name) => name.startsWith(location.origin))];
}

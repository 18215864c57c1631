// Puts the page together: store, clock, connection, language, and the tree of views.
import { html, render } from "./vendor/preact.js";
import { Clock } from "./core/clock.js";
import { AppContext } from "./core/hooks.js";
import { Announcer } from "./core/notify.js";
import { followPreferences, keepPreferences, readPreferences } from "./core/preferences.js";
import { Router } from "./core/router.js";
import { Store, reduce } from "./core/store.js";
import { languageOf, loadWords } from "./core/words.js";
import { Answers } from "./data/answers.js";
import { API } from "./data/api.js";
import { Live } from "./data/live.js";
import { Replay } from "./data/replay.js";
import { fetchLater } from "./parts/fallback.js";
import { App } from "./views/app.js";
import { watchChanges } from "./views/changes.js";

const settlingMilliseconds = 5_000;

const preferences = readPreferences();
const clock = new Clock();
const router = new Router((address) => store.dispatch({ type: "address", address }));
/** @type {import("./core/types").State} */
const initial = {
    board: null, trouble: null, nextTryAt: null, isOnline: navigator.onLine,
    address: router.here(), replay: null, preferences,
};
const store = new Store(initial, reduce);
const api = new API((milliseconds) => {
    clock.heardService(milliseconds);
    live.wake();
});
const live = new Live(api, store, clock);
const answers = new Answers(api, store, clock);
const replay = new Replay({ api, store, clock, live, router });
const announcer = new Announcer(
    /** @type {HTMLElement} */ (document.getElementById("announcer")), () => store.state.replay?.isPlaying ?? false);

let kept = preferences;
store.subscribe(() => {
    if (store.state.preferences === kept) return;
    kept = store.state.preferences;
    keepPreferences(kept);
});
let shownLanguage = languageOf(initial);
store.subscribe(() => {
    if (languageOf(store.state) === shownLanguage) return;
    shownLanguage = languageOf(store.state);
    show();
});
followPreferences((preferences) => store.dispatch({ type: "preferences", preferences }));

const root = /** @type {HTMLElement} */ (document.getElementById("page"));

/** @type {import("./core/hooks.js").App} */
let app;

/** Draws everything; again when the language changes. */
async function show() {
    const language = languageOf(store.state);
    const words = await loadWords(language);
    if (!app) await untilAnswered();
    // Another language may have been chosen meanwhile, and be there already.
    if (language !== languageOf(store.state)) return;
    // What stood there for the time until now.
    if (!app) root.replaceChildren();
    app = { store, clock, words, router, announcer, api, live, answers, replay };
    document.documentElement.lang = words.locale;
    render(html`<${AppContext.Provider} value=${app}><${App} /></${AppContext.Provider}>`, root);
    tellLanguage();
}

/** Push messages are shown in the language of the page, also when it is closed. */
async function tellLanguage() {
    const registration = await navigator.serviceWorker?.getRegistration().catch(() => undefined);
    registration?.active?.postMessage({ language: app.words.language });
}

/** The service's own first line stands until the page has one too, so that no other text is seen in between. */
async function untilAnswered() {
    const isAnswered = () => store.state.board !== null || store.state.trouble !== null
        || store.state.address.view !== "now" || store.state.address.values.replay !== undefined;
    if (!root.querySelector(".plain .headline") || isAnswered()) return;
    await new Promise((/** @type {(value?: unknown) => void} */ done) => {
        const leave = store.subscribe(() => {
            if (!isAnswered()) return;
            leave();
            done();
        });
    });
}

/** Without its texts the page has nothing to say: it asks for them until they are there. */
async function begin() {
    for (let failures = 0; ; failures += 1) {
        try {
            return await show();
        } catch {
            const starting = root.querySelector(".starting") ?? root;
            starting.classList.add("is-failed");
            starting.textContent = "The service cannot be reached. Trying again.";
            await new Promise((done) => setTimeout(done, Math.min(20_000, 1000 * 2 ** failures)));
        }
    }
}

live.start();
replay.start();
await begin();
watchChanges(() => app);
// The rest of the page comes when the bridges are there.
const leave = store.subscribe(() => {
    if (!store.state.board) return;
    leave();
    fetchLater();
    keepShell();
});

/**
 * Has the service worker keep the page for times without a network, once it has loaded.
 * Plain HTTP beyond this machine has no service workers.
 */
function keepShell() {
    if (!isSecureContext || !("serviceWorker" in navigator)) return;
    if (document.readyState === "complete") keep();
    else addEventListener("load", () => keep(), { once: true });
}

async function keep() {
    try {
        await navigator.serviceWorker.register("sw.js");
        const { active } = await navigator.serviceWorker.ready;
        const tell = () => active?.postMessage({ keep: loaded(), language: app.words.language });
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

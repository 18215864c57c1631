// Puts the page together: store, clock, connection, language, and the tree of views.
import { html, render } from "./vendor/preact.js";
import { createAnnouncer } from "./core/announce.js";
import { AppContext } from "./core/app.js";
import { createClock } from "./core/clock.js";
import { followPreferences, keepPreferences, readPreferences } from "./core/preferences.js";
import { createRouter } from "./core/router.js";
import { createStore } from "./core/store.js";
import { loadWords } from "./core/language.js";
import { createAnswers } from "./data/answers.js";
import { createAPI } from "./data/api.js";
import { createLive } from "./data/live.js";
import { reduce } from "./data/reduce.js";
import { createReplay } from "./data/replay.js";
import { keepShell } from "./data/shell.js";
import { fetchLater } from "./parts/later.js";
import { App } from "./views/app.js";
import { watchChanges } from "./views/changes.js";

const preferences = readPreferences();
const clock = createClock();
const router = createRouter((address) => store.dispatch({ type: "address", address }));
/** @type {import("./core/types").State} */
const initial = {
    board: null, trouble: null, nextTryAt: null, isOnline: navigator.onLine,
    address: router.here(), replay: null, preferences,
};
const store = createStore(initial, reduce);
const api = createAPI((milliseconds) => clock.heardService(milliseconds));
const live = createLive(api, store, clock);
const answers = createAnswers(api, store, clock);
const replay = createReplay({ api, store, clock, live, router });
const announcer = createAnnouncer(
    /** @type {HTMLElement} */ (document.getElementById("announcer")), () => store.state.replay?.isPlaying ?? false);

let kept = preferences;
store.subscribe(() => {
    if (store.state.preferences === kept) return;
    kept = store.state.preferences;
    keepPreferences(kept);
});
followPreferences((preferences) => {
    const isOtherLanguage = preferences.language !== store.state.preferences.language;
    store.dispatch({ type: "preferences", preferences });
    if (isOtherLanguage) show();
});

const root = /** @type {HTMLElement} */ (document.getElementById("page"));

/** @type {import("./core/app.js").App} */
let app;

/** Draws everything; again when the language changes. */
async function show() {
    const { language } = store.state.preferences;
    const words = await loadWords(language);
    // Another language may have been chosen meanwhile, and be there already.
    if (language !== store.state.preferences.language) return;
    // What stood there for the time until now.
    if (!app) root.replaceChildren();
    app = { store, clock, words, router, announcer, api, live, answers, replay };
    document.documentElement.lang = words.locale;
    render(html`<${AppContext.Provider} value=${app}><${App} onLanguage=${show} /></${AppContext.Provider}>`, root);
}

/** Without its texts the page has nothing to say: it asks for them until they are there. */
async function begin() {
    for (let failures = 0; ; failures += 1) {
        try {
            return await show();
        } catch {
            root.textContent = "The service cannot be reached. Trying again.";
            await new Promise((done) => setTimeout(done, Math.min(20_000, 1000 * 2 ** failures)));
        }
    }
}

await begin();
watchChanges(() => app);
live.start();
replay.start();
// The rest of the page comes when the bridges are there.
const leave = store.subscribe(() => {
    if (!store.state.board) return;
    leave();
    fetchLater();
    keepShell();
});

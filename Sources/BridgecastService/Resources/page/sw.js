// The service worker: keeps the page's own files, the last good board of bridges, those of the last stops, the last runs
// and the maps of the last lines, and gives them only when the service cannot be reached. An answer that it kept says
// since when, in X-Kept-At. It never touches the stream. It shows push messages as notifications.
importScripts("push-message.js");

// Counted up when what is kept changes its form; older caches are deleted then.
const version = 1;
// Several pages may live on one host under different paths: each looks after its own caches.
const scope = new URL(self.registration.scope);
const prefix = `bridgecast ${scope.pathname} `;
const accepted = "application/json, application/geo+json, */*;q=0.5";
const day = 86_400_000;
const policy = (kind, max, milliseconds, priority) => ({ name: `${prefix}${kind} ${version}`, max, milliseconds, priority });
// What is kept on the device: how many of each kind, for how long, and which goes first where there is no room. What is in
// none of them, such as a person's own journal, is never kept.
const policies = {
    shell: policy("shell", 300, Infinity, 3),
    answers: policy("answers", 8, 30 * day, 2),
    stops: policy("stops", 4, 7 * day, 1),
    // Two runs, each with its map.
    runs: policy("runs", 4, day, 0),
    lines: policy("lines", 4, 30 * day, 0),
    // Of the page's language, for push messages.
    words: policy("words", 1, Infinity, 3),
};
const maxFiles = policies.shell.max;
// A network that hangs is as good as none, where there is something to show.
const patienceMilliseconds = 4000;

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("activate", (event) => {
    event.waitUntil(deleteOldCaches().catch(() => {}).then(() => self.clients.claim()));
});

// The page reports what it had loaded before there was a service worker.
self.addEventListener("message", (event) => {
    const paths = Array.isArray(event.data?.keep) ? event.data.keep.slice(0, maxFiles) : [];
    const files = paths.map((path) => keepFile(String(path)));
    const words = keepPushWords(event.data?.language);
    event.waitUntil(Promise.all([...files, words].map((one) => one.catch(() => {}))));
});

self.addEventListener("fetch", (event) => {
    const { request } = event;
    const url = new URL(request.url);
    if (request.method !== "GET" || !isOwn(url)) return;
    if (isShell(url)) event.respondWith(shell(event, url));
    else if (isKeptAnswer(url)) event.respondWith(answer(event, url));
});

self.addEventListener("push", (event) => {
    const message = readMessage(event.data?.text() ?? "");
    event.waitUntil(pushWords().then((words) => {
        const { title, options } = notificationOf(message, words);
        return self.registration.showNotification(title, options);
    }));
});

self.addEventListener("notificationclick", (event) => {
    event.notification.close();
    event.waitUntil(openTarget(event.notification.data?.target).catch(() => {}));
});

// The worker has no token, so that the page tells the service: one that is open now, or at its next visit.
self.addEventListener("pushsubscriptionchange", (event) => {
    event.waitUntil(subscribeAgain(event.oldSubscription).catch(() => {}));
});

// A notification of a page that is open leads to that page; one of a push message to what it is about.
async function openTarget(target) {
    const pages = (await self.clients.matchAll({ type: "window", includeUncontrolled: true }))
        .filter(({ url }) => isOwn(new URL(url)));
    if (typeof target !== "string") return pages[0]?.focus();
    const address = new URL(target, scope).href;
    const page = isOwn(new URL(address)) ? pageFor(address, pages) : null;
    if (!page) return self.clients.openWindow(address);
    const shown = page.url === address ? page : await page.navigate(address).catch(() => null) ?? page;
    return shown.focus();
}

async function subscribeAgain(before) {
    const { pushManager } = self.registration;
    if (before?.options?.applicationServerKey && !await pushManager.getSubscription()) {
        const { applicationServerKey } = before.options;
        await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
    }
    for (const page of await self.clients.matchAll({ type: "window" })) page.postMessage({ resubscribed: true });
}

const wordsKey = new URL("text/push", scope).href;

// The words of a language that the page has been shown in last; English is the service's own.
async function keepPushWords(language) {
    if (language === "en") return (await caches.open(policies.words.name)).delete(wordsKey);
    if (!/^[a-z]{2}$/.test(language ?? "")) return undefined;
    const response = await fetch(new URL(`text/${language}-push.json`, scope).href);
    return response.ok ? save(policies.words, wordsKey, response) : undefined;
}

async function pushWords() {
    const kept = await find(policies.words, wordsKey);
    return kept ? kept.json().catch(() => null) : null;
}

async function deleteOldCaches() {
    const current = Object.values(policies).map(({ name }) => name);
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name.startsWith(prefix) && !current.includes(name))
        .map((name) => caches.delete(name)));
}

const isOwn = (url) => url.origin === scope.origin && url.pathname.startsWith(scope.pathname);
const pathOf = (url) => url.pathname.slice(scope.pathname.length);
const isPage = (url) => ["", "index.html"].includes(pathOf(url));
const isFile = (path) => /^[\w/-]+\.(js|css|json|svg|png|woff2?|webmanifest)$/.test(path);
const isShell = (url) => isPage(url) || isFile(pathOf(url)) && !/^(api\/|widget\/|openapi\.json$)/.test(pathOf(url));
const isKeptAnswer = (url) => pathOf(url) === "api/v1/bridges" && url.search === ""
    || pathOf(url).startsWith("api/v1/geography") || isStopBoard(url) || isRun(url) || isLineMap(url);
const isStopBoard = (url) => /^api\/v1\/stops\/[^/]+\/board$/.test(pathOf(url)) && !url.searchParams.has("horizon_min")
    && !url.searchParams.has("arrivals");
// Where a person boards and alights is theirs.
const isRun = (url) => /^api\/v1\/trips\/[^/]+(\/map)?$/.test(pathOf(url)) && !url.searchParams.has("from");
const isLineMap = (url) => /^api\/v1\/routes\/[^/]+\/map$/.test(pathOf(url));
// Whatever view an address names, it is one page; of a stop the last board is kept, whatever its rows.
const keyOf = (url) => isPage(url) ? scope.href : isStopBoard(url) ? url.origin + url.pathname : url.href;

function policyOf(url) {
    if (isShell(url)) return policies.shell;
    if (isStopBoard(url)) return policies.stops;
    if (isRun(url)) return policies.runs;
    return isLineMap(url) ? policies.lines : policies.answers;
}

async function keepFile(path) {
    const url = new URL(path, scope);
    if (!isOwn(url) || !isShell(url) && !isKeptAnswer(url)) return;
    const policy = policyOf(url);
    if (await find(policy, keyOf(url))) return;
    // The browser has it from a moment ago: asking the service for a hundred files again would be waste.
    const response = await fetch(url.href, { cache: "force-cache", headers: { Accept: accepted } });
    if (!response.ok) return;
    await save(policy, keyOf(url), isShell(url) ? await ageless(url, response) : await marked(response));
}

async function put({ name, max }, key, response) {
    const cache = await caches.open(name);
    await cache.put(key, response);
    const keys = await cache.keys();
    await Promise.all(keys.slice(0, Math.max(0, keys.length - max)).map((old) => cache.delete(old)));
}

// The newest file from the service, so that edits show; else the kept one.
async function shell(event, url) {
    const { request } = event;
    const key = keyOf(url);
    const kept = await find(policies.shell, key);
    const newest = (request.mode === "navigate" ? fetch(request) : fetch(request, { cache: "no-cache" }))
        .then((response) => {
            if (response.ok && !response.redirected && !isSame(kept, response)) {
                const copy = response.clone();
                event.waitUntil(ageless(url, copy).then((file) => save(policies.shell, key, file), () => {}));
            }
            return response;
        });
    // The worker lives until the file is there, also where the page was given the kept one.
    event.waitUntil(newest.catch(() => {}));
    if (!kept) return newest;
    const late = new Promise((resolve) => setTimeout(resolve, patienceMilliseconds));
    const first = await Promise.race([newest, late]).catch(() => undefined);
    // A proxy in front of a dead service answers too; and a file may be gone that a kept one still asks for.
    return first?.ok || first?.redirected ? first : kept;
}

const isSame = (kept, response) => kept && kept.headers.get("ETag") !== null
    && kept.headers.get("ETag") === response.headers.get("ETag");

async function answer(event, url) {
    const { request } = event;
    const policy = policyOf(url);
    try {
        const response = await fetch(request);
        if (response.ok && (response.headers.get("Content-Type") ?? "").includes("json")) {
            const kept = marked(response.clone());
            event.waitUntil(kept.then((copy) => save(policy, keyOf(url), copy), () => {}));
        }
        return response;
    } catch (error) {
        // The page may have aborted the request; else the service was not reached.
        const kept = request.signal.aborted ? undefined : await find(policy, keyOf(url));
        if (kept) return kept;
        throw error;
    }
}

async function marked(response) {
    const headers = plainHeaders(response);
    headers.set("X-Kept-At", new Date().toISOString());
    return new Response(await response.arrayBuffer(), { status: 200, headers });
}

// The document without the bridges that the service filled in: shown later they would be old, and not say so.
async function ageless(url, response) {
    if (!isPage(url)) return response;
    const text = (await response.text()).replace(/<main class="plain"[^]*?<\/main>/, "");
    return new Response(text, { status: 200, headers: plainHeaders(response) });
}

function plainHeaders(response) {
    const headers = new Headers(response.headers);
    for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
    return headers;
}

// What is too old is as good as none, and so is a cache that is broken.
async function find({ name, milliseconds }, key) {
    try {
        const cache = await caches.open(name);
        const kept = await cache.match(key, { ignoreVary: true });
        const keptAt = Date.parse(kept?.headers.get("X-Kept-At") ?? "");
        if (!(Date.now() - keptAt > milliseconds)) return kept;
        await cache.delete(key);
        return undefined;
    } catch {
        return undefined;
    }
}

async function save(policy, key, response) {
    // Where there is no room, what has a lower priority is given up. A response is read once, so each attempt has a copy.
    for (const dropped of [null, ...lessImportant(policy)]) {
        try {
            if (dropped) await caches.delete(dropped.name);
            return await put(policy, key, response.clone());
        } catch (error) {
            // The page goes on without.
            if (error?.name !== "QuotaExceededError") return undefined;
        }
    }
    return undefined;
}

// The kinds that are given up for one, the lowest priority first.
const lessImportant = ({ priority }) => Object.values(policies).filter((other) => other.priority < priority)
    .sort((one, other) => one.priority - other.priority);

// The one script of an embedded widget: counts down each second, fetches the picture again when it is due, and shows its age
// when the service does not answer. The service writes it into the widget's document, so it imports nothing.
(() => {
    const departedAfter = 60;
    const frame = /** @type {HTMLElement} */ (document.getElementById("picture"));
    const age = /** @type {HTMLElement} */ (document.getElementById("age"));
    const { refresh = "30", made = "0", now: nowWord = "now", before = "", after = "" } = document.body.dataset;
    const period = Number(refresh) * 1000;
    const address = location.pathname + ".svg" + location.search;
    const staleAfter = Math.max(120_000, 2 * period + 30_000);
    // Until the service has said what time it is: the picture may have been made some seconds ago.
    let ahead = Number(made) * 1000 - Date.now();
    if (Math.abs(ahead) < 15_000) ahead = 0;
    let heardAt = Date.now();
    let tickedAt = heardAt;
    let timer = 0;

    const two = (/** @type {number} */ n) => String(n).padStart(2, "0");

    /** @param {number} seconds left */
    function countdown(seconds) {
        if (seconds <= 0) return seconds < -departedAfter ? "—" : nowWord;
        const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
        return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
    }

    function tick() {
        const now = Date.now() + ahead;
        for (const text of frame.querySelectorAll("[data-at]")) {
            const said = countdown(Math.floor(Number(text.getAttribute("data-at")) - now / 1000));
            if (text.textContent !== said) text.textContent = said;
        }
        const silence = Date.now() - heardAt;
        // After a sleep.
        if (Date.now() - tickedAt > 5_000) load();
        tickedAt = Date.now();
        age.hidden = silence < staleAfter;
        if (!age.hidden) age.textContent = `${before} ${Math.round(silence / 60_000)} ${after}`;
        clearTimeout(timer);
        if (!document.hidden) timer = setTimeout(tick, 1000 - (now % 1000));
    }

    async function load() {
        if (document.hidden) return;
        const impatience = new AbortController();
        const patience = setTimeout(() => impatience.abort(), 20_000);
        try {
            const answer = await fetch(address, { cache: "no-cache", signal: impatience.signal });
            const picture = new DOMParser().parseFromString(await answer.text(), "image/svg+xml").documentElement;
            if (picture.nodeName !== "svg") return;
            const time = Date.parse(answer.headers.get("X-Service-Time") ?? "");
            // It is in whole seconds.
            const error = time + 500 - (Date.now() + ahead);
            if (Math.abs(error) > 1_000) ahead += error;
            frame.replaceChildren(document.importNode(picture, true));
            document.title = picture.querySelector("title")?.textContent ?? document.title;
            if (answer.ok) heardAt = Date.now();
            tick();
        } catch {
            // The picture that is there stays, and shows its age.
        } finally {
            clearTimeout(patience);
        }
    }

    tick();
    load();
    setInterval(load, period);
    document.addEventListener("visibilitychange", () => {
        tick();
        load();
    });
})();

// The one script of an embedded widget: counts down each second, fetches the picture again when it is due, and says so when
// it has not been able to for two minutes. The service writes it into the widget's document, so it imports nothing.
(() => {
    const staleAfter = 120_000;
    const frame = /** @type {HTMLElement} */ (document.getElementById("picture"));
    const age = /** @type {HTMLElement} */ (document.getElementById("age"));
    const { refresh = "30", made = "0", now: nowWord = "now", before = "", after = "" } = document.body.dataset;
    const period = Number(refresh) * 1000;
    const address = location.pathname + ".svg" + location.search;
    // A replay has a clock of its own; this one's is right to a second or two otherwise.
    let ahead = Number(made) * 1000 - Date.now();
    if (Math.abs(ahead) < 60_000) ahead = 0;
    let heardAt = Date.now();
    let timer = 0;

    const two = (/** @type {number} */ n) => String(n).padStart(2, "0");

    /** @param {number} seconds left */
    function countdown(seconds) {
        if (seconds <= 0) return nowWord;
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
            const answer = await fetch(address, { signal: impatience.signal });
            const picture = new DOMParser().parseFromString(await answer.text(), "image/svg+xml").documentElement;
            if (picture.nodeName !== "svg") return;
            const time = Date.parse(answer.headers.get("X-Service-Time") ?? "");
            // A cached answer's time is old.
            if (Math.abs(time - Date.now() - ahead) > 15_000) ahead = time - Date.now();
            frame.replaceChildren(document.importNode(picture, true));
            if (answer.ok) heardAt = Date.now();
            tick();
        } catch {
            // The picture that is there stays, and shows its age.
        } finally {
            clearTimeout(patience);
        }
    }

    tick();
    setInterval(load, period);
    document.addEventListener("visibilitychange", () => {
        tick();
        load();
    });
})();

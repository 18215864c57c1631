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
    let nextTick = 0;
    let nextLoad = 0;
    let isLoading = false;
    let failures = 0;

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
        showAge(Date.now() - heardAt);
        // After a sleep.
        if (Date.now() - tickedAt > 5_000) load();
        tickedAt = Date.now();
        clearTimeout(nextTick);
        if (!document.hidden) nextTick = setTimeout(tick, 1000 - (now % 1000));
    }

    /**
     * Screen readers say what changes in a region that is there already: it is there always, without size while it is empty,
     * and written to when its text is another.
     * @param {number} silence milliseconds
     */
    function showAge(silence) {
        const text = silence < staleAfter ? "" : `${before} ${Math.round(silence / 60_000)} ${after}`;
        if (age.textContent !== text) age.textContent = text;
    }

    /**
     * Takes over the service's clock where this one cannot be right: to half a second, and half the way of the answer.
     * @param {number} time of the service in whole seconds, somewhere between the question and the answer; milliseconds
     * @param {number} asked @param {number} heard by this machine's clock
     */
    function hearTime(time, asked, heard) {
        const [min, max] = [time - heard, time + 1000 - asked];
        if (ahead < min || ahead > max) ahead = (min + max) / 2;
    }

    /** Fetches the picture, and again a period later or, after a failure, in some seconds; only one is on its way. */
    async function load() {
        clearTimeout(nextLoad);
        if (document.hidden) return;
        nextLoad = setTimeout(load, period);
        if (isLoading) return;
        isLoading = true;
        const impatience = new AbortController();
        const patience = setTimeout(() => impatience.abort(), 20_000);
        const asked = Date.now();
        try {
            const answer = await fetch(address, { cache: "no-cache", signal: impatience.signal });
            const heard = Date.now();
            if (answer.status >= 500) throw new Error("the service fails");
            const picture = new DOMParser().parseFromString(await answer.text(), "image/svg+xml").documentElement;
            if (picture.nodeName !== "svg" || picture.querySelector("parsererror")) return;
            // A cache on the way may have kept it.
            const kept = (Number(answer.headers.get("Age")) || 0) * 1000;
            hearTime(Date.parse(answer.headers.get("X-Service-Time") ?? "") + kept, asked, heard);
            frame.replaceChildren(document.importNode(picture, true));
            document.title = picture.querySelector("title")?.textContent ?? document.title;
            // What is wrong, such as a stop that does not exist, is shown as a picture, and is no news of departures.
            if (answer.ok) heardAt = Date.now();
            failures = 0;
            tick();
        } catch {
            // The picture that is there stays, and shows its age.
            failures += 1;
            clearTimeout(nextLoad);
            if (!document.hidden) nextLoad = setTimeout(load, Math.min(period, 2_000 * 2 ** failures));
        } finally {
            clearTimeout(patience);
            isLoading = false;
        }
    }

    tick();
    load();
    document.addEventListener("visibilitychange", () => {
        if (document.hidden) {
            clearTimeout(nextTick);
            clearTimeout(nextLoad);
            return;
        }
        tick();
        load();
    });
})();

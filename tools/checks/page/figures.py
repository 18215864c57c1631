"""Trials that measure: first paint, bytes, answers to a touch, frames, memory, a page left open."""
import time, urllib.parse

# With the CPU four times slower.
SLOW = 4


def first_paint(trial):
    """the first useful paint, and what is transferred for it"""
    service = trial.serve(speed=1)
    times = []
    for _ in range(3):
        page = trial.browse(service.address)
        page.slow(SLOW)
        # What passes through the service worker would count as nothing.
        page.order("Network.enable")
        page.order("Network.setBypassServiceWorker", bypass=True)
        page.order("Page.addScriptToEvaluateOnNewDocument", source="""
            new MutationObserver((_, observer) => {
                const heading = document.querySelector("article");
                if (!heading) return;
                observer.disconnect();
                requestAnimationFrame(() => setTimeout(() => { window.usefulAt = performance.now(); }));
            }).observe(document, { childList: true, subtree: true });""")
        page.open()
        times.append(page.until(lambda: page.run("return window.usefulAt"), 20) or 1e9)
        if len(times) < 3:
            page.driver.quit()
    median = sorted(times)[1]
    trial.figure("first useful paint, CPU %d times slower: %.0f ms (median of 3)" % (SLOW, median))
    # The figure is 1,000 ms; a machine that others use at the same time gets more.
    trial.expect(median < 3000, "cards are painted in time: %.0f ms" % median)
    time.sleep(3)
    received = sum(event["encodedDataLength"] for event in page.events("Network.loadingFinished"))
    trial.figure("transferred until Now stands: %.0f kB" % (received / 1000))
    # The figure is 250 kB; a board that changes meanwhile is five more.
    trial.expect(received < 262_000, "less than 250 kB without the map library: %d" % received)
    page.open("?view=trip&from=Ballard&to=Downtown", until="Half the time")
    time.sleep(3)
    received = sum(event["encodedDataLength"] for event in page.events("Network.loadingFinished"))
    trial.figure("transferred with a trip and its map: %.0f kB" % (received / 1000))
    trial.expect(received < 600_000, "less than 600 kB with the map library: %d" % received)


# What the page's own files took on a first visit before it had buses, with a twentieth for what is added to other parts.
MAX_OWN_BYTES = {"en-US": 110_400, "es-ES": 121_300}


def first_visit_is_light(trial):
    """a first visit to Now takes nothing that only lines, boards and runs need, and gets it with the first of these"""
    service = trial.serve(speed=1)
    for language, limit in MAX_OWN_BYTES.items():
        page = trial.browse(service.address, language=language)
        page.order("Network.enable")
        page.order("Network.setBypassServiceWorker", bypass=True)
        page.open(until="Ballard")
        time.sleep(4)
        taken = transfers(page)
        own = sum(size for path, size in taken.items() if "/api/" not in path)
        trial.figure("%s: %d bytes of the page's files in %d requests" % (language, own, len(taken)))
        trial.expect(own < limit, "%s: less than %d bytes: %d" % (language, limit, own))
        buses = [path for path in taken if "transit" in path or path.endswith(("line.css", "boards.css"))]
        trial.expect(not buses, "nothing of buses: %s" % buses)
        personal = [path for path in taken if path.endswith(("-me.json", "/me.css")) or "/me/" in path]
        trial.expect(not personal, "nothing of a person's journal: %s" % personal)
        for view, words in (("line", ("no lines to show", "no hay líneas")), ("board", ("Find a stop", "Buscar una parada"))):
            page.open("?view=" + view)
            trial.expect(page.wait(words), "%s: the texts of %s come: %r" % (language, view, page.text("main")[:200]))
        page.driver.quit()


def transfers(page):
    """The bytes that passed through the network for each path."""
    paths = {event["requestId"]: urllib.parse.urlsplit(event["request"]["url"]).path
             for event in page.events("Network.requestWillBeSent")}
    return {paths.get(event["requestId"], "?"): event["encodedDataLength"] for event in page.events("Network.loadingFinished")}


# Latency, bits a second, and milliseconds until the answer is seen.
NETWORKS = ((150, 1_600_000, 1000), (400, 400_000, 2500))
WATCH_ANSWER = """
    window.answers = [];
    (function look() {
        const heading = document.querySelector("h1");
        const said = heading?.getClientRects().length ? heading.innerText : "";
        if (said && said !== window.answers.at(-1)?.said) window.answers.push({ said, at: performance.now() });
        requestAnimationFrame(look);
    })();"""


def slow_first_visit(trial):
    """a cold first visit over a slow network: when the answer is seen, that it stays, and what it takes"""
    service = trial.serve(speed=1)
    for latency, bits, limit in NETWORKS:
        name = "%d ms, %d kbit/s" % (latency, bits / 1000)
        page = trial.browse(service.address)
        page.order("Network.enable")
        page.order("Network.emulateNetworkConditions", offline=False, latency=latency, downloadThroughput=bits / 8,
                   uploadThroughput=bits / 8)
        page.order("Page.addScriptToEvaluateOnNewDocument", source=WATCH_ANSWER)
        page.open()
        trial.expect(page.wait("Why", 40), "%s: the modules take over" % name)
        answers = page.run("return window.answers")
        painted = page.run("return performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 1e9")
        seen = max(painted, answers[0]["at"])
        asked = len(page.events("Network.requestWillBeSent"))
        trial.figure("%s: answer seen after %.0f ms; %d requests until the cards stand" % (name, seen, asked))
        trial.expect(seen < limit, "%s: the answer is seen in time: %.0f ms" % (name, seen))
        trial.expect(len(answers) == 1 and answers[0]["said"].endswith("."), "%s: one answer, no other in between: %s" % (name, answers))
        trial.expect(asked < 40, "%s: few requests: %d" % (name, asked))
        page.driver.quit()


def touches(trial):
    """from a touch to the next paint"""
    service = trial.serve(speed=10)
    page = trial.browse(service.address)
    page.order("Page.addScriptToEvaluateOnNewDocument", source="""
        window.slowest = 0;
        new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) if (entry.interactionId) window.slowest = Math.max(window.slowest, entry.duration);
        }).observe({ type: "event", durationThreshold: 16, buffered: true });""")
    page.open(until="Replaying, as of")
    for name in ("Trip", "How good", "Now"):
        page.one("link", name).click()
        time.sleep(1)
    for button in page.all("button")[:6]:
        try:
            button.click()
        except Exception:
            continue
        time.sleep(0.3)
    slowest = page.run("return window.slowest")
    trial.figure("slowest touch to paint: %.0f ms" % slowest)
    trial.expect(slowest < 400, "touches are answered: %.0f ms" % slowest)


def frames(trial):
    """frames while an evening is played at 60 times its speed"""
    service = trial.serve(speed=1)
    for times, name in ((1, "as it is"), (SLOW, "CPU %d times slower" % SLOW)):
        page = trial.browse(service.address, width=1440, height=900)
        page.open("?replay=2026-02-20T17:50", until="Replay")
        page.one("button", "Play").click()
        page.slow(times)
        before = metrics(page)
        counted = page.driver.execute_async_script("""
            const done = arguments[0];
            const gaps = [];
            let last = performance.now();
            const end = last + 10000;
            (function frame(now) {
                if (now > last) gaps.push(now - last);
                last = now;
                if (now < end) requestAnimationFrame(frame); else done(gaps);
            })(last);""")
        after = metrics(page)
        busy = 1000 * (after["TaskDuration"] - before["TaskDuration"]) / max(1, len(counted))
        trial.figure("%s: %.0f frames a second, %.1f ms of work a frame" % (name, len(counted) / 10, busy))
        trial.expect(len(counted) > 100, "%s: it moves: %d frames in 10 s" % (name, len(counted)))
        page.driver.quit()


def memory(trial):
    """memory after a day was played at 60 times its speed"""
    service = trial.serve(speed=1)
    page = trial.browse(service.address)
    page.open("?replay=2026-02-20T06:00", until="Replay")
    page.one("button", "Play").click()
    keep_playing(page, max(10, trial.options.minutes * 60 / 4))
    first, nodes = page.heap_bytes(), metrics(page)["Nodes"]
    keep_playing(page, trial.options.minutes * 60)
    last, last_nodes = page.heap_bytes(), metrics(page)["Nodes"]
    trial.figure("memory after %.1f min: %.1f MB, before %.1f MB; nodes %d, before %d" % (
        trial.options.minutes, last / 1e6, first / 1e6, last_nodes, nodes))
    trial.expect(last < first * 1.3 + 2e6, "memory is flat: %d after %d" % (last, first))
    trial.expect(last_nodes < nodes * 1.5 + 1000, "nodes are flat: %d after %d" % (last_nodes, nodes))


def keep_playing(page, seconds):
    """Plays the day again and again for some time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        time.sleep(min(5, max(0, end - time.monotonic())))
        stopped = page.all("button", "Play")
        if stopped:
            page.run("arguments[0].focus()", page.one("slider"))
            page.press("HOME")
            page.one("button", "Play").click()


def left_open(trial):
    """a page that is left open costs next to nothing while nothing changes"""
    service = trial.serve(replay="2026-02-20T01:00/2026-02-20T05:00", speed=1)
    page = trial.browse(service.address).open(until="Replaying, as of")
    time.sleep(3)
    before = metrics(page)
    time.sleep(20)
    after = metrics(page)
    share = (after["TaskDuration"] - before["TaskDuration"]) / 20
    trial.figure("left open: %.2f %% of a core" % (100 * share))
    trial.expect(share < 0.05, "it rests: %.2f %%" % (100 * share))


def metrics(page):
    """Chromium's own counts of a page."""
    page.order("Performance.enable")
    return {one["name"]: one["value"] for one in page.order("Performance.getMetrics")["metrics"]}


TRIALS = [first_paint, first_visit_is_light, slow_first_visit, touches, frames, memory, left_open]

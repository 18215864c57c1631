"""Trials of the page for everybody: names, roles and contrast (axe-core), languages, no script, motion, print, hosts."""
import importlib.util, pathlib, re, time

VIEWS = {"now": "", "trip": "?view=trip&from=Ballard&to=Downtown", "bridge": "?view=bridge&bridge=3", "skill": "?view=skill",
         "replay": "?replay=2026-02-20T18:02"}
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def axe(page):
    """What axe-core finds wrong with a page as it is."""
    folder = pathlib.Path(importlib.util.find_spec("axe_playwright_python").submodule_search_locations[0])
    # The protocol's evaluation is not held by the page's policy, which a visitor's script is.
    page.order("Runtime.evaluate", expression=(folder / "axe.min.js").read_text() + "; 0")
    return page.driver.execute_async_script("""
        const [rules, done] = arguments;
        axe.run(document, { runOnly: { type: "tag", values: rules } }).then((result) => done(result.violations.map((v) =>
            `${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160)
                + " " + (n.any[0]?.message ?? "")).join(" | ")}`)), (error) => done([String(error)]));""", RULES)


def axe_finds_nothing(trial):
    """axe-core finds nothing on any view, light and dark, narrow and wide"""
    service = trial.serve(speed=2)
    for dark, width in ((False, 360), (True, 360), (False, 1440), (True, 1440)):
        page = trial.browse(service.address, width=width, height=900, dark=dark)
        for name, address in VIEWS.items():
            page.open(address, until=["in 100", "Half the time"])
            # What fades in is judged when it is there.
            time.sleep(1.5)
            found = axe(page)
            trial.expect(not found, "%s, %s, %d: %s" % (name, "dark" if dark else "light", width, "\n".join(found)))
        page.driver.quit()


def nothing_else_is_asked(trial):
    """no message on the console, no other host, and a policy that would forbid one"""
    service = trial.serve(speed=20)
    for width in (360, 1440):
        page = trial.browse(service.address, width=width, height=900)
        for name, address in VIEWS.items():
            page.open(address, until=["in 100", "Half the time"])
            time.sleep(1)
            for line in page.console():
                # The browser itself reports that a service without an archive has no verification.
                if "/api/v1/verification" in line and "404" in line:
                    continue
                trial.expect(False, "console at %s, %d: %s" % (name, width, line[:300]))
        hosts = page.hosts()
        trial.expect(hosts == {"%s:%d" % (service.host, service.port)}, "only the service is asked: %s" % hosts)
        policies = [event["response"]["headers"].get("Content-Security-Policy", "") for event in page.events("Network.responseReceived")
                    if event["type"] == "Document" and event["response"]["url"].startswith("http")]
        for policy in policies:
            trial.expect("default-src 'none'" in policy and "unsafe" not in policy and "script-src 'self'" in policy,
                         "the policy lets in no other script: %r" % policy)
        trial.expect(policies, "a policy was seen")
        page.driver.quit()


def nothing_overflows(trial):
    """no view needs scrolling sideways at 360 pixels, and targets are large enough for a thumb"""
    service = trial.serve(speed=2)
    page = trial.browse(service.address, width=360)
    for name, address in VIEWS.items():
        page.open(address, until=["in 100", "Half the time"])
        time.sleep(1)
        wide = page.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
        trial.expect(wide <= 0, "%s is %d pixels too wide" % (name, wide))
        small = page.run("""
            return [...document.querySelectorAll("button, a[href], select, input, summary")].filter((e) => {
                const box = e.getBoundingClientRect();
                const isInText = getComputedStyle(e).display === "inline";
                return box.width > 0 && !isInText && !e.closest(".unseen, .skip, .leaflet-container") && (box.height < 24 || box.width < 24);
            }).map((e) => e.outerHTML.slice(0, 100))""")
        trial.expect(not small, "%s has targets that are too small: %s" % (name, small[:3]))


def letters_grow(trial):
    """with letters twice as large everything is twice as large, on every view, and none needs scrolling sideways"""
    service = trial.serve("2018-01-04T15:09/2018-01-04T18:00", speed=1)
    views = {**VIEWS, "board": "?view=board&stop=25243", "line": "?view=line&line=542&stop=25243"}
    del views["replay"]
    sizes = {}
    for letters in (16, 32):
        page = trial.browse(service.address, letters=letters)
        for name, address in views.items():
            page.open(address, until=["in 100", "Half the time", "Towards", "vehicle"])
            time.sleep(1)
            measure(trial, page, (name, letters), sizes)
            if name == "line":
                room = page.run("return Math.min(...[...document.querySelectorAll('.line-to')].map((one) => one.clientWidth))")
                trial.expect(room >= 5 * letters, "destinations have room for their words: %s pixels" % room)
            if name == "board":
                page.open(page.run("return document.querySelector('.board-to').getAttribute('href')"), until="Route Map")
                measure(trial, page, ("run", letters), sizes)
                room = page.run("return document.querySelector('.run-stop a').parentElement.clientWidth")
                trial.expect(letters == 16 or room > 200, "names of stops have room for their words: %d pixels" % room)
    for name, letters in sizes:
        if letters == 16:
            whole, twice = sizes[name, 16], sizes[name, 32]
            trial.expect(whole and all(abs(b - 2 * a) < 0.5 for a, b in zip(whole, twice)), "%s: %s, then %s" % (name, whole, twice))


def measure(trial, page, key, sizes):
    """Keeps how large the letters of headings, texts and buttons are, and expects the view to be no wider than its window."""
    sizes[key] = page.run("""return ["h1, h2", "main p", "main button, main summary", "main a[href]"].map((one) =>
        document.querySelector(one)).filter(Boolean).map((one) => parseFloat(getComputedStyle(one).fontSize))""")
    wide = page.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
    trial.expect(wide <= 0, "%s, letters of %d: %d pixels too wide" % (*key, wide))


def pictures_keep_their_type(trial):
    """type in pictures is 12 pixels on every screen, and pictures fill their cards"""
    service = trial.serve(speed=1)
    for width in (360, 768, 1440):
        page = trial.browse(service.address, width=width, height=900)
        for name in ("now", "bridge", "skill", "replay"):
            page.open(VIEWS[name], until=["in 100", "Does it happen"])
            shown = page.until(lambda: page.run("return document.querySelector('.picture-drawing svg') !== null"), 10)
            trial.expect(shown or name == "replay", "%s has a picture" % name)
            time.sleep(1)
            wrong = page.run("""
                return [...document.querySelectorAll(".picture-drawing")].flatMap((frame) => {
                    const svg = frame.querySelector("svg"), wide = frame.clientWidth;
                    const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
                    const sizes = [...svg.querySelectorAll("text")].map((text) => scale * parseFloat(getComputedStyle(text).fontSize));
                    const isRight = sizes.every((size) => Math.abs(size - 12) < 0.3) && Math.abs(svg.getBoundingClientRect().width - wide) < 1;
                    return isRight ? [] : [`${frame.ariaLabel.slice(0, 40)}: ${[...new Set(sizes)]} in ${wide}`];
                })""")
            trial.expect(not wrong, "%s, %d: %s" % (name, width, wrong[:3]))
        page.driver.quit()


def wide_screens_are_used(trial):
    """cards stand in two columns without holes, none too wide; a trip and a bridge have only the answer next to them"""
    service = trial.serve(replay="2026-02-20T18:01/2026-02-20T21:00", speed=1)
    page = trial.browse(service.address, width=1440, height=900)
    for width in (1440, 1920, 3840):
        page.shape(width, 1080)
        page.open(until="Ballard is up")
        page.until(lambda: page.run("return document.querySelectorAll('.is-measured').length > 1"), 10)
        time.sleep(0.5)
        boxes = page.run("""return [...document.querySelectorAll(".cards > .card")].map((card) => card.getBoundingClientRect())
            .map(({ left, top, bottom, width }) => [left, top, bottom, width])""")
        columns = [sorted(box[1:3] for box in boxes if box[0] == left) for left in sorted({box[0] for box in boxes})]
        trial.expect(len(columns) == 2, "%d has two columns: %s" % (width, columns))
        gaps = [after[0] - before[1] for column in columns for before, after in zip(column, column[1:])]
        trial.expect(all(4 <= gap < 16 for gap in gaps), "%d has no holes: %s" % (width, gaps))
        ends = [column[-1][1] for column in columns]
        trial.expect(max(ends) - min(ends) < 120, "%d has columns about as long: %s" % (width, ends))
        trial.expect(max(box[3] for box in boxes) < 600, "%d has cards that can be read: %s" % (width, boxes))
        clocks = re.findall(r"as of|This service replays", page.text())
        trial.expect(len(clocks) == 1, "%d says the time once: %s" % (width, clocks))
    page.shape(1440, 900)
    for name in ("trip", "bridge"):
        page.open(VIEWS[name], until=["Half the time", "The next two hours"])
        trial.expect("Ballard is up" in page.text(".column-board"), "%s has the answer next to it" % name)
        trial.expect(page.run("return document.querySelector('.bridge-card') === null"), "%s does not repeat the cards" % name)


# Words on more than one line, and lines that the window's upper edge cuts.
WORDS_IN_PIECES = """
    const pieces = [];
    const walker = document.createTreeWalker(document.getElementById("page"), NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        for (const word of walker.currentNode.data.matchAll(/\\S+/g)) {
            const range = document.createRange();
            range.setStart(walker.currentNode, word.index);
            range.setEnd(walker.currentNode, word.index + word[0].length);
            const boxes = [...range.getClientRects()].filter((box) => box.width > 0);
            const lines = new Set(boxes.map((box) => Math.round(box.top)));
            if (lines.size > 1 || boxes.some((box) => box.top < 2)) pieces.push(word[0]);
        }
    }
    return pieces;"""


def works_without_script(trial):
    """without JavaScript, and where the scripts do not come, there is the first line and a table of the bridges"""
    service = trial.serve(speed=1)
    page = trial.browse(service.address, script=False, width=360).open(until="Ballard")
    text = page.order("DOM.getOuterHTML", nodeId=page.order("DOM.getDocument", depth=0)["root"]["nodeId"])["outerHTML"]
    rows = re.findall(r"<tr.*?</tr>", text, re.S)
    trial.expect(len(rows) >= 8, "seven bridges and a head: %d rows" % len(rows))
    trial.expect("in 100" in text and "no sensor" in text, "chances and bridges without a sensor are shown")
    trial.expect(re.search(r"\d:\d\d:\d\d(\s|&nbsp;)[AP]M", text), "times are those of the page")
    for language in ("en-US", "es-ES"):
        page = trial.browse(service.address, language=language, width=360)
        page.order("Network.enable")
        page.order("Network.setBlockedURLs", urls=["*.js"])
        page.open()
        page.wait(["are down", "is up", "bajados", "levantado"])
        torn = page.run(WORDS_IN_PIECES)
        trial.expect(not torn, "%s: no word is torn or cut: %s" % (language, torn))
        wide = page.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
        trial.expect(wide <= 0, "%s: it is %d pixels too wide" % (language, wide))
        again = ("If nothing follows", "Si no aparece nada")
        trial.expect(page.until(lambda: page.run("return getComputedStyle(document.querySelector('.starting')).visibility") == "visible"
                                and page.wait(again, 1), 12), "%s: it says what to do if nothing follows" % language)
        page.driver.quit()


def speaks_spanish(trial):
    """Spanish by the browser's language, and by choice; no message is missing"""
    service = trial.serve(speed=1)
    page = trial.browse(service.address, language="es-ES")
    for name, address in VIEWS.items():
        page.open(address, until="de cada 100")
        text = page.text()
        trial.expect("de cada 100" in text, "%s speaks Spanish: %r" % (name, text[:200]))
        keys = [word for word in re.findall(r"\b[a-z]+\.[a-z_]+(?:\.[a-z_]+)*\b(?!\S)", text)
                if not word.endswith((".json", ".bcm"))]
        trial.expect(not keys, "%s shows names of messages: %s" % (name, keys[:5]))
        trial.expect(page.until(lambda: page.run("return document.documentElement.lang").startswith("es"), 5),
                     "%s says its language" % name)
    english = ["raised", "lowered", "not known", "Half the time", "in 100 now"]
    trial.expect(not [word for word in english if word in page.text()], "no English sentence is left")


def moves_little(trial):
    """who wants little motion gets none"""
    service = trial.serve(speed=20)
    page = trial.browse(service.address, reduced=True).open(until="Replaying, as of")
    page.wait("Ballard is up", 30, "h1")
    moving = page.run("""return document.getAnimations().filter((a) => a.playState === "running"
        && (a.effect?.getComputedTiming().duration ?? 0) > 1).length""")
    trial.expect(moving == 0, "nothing moves: %s" % moving)


def prints_whole(trial):
    """paper: a trip in one column with directions and no empty map; no card and no map is cut by the end of a page"""
    service = trial.serve(speed=1)
    page = trial.browse(service.address, width=1440, height=900)
    for where in ("?view=trip&from=Ballard&to=Downtown", ""):
        page.shape(1440, 900)
        page.open(where, until="Half the time" if where else "in 100")
        # As wide as paper, but as the screen drew it: a printer does not wait for another drawing.
        page.order("Emulation.setEmulatedMedia", media="print")
        cut = page.run("""return [...document.querySelectorAll("main .card, main .map")].filter((e) => e.checkVisibility()
            && getComputedStyle(e).breakInside !== "avoid").map((e) => e.className)""")
        trial.expect(not cut, "%r: may be cut: %s" % (where, cut))
        if where:
            lefts = page.run("return [...document.querySelectorAll('.trip-route')].map((e) => e.getBoundingClientRect().left)")
            trial.expect(len(lefts) > 1 and len(set(lefts)) == 1, "ways stand in one column: %s" % lefts)
            trial.expect(not page.run("return document.querySelector('.trip-map').checkVisibility()"), "no map in a frame")
            trial.expect("Start on" in page.text(".trip-directions"), "directions: %r" % page.text(".trip-directions"))
            trial.expect("Ballard to Downtown by car, leave now" in page.text("main"), "which trip it is: %r" % page.text("main")[:200])


TRIALS = [axe_finds_nothing, nothing_else_is_asked, nothing_overflows, letters_grow, pictures_keep_their_type,
          wide_screens_are_used, works_without_script, speaks_spanish, moves_little, prints_whole]

"""Trials of boards and runs: rows and countdowns, favourites, places, failures, notifications, and a run's map."""
import re, time

from everybody import axe
from figures import metrics

# Buses of the shipped timetable run over Montlake Bridge on that day.
DAY = "2018-01-04T15:09/2018-01-04T18:00"
NIGHT = "2018-01-04T01:30/2018-01-04T03:00"
STOP = "?view=board&stop=25243"
PLACE = {"latitude": 47.6440168, "longitude": -122.3042683, "accuracy": 20}
# Notifications as the page asks for them: this browser has no place to show them.
NOTICES = """
window.notices = [];
window.Notification = class {
    static permission = "granted";
    static requestPermission = async () => "granted";
    constructor(title, options) { notices.push(`${title}; ${options.body}`); }
    addEventListener() {}
};
"""

# A service that refuses boards until it is mended.
REFUSED = """
const ask = window.fetch;
window.fetch = (path, how) => String(path).includes("/stops/") && !window.isMended
    ? Promise.resolve(new Response('{"code":"%s"}', { status: %d })) : ask(path, how);
"""
# A timetable without coordinates.
PLACELESS = """
const read = Response.prototype.text;
Response.prototype.text = async function () {
    return (await read.call(this)).replace(/"(lat|lon)":-?[\\d.]+/g, '"$1":null');
};
"""
# A browser that counts how often it is asked where it is, once or on and on.
LOCATIONS = """
window.located = { once: 0, always: 0 };
for (const [name, kind] of [["getCurrentPosition", "once"], ["watchPosition", "always"]]) {
    const ask = Geolocation.prototype[name];
    Geolocation.prototype[name] = function (...given) { located[kind] += 1; return ask.apply(this, given); };
}
"""


def seconds(text):
    """A countdown as seconds; None if it is none."""
    found = re.fullmatch(r"(?:(\d+):)?(\d+):(\d\d)", text.strip())
    return None if not found else int(found[1] or 0) * 3600 + int(found[2]) * 60 + int(found[3])


def countdowns(page):
    """The countdowns that can be seen."""
    texts = page.run("return [...document.querySelectorAll('.countdown')].map((one) => one.textContent)")
    return [seconds(text) for text in texts]


def columns(page):
    """The rows of each column, and where it begins."""
    return page.run("""return [...document.querySelectorAll(".board-column")].map((one) =>
        [one.querySelectorAll("li").length, one.getBoundingClientRect().left])""")


def urls(page):
    """What was asked for so far."""
    return [event["request"]["url"] for event in page.events("Network.requestWillBeSent")]


def link_of_a_run(page):
    """The address of the last run on the board, which has not begun to be over."""
    return page.run("return [...document.querySelectorAll('.board-to')].at(-1).getAttribute('href')")


def locate(page, allowed=True):
    """What the browser says of where it is."""
    page.order("Browser.setPermission", permission={"name": "geolocation"}, setting="granted" if allowed else "denied")
    if allowed:
        page.order("Emulation.setGeolocationOverride", **PLACE)


def board_is_a_board(trial):
    """a board has its stop, its lines and the next three each way, at three sizes; axe-core finds nothing, light or dark"""
    service = trial.serve(DAY, speed=1)
    for width, height, dark in ((360, 740, False), (768, 1024, True), (1440, 900, False), (360, 740, True)):
        page = trial.browse(service.address, width=width, height=height, dark=dark).open(STOP)
        trial.expect(page.wait("Towards", 20), "rows come: %r" % page.text("main")[:300])
        trial.expect("Montlake Blvd" in page.one("heading", "Montlake Blvd").text, "the stop heads the board")
        shown = columns(page)
        trial.expect([rows for rows, _ in shown] == [3, 3], "three rows each way: %s" % shown)
        sides = len({left for _, left in shown})
        trial.expect(sides == (1 if width < 640 else 2), "%d has %d columns" % (width, sides))
        trial.expect("scheduled" in page.text(".board-row"), "a time that is only planned says so: %r" % page.text(".board-row"))
        wide = page.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
        trial.expect(wide <= 0, "at %d it is %d pixels too wide" % (width, wide))
        found = axe(page)
        trial.expect(not found, "board, %d: %s" % (width, "\n".join(found)))
        page.open(link_of_a_run(page))
        trial.expect(page.wait("Route Map", 20), "a run has its map: %r" % page.text("main")[:300])
        page.until(lambda: page.run("return document.querySelector('.run-map path') !== null"), 10)
        time.sleep(1)
        found = axe(page)
        trial.expect(not found, "run, %d: %s" % (width, "\n".join(found)))
        messages = page.console()
        trial.expect(not messages, "no message on the console: %s" % messages[:2])
        page.driver.quit()


def board_counts_down(trial):
    """countdowns follow the service's clock to a second, never backwards; the title counts down to the next one"""
    service = trial.serve(DAY, speed=1)
    page = trial.browse(service.address).open(STOP)
    page.wait("Towards", 20)
    began, first = time.monotonic(), countdowns(page)
    for _ in range(20):
        time.sleep(0.5)
        passed, now = time.monotonic() - began, countdowns(page)
        wrong = [(a, b) for a, b in zip(first, now) if a and b and abs(a - passed - b) > 1.3]
        trial.expect(not wrong, "after %.1f s: %s" % (passed, wrong))
    titled = page.until(lambda: re.match(r"\d:\d\d to 5\d\d at Montlake", page.driver.title), 10)
    trial.expect(titled, "the title: %r" % page.driver.title)
    # What the board says and what the service says is the same time.
    document = page.driver.execute_async_script("""const done = arguments[0];
        fetch("api/v1/stops/25243/board?per_direction=3").then((answer) => answer.json()).then(done)""")
    said = sorted(row["countdown_s"] for row in document["data"]["departures"])
    trial.expect(abs(said[0] - sorted(countdowns(page))[0]) <= 2, "the service says %s, the page %s" % (said, countdowns(page)))


def rows_and_favourites_are_kept(trial):
    """rows and a favourite are kept; the favourite opens first, and stands on the first view of those who have one"""
    service = trial.serve(DAY, speed=1)
    page = trial.browse(service.address).open("", until="Montlake")
    time.sleep(2)
    asked = [url for url in urls(page) if "boards/view.js" in url or "/stops/" in url or "boards.css" in url]
    trial.expect(not asked, "without a favourite nothing of boards is loaded")
    page.open(STOP)
    page.one("combobox", "Rows each way").send_keys("5")
    trial.expect(page.until(lambda: len(countdowns(page)) >= 8, 10), "five rows each way: %s" % countdowns(page))
    page.one("button", "Favourite stop").click()
    page.open("?view=board")
    trial.expect(page.wait("Montlake Blvd", 20, "h1"), "a board without a stop is the favourite's: %r" % page.text("main")[:200])
    trial.expect(page.until(lambda: len(countdowns(page)) >= 8, 10), "and has as many rows as before")
    page.open("", until="Next at Montlake")
    trial.expect(page.until(lambda: len(countdowns(page)) == 3, 10), "the first view has three arrivals: %s" % countdowns(page))
    found = axe(page)
    trial.expect(not found, "now, with a favourite: %s" % "\n".join(found))
    page.open("?view=board")
    page.wait("Your stops", 10)
    page.one("button", "Remove").click()
    trial.expect(page.until(lambda: not page.all("button", "Remove"), 5), "it is taken out")
    page.open("?view=board")
    trial.expect(page.wait("Find a stop", 10) and not page.text(".board"), "without a favourite there is a start")
    found = axe(page)
    trial.expect(not found, "the start: %s" % "\n".join(found))


def stops_are_found(trial):
    """a stop is found by a part of its name, with the lines that call there, by keyboard alone"""
    service = trial.serve(DAY, speed=1)
    page = trial.browse(service.address).open("?view=board")
    page.one("combobox", "Find a stop").send_keys("montlake")
    option = page.one("option", "Montlake Blvd E & E Lake Washington")
    trial.expect("542" in option.text, "with its lines: %r" % option.text)
    chosen = "return document.querySelector('[role=option][aria-selected=true]')?.innerText ?? ''"
    for _ in range(8):
        if "Montlake Blvd E & E Lake" not in page.run(chosen):
            page.press("ARROW_DOWN")
    page.press("ENTER")
    trial.expect(page.wait("Towards", 20), "Enter opens its board: %r" % page.text("main")[:200])
    page.open("?view=board")
    page.one("combobox", "Find a stop").send_keys("zzzz")
    page.press("ENTER")
    trial.expect(page.wait("No stop is called", 10), "there is no such stop")


def a_place_stays_here(trial):
    """near here: only on a press, rounded, kept half an hour; without one there is a button for it"""
    service = trial.serve(DAY, speed=1)
    page = trial.browse(service.address)
    page.order("Page.addScriptToEvaluateOnNewDocument", source=LOCATIONS)
    page.open("?view=board&near=here")
    trial.expect(page.wait("Where you are is not known", 10), "noLocation: %r" % page.text("main")[:200])
    trial.expect(page.run("return located.once + located.always") == 0, "without a press the browser is not asked")
    locate(page, allowed=False)
    page.one("button", "Find my place").click()
    trial.expect(page.one("alert", "").text.startswith("The browser does not say"), "a refusal has words")
    locate(page)
    page.open("?view=board")
    page.one("button", "Near here").click()
    trial.expect(page.wait("Montlake Blvd", 20, "h1"), "the nearest stop's board: %r" % page.text("main")[:300])
    trial.expect(page.run("return located") == {"once": 1, "always": 0}, "a press asks once: %s" % page.run("return located"))
    asked = [url for url in urls(page) if "nearest" in url]
    trial.expect(asked and all("lat=47.644&lon=-122.304&" in url for url in asked), "rounded: %s" % asked[:2])
    trial.expect("47.6" not in page.driver.current_url, "the address does not have it: %s" % page.driver.current_url)
    page.open("?view=board&near=here")
    trial.expect(page.wait("Montlake Blvd", 20, "h1"), "it is kept for a while")
    page.run("""const kept = JSON.parse(localStorage["bridgecast.place"]); kept.at -= 31 * 60000;
        localStorage["bridgecast.place"] = JSON.stringify(kept)""")
    page.open("?view=board&near=here")
    trial.expect(page.wait("more than 30 minutes ago", 10), "cacheStale: %r" % page.text("main")[:200])
    trial.expect(page.run("return localStorage['bridgecast.place'] === undefined"), "and then it is gone")


def problems_have_remedies(trial):
    """a stop that is not there, a service without departures and one that fails: a sentence and a button for each"""
    service = trial.serve(DAY, speed=1)
    page = trial.browse(service.address).open("?view=board&stop=nothing")
    trial.expect(page.wait("There is no such stop", 10), "noStation: %r" % page.text("main")[:200])
    found = axe(page)
    trial.expect(not found, "a problem: %s" % "\n".join(found))
    page.one("button", "Find a stop").click()
    trial.expect(page.focused()[0] == "combobox", "its button leads to the field: %s" % (page.focused(),))
    for status, code, words in ((404, "noData", "no departures to show"), (503, "apiError", "cannot be fetched")):
        other = trial.browse(service.address)
        other.order("Page.addScriptToEvaluateOnNewDocument", source=REFUSED % (code, status))
        other.open(STOP)
        trial.expect(other.wait(words, 15), "%s: %r" % (code, other.text("main")[:200]))
        other.run("window.isMended = true")
        other.one("button", "Try again").click()
        trial.expect(other.wait("Towards", 15), "%s: its button asks again" % code)
        other.driver.quit()


def a_board_outlives_failures(trial):
    """rows stay when the service fails, with their age and said so; a reload without a network shows the last board"""
    service = trial.serve(DAY, speed=1)
    faults = trial.faults(service)
    faults.path = "/api/v1/stops/"
    page = trial.browse(faults.address).open(STOP)
    page.wait("Towards", 20)
    faults.mode = ("status", 503, {})
    trial.expect(page.wait("Not live", 50), "after a failure the board says that it is not live: %r" % page.text(".board-head"))
    trial.expect(len(countdowns(page)) == 6, "the rows stay")
    spoken = page.until(lambda: "the last ones stay" in page.run("return document.getElementById('announcer').textContent"), 15)
    trial.expect(spoken, "a screen reader hears it")
    faults.mode = None
    trial.expect(page.wait("Live, as of", 70, ".board-head"), "it recovers by itself")
    trial.expect(page.until(lambda: page.run("return navigator.serviceWorker?.controller !== null"), 20), "the page is kept")
    page.open(STOP)
    page.wait("Towards", 20)
    time.sleep(6)
    page.network(offline=True)
    service.kill()
    page.open(STOP)
    trial.expect(page.wait("Towards", 30), "a reload without a network shows the last board: %r" % page.text("main")[:300])
    trial.expect(page.wait("Not live", 10), "and says so: %r" % page.text(".board-head"))


def is_kept(page, path):
    """Whether the service worker keeps an answer, whose address has some words."""
    return page.driver.execute_async_script("""const [path, done] = arguments;
        Promise.resolve(caches.keys()).then((names) => Promise.all(names.map(async (name) => (await caches.open(name)).keys())))
            .then((found) => done(found.flat().some(({ url }) => url.includes(path))), () => done(false))""", path)


def runs_and_lines_outlive_failures(trial):
    """without a network the last run is there with its map and its age, and the last line without its vehicles"""
    service = trial.serve(DAY, speed=1)
    page = trial.browse(service.address).open(STOP)
    page.wait("Towards", 20)
    trial.expect(page.until(lambda: page.run("return navigator.serviceWorker?.controller !== null"), 20), "the page is kept")
    line = "?view=line&line=542"
    run = link_of_a_run(page)
    page.open(line)
    page.wait("vehicle", 20, ".line-said")
    page.open(run)
    drawn = "return document.querySelector('.run-map-line') !== null"
    trial.expect(page.until(lambda: page.run(drawn), 20), "the run has its map: %r" % page.text("main")[:200])
    stops = page.text(".run-stops")
    for path in ("/trips/", "/map?date=", "routes/542/map", "vendor/", "geography"):
        trial.expect(page.until(lambda: is_kept(page, path), 15), "%s is kept" % path)
    page.network(offline=True)
    service.kill()
    page.open(run)
    trial.expect(page.wait("Route Map", 30), "the run is shown: %r" % page.text("main")[:300])
    trial.expect(page.until(lambda: page.run(drawn), 20), "and its map")
    trial.expect(page.text(".run-stops .run-stop a") in stops, "with its stops: %r" % page.text(".run-stops")[:200])
    trial.expect(page.wait("Not live", 10, ".board-head"), "and its age: %r" % page.text(".board-head"))
    page.open(line)
    trial.expect(page.wait("Unable to fetch live positions", 30, ".line-said"), "a line says what is missing: %r" % page.text("main")[:300])
    trial.expect(page.until(lambda: page.one("combobox", "Your stop"), 5), "its stops are there")


def a_board_at_night(trial):
    """at night a board says when the first one comes"""
    service = trial.serve(NIGHT, speed=1)
    page = trial.browse(service.address).open(STOP)
    trial.expect(page.wait("No departures in the next two hours; first at", 20), "%r" % page.text("main")[:300])


def an_end_of_a_line_has_arrivals(trial):
    """where no bus departs any more the board offers what arrives, and has it in its address"""
    service = trial.serve(DAY, speed=1)
    page = trial.browse(service.address).open("?view=board&stop=73227")
    trial.expect(page.wait("no departures", 20), "nothing departs: %r" % page.text("main")[:300])
    page.one("link", "Show arrivals").click()
    trial.expect(page.until(lambda: len(countdowns(page)) == 3, 20), "three arrive: %r" % page.text("main")[:300])
    trial.expect("arrivals=true" in page.driver.current_url, "the address has it: %s" % page.driver.current_url)
    found = axe(page)
    trial.expect(not found, "arrivals: %s" % "\n".join(found))
    page.one("link", "Show departures").click()
    trial.expect(page.wait("no departures", 20) and not countdowns(page), "and back: %r" % page.text("main")[:300])


def a_past_day_has_no_boards(trial):
    """on a played day boards and runs say that they are live only; there is a way back"""
    service = trial.serve(DAY, speed=1)
    page = trial.browse(service.address).open(STOP)
    page.wait("Towards", 20)
    run = link_of_a_run(page)
    for where, words, back in ((STOP, "Departures are live only", "Towards"), (run, "Runs are live only", "Route Map")):
        page.open(where + "&replay=2018-01-04T10:20")
        trial.expect(page.wait(words, 20), "%s: %r" % (words, page.text("main")[:300]))
        trial.expect(not countdowns(page), "no countdown: %s" % countdowns(page))
        page.one("button", "Back to live").click()
        trial.expect(page.wait(back, 20), "and back: %r" % page.text("main")[:300])


def an_arrival_is_reported(trial):
    """a visitor who presses the bell is notified before a departure, also on another view; others are not"""
    service = trial.serve(DAY, speed=30)
    page = trial.browse(service.address)
    page.order("Page.addScriptToEvaluateOnNewDocument", source=NOTICES)
    page.open(STOP)
    page.wait("Towards", 20)
    bell = page.one("button", "Tell me when 5")
    run = bell.accessible_name.removeprefix("Tell me when ").removesuffix(" comes")
    bell.click()
    page.one("link", "Now").click()
    notices = page.until(lambda: page.run("return notices"), 60)
    trial.expect(notices and notices[0].startswith(run + " comes in") and "Montlake" in notices[0], "%s: %s" % (run, notices))
    trial.expect(len(page.run("return notices")) == 1, "once: %s" % page.run("return notices"))


def a_run_has_its_map(trial):
    """a row leads to its run, whose map is 200 pixels high with the whole line; without places there is no map"""
    service = trial.serve(DAY, speed=1)
    page = trial.browse(service.address).open(STOP)
    page.wait("Towards", 20)
    page.driver.find_elements("css selector", ".board-to")[-1].click()
    trial.expect(page.wait("Route Map", 20), "the run opens: %r" % page.text("main")[:200])
    drawn = page.until(lambda: page.run("return document.querySelector('.run-map-line')?.getBoundingClientRect().width > 80"), 15)
    trial.expect(drawn, "its line is drawn")
    box = page.run("""const { height, left, right, top, bottom } = document.querySelector(".run-map").getBoundingClientRect();
        return [height, left, right, top, bottom]""")
    trial.expect(abs(box[0] - 200) < 1, "it is 200 pixels high: %s" % box[0])
    outside = page.run("""const [, left, right, top, bottom] = arguments[0];
        return [...document.querySelectorAll(".run-map-stop")].filter((pin) => { const b = pin.getBoundingClientRect();
            return b.left < left || b.right > right || b.top < top || b.bottom > bottom; }).length""", box)
    trial.expect(outside == 0, "%d stops are outside the map" % outside)
    trial.expect(page.all("link", "Montlake Blvd"), "its stops lead to their boards")
    here = page.driver.current_url
    page.order("Page.addScriptToEvaluateOnNewDocument", source=PLACELESS)
    page.driver.get(here)
    trial.expect(page.wait("Stops", 20) and not page.all("heading", "Route Map"), "without places there is no map")


def a_run_is_opened_a_thousand_times(trial):
    """a run that is opened and closed a thousand times (fewer with --minutes below 1) leaves nothing"""
    service = trial.serve(DAY, speed=1)
    page = trial.browse(service.address).open(STOP)
    page.wait("Towards", 20)
    run = link_of_a_run(page)
    script = """const [run, board, times, done] = arguments;
        const pause = (milliseconds) => new Promise((next) => setTimeout(next, milliseconds));
        const go = async (where, selector) => {
            // The browser drops changes of the address where there are more than twenty a second.
            while (location.search !== where) { history.replaceState(history.state, "", where); await pause(30); }
            dispatchEvent(new PopStateEvent("popstate"));
            for (let n = 0; n < 2000 && !document.querySelector(selector); n += 1) await pause(0);
        };
        (async () => {
            for (let n = 0; n < times; n += 1) {
                await go(run, ".run-map-line");
                await go(board, ".board-row");
            }
            done(document.querySelectorAll(".leaflet-container").length);
        })();"""
    page.driver.set_script_timeout(100)
    page.driver.execute_async_script(script, run, STOP, 50)
    first, nodes = page.heap_bytes(), metrics(page)
    began = time.monotonic()
    rounds = max(1, round(20 * min(1, trial.options.minutes)))
    left = max(page.driver.execute_async_script(script, run, STOP, 50) for _ in range(rounds))
    opened = 50 * rounds
    last, after = page.heap_bytes(), metrics(page)
    trial.figure("%d runs opened and closed in %.0f s: %+d kB, %+d nodes, %+d listeners" % (
        opened, time.monotonic() - began, (last - first) / 1000, after["Nodes"] - nodes["Nodes"],
        after["JSEventListeners"] - nodes["JSEventListeners"]))
    trial.expect(left == 0, "%d maps are left" % left)
    trial.expect(last - first < 500_000 + 2_500 * opened, "%d bytes more" % (last - first))
    trial.expect(after["Nodes"] - nodes["Nodes"] < 3 * opened, "%d nodes more" % (after["Nodes"] - nodes["Nodes"]))
    trial.expect(after["JSEventListeners"] - nodes["JSEventListeners"] < 0.3 * opened, "listeners: %s, %s" % (nodes, after))


TRIALS = [board_is_a_board, board_counts_down, rows_and_favourites_are_kept, stops_are_found, a_place_stays_here,
          problems_have_remedies, a_board_outlives_failures, runs_and_lines_outlive_failures, a_board_at_night,
          an_end_of_a_line_has_arrivals, a_past_day_has_no_boards, an_arrival_is_reported, a_run_has_its_map]
MEASURING = [a_run_is_opened_a_thousand_times]

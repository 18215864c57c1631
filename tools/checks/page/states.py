"""Trials of what the page shows of the bridges and of the connection: up, down, stale, dead, killed, offline, faults."""
import json, urllib.request


def spans_rise(trial):
    """a span rises when the record says so, and the card's words follow"""
    service = trial.serve(speed=20)
    page = trial.browse(service.address).open(until="Ballard")
    trial.expect(page.wait("down.", 10, "h1"), "before 18:00 the headline says which are down: %r" % page.text("h1"))
    before = page.one("link", "Ballard: lowered").get_attribute("outerHTML")
    trial.expect(page.wait("Ballard is up", 30, "h1"), "at 18:00 the headline says that Ballard is up: %r" % page.text("h1"))
    span = page.one("link", "Ballard: raised")
    trial.expect(span.get_attribute("outerHTML") != before, "the span is drawn otherwise when it is up")
    card = page.one("article", "Ballard")
    trial.expect("raised for" in card.text, "the card says since when it is raised: %r" % card.text[:200])
    trial.expect("Ballard" in page.driver.title and "up" in page.driver.title, "the title says it: %r" % page.driver.title)
    spoken = page.until(lambda: page.run("return document.getElementById('announcer').textContent"), 12)
    trial.expect(spoken and "Ballard" in spoken, "a screen reader hears it: %r" % spoken)
    trial.expect(page.until(lambda: page.all("link", "Ballard: lowered"), 60), "it comes down again")


def feed_dies(trial):
    """a feed that dies is shown as stale, then as dead, and comes back by itself"""
    service = trial.serve(speed=60, admin=True)
    page = trial.browse(service.address).open(until="Replaying, as of")
    trial.expect(page.wait("Replaying, as of", 10), "it begins live")
    trial.administer("feed/pause")
    trial.expect(page.wait("Last reading", 20), "stale is shown with its age")
    trial.expect(page.wait("No live reading since", 40), "dead is shown with its time")
    trial.expect(page.wait("We cannot see the bridges", 5, "h1"), "the headline says so: %r" % page.text("h1"))
    trial.expect(not page.all("link", ": lowered") and not page.all("link", ": raised"), "no span is passed off as known")
    trial.administer("feed/resume")
    trial.expect(page.wait("Replaying, as of", 60), "it is live again by itself")


def service_dies(trial):
    """a service that is killed: the last state stays, with its age; it recovers by itself"""
    service = trial.serve(speed=10)
    page = trial.browse(service.address).open(until="Replaying, as of")
    port = service.port
    service.kill()
    trial.expect(page.wait(["Next try in", "Trying again"], 30), "the page says that it tries again: %r" % page.text()[:300])
    trial.expect("Ballard" in page.text("main"), "the last good state stays")
    trial.expect(page.wait("were down", 20, "h1"), "after a minute it is shown in the past tense: %r" % page.text("h1"))
    trial.serve(speed=10, port=port)
    trial.expect(page.wait("Replaying, as of", 90), "it is live again without a reload: %r" % page.text()[:300])


def network_dies(trial):
    """offline: the last known state, said so; a reload opens from the browser's own cache"""
    service = trial.serve(speed=10)
    page = trial.browse(service.address).open(until="Replaying, as of")
    trial.expect(page.until(lambda: page.run("return navigator.serviceWorker?.controller !== null"), 20), "the shell is kept")
    page.open(until="Replaying, as of")
    page.network(offline=True)
    trial.expect(page.wait("You are offline", 40), "offline is shown: %r" % page.text()[:300])
    trial.expect("Ballard" in page.text("main"), "the last good state stays")
    service.kill()
    page.open()
    trial.expect(page.wait("Ballard", 20, "main"), "a reload without a network shows the last state: %r" % page.text()[:300])
    trial.expect(page.wait(["You are offline", "Next try in"], 10), "and says that it is an old one: %r" % page.text()[:300])
    kept = page.driver.execute_async_script("fetch('.').then((response) => response.text()).then(arguments[0])")
    trial.expect("starting" in kept and "<table" not in kept, "the kept document has no bridges of then: %r" % kept[-600:])


def answers_are_bad(trial):
    """answers that are late, cut, 429, 503 or not JSON: said, the last state kept, recovered from"""
    service = trial.serve(speed=10)
    faults = trial.faults(service)
    modes = {"status 503": (("status", 503, {}), "503"), "status 429": (("status", 429, {"Retry-After": "2"}), "429"),
             "not JSON": (("text", "<html>hello</html>"), "Next try"), "cut": (("cut",), "Next try"),
             "nonsense": (("text", '{"bridges": 7}'), "Next try"), "null": (("text", "null"), "Next try"),
             "late": (("late", 12), "Next try")}
    for name, (mode, words) in modes.items():
        page = trial.browse(faults.address).open(until="Replaying, as of")
        faults.mode = mode
        trial.expect(page.wait(words, 50), "%s is shown: %r" % (name, page.text()[:300]))
        trial.expect("Ballard" in page.text("main"), "%s: the last good state stays" % name)
        faults.mode = None
        trial.expect(page.wait("Replaying, as of", 60), "%s: it recovers by itself: %r" % (name, page.text()[:300]))
        page.driver.quit()
    page = trial.browse(faults.address)
    faults.mode = ("status", 503, {})
    page.open()
    trial.expect(page.wait("503", 20), "a first answer of 503 is shown: %r" % page.text()[:300])
    page.one("button", "Try now")
    faults.mode = None
    page.one("button", "Try now").click()
    trial.expect(page.wait("Replaying, as of", 20), "the visitor can try at once")


def unseen_bridge_has_its_forecast(trial):
    """a bridge without a sensor: its words and its bars are the forecast's, the usual stands next to it"""
    service = trial.serve(replay="2026-02-20T18:20/2026-02-20T21:00", speed=1)
    page = trial.browse(service.address).open(until="Lower Spokane St")
    page.one("button", "More about Lower Spokane St").click()
    board = json.load(urllib.request.urlopen(service.address + "/api/v1/bridges", timeout=10))
    point = next(b for b in board["bridges"] if b["bridge"] == "Lower Spokane St")["outlook"][0]
    cases = ["%.0f in 100" % (100 * point[name]) for name in ("probability_stopped", "climatology_probability_stopped")]
    card = page.one("article", "Lower Spokane St")
    trial.expect("forecast without one, %s stopped; usual %s." % tuple(cases) in card.text, "%s: %r" % (cases, card.text))
    row = page.run("return [...arguments[0].querySelectorAll('tbody tr:first-child > *')].map((cell) => cell.textContent)", card)
    trial.expect(row[1:] == cases, "the bars draw %s: %s" % (cases, row))
    trial.expect("this is the usual" not in card.text, "the bars are not called the usual")


TRIALS = [spans_rise, unseen_bridge_has_its_forecast, feed_dies, service_dies, network_dies, answers_are_bad]

"""Trials of a person's journal: the token and where it goes, a journey from start to end, favourites, statistics, files."""
import datetime, json, time, urllib.request

from everybody import axe

# Buses of the shipped timetable run on that day.
DAY = "2018-01-04T15:00/2018-01-04T18:00"
ZONE = datetime.timezone(datetime.timedelta(hours=-8))
VIEW = "?view=me"


def journey(number):
    """A made-up journey of the five weeks before; every fourth was stopped at the bridge, and every tenth was given up."""
    began = datetime.datetime(2018, 1, 3, 7, 30, tzinfo=ZONE) - datetime.timedelta(hours=21 * number)
    minutes = lambda count: (began + datetime.timedelta(minutes=count)).isoformat()
    is_back, is_abandoned = number % 2 == 1, number % 10 == 9
    ends = ("Downtown", "Ballard") if is_back else ("Ballard", "Downtown")
    return {"id": "made-%d" % number, "route": "car/%s/%s" % tuple(end.lower() for end in ends), "name": "%s -> %s" % ends, "mode": "car",
            "planned_departure": minutes(0), "planned_arrival": minutes(18), "actual_departure": minutes(0),
            "actual_arrival": None if is_abandoned else minutes(16 + number % 7), "abandoned": is_abandoned,
            "stopped": None if is_abandoned else number % 4 == 0, "way": "Ballard Bridge, 15th Ave W", "expected_s": 1080, "p90_s": 1320,
            "probability_stopped": 0.05 + number % 4 / 50, "bridges": ["Ballard"], "created_at": minutes(0)}


def favourite(name, refresh=5, **target):
    return {"id": name, "name": name, "kind": "stop" if "line" in target else "trip", **target, "refresh_min": refresh,
            "last_used_at": None, "use_count": 0, "average_s": None}


JOURNAL = {"format": "bridgecast-journal", "version": 1, "journeys": [journey(number) for number in range(40)], "favourites": [
    favourite("commute", **{"from": "Ballard", "to": "Downtown", "mode": "car"}), favourite("bus", line="542", stop="25243", direction=""),
    favourite("ride", **{"from": "Ballard", "to": "Fremont", "mode": "bike"})]}


def serve(trial, document=JOURNAL, has_consent=True, replay=DAY, speed=1):
    """A service with Ann, her token, and what is in her journal; she has agreed that it keeps one."""
    people = trial.folder / "people"
    token = trial.add_person(people, "Ann")
    service = trial.serve(replay, speed=speed, people=people, alerts=trial.folder / "alerts.sqlite")
    if has_consent:
        ask(service, token, "/settings", b"keeps_history=true", method="PATCH")
    if document:
        ask(service, token, "/import", json.dumps(document).encode(), "application/json")
    return service, token


def ask(service, token, path, body=None, kind="application/x-www-form-urlencoded", method=None):
    """What the service itself answers."""
    headers = {"Authorization": "Bearer " + token, "Content-Type": kind}
    request = urllib.request.Request(service.address + "/api/v1/me" + path, body, headers, method=method)
    return json.load(urllib.request.urlopen(request, timeout=10))


def enter(page, token, is_kept=False):
    """Enters a token as a person does."""
    field = page.until(lambda: page.run("return document.getElementById('me-token')"), 20)
    field.send_keys(token)
    if is_kept:
        page.run("document.querySelector('.me-check input').click()")
    page.one("button", "Open my journal").click()


def names(page):
    """The favourites as they are shown."""
    return page.run("return [...document.querySelectorAll('.me-favourite h3')].map((one) => one.textContent)")


def storages(page):
    return page.run("return [sessionStorage, localStorage].map((one) => one.getItem('bridgecast.token'))")


def a_journey_is_kept(trial):
    """a token, a start with one press, the time that passes, an arrival, its undoing, and what the statistics make of it"""
    service, token = serve(trial)
    page = trial.browse(service.address, width=1200, height=900)
    page.order("Emulation.setTimezoneOverride", timezoneId="America/New_York")
    page.open(VIEW)
    enter(page, token)
    trial.expect(page.wait("Leave now: expected", 20), "what is forecast now: %r" % page.text("main")[:300])
    trial.expect(page.wait("Redmond", 10, ".me-departures"), "the bus has departures")
    trial.expect("This is the journal of Ann. It has 40 journeys; up to 1,000 are kept." in page.text("main"), "whose it is")
    page.one("button", "Start commute").click()
    trial.expect(page.wait("Under way: Ballard → Downtown, by car", 10), "the journey is under way")
    trial.expect(ask(service, token, "")["under_way"]["name"] == "Ballard -> Downtown", "for the service too")
    card = page.text(".me-under-way")
    trial.expect("Chance of being stopped at Ballard: " in card and "9 in 10 within" in card, "with its forecast: %r" % card)
    trial.expect("6:0" in card, "by the person's own clock, three hours ahead: %r" % card)
    shown = page.text(".me-elapsed .countdown")
    trial.expect(page.until(lambda: page.text(".me-elapsed .countdown") != shown, 5), "its time passes: %r" % shown)
    trial.expect(all(not one.is_enabled() for one in page.all("button", "Start")), "no second one can be started")
    page.one("button", "Arrived, stopped at a bridge").click()
    trial.expect(page.wait("has ended and is in your journal", 10), "it has ended")
    trial.expect(page.until(lambda: page.focused() == ("button", "Undo"), 5), "undoing is a key away: %s" % (page.focused(),))
    trial.expect(page.wait("stopped at a bridge", 5, ".me-journal li"), "the journal has it first")
    kept = ask(service, token, "/journeys?limit=1")["journeys"][0]
    trial.expect(kept["stopped"] is True and kept["actual_arrival"], "as the service has: %s" % kept)
    page.press("ENTER")
    trial.expect(page.wait("Under way: ", 10), "it is under way again")
    page.one("button", "Give up").click()
    trial.expect(page.wait("given up", 10, ".me-journal li"), "it is given up")
    page.run("document.querySelector('[name=me-range][value=all]').click()")
    trial.expect(page.wait("41", 10, ".me-totals"), "41 journeys: %r" % page.text(".me-totals"))
    said = ask(service, token, "/statistics?range=all&zone=America/New_York")
    figures = page.text(".me-statistics")
    trial.expect(page.text(".me-totals").split("\n")[1::2][:3] == [str(said[key]) for key in ("journeys", "arrived", "abandoned")], figures[:300])
    route = said["routes"][0]
    bound = "On time %d of %d; at least %d%%, 95 %% sure" % (route["on_time"], route["arrived"], round(100 * route["reliability_lower_bound"]))
    trial.expect(bound in figures, "%r in %r" % (bound, figures))
    trial.expect("Over %d journeys the forecast was wrong by" % said["forecasts"]["journeys"] in figures, "how good forecasts were: %r" % figures)
    rows = page.run("""return [...document.querySelectorAll(".me-statistics table")].map((one) =>
        [...one.tBodies[0].rows].map((row) => row.cells[1].textContent))""")
    trial.expect(rows[:2] == [[str(n) for n in said[key]] for key in ("hourly_pattern", "weekly_pattern")], "tables of the pictures: %s" % rows)
    bars = page.run("return [...document.querySelectorAll('.me-bars svg')].map((one) => one.querySelectorAll('rect').length)")
    trial.expect(bars[:2] == [sum(n > 0 for n in said[key]) for key in ("hourly_pattern", "weekly_pattern")], "a bar for each: %s" % bars)
    wrong = page.console()
    trial.expect(not wrong, "console: %s" % wrong[:3])


def a_ride_is_kept(trial):
    """a run that is followed over a raised bridge is a journey once the bus is there, with what was planned and forecast"""
    service, token = serve(trial, None, has_consent=False, replay="2018-01-04T15:06/2018-01-04T15:40", speed=10)
    page = trial.browse(service.address, width=1200, height=900)
    run = "?view=run&run=35024846&date=2018-01-04"
    page.open(run)
    trial.expect(page.wait("Redmond", 20), "the run: %r" % page.text("main")[:200])
    trial.expect(not page.all("button", "Keep as a journey"), "nothing is offered without a token")
    page.open(VIEW)
    enter(page, token)
    trial.expect(page.wait("This is the journal of Ann", 20), "inside")
    page.open(run)
    trial.expect(page.wait("Redmond", 20) and not page.all("button", "Keep as a journey"), "nor without the consent")
    ask(service, token, "/settings", b"keeps_history=true", method="PATCH")
    page.open(run)
    trial.expect(page.wait("Keep as a journey", 20), "it is offered: %r" % page.text("main")[:300])
    for field, stop in (("from", "15th Ave NE & NE 40th St"), ("to", "Montlake Blvd E & E Lake Washington Blvd")):
        page.run("""const field = document.getElementById("run-keep-" + arguments[0]);
            field.value = [...field.options].find(({ text }) => text === arguments[1]).value;
            field.dispatchEvent(new Event("change", { bubbles: true }));""", field, stop)
    page.one("button", "Keep as a journey").click()
    trial.expect(page.wait("when the vehicle is at Montlake Blvd E", 20), "it is followed: %r" % page.text(".run-keep"))
    trial.expect(ask(service, token, "/journeys")["journeys"] == [], "nothing is entered before the end")
    trial.expect(page.wait("Your ride is in your journal.", 150), "it is entered: %r" % page.text(".run-keep"))
    kept = ask(service, token, "/journeys")["journeys"][0]
    trial.expect(kept["name"].endswith(", line 542") and kept["mode"] == "transit", kept["name"])
    trial.expect(kept["planned_departure"] == "2018-01-04T15:09:20-08:00" and kept["planned_arrival"] == "2018-01-04T15:17:00-08:00",
                 "as planned: %s" % kept)
    trial.expect(kept["way"] == "542" and kept["bridges"] == ["Montlake"] and kept["probability_stopped"] > 0.5, "as forecast: %s" % kept)
    late = (datetime.datetime.fromisoformat(kept["actual_arrival"]) - datetime.datetime.fromisoformat(kept["planned_arrival"])).seconds
    trial.expect(0 <= late <= 240, "late by %d s: %s" % (late, kept))
    wrong = page.console()
    trial.expect(not wrong, "console: %s" % wrong[:3])


def the_token_stays_private(trial):
    """the token is in no address, no request but those of the journal, no cache; it is kept for the tab, or on the device if wanted"""
    service, token = serve(trial)
    page = trial.browse(service.address, width=800, height=900).open(VIEW)
    page.until(lambda: page.run("return navigator.serviceWorker.controller !== null"), 15)
    enter(page, token)
    trial.expect(page.wait("Leave now: expected", 20), "it opens")
    trial.expect(storages(page) == [token, None], "kept for the tab")
    page.open(VIEW)
    trial.expect(page.wait("Leave now: expected", 20), "a reload needs no token")
    page.one("link", "Now").click()
    time.sleep(2)
    sent = [event["request"] for event in page.events("Network.requestWillBeSent")]
    trial.expect(not [one["url"] for one in sent if "bcp_" in one["url"] or "bcp_" in one.get("postData", "")], "in no address and no body")
    with_token = {one["url"].split("?")[0] for one in sent if token in json.dumps(one["headers"])}
    mine = {one["url"].split("?")[0] for one in sent if "/api/v1/me" in one["url"]}
    trial.expect(with_token == mine and len(mine) >= 4, "only the journal's requests have it: %s" % (with_token ^ mine))
    trial.expect(all(url.startswith(service.address + "/api/v1/me") for url in with_token), "at this service")
    cached = page.driver.execute_async_script("""const done = arguments[0];
        (async () => {
            const found = [];
            for (const name of await caches.keys()) for (const key of await (await caches.open(name)).keys()) found.push(key.url);
            done(found);
        })();""")
    trial.expect(cached and not [url for url in cached if "api/v1/me" in url], "no cache has an answer: %s" % cached[:5])
    trial.expect(not [url for url in cached if "route_id" in url or "/stops/" in url], "nor boards of favourites: %s" % cached)
    trial.expect(token not in page.run("return location.href + document.cookie + document.documentElement.outerHTML"), "nor the document")
    page.open(VIEW)
    page.one("button", "Forget the token").click()
    trial.expect(page.wait("Your token", 5) and storages(page) == [None, None], "forgotten: %s" % storages(page))
    enter(page, token, is_kept=True)
    trial.expect(page.wait("also after this tab is closed", 10) and storages(page) == [None, token], "kept on the device: %s" % storages(page))
    wrong = page.console()
    trial.expect(not wrong, "console: %s" % wrong[:3])


def wrong_tokens_are_refused(trial):
    """a wrong token, too many of them, a token that was renewed, and a service without people each say what to do"""
    service, token = serve(trial, None)
    page = trial.browse(service.address, width=360).open(VIEW)
    enter(page, "not a token")
    trial.expect(page.wait("This is no token", 5), "what can be no token is not sent")
    trial.expect(not [1 for event in page.events("Network.requestWillBeSent") if "/api/v1/me" in event["request"]["url"]], "nothing was asked")
    page.open(VIEW)
    enter(page, "bcp_" + "0" * 64)
    trial.expect(page.wait("This token is not valid here", 10), "a wrong token is refused: %r" % page.text("main")[:300])
    trial.expect(storages(page) == [None, None] and page.focused()[1] == "Your token", "and not kept; the field has the focus")
    page.open(VIEW)
    enter(page, token)
    trial.expect(page.wait("No favourites yet", 10), "an empty journal says how to begin")
    for words in ("No journeys yet", "No journeys in this time"):
        trial.expect(page.wait(words, 10, "main"), "and what is not there: %s" % words)
    page.run("sessionStorage.setItem('bridgecast.token', 'bcp_' + '1'.repeat(64))")
    page.open(VIEW)
    trial.expect(page.wait("This token is not valid here", 10) and storages(page) == [None, None], "one that was kept is forgotten")
    for _ in range(10):
        enter(page, "bcp_" + "0" * 64)
        page.until(lambda: page.all("button", "Open my journal"), 5)
        page.run("document.getElementById('me-token').value = ''; document.getElementById('me-token').dispatchEvent(new Event('input'))")
        if page.wait("Too many wrong tokens", 1):
            break
    trial.expect(page.wait("Too many wrong tokens or requests came from here. Wait", 5), "too many: %r" % page.text("main")[:300])
    alone = trial.serve(DAY, speed=1)
    page = trial.browse(alone.address, width=360).open(VIEW)
    enter(page, token)
    trial.expect(page.wait("token add NAME, and start it with --people FOLDER", 10), "without people: %r" % page.text("main")[:300])


def favourites_are_arranged(trial):
    """favourites are moved with keys, renamed, added, removed and put back; their order and names are those of the next visit"""
    service, token = serve(trial)
    page = trial.browse(service.address, width=1200, height=900).open(VIEW)
    enter(page, token)
    trial.expect(page.until(lambda: names(page) == ["commute", "bus", "ride"], 10), "in their order: %s" % names(page))
    page.run("document.getElementById('me-up-ride').focus()")
    page.press("ENTER")
    trial.expect(page.until(lambda: names(page) == ["commute", "ride", "bus"], 10), "moved up: %s" % names(page))
    trial.expect(page.until(lambda: page.focused() == ("button", "Move ride up"), 5), "the focus moves along: %s" % (page.focused(),))
    trial.expect("ride is now 2 of 3" in page.run("return document.querySelector('.me-favourites [role=status]').textContent"), "it is announced")
    page.press("ENTER")
    trial.expect(page.until(lambda: page.focused() == ("button", "Move ride down"), 5), "at the end of the way the other button has it")
    page.open(VIEW)
    trial.expect(page.until(lambda: names(page) == ["ride", "commute", "bus"], 10), "after a reload: %s" % names(page))
    page.run("document.querySelector('.me-favourite details').open = true")
    page.one("button", "Remove ride").click()
    trial.expect(page.until(lambda: names(page) == ["commute", "bus"], 10), "removed: %s" % names(page))
    page.one("button", "Undo").click()
    trial.expect(page.until(lambda: names(page) == ["ride", "commute", "bus"], 10), "put back where it was: %s" % names(page))
    page.run("document.querySelector('.me-favourite details').open = true")
    field = page.one("textbox", "Name")
    field.clear()
    field.send_keys("by bike")
    page.one("button", "Rename").click()
    trial.expect(page.until(lambda: names(page)[0] == "by bike", 10), "renamed: %s" % names(page))
    page.run("document.querySelector('.me-favourite details').open = true")
    page.one("combobox", "Refresh every").send_keys("15")
    trial.expect(page.until(lambda: ask(service, token, "/favourites")["favourites"][0]["refresh_min"] == 15, 10), "another interval is kept")
    page.one("button", "Add a favourite").click()
    page.one("combobox", "From").send_keys("Ballard")
    page.press("TAB")
    page.one("combobox", "To").send_keys("Fremont")
    page.press("TAB")
    page.until(lambda: page.one("button", "Add").is_enabled(), 5)
    page.run("document.querySelector('.me-add [type=submit]').click()")
    trial.expect(page.until(lambda: names(page)[-1:] == ["Ballard → Fremont"], 10), "a trip is added: %s" % names(page))
    page.one("button", "Add a favourite").click()
    page.run("document.querySelector('[name=me-kind][value=stop]').click()")
    page.one("combobox", "Find a stop").send_keys("25243")
    page.one("option", "Montlake").click()
    trial.expect(page.wait("Montlake", 10, ".me-chosen"), "a stop is chosen")
    page.one("combobox", "Line").send_keys("540")
    page.one("option", "540").click()
    page.wait("Line 540", 10, ".me-add")
    page.run("document.querySelector('.me-add [type=submit]').click()")
    trial.expect(page.until(lambda: len(names(page)) == 5, 10), "a line at a stop is added: %s" % names(page))
    last = ask(service, token, "/favourites")["favourites"][-1]
    trial.expect((last["kind"], last["line"], last["stop"]) == ("stop", "540", "25243"), "with the line's number: %s" % last)


def forecasts_are_refreshed(trial):
    """a road favourite asks again at its interval, not while the page is hidden, and another only when asked"""
    document = {**JOURNAL, "favourites": [favourite("often", 1, **{"from": "Ballard", "to": "Downtown", "mode": "car"}),
                                          favourite("asked", 0, **{"from": "Ballard", "to": "Fremont", "mode": "car"})]}
    service, token = serve(trial, document)
    page = trial.browse(service.address, width=800, height=900)
    # A minute that is two seconds long, for the page's timers and for its clock.
    page.order("Page.addScriptToEvaluateOnNewDocument", source="""
        const wait = window.setTimeout, now = performance.now.bind(performance);
        window.setTimeout = (act, after, ...more) => wait(act, after > 50_000 ? after / 30 : after, ...more);
        performance.now = () => now() * 30;
        window.hide = (isHidden) => {
            Object.defineProperty(document, "hidden", { value: isHidden, configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
        };""")
    page.open(VIEW)
    enter(page, token)
    urls = lambda: [event["request"]["url"] for event in page.events("Network.requestWillBeSent")]
    asked = lambda to: len([url for url in urls() if "/routes?" in url and "to=" + to in url])
    trial.expect(page.wait("Leave now: expected", 20), "it opens")
    trial.expect(page.until(lambda: asked("Downtown") >= 3, 10), "asked again: %d" % asked("Downtown"))
    trial.expect(asked("Fremont") == 1, "the other once: %d" % asked("Fremont"))
    page.run("hide(true)")
    time.sleep(1)
    before = asked("Downtown")
    time.sleep(5)
    trial.expect(asked("Downtown") == before, "not in a hidden page: %d, then %d" % (before, asked("Downtown")))
    page.run("hide(false)")
    trial.expect(page.until(lambda: asked("Downtown") > before, 5), "at once when it is seen again")
    page.one("button", "Refresh : asked").click()
    trial.expect(page.until(lambda: asked("Fremont") == 2, 5), "when asked")


def the_journal_is_a_file(trial):
    """the journal is saved as the service writes it, taken from a file, refused with its line, added to by hand and removed from"""
    service, token = serve(trial)
    page = trial.browse(service.address, width=800, height=900)
    page.order("Emulation.setTimezoneOverride", timezoneId="America/New_York")
    page.order("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(trial.folder))
    page.open(VIEW)
    enter(page, token)
    page.one("button", "Save all as a file").click()
    saved = page.until(lambda: list(trial.folder.glob("bridgecast-journal-2018-01-0*.json")), 10)
    trial.expect(saved and json.loads(saved[0].read_text()) == ask(service, token, "/export"), "the file is the export: %s" % saved)
    broken = trial.folder / "broken.json"
    broken.write_text('{"format": "bridgecast-journal", "version": 1, "favourites": [],\n"journeys": [{"id": "a"}]}')
    field = page.run("return document.getElementById('me-import')")
    field.send_keys(str(broken))
    trial.expect(page.wait("line 2: route: is missing", 10, ".me-note"), "refused with its line: %r" % page.text(".me-notes"))
    more = trial.folder / "more.json"
    more.write_text(json.dumps({**JOURNAL, "journeys": [journey(number) for number in range(38, 45)]}))
    page.until(lambda: page.run("return document.getElementById('me-import')").is_enabled(), 5)
    page.run("return document.getElementById('me-import')").send_keys(str(more))
    report = "5 journeys added, 2 replaced, and 3 favourites added or replaced"
    trial.expect(page.wait(report, 10, ".me-note"), "what was added: %r" % page.text(".me-notes"))
    trial.expect(page.wait("It has 45 journeys", 5), "and how many there are")
    rows = lambda: page.run("return document.querySelectorAll('.me-journal li').length")
    first = rows()
    page.one("button", "Show more").click()
    trial.expect(page.until(lambda: rows() == 45 > first, 10), "more are shown: %d, then %d" % (first, rows()))
    page.one("button", "Add a past journey").click()
    page.one("combobox", "Favourite").send_keys("commute")
    for name, value in (("me-departed", "2018-01-04T08:00"), ("me-arrived", "2018-01-04T08:25")):
        page.run("""const field = document.getElementById(arguments[0]); field.value = arguments[1];
            field.dispatchEvent(new Event("input", { bubbles: true }));""", name, value)
    page.until(lambda: page.run("return !document.querySelector('.me-journal [type=submit]').disabled"), 5)
    page.run("document.querySelector('.me-journal [type=submit]').click()")
    trial.expect(page.wait("The journey is in your journal", 10), "added by hand: %r" % page.text(".me-notes"))
    added = ask(service, token, "/journeys?limit=1")["journeys"][0]
    trial.expect(added["actual_departure"] == "2018-01-04T05:00:00-08:00", "by the clock of the device: %s" % added)
    page.run("document.querySelector('.me-journal li button').click()")
    trial.expect(page.wait("Removed: Ballard → Downtown, by car, Thu, Jan 4, 2018", 10), "removed: %r" % page.text(".me-notes"))
    trial.expect(ask(service, token, "/journeys?limit=1")["journeys"][0]["id"] == "made-0", "for the service too")


def nothing_is_kept_without_consent(trial):
    """no journey before the person allows it, on the page; settings are changed there, and a reset withdraws the consent"""
    service, token = serve(trial, {**JOURNAL, "journeys": []}, has_consent=False)
    page = trial.browse(service.address, width=800, height=900)
    page.open(VIEW)
    enter(page, token)
    trial.expect(page.wait("Without this consent no journey is kept on this service", 20), "the page asks: %r" % page.text("main")[:300])
    page.one("button", "Start commute").click()
    trial.expect(page.wait("without your consent to a history no journey is kept here", 10, ".me-note"), "refused: %r" % page.text(".me-notes"))
    trial.expect(ask(service, token, "/journeys")["journeys"] == [], "nothing is kept")
    page.one("button", "Keep my journeys here").click()
    trial.expect(page.wait("Your settings are changed.", 10, ".me-note"), "the consent is given: %r" % page.text(".me-notes"))
    trial.expect(page.until(lambda: not page.run("return document.getElementById('me-allow')"), 5), "and not asked for again")
    page.one("button", "Start commute").click()
    trial.expect(page.wait("Under way: Ballard → Downtown, by car", 10), "a journey begins")
    page.run("""const field = document.getElementById("me-default-refresh"); field.value = "10";
        field.dispatchEvent(new Event("change", { bubbles: true }));""")
    trial.expect(page.until(lambda: ask(service, token, "/settings")["refresh_min"] == 10, 10), "a default is changed")
    # The answer to the change is still on its way to the page.
    page.until(lambda: page.run("return !document.getElementById('me-settings-reset').disabled"), 10)
    page.run("document.getElementById('me-settings-reset').click()")
    trial.expect(page.until(lambda: page.run("return document.getElementById('me-allow')"), 10), "a reset withdraws the consent")
    settings = ask(service, token, "/settings")
    trial.expect(not settings["keeps_history"] and settings["refresh_min"] == 5, "for the service too: %s" % settings)
    trial.expect(len(ask(service, token, "/journeys")["journeys"]) == 1, "what was kept stays until it is removed")


def the_journal_fits_everybody(trial):
    """axe-core finds nothing in both themes, with all open; nothing is too wide or too small at 360 pixels; Spanish has all texts"""
    service, token = serve(trial)
    ask(service, token, "/journeys/start", b"favourite=commute")
    ask(service, token, "/reminders", b"favourite=commute&by=9:00")
    ask(service, token, "/reminders", b"favourite=bus&catching=8:40&walk_min=6&days=sat")
    ask(service, token, "/alerts/rules", b"bridge=Ballard&up=true&still_up=15,20&likely=0.5&days=mon-fri&from=7:00&until=9:30&priority=low")
    ask(service, token, "/alerts/rules", b"reminders=true")
    ask(service, token, "/alerts/test", b"")
    spanish, english = ("es-ES", "de cada 100"), ("en-US", "in 100")
    for width, dark, (language, words) in ((360, False, spanish), (360, True, english), (1200, True, spanish), (1200, False, english)):
        page = trial.browse(service.address, width=width, height=900, dark=dark, language=language, reduced=True)
        name = "%d, %s, %s" % (width, "dark" if dark else "light", language)
        page.open(VIEW)
        field = page.until(lambda: page.run("return document.getElementById('me-token')"), 20)
        time.sleep(1)
        expect_fits(trial, page, name + ", the door")
        field.send_keys(token)
        page.press("ENTER")
        trial.expect(page.wait(words, 20, ".me-favourites") and page.wait(["Journeys by hour", "Viajes por hora"], 10), "%s: it opens" % name)
        page.run("""document.getElementById("me-add-favourite").click(); document.getElementById("me-add-journey").click();
            document.getElementById("me-add-reminder").click(); document.getElementById("me-add-rule").click();
            for (const one of document.querySelectorAll("details")) one.open = true;""")
        time.sleep(1)
        expect_fits(trial, page, name)
        moving = page.run("return document.getAnimations().filter((a) => (a.effect?.getComputedTiming().duration ?? 0) > 1).length")
        trial.expect(moving == 0, "%s: nothing moves" % name)
        missing = page.run("return document.getElementById('main').innerText.match(/\\bme\\.[a-z_.]+/g)")
        trial.expect(not missing, "%s: names of messages: %s" % (name, missing))
        left = [word for word in ("Favourites", "Reminders", "Recent", "Statistics", "Journal") if word in page.text("main")]
        trial.expect(language == "en-US" or not left, "%s: English texts: %s" % (name, left))
        wrong = page.console()
        trial.expect(not wrong, "%s: console: %s" % (name, wrong[:3]))
        page.order("Emulation.setEmulatedMedia", features=[{"name": "forced-colors", "value": "active"}])
        gone = page.run("return getComputedStyle(document.querySelector('.me-track-gone')).stroke")
        ground = page.run("return getComputedStyle(document.querySelector('.me-under-way')).backgroundColor")
        trial.expect(gone != ground, "%s: the track is seen in forced colours: %s on %s" % (name, gone, ground))
        page.driver.quit()


def expect_fits(trial, page, name):
    """Expects that a state of the view has no fault for axe-core, is no wider than its window, and has targets for a thumb."""
    found = axe(page)
    trial.expect(not found, "%s: axe-core: %s" % (name, "\n".join(found)))
    wide = page.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
    trial.expect(wide <= 0, "%s: %d pixels too wide" % (name, wide))
    small = page.run("""return [...document.querySelectorAll("main :is(button, select, input, summary)")].filter((one) => {
        const box = one.getBoundingClientRect();
        return box.width > 0 && !one.closest(".unseen") && (box.height < 24 || box.width < 24);
    }).map((one) => one.outerHTML.slice(0, 100))""")
    trial.expect(not small, "%s: targets that are too small: %s" % (name, small[:3]))


TRIALS = [a_journey_is_kept, a_ride_is_kept, the_token_stays_private, wrong_tokens_are_refused, favourites_are_arranged, forecasts_are_refreshed,
          the_journal_is_a_file, nothing_is_kept_without_consent, the_journal_fits_everybody]

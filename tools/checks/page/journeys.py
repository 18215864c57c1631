"""Trials of whole journeys: a trip by keyboard, a ranking that changes, links that restore a view, a day that is played."""
import re, time

TRIP = "?view=trip&from=Ballard&to=Downtown"


def trip_by_keyboard(trial):
    """a whole trip by keyboard alone"""
    service = trial.serve(speed=1)
    page = trial.browse(service.address).open(until="Replaying, as of")
    trial.expect(page.tab_to("link", "Trip"), "Tab comes to Trip")
    page.press("ENTER")
    for name, typed, place in (("From", "ballar", "Ballard"), ("To", "downt", "Downtown")):
        trial.expect(page.tab_to("combobox", name), "Tab comes to the field %s" % name)
        page.press(*typed)
        trial.expect(page.until(lambda: page.all("option", place), 10), "%s is offered for %s" % (place, typed))
        page.press("ARROW_DOWN", "ENTER")
        trial.expect(page.until(lambda: page.focused()[1].startswith(name), 3), "the focus stays in the field")
    trial.expect(page.wait("Half the time", 20), "ways are ranked: %r" % page.text("main")[:300])
    trial.expect("from=Ballard" in page.driver.current_url and "to=Downtown" in page.driver.current_url,
                 "the trip is in the address: %s" % page.driver.current_url)
    trial.expect(page.tab_to("radio", "Car"), "Tab comes to the modes")
    page.press("ARROW_RIGHT")
    trial.expect(page.until(lambda: "mode=bike" in page.driver.current_url, 5), "an arrow chooses the bike: %s" % page.driver.current_url)
    page.press("ARROW_LEFT")
    outline = page.run("return getComputedStyle(document.activeElement).outlineStyle")
    trial.expect(outline != "none" or page.run("return document.activeElement.matches('input[type=radio]')"), "the focus is seen")
    trial.expect(page.tab_to("button", ""), "buttons follow")


def ranking_changes(trial):
    """the ranking changes when a bridge on the first way goes up"""
    service = trial.serve(speed=5)
    page = trial.browse(service.address).open(TRIP, until="Half the time")
    first = lambda: page.text("main ol > li h3, main ol > li h2")
    before = first()
    trial.expect("Ballard" in before, "before 18:00 the way leads over Ballard Bridge: %r" % before)
    trial.expect(page.until(lambda: first() and "Ballard" not in first(), 90), "afterwards it does not: %r" % first())
    trial.expect(re.search(r"Half the time .*\d+ min", page.text("main")), "times are given as text")


def links_restore(trial):
    """a link shows the same view, trip, mode and moment to somebody else"""
    service = trial.serve(speed=1)
    page = trial.browse(service.address)
    page.open(TRIP + "&mode=bike&arrive=2026-02-20T20:00&sure=0.8", until="Half the time")
    page.one("button", "Change").click()
    field = lambda name: page.one("combobox", name).get_attribute("value")
    trial.expect(field("From") == "Ballard" and field("To") == "Downtown", "the places stand in their fields")
    trial.expect(page.one("radio", "Bike").is_selected(), "the bike is chosen")
    trial.expect("Leave by" in page.text("main"), "the time to leave is shown")
    page.open("?view=bridge&bridge=3", until="Fremont")
    trial.expect("Fremont" in page.text("h1"), "a bridge has its page: %r" % page.text("h1"))
    page.open("?replay=2026-02-19T14:10", until="Replay")
    trial.expect(page.wait("Ballard was up", 15, "h1"), "at 14:10 of that day Ballard was up: %r" % page.text("h1"))
    page.one("link", "Trip").click()
    trial.expect(page.until(lambda: "replay=" in page.driver.current_url, 5), "the moment goes along to other views")
    page.driver.back()
    trial.expect(page.until(lambda: "view=trip" not in page.driver.current_url, 5), "the browser's way back works")
    page.shape(1440, 900)
    for where, title in ((TRIP, "Ballard to Downtown by car - Bridgecast"), ("?view=bridge&bridge=3", "Fremont Bridge - Bridgecast"),
                         ("?view=skill", "How good is it? - Bridgecast")):
        page.open(where)
        trial.expect(page.until(lambda: page.driver.title == title, 10), "%s has a title of its own: %r" % (where, page.driver.title))
        heads = page.until(lambda: page.run("return [...document.querySelectorAll('h1')].map((h) => h.innerText)"), 10)
        trial.expect(len(heads) == 1 and "down" not in heads[0] and "up" not in heads[0].split(), "%s has one h1, its own: %s" % (where, heads))


def way_back_keeps_the_position(trial):
    """the way back and a reload lead to where the page was scrolled to, also before its answer is there"""
    service = trial.serve(speed=1)
    page = trial.browse(service.address).open(TRIP, until="Half the time")
    scrolled = lambda: page.run("return Math.round(scrollY)")
    page.run("scrollTo(0, 1500)")
    time.sleep(0.5)
    page.run("document.querySelector('nav a').click()")
    page.wait("Replaying, as of", 10)
    trial.expect(scrolled() == 0, "another view begins at its top: %d" % scrolled())
    page.run("scrollTo(0, 300)")
    time.sleep(0.5)
    page.driver.back()
    trial.expect(page.until(lambda: abs(scrolled() - 1500) < 3, 10), "back: %d" % scrolled())
    page.driver.refresh()
    trial.expect(page.until(lambda: abs(scrolled() - 1500) < 3, 10), "loaded again: %d" % scrolled())
    time.sleep(1)
    page.driver.forward()
    trial.expect(page.until(lambda: abs(scrolled() - 300) < 3, 10), "forward: %d" % scrolled())


def reload_goes_on(trial):
    """a page that is loaded again while a day is played goes on: same speed, at most a second is lost"""
    service = trial.serve(speed=1)
    page = trial.browse(service.address).open("?replay=2026-02-19T08:25", until="Replay")
    page.run("const s = document.querySelector('.timebar select'); s.value = '300'; s.dispatchEvent(new Event('change', { bubbles: true }))")
    page.one("button", "Play").click()
    time.sleep(8)
    minute = lambda: page.run("return document.querySelector('.timebar input[type=range]')?.valueAsNumber")
    before, began = minute(), time.monotonic()
    page.driver.refresh()
    trial.expect(page.until(lambda: page.all("button", "Pause"), 15), "it plays on")
    after, passed = minute(), 5 * (time.monotonic() - began + 1)
    trial.expect(before <= after <= before + passed, "it goes on where it was: minute %s after %s" % (after, before))
    trial.expect(page.run("return document.querySelector('.timebar select').value") == "300", "at its speed")
    page.open("?replay=2026-02-20T20:59", until="is still to come")


def day_is_played(trial):
    """a past day is played by the same code: what was said then stands beside what happened"""
    service = trial.serve(speed=1)
    page = trial.browse(service.address).open("?replay=2026-02-19T14:25", until="Replay")
    slider = page.one("slider")
    trial.expect(slider.get_attribute("aria-valuetext"), "the slider says its time")
    trial.expect(page.wait("Happened", 15), "what happened is shown")
    time_bar_is_small(trial, page)
    before = slider.get_attribute("aria-valuetext")
    page.one("button", "Play").click()
    trial.expect(page.until(lambda: page.one("slider").get_attribute("aria-valuetext") != before, 20), "the clock runs")
    page.one("button", "Pause").click()
    time.sleep(1)
    stood = page.one("slider").get_attribute("aria-valuetext")
    time.sleep(2)
    trial.expect(page.one("slider").get_attribute("aria-valuetext") == stood, "it stands still when paused")
    slider = page.one("slider")
    page.run("arguments[0].focus()", slider)
    page.press("ARROW_RIGHT")
    trial.expect(page.until(lambda: page.one("slider").get_attribute("aria-valuetext") != stood, 5), "an arrow moves it")
    page.open("?replay=2025-07-04T12:00", until="No records")
    trial.expect("does not mean no openings" in page.text(), "a day without records is shown to be one")
    page.one("button", "Back to live").click()
    trial.expect(page.wait("Replaying, as of", 20), "and back to live")
    page.open("?replay=2026-02-30", until="is no time of a day")
    page.one("button", "Back to live").click()
    trial.expect(page.until(lambda: "replay=" not in page.driver.current_url, 5), "a wrong date is reported, and removed")


def time_bar_is_small(trial, page):
    """The bar leaves room for what it is about, and its marks are seen and have names."""
    for width, height, share in ((1440, 900, 0.15), (360, 740, 0.2)):
        page.shape(width, height)
        mark = page.until(lambda: page.run("return document.querySelector('.day-opening title')?.parentElement"), 10)
        high = page.run("return document.querySelector('.timebar').getBoundingClientRect().height") / height
        trial.expect(high < share, "%d: the bar is small: %.2f of the window" % (width, high))
        box = page.run("return arguments[0].getBoundingClientRect().toJSON()", mark)
        name = page.run("return arguments[0].textContent", mark)
        trial.expect(box["height"] >= 6 and box["width"] >= 2.5, "%d: marks can be seen: %s" % (width, box))
        trial.expect(" min" in name and "M:" in name, "%d: a mark has the bridge, time and length: %r" % (width, name))
        trial.expect("Red:" in page.text(".timebar"), "%d: the marks have a legend" % width)
        if width > 1000:
            south = page.one("link", "South Park").rect
            bar = page.run("return document.querySelector('.timebar').getBoundingClientRect().top")
            trial.expect(south["y"] + south["height"] < bar, "South Park is above the bar: %s, %s" % (south, bar))


def notifications_come(trial):
    """notifications that were asked for say that a bridge goes up, and that it comes down, once each"""
    service = trial.serve(speed=20)
    page = trial.browse(service.address)
    page.order("Browser.grantPermissions", permissions=["notifications"], origin=service.address)
    page.order("Page.addScriptToEvaluateOnNewDocument", source="""
        window.notified = [];
        const Real = window.Notification;
        window.Notification = class { constructor(title, more) { window.notified.push(title + " " + (more?.body ?? "")); }
            close() {} addEventListener() {} };
        Object.defineProperty(window.Notification, "permission", { get: () => Real.permission });
        window.Notification.requestPermission = () => Promise.resolve("granted");""")
    page.open(until="Replaying, as of")
    # A card that is one line is opened first.
    if not page.all("button", "goes up (Ballard)"):
        page.one("button", "More about Ballard").click()
    page.one("button", "goes up (Ballard)").click()
    notified = lambda words: [said for said in page.run("return window.notified") if words in said]
    trial.expect(page.until(lambda: notified("Ballard is up"), 60), "a notification came: %r" % notified(""))
    trial.expect(not page.all("button", "goes up (Ballard)"), "a raised bridge is not waited for to go up")
    page.one("button", "comes down (Ballard)").click()
    trial.expect(page.until(lambda: notified("Ballard has come down"), 60), "another came: %r" % notified(""))
    again = page.one("button", "goes up (Ballard)")
    trial.expect(again.get_attribute("aria-pressed") == "true", "the next time that it goes up is still waited for")
    kept = page.run("return JSON.parse(localStorage.getItem('bridgecast.preferences')).watchedDown")
    trial.expect(kept == [] and len(notified("Ballard")) == 2, "once each: %s, %r" % (kept, notified("")))


def trip_answers_at_a_glance(trial):
    """a phone's first screen has the way, its minutes, when to leave and whether to wait; the form is a line that opens"""
    service = trial.serve(speed=1)
    page = trial.browse(service.address)
    for where, answers in ((TRIP, [".trip-large", ".trip-answer h2", ".trip-detail", ".trip-later"]),
                           (TRIP + "&arrive=2026-02-20T19:30", [".trip-large", ".trip-answer h2", ".trip-detail"])):
        page.open(where, until="Half the time")
        page.wait("Leaving 10 min later", 10) if ".trip-later" in answers else None
        for answer in answers:
            trial.expect(0 < bottom(page, answer) < 740 and page.text(answer).strip(), "%s is seen: %r" % (answer, page.text(answer)))
    trial.expect("Leave by" in page.text(".trip-answer h2"), "when to leave is the answer: %r" % page.text(".trip-answer h2"))
    page.open(TRIP, until="Half the time")
    sizes = page.run("return [...document.querySelectorAll('.trip-large, .trip-minutes')].map((e) => parseFloat(getComputedStyle(e).fontSize))")
    trial.expect(len(sizes) > 2 and min(sizes) >= 28, "minutes are large: %s" % sizes)
    trial.expect(bottom(page, ".trip-first") < bottom(page, ".trip-map") < bottom(page, ".trip-others"), "the map stands under the first way")
    names = [heading.text for heading in page.all("heading") if re.match(r"\d ", heading.text)]
    bridges = [re.sub(r"^\d |,.*", "", name) for name in names]
    trial.expect(len(bridges) > 1 and len(set(bridges)) == len(bridges), "no bridge is offered twice: %s" % names)
    trial.expect("Or by" in page.text(".trip-first"), "the other road to it is in its card")
    trial.expect("Ballard to Downtown by car, leave now" in page.text("h1"), "the trip is a line: %r" % page.text("h1"))
    trial.expect(page.tab_to("button", "Change"), "Tab comes to the line's button")
    page.press("ENTER")
    trial.expect(page.focused()[1] == "Trip" and page.all("combobox", "From"), "the form opens, with the focus: %s" % (page.focused(),))
    page.one("button", "Done").click()
    trial.expect(page.focused()[1] == "Change" and not page.all("combobox", "From"), "it folds again: %s" % (page.focused(),))


def bottom(page, selector):
    """How far down the page an element ends."""
    return page.run("return (document.querySelector(arguments[0])?.getBoundingClientRect().bottom ?? -1e6) + scrollY", selector)


def trip_map_is_seen(trial):
    """the trip's map: a focus ring, pins clear of its buttons, the answer next to it on a wide screen"""
    service = trial.serve(speed=1)
    page = trial.browse(service.address, width=1440, height=900).open(TRIP, until="Half the time")
    trial.expect(abs(bottom(page, ".trip-answer") - bottom(page, ".trip-map")) < 600
                 and page.run("return document.querySelector('.trip-map').getBoundingClientRect().top") < bottom(page, ".trip-answer"),
                 "the map begins next to the answer")
    trial.expect(page.until(lambda: page.all("button", "Closer"), 10), "the map is drawn")
    page.run("document.querySelector('.trip-map').focus()")
    for role, name in (("application", "Map"), ("link", "OpenStreetMap"), ("button", "Closer"), ("button", "Farther")):
        page.press("SHIFT") if role == "application" else page.press("TAB")
        style = page.run("return getComputedStyle(document.activeElement).outlineStyle")
        trial.expect(name in page.focused()[1] and style == "solid", "%s has a ring: %s %s" % (name, page.focused(), style))
    page.open("?view=trip", until="Choose on the map").one("button", "Choose on the map").click()
    trial.expect(page.until(lambda: page.focused()[0] == "application", 10), "the focus goes to the map: %s" % (page.focused(),))
    page.until(lambda: page.all("button", "Closer"), 10)
    page.press("ENTER")
    trial.expect(page.until(lambda: "From here" in page.focused()[1], 5), "Enter picks its middle: %s" % (page.focused(),))
    for width, where in ((360, "?view=trip&from=West%20Seattle&to=SODO"), (1440, "?view=trip&from=West%20Seattle&to=SODO"), (360, TRIP)):
        page.shape(width, 900)
        page.open(where, until="Half the time")
        page.run("document.querySelector('.trip-map').scrollIntoView()")
        page.until(lambda: page.run("return document.querySelectorAll('.trip-map-pin').length") == 2, 10)
        covered = page.run("""const box = (e) => e.getBoundingClientRect();
            const others = [...document.querySelectorAll(".trip-map-zoom, .trip-map .leaflet-control-attribution")].map(box);
            return [...document.querySelectorAll(".trip-map-pin")].map(box).filter((pin) => others.some((other) =>
                pin.left < other.right && pin.right > other.left && pin.top < other.bottom && pin.bottom > other.top)).length""")
        trial.expect(covered == 0, "%d, %s: a pin lies under a button" % (width, where))


def places_are_forgiving(trial):
    """a slip of a name is completed while one types, and a point is named by its nearest corner"""
    service = trial.serve(speed=1)
    page = trial.browse(service.address)
    for typed, place in (("balard", "Ballard"), ("capital hill", "Capitol Hill"), ("queen ane", "Queen Anne")):
        page.open("?view=trip", until="Trip")
        page.one("combobox", "From").send_keys(typed)
        trial.expect(page.until(lambda: page.all("option", place), 10), "%s is offered for %s" % (place, typed))
    page.open("?view=trip&from=balard&to=Downtown", until="Half the time")
    trial.expect("“balard” was taken for Ballard." in page.text("main"), "a slip is mended: %r" % page.text("main")[:200])
    page.open("?view=trip&from=47.6687,-122.3761&to=Downtown", until="Half the time")
    trial.expect(page.wait("15th Ave NW & NW Market St to Downtown", 10, "h1"), "the point has a name: %r" % page.text("h1"))


def trip_asks_little(trial):
    """a trip left open asks for the curve of departures when it is seen, and at most once a minute"""
    service = trial.serve(speed=1)
    arrive = TRIP + "&arrive=2026-02-20T19:30"
    wide, phone, arriving = [trial.browse(service.address, width=width) for width in (1440, 360, 360)]
    for page, where in ((wide, TRIP), (phone, TRIP), (arriving, arrive)):
        page.open(where, until="Half the time")
    opened = time.monotonic()
    time.sleep(4)
    for name, page in (("wide", wide), ("phone", phone), ("arriving", arriving)):
        routes, depart = asked(page, "routes"), asked(page, "depart")
        trial.expect(routes == 1 and depart <= 1, "%s: opening asks /routes once (%d), /depart at most once (%d)" % (name, routes, depart))
    trial.expect(asked(arriving, "depart") == 1, "a time to arrive by needs the departures at once")
    phone.run("document.querySelector('.trip-departure').scrollIntoView()")
    trial.expect(phone.wait("Leaving", 10, ".trip-departure"), "the curve comes when it is seen")
    time.sleep(max(0, 52 - (time.monotonic() - opened)))
    for name, page in (("wide", wide), ("phone", phone), ("arriving", arriving)):
        routes, depart = asked(page, "routes"), asked(page, "depart")
        trial.figure("%s, in 52 s: /routes %d times, /depart %d times" % (name, routes, depart))
        trial.expect(routes >= 2 and depart <= 1, "%s: in 52 s /routes %d times, /depart %d times" % (name, routes, depart))


def asked(page, name):
    """How often a browser asked the service for something."""
    return sum("/api/v1/%s?" % name in event["request"]["url"] for event in page.events("Network.requestWillBeSent"))


TRIALS = [trip_by_keyboard, ranking_changes, links_restore, way_back_keeps_the_position, reload_goes_on, day_is_played,
          notifications_come, places_are_forgiving, trip_asks_little, trip_answers_at_a_glance, trip_map_is_seen]

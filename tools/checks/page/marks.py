"""Trials of what rows, runs and a line show: platforms, crowding, wheelchairs, classes, trust, stops, and marks of problems."""
import colorsys, re

from boards import DAY, REFUSED, STOP, link_of_a_run

# Answers as they are, but what is shown of stops and departures is made up. Of the first departures each has another level.
MADE = """
const levels = ["Low", "Moderate", "High", "Very crowded", "not boardable", "no data"];
const classes = ["local", "limited", "express", null];
const chairs = ["accessible", "inaccessible", "unknown"];
const make = (one, n) => Object.assign(one, { occupancy: levels[n % levels.length], wheelchair: chairs[n % 3],
    platform: n % 2 === 0 ? "B" : null, planned_platform: n % 4 === 0 ? "A" : null, service_class: classes[n % 4] });
const ask = window.fetch.bind(window);
window.fetch = async (path, how) => {
    const answer = await ask(path, how);
    if (!answer.ok || !/\\/board|\\/trips\\/[^/]+$/.test(String(path).split("?")[0])) return answer;
    const document = await answer.json();
    const { departures, stops } = document.data;
    (departures ?? stops).forEach(make);
    return new Response(JSON.stringify(document), { headers: answer.headers });
};
"""
# What is seen of each row: its text, its marks from left to right, and the colour of the crowding mark.
ROWS = """
return [...document.querySelectorAll(arguments[0])].map((row) => {
    const facts = row.querySelector(".board-facts");
    const crowding = facts.querySelector(".crowding-mark");
    return {
        text: facts.innerText, marks: [...facts.querySelectorAll("svg")].map((one) => one.classList[0]),
        taken: crowding?.querySelectorAll(".is-taken").length ?? null,
        colour: crowding ? getComputedStyle(crowding.parentElement).color : null,
        chair: facts.querySelector(".wheelchair-mark")?.getAttribute("aria-label") ?? null,
        kind: facts.querySelector(".class-mark")?.innerText ?? null,
    };
});
"""
SEEN = (("Low occupancy", 1, "green"), ("Moderate occupancy", 2, "yellow"), ("High occupancy", 3, "orange"),
        ("Very crowded", 4, "red"), ("Not boardable", 0, "red"))
# Of the next arrivals each is surer than the one after it.
SURE = """
const ask = window.fetch.bind(window);
window.fetch = async (path, how) => {
    const answer = await ask(path, how);
    if (!String(path).includes("/predictions?")) return answer;
    const document = await answer.json();
    const at = Date.parse(document.valid_at) / 1000;
    document.data.predictions = ["HIGH", "MEDIUM", "LOW"].map((confidence, n) => ({ trip_id: `t${n}`, stop_id: "25243",
        headsign: "Redmond", confidence, arrival_at_epoch_s: at + 100 + 4000 * n }));
    return new Response(JSON.stringify(document), { headers: answer.headers });
};
"""


def hue(colour):
    """The name of a colour that a browser gives."""
    red, green, blue = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    degrees = 360 * colorsys.rgb_to_hsv(red, green, blue)[0]
    for name, limit in (("red", 17), ("orange", 40), ("yellow", 65), ("green", 170)):
        if degrees < limit:
            return name
    return "other"


def rows_have_marks(trial):
    """a row has its platform, its class, how full it is in four colours, and then its wheelchair mark; so has a run's stop"""
    service = trial.serve(DAY, speed=1)
    page = trial.browse(service.address)
    page.order("Page.addScriptToEvaluateOnNewDocument", source=MADE)
    page.open(STOP + "&rows=10")
    page.wait("Towards", 20)
    rows = page.run(ROWS, ".board-row")
    for words, taken, colour in SEEN:
        own = [row for row in rows if words in row["text"]]
        trial.expect(own and own[0]["taken"] == taken, "%s: as many persons are filled: %s" % (words, own[:1]))
        trial.expect(own and hue(own[0]["colour"]) == colour, "%s is %s: %s" % (words, colour, own[:1]))
    trial.expect(any(row["taken"] is None for row in rows), "nothing is shown where nothing is known")
    both = [row["marks"] for row in rows if len(row["marks"]) == 2]
    trial.expect(both and all(marks == ["crowding-mark", "wheelchair-mark"] for marks in both), "in this order: %s" % both)
    trial.expect({row["chair"] for row in rows} == {"Wheelchairs can board", "Wheelchairs cannot board", None},
                 "wheelchairs: %s" % [row["chair"] for row in rows])
    trial.expect({row["kind"] for row in rows} == {"Local", "Limited", "Express", None}, "classes: %s" % [row["kind"] for row in rows])
    trial.expect(any("Platform B, not A" in row["text"] for row in rows), "a platform that was changed")
    trial.expect(any("Platform B" in row["text"] and "not A" not in row["text"] for row in rows), "and one that was not")
    page.open(link_of_a_run(page))
    page.wait("Stops", 20)
    stops = page.run(ROWS, ".run-stop:not(.is-passed)")
    both = [row["marks"] for row in stops if len(row["marks"]) == 2]
    trial.expect(both and all(marks == ["crowding-mark", "wheelchair-mark"] for marks in both), "stops, in this order: %s" % both)
    trial.expect(any("Platform B, not A" in row["text"] for row in stops), "stops have platforms: %s" % stops[:3])
    times = page.run("return [...document.querySelectorAll('.run-stop .run-times')].map((one) => one.innerText)")
    trial.expect(times and all(re.search(r"\d:\d\d", time) for time in times), "each stop has its time: %s" % times)


def arrivals_have_marks(trial):
    """each of a line's next arrivals has a bus, a countdown in letters of one width, and its trust as a word in a colour"""
    service = trial.serve(DAY, speed=1)
    page = trial.browse(service.address)
    page.order("Page.addScriptToEvaluateOnNewDocument", source=SURE)
    page.open("?view=line&line=542&stop=25243")
    page.wait("HIGH", 20, ".line-rows")
    rows = page.run("""return [...document.querySelectorAll(".line-rows li")].map((row) => {
        const [sure, countdown] = [row.querySelector(".line-sure"), row.querySelector(".countdown")];
        return [sure.innerText, getComputedStyle(sure).color, countdown.innerText, getComputedStyle(countdown).fontFamily,
            row.querySelectorAll("svg.line-bus path").length];
    })""")
    trial.expect([row[0] for row in rows] == ["HIGH", "MEDIUM", "LOW"], "words: %s" % rows)
    trial.expect([hue(row[1]) for row in rows] == ["green", "orange", "red"], "colours: %s" % rows)
    trial.expect(re.fullmatch(r"1:[34]\d", rows[0][2]) and re.fullmatch(r"1:0\d:\d\d", rows[1][2]), "countdowns: %s" % rows)
    trial.expect(all("monospace" in row[3] and row[4] == 1 for row in rows), "letters and buses: %s" % rows)


def a_line_has_its_stops(trial):
    """the stops of a line are a table for each direction, with what comes next; sharing takes the line and the stop along"""
    service = trial.serve(DAY, speed=1)
    page = trial.browse(service.address)
    page.order("Page.addScriptToEvaluateOnNewDocument", source="""Object.defineProperty(navigator, "share", { value: undefined });
        Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => { window.copied = text; } } });""")
    page.open("?view=line&line=542&stop=25243")
    page.wait("vehicle", 20, ".line-said")
    page.one("button", "Stops as a table").click()
    tables = page.run("""return [...document.querySelectorAll(".line-table table")].map((table) => [table.caption.innerText,
        table.tBodies[0].rows.length, [...table.querySelectorAll("td .countdown")].map((one) => one.innerText)])""")
    trial.expect(len(tables) == 2 and len({name for name, _, _ in tables}) == 2, "one each way: %s" % tables)
    trial.expect(all(rows > 5 for _, rows, _ in tables), "with its stops: %s" % tables)
    trial.expect(any(times for _, _, times in tables), "and what comes next: %s" % tables)
    page.one("button", "Share").click()
    shared = page.until(lambda: page.run("return window.copied"), 5)
    trial.expect(shared and "line=542" in shared and "stop=25243" in shared, "shared: %s" % shared)


def problems_have_marks(trial):
    """each of the five problems has a mark of its own next to its sentence"""
    service = trial.serve(DAY, speed=1)
    marks = {}
    mark = "return document.querySelector('.board-problem .notice-mark path')?.getAttribute('d') ?? null"

    def keep(page, name):
        marks[name] = page.until(lambda: page.run(mark), 15)
        trial.expect(marks[name], "%s has a mark: %r" % (name, page.text("main")[:100]))

    page = trial.browse(service.address).open("?view=board&near=here")
    keep(page, "noLocation")
    page.run("""localStorage["bridgecast.place"] = JSON.stringify({ latitude: 47.6, longitude: -122.3, at: Date.now() - 31 * 60000 })""")
    keep(page.open("?view=board&near=here"), "cacheStale")
    keep(page.open("?view=board&stop=nothing"), "noStation")
    for status, code in ((404, "noData"), (503, "apiError")):
        other = trial.browse(service.address)
        other.order("Page.addScriptToEvaluateOnNewDocument", source=REFUSED % (code, status))
        keep(other.open(STOP), code)
        other.driver.quit()
    trial.expect(len(set(marks.values())) == 5, "they are five: %s" % marks)


def a_run_has_its_pins(trial):
    """a run's map has a pin for each of its stops, the ends' larger, and its line is blue"""
    service = trial.serve(DAY, speed=1)
    page = trial.browse(service.address).open(STOP)
    page.wait("Towards", 20)
    page.open(link_of_a_run(page))
    page.until(lambda: page.run("return document.querySelector('.run-map-line') !== null"), 20)
    stops = len(page.driver.find_elements("css selector", ".run-stop"))
    pins = len(page.driver.find_elements("css selector", ".run-map-stop"))
    trial.expect(stops > 2 and pins == stops, "%d stops have %d pins" % (stops, pins))
    trial.expect(len(page.driver.find_elements("css selector", ".run-map-stop.is-end")) == 2, "two of them are ends")
    colour = page.run("return getComputedStyle(document.querySelector('.run-map-line')).stroke")
    red, green, blue = [int(part) for part in re.findall(r"\d+", colour)[:3]]
    trial.expect(blue > red and blue > green, "the line is blue: %s" % colour)


def a_run_fails_and_recovers(trial):
    """a run that is not there has a sentence, one that cannot be fetched a button that mends it"""
    service = trial.serve(DAY, speed=1)
    faults = trial.faults(service)
    faults.path = "/api/v1/trips/"
    page = trial.browse(faults.address).open("?view=run&run=nothing")
    trial.expect(page.wait("no departures to show", 15), "one that is not there: %r" % page.text("main")[:200])
    page.open(STOP)
    page.wait("Towards", 20)
    run = link_of_a_run(page)
    faults.mode = ("status", 503, {})
    page.open(run)
    trial.expect(page.wait("cannot be fetched", 15), "one that cannot be fetched: %r" % page.text("main")[:200])
    faults.mode = None
    page.one("button", "Try again").click()
    trial.expect(page.wait("Route Map", 15), "its button brings it: %r" % page.text("main")[:200])
    faults.mode = ("text", '{"data": {"stops": [null, 3, {}]}}')
    page.open(run)
    trial.expect(page.wait("cannot be fetched", 15), "what is no run is none: %r" % page.text("main")[:200])


TRIALS = [rows_have_marks, arrivals_have_marks, a_line_has_its_stops, problems_have_marks, a_run_has_its_pins, a_run_fails_and_recovers]

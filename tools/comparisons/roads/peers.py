"""The same random trips by the reference, routino, the program and its service: what they find and how long it takes.

Times are processor time, so that other work on the machine does not count; those of the service are waiting time.
"""
import gzip
import http.client
import json
import pathlib
import random
import resource
import shutil
import statistics
import subprocess
import sys
import time
import urllib.parse
import xml.sax.saxutils

import commutes
from geography import metres
from model import Model


def middle(arc):
    """The middle of an arc's middle segment: a point whose nearest road is unambiguous."""
    half = (len(arc.points) - 1) // 2
    (a, b), (c, d) = arc.points[half:half + 2]
    return round((a + c) / 2, 6), round((b + d) / 2, 6)


def make_trips(model, count, seed=7):
    """Pairs of places on local and arterial streets all over the city, at least 2 km apart."""
    dice = random.Random(seed)
    ends = sorted({middle(arc) for number, arc in enumerate(model.arcs) if model.usable[number] and arc.metres >= 40
                   and arc.kind in ("residential", "tertiary", "secondary", "primary")})
    trips = []
    while len(trips) < count:
        start, goal = dice.choice(ends), dice.choice(ends)
        if metres(start, goal) >= 2000:
            trips.append((start, goal))
    return trips


class Routino:
    """Debian's routino over the same extract: quickest, with its own motorcar profile."""

    def __init__(self, extract, folder):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        if not (self.folder / "seattle-nodes.mem").exists():
            write_osm(extract, self.folder / "seattle.osm.gz")
            subprocess.run(["planetsplitter", f"--dir={folder}", "--prefix=seattle",
                            "--tagging=/usr/share/routino/tagging-drive.xml", f"{folder}/seattle.osm.gz"],
                           check=True, stdout=subprocess.DEVNULL)

    def answer(self, start, goal):
        """Metres and minutes, or None where it finds no way."""
        places = [f"--lat1={start[0]}", f"--lon1={start[1]}", f"--lat2={goal[0]}", f"--lon2={goal[1]}"]
        ran = subprocess.run(
            ["routino-router", f"--dir={self.folder}", "--prefix=seattle", "--quickest", "--quiet", *places,
             "--profiles=/usr/share/routino/profiles.xml", "--translations=/usr/share/routino/translations.xml",
             "--transport=motorcar", "--output-text-all", "--output-stdout"],
            capture_output=True, text=True, check=False)
        rows = [row.split("\t") for row in ran.stdout.split("\n") if row and not row.startswith("#")]
        if not rows or "Waypt#2" not in rows[-1][3]:
            return None
        return float(rows[-1][6]) * 1000, float(rows[-1][7])


def write_osm(extract, path):
    """The extract as OSM XML, which planetsplitter reads."""
    with gzip.open(extract) as file:
        elements = json.load(file)["elements"]
    quote = xml.sax.saxutils.quoteattr
    with gzip.open(path, "wt", compresslevel=1) as out:
        out.write('<?xml version="1.0"?>\n<osm version="0.6">\n')
        for element in sorted(elements, key=lambda e: (e["type"], e["id"])):
            tags = "".join(f"<tag k={quote(k)} v={quote(v)}/>" for k, v in element.get("tags", {}).items())
            if element["type"] == "node":
                out.write(f'<node id="{element["id"]}" lat="{element["lat"]}" lon="{element["lon"]}">{tags}</node>\n')
            elif element["type"] == "way":
                nodes = "".join(f'<nd ref="{node}"/>' for node in element["nodes"])
                out.write(f'<way id="{element["id"]}">{nodes}{tags}</way>\n')
        out.write("</osm>\n")


def quickest(routes):
    """Metres, and minutes without delays at bridges, of the quickest route of an answer."""
    route = min(routes, key=lambda route: route["travel_s"]["mean"])
    return route["metres"], (route["travel_s"]["mean"] - route["expected_delay_s"]) / 60


class Service:
    """A running `bridgecast serve`."""

    def __init__(self, url):
        self.connection = http.client.HTTPConnection(urllib.parse.urlparse(url).netloc)

    def answer(self, start, goal):
        self.connection.request("GET", "/api/v1/routes?from=%s,%s&to=%s,%s" % (*start, *goal))
        reply = self.connection.getresponse()
        text = reply.read()
        return quickest(json.loads(text)["groups"][0]["routes"]) if reply.status == 200 else None


def processor_seconds():
    """Of this program, and of those that it ran and that have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def timed(answer, trips, clock=processor_seconds):
    """Answers to trips, each with its seconds."""
    found = []
    for start, goal in trips:
        began = clock()
        result = answer(start, goal)
        found.append((result, clock() - began))
    return found


def print_row(name, reference, found):
    pairs = [(a, b) for (a, _), (b, _) in zip(reference, found) if a and b and b[1] > 0]
    if not pairs:
        print(f"{name}: no answers", file=sys.stderr)
        return
    cells = []
    for part in (0, 1):
        ratios = sorted(b[part] / a[part] for a, b in pairs)
        low, half, high = (ratios[min(len(ratios) - 1, int(share * len(ratios)))] for share in (0.05, 0.5, 0.95))
        cells.append(f"{low:.2f}, {half:.3f}, {high:.2f}")
    times = sorted(1000 * seconds for _, seconds in found)
    print(f"| {name} | {statistics.median(times):.1f} | {times[int(0.95 * len(times))]:.1f} | {' | '.join(cells)} "
          f"| {len(pairs)} |", flush=True)


def compare(options):
    """Prints a row for each; what is not installed is left out and named on standard error."""
    model = Model(options.extract)
    for number, usable in enumerate(model.usable):
        if usable:
            model.transitions(number)   # cached before anything is timed
    trips = make_trips(model, options.trips)
    hour, minute = map(int, options.at.split(":"))

    def reference(start, goal):
        minutes, length, _ = model.route(start, goal, hour * 60 + minute)
        return length, minutes

    def predict(start, goal):
        ends = ("%s,%s" % place for place in (start, goal))
        return quickest(commutes.routes(options.program, *ends, f"{options.date}T{options.at}"))

    expected = timed(reference, trips)
    print("| by | median ms | p95 ms | metres by the reference's: 5, 50, 95 % | minutes by the reference's | trips |\n"
          "|---|---|---|---|---|---|")
    print_row("the reference, in Python", expected, expected)
    if shutil.which("planetsplitter"):
        routino = Routino(options.extract, options.folder)
        print_row("routino-router, a process a trip", expected, timed(routino.answer, trips))
    else:
        print("routino is not installed: apt-get install routino", file=sys.stderr)
    print_row("predict, a process a trip", expected, timed(predict, trips))
    if options.service:
        found = timed(Service(options.service).answer, trips, time.perf_counter)
        print_row("serve, a request a trip", expected, found)

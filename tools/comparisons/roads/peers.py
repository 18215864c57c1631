"""One run of the same random trips by networkx, routino, our program and its service: how long, and what they find.

Run: python3 tools/comparisons/roads/peers.py EXTRACT [FOLDER] [--trips N] [--program PROGRAM] [--service URL]
All leave at 3:00, where the paces of a quarter stand still. networkx searches our own times with arcs as vertices.
Times are of the processor, so that other work on the machine does not count; of the service it is the wait.
Needs Python 3.11 and networkx (`python3 -m venv /tmp/nx && /tmp/nx/bin/pip install networkx`, then run this by
/tmp/nx/bin/python); routino is Debian's. What is missing is left out, and it says so. URL is that of a running
`bridgecast serve --replay 2026-02-24T03:00/2026-02-24T05:00`, asked within an hour of its start.
"""

import argparse
import http.client
import json
import pathlib
import resource
import statistics
import sys
import time
import urllib.parse

import commutes
import engines
from compare import NIGHT, have_routino, make_trips, quantiles
from model import Model

ROOT = pathlib.Path(__file__).resolve().parents[3]
MOMENT = "2026-02-24T03:00"


class Networkx:
    """Arcs as vertices of a directed graph; an edge costs its turn and the arc it leads to, at the paces of 3:00."""

    def __init__(self, model, networkx):
        began = processor()
        self.model, self.library = model, networkx
        self.paces = [slots[NIGHT // 15] for slots in model.slots[False]]
        self.graph = networkx.DiGraph()
        for n, usable in enumerate(model.usable):
            for m, turn, beside in model.transitions(n) if usable else ():
                self.graph.add_edge(n, m, weight=self.seeming(m, 1.0, turn + beside))
        self.built = processor() - began

    def seeming(self, n, part, turn=0):
        """Seconds that a part of an arc seems to take, after a turn."""
        arc = self.model.arcs[n]
        return (turn + (arc.tenths + arc.extra) * part) / 10 * self.paces[arc.group]

    def prepare(self, trip):
        """Adds the two ends of a trip to the graph as vertices of their own."""
        model, graph = self.model, self.graph
        graph.remove_nodes_from(["start", "goal"])
        graph.add_nodes_from(["start", "goal"])
        sources, goals = model.snap(trip[:2]), dict(model.snap(trip[2:4]))
        for n, along in sources:
            graph.add_edge("start", n, weight=self.seeming(n, 1 - along / max(model.arcs[n].metres, 0.1)))
        for n, along in goals.items():
            for before in list(graph.predecessors(n)):
                turn, beside = ((0, 0) if before == "start" else
                                next((t, b) for m, t, b in model.transitions(before) if m == n))
                weight = self.seeming(n, along / max(model.arcs[n].metres, 0.1), turn + beside)
                if before != "start" and weight < graph.get_edge_data(before, "goal", {"weight": 1e9})["weight"]:
                    graph.add_edge(before, "goal", weight=weight, by=n)
        return dict(sources), goals

    def answer(self, trip, search):
        """Metres, minutes and seconds of searching; the time without what it only seems to take."""
        sources, goals = self.prepare(trip)
        began = processor()
        path = search(self.graph, "start", "goal")
        spent = processor() - began
        way = [*path[1:-1], self.graph.edges[path[-2], "goal"]["by"]]
        length, seconds = 0.0, 0.0
        for place, n in enumerate(way):
            arc = self.model.arcs[n]
            part = (goals[n] if n == way[-1] else arc.metres) - (sources[n] if place == 0 else 0)
            turn = next(t for m, t, _ in self.model.transitions(way[place - 1]) if m == n) if place else 0
            seconds += (turn + arc.tenths * part / max(arc.metres, 0.1)) / 10 * self.paces[arc.group]
            length += part
        return (length, seconds / 60), spent


def of_routes(routes):
    """Metres and minutes without bridges of the quickest route of an answer."""
    quickest = min(routes, key=lambda route: route["travel_s"]["mean"])
    return quickest["metres"], (quickest["travel_s"]["mean"] - quickest["expected_delay_s"]) / 60


def predict(program, trip):
    return of_routes(commutes.routes(program, f"{trip[0]},{trip[1]}", f"{trip[2]},{trip[3]}", MOMENT))


class Service:
    def __init__(self, url):
        self.connection = http.client.HTTPConnection(urllib.parse.urlparse(url).netloc)

    def answer(self, trip):
        self.connection.request("GET", f"/api/v1/routes?from={trip[0]},{trip[1]}&to={trip[2]},{trip[3]}")
        reply = self.connection.getresponse()
        text = reply.read()
        return of_routes(json.loads(text)["groups"][0]["routes"]) if reply.status == 200 else None


def processor():
    """Seconds of processor time of this program and of those that it ran and that have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def timed(answer, trips, clock=processor):
    found, spent = [], []
    for trip in trips:
        began = clock()
        found.append(answer(trip))
        spent.append(clock() - began)
    return found, spent


def row(name, ours, found, spent):
    pairs = [(a, b) for a, b in zip(ours, found) if a and b and b[1] > 0]
    cells = []
    if not pairs:
        print(f"{name}: no answers", file=sys.stderr)
        return
    for part in (0, 1):
        low, _, half, _, high = quantiles([b[part] / a[part] for a, b in pairs])
        cells.append(f"{low:.2f}, {half:.3f}, {high:.2f}")
    times = sorted(1000 * seconds for seconds in spent)
    print(f"| {name} | {statistics.median(times):.1f} | {times[int(0.95 * len(times))]:.1f} | {' | '.join(cells)} "
          f"| {len(pairs)} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("extract")
    parser.add_argument("folder", nargs="?", default="/tmp/roads-routino")
    parser.add_argument("--trips", type=int, default=100)
    parser.add_argument("--program", default=str(ROOT / ".build/release/bridgecast"))
    parser.add_argument("--service")
    options = parser.parse_args()
    model = Model(options.extract)
    for n, usable in enumerate(model.usable):
        if usable:
            model.transitions(n)   # worked out once, before anything is timed
    trips = make_trips(model, options.trips)
    ours, spent = timed(lambda trip: (lambda way: (way[1], way[0]))(model.route(trip[:2], trip[2:], NIGHT)), trips)
    print("| by | median ms | p95 ms | their metres by the reference's: 5, 50, 95 % | their minutes by the reference's "
          "| trips |\n|---|---|---|---|---|---|")
    row("reference, model.py", ours, ours, spent)
    try:
        import networkx
    except ImportError:
        print("networkx is missing: python3 -m venv /tmp/nx && /tmp/nx/bin/pip install networkx, and run this by "
              "/tmp/nx/bin/python", file=sys.stderr)
    else:
        graph = Networkx(model, networkx)
        for name, search in (("dijkstra_path", networkx.dijkstra_path),
                             ("bidirectional_dijkstra", lambda g, s, t: networkx.bidirectional_dijkstra(g, s, t)[1])):
            answers = [graph.answer(trip, search) for trip in trips]
            row(f"networkx {networkx.__version__}, {name}", ours, *zip(*answers))
        print(f"the graph of networkx: {graph.graph.number_of_nodes()} vertices, {graph.graph.number_of_edges()} edges,"
              f" {graph.built:.1f} s to build", file=sys.stderr)
    if have_routino():
        route = engines.routino(options.extract, options.folder)
        row("routino-router, a process a trip", ours, *timed(lambda trip: route([(*trip, 0)])[0], trips))
    else:
        print("routino is missing: apt-get install routino", file=sys.stderr)
    if pathlib.Path(options.program).exists():
        row("predict, a process a trip", ours, *timed(lambda trip: predict(options.program, trip), trips))
    else:
        print(f"{options.program} is missing: tools/bridgecast builds it", file=sys.stderr)
    if options.service:
        row("our service, a request a trip (waited)", ours, *timed(Service(options.service).answer, trips,
                                                                   time.perf_counter))


if __name__ == "__main__":
    main()

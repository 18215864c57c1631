"""Trips on which routino's or OSRM's answer is furthest from ours at 3:00, with both ways and why they differ.

Run: python3 tools/comparisons/roads/outliers.py EXTRACT [FOLDER] [--trips N] [--count N]
Both ways are costed by both: our minutes on their way tell a longer way from slower roads. A cause is named by rule:
see `cause`. Needs Python 3.11 and Debian's routino; a minute or two. OSRM is its speeds in our search.
"""

import argparse
import collections
import heapq
import math
import statistics

import engines
from compare import NIGHT, have_routino, make_trips
from graph import downtown, metres
from model import Model

REACH_M = 1500   # how far the last junction of a way may be from the road that it ends on
PARTS = ("freeway", "arterial", "local", "ramp", "waits", "turns")
WORDS = {"freeway": "on freeways", "arterial": "on arterials", "local": "on local streets", "ramp": "on ramps",
         "waits": "at signals and signs", "turns": "in turns"}
# Routino goes by the limits, up to these speeds, and waits nowhere.
ROUTINO = engines.Profile(engines.classes(112, 112, 96, 96, 96, 96, 88, 88, 80, 80, 64, 48, 48), 1.0)


class Probe(Model):
    """Our model, which also remembers how much of an arc's time is waiting."""

    def __init__(self, path):
        self.waits = []
        super().__init__(path)

    def seconds(self, arc, tags, path, middle, along):
        self.waits.append(self.controls.delay(path, tags, downtown(middle), not along))
        return super().seconds(arc, tags, path, middle, along)


def parts(model, way, start, goal):
    """Seconds of a way by what they are spent on."""
    ends = [dict(model.snap(point)) for point in (start, goal)]
    cost = collections.Counter()
    waits = getattr(model, "waits", None)
    for place, n in enumerate(way):
        arc = model.arcs[n]
        here = ends[0].get(n, 0) if place == 0 else 0
        there = ends[1].get(n, arc.metres) if place == len(way) - 1 else arc.metres
        share = max(0.0, there - here) / max(arc.metres, 0.1)
        pace = model.slots[False][arc.group][NIGHT // 15] if waits else 1
        wait = min(waits[n], arc.tenths / 10) if waits else 0
        kind = ("ramp" if arc.kind.endswith("_link") else "freeway" if arc.kind == "motorway"
                else "local" if arc.rank == 1 else "arterial")
        cost[kind] += (arc.tenths / 10 - wait) * share * pace
        cost["waits"] += wait * share * pace
        if place:
            cost["turns"] += pace * next((t for m, t, _ in model.transitions(way[place - 1]) if m == n), 0) / 10
    return cost


class Matcher:
    """Routino's nodes to our arcs: our junctions are among its nodes, which it keeps to about a metre."""

    def __init__(self, model):
        self.model, self.cells = model, collections.defaultdict(list)
        for number in {arc.start for arc in model.arcs} | {arc.end for arc in model.arcs}:
            self.cells[self.cell(model.nodes[number])].append(number)

    @staticmethod
    def cell(point):
        return round(point[0] * 20000), round(point[1] * 20000)

    def junction(self, point):
        x, y = self.cell(point)
        near = [n for i in (-1, 0, 1) for j in (-1, 0, 1) for n in self.cells.get((x + i, y + j), ())]
        best = min(near, key=lambda n: metres(self.model.nodes[n], point), default=None)
        return best if near and metres(self.model.nodes[best], point) < 2 else None

    def between(self, a, b, most):
        """Arcs of the shortest way from one junction to another that is not much further: routino drops some."""
        heap, done = [(0.0, a, ())], set()
        while heap:
            gone, node, way = heapq.heappop(heap)
            if node == b:
                return list(way)
            if node in done:
                continue
            done.add(node)
            for n in self.model.leaving[node]:
                arc = self.model.arcs[n]
                if gone + arc.metres <= most:
                    heapq.heappush(heap, (gone + arc.metres, arc.end, (*way, n)))
        return []

    def way(self, rows, start, goal):
        """Arcs of a way, with those at its ends on which our own trip begins and ends, and where we have no road."""
        line = [n for n in (self.junction((float(row[0]), float(row[1]))) for row in rows) if n is not None]
        way, gaps = [], []
        for a, b in zip(line, line[1:]):
            piece = self.between(a, b, 3 * metres(self.model.nodes[a], self.model.nodes[b]) + 400)
            gaps += [] if piece or a == b else [(a, b)]
            way += piece
        if way:
            arcs = self.model.arcs
            firsts = [[n, *self.between(arcs[n].end, line[0], REACH_M)] for n, _ in self.model.snap(start)
                      if self.near(arcs[n].end, line[0])]
            lasts = [[*self.between(line[-1], arcs[n].start, REACH_M), n] for n, _ in self.model.snap(goal)
                     if self.near(line[-1], arcs[n].start)]
            way = min(firsts, key=self.metres, default=[]) + way + min(lasts, key=self.metres, default=[])
        return way, gaps

    def near(self, a, b):
        return a == b or bool(self.between(a, b, REACH_M))

    def metres(self, way):
        return sum(self.model.arcs[n].metres for n in way)


def kilometres(model, way):
    """Kilometres of a way on freeways, trunk roads and their ramps, and on local streets."""
    arcs = [model.arcs[n] for n in way]
    return (sum(arc.metres for arc in arcs if arc.kind.startswith(("motorway", "trunk"))) / 1000,
            sum(arc.metres for arc in arcs if arc.rank == 1) / 1000)


def cause(one, usual, what):
    """What makes a trip differ: the way that is taken, or the part of the time on our way that is unlike the usual."""
    model, cost, other = one["model"], one["cost"], one["other"]
    far = math.log(one["minutes"] / one["their minutes"] / usual)
    by_way = math.log(sum(other.values()) / 60 / one["their minutes"])
    if what == "minutes" and abs(by_way) < abs(far) / 2:
        part = max(PARTS, key=lambda key: abs(cost[key] - usual * other[key]))
        return f"minutes: {'more' if cost[part] > usual * other[part] else 'fewer'} {WORDS[part]}"
    if any(model.arcs[n].reversible for n in one["theirs"]) and not any(model.arcs[n].reversible for n in one["ours"]):
        return "way: theirs by the express lanes, which are closed then"
    (fast, local), (their_fast, their_local) = (kilometres(model, way) for way in (one["ours"], one["theirs"]))
    if abs(fast - their_fast) > 0.5:
        return f"way: {'ours' if fast > their_fast else 'theirs'} by a freeway or SR 99, the other through town"
    if their_local > local + 0.2:
        return "way: theirs through local streets"
    return "way: other arterials"


def look(model, trip, way, theirs, other):
    """Both ways of a trip, costed by us, and ours by the other program."""
    cost, alien = (parts(whose, way, trip[:2], trip[2:]) for whose in (model, other))
    return {"model": model, "ours": way, "theirs": theirs[2], "cost": cost, "other": alien,
            "on theirs": sum(parts(model, theirs[2], trip[:2], trip[2:]).values()) / 60,
            "minutes": sum(cost.values()) / 60, "their minutes": theirs[1]}


def report(model, name, trips, answers, other, count):
    """The trips furthest from the usual ratio, by minutes and by metres; answers: metres, minutes, arcs, gaps."""
    ours = [model.route(trip[:2], trip[2:], NIGHT) for trip in trips]
    both = [n for n, answer in enumerate(answers) if ours[n] and answer and answer[1] > 0]
    logs = {"minutes": {n: math.log(ours[n][0] / answers[n][1]) for n in both},
            "metres": {n: math.log(ours[n][1] / answers[n][0]) for n in both}}
    usual = {what: statistics.median(values.values()) for what, values in logs.items()}
    for what, values in logs.items():
        causes = collections.Counter()
        print(f"\n{name}, {what}: ours by theirs {math.exp(usual[what]):.2f} in the middle; the {count} furthest off")
        for n in sorted(both, key=lambda key: -abs(values[key] - usual[what]))[:count]:
            (minutes, length, way), theirs = ours[n], answers[n]
            one = look(model, trips[n], way, theirs, other)
            words = cause(one, math.exp(usual["minutes"]), what)
            causes[words] += 1
            spent = ", ".join(f"{key} {one['cost'][key]:.0f}/{one['other'][key]:.0f}" for key in PARTS)
            print(f"{math.exp(values[n]):.2f} trip {n} {trips[n]}: {words}\n   ours {length / 1000:.1f} km "
                  f"{minutes:.1f} min, theirs {theirs[0] / 1000:.1f} km {theirs[1]:.1f} min, ours on theirs "
                  f"{one['on theirs']:.1f} min\n   seconds on our way, ours/theirs: {spent}\n"
                  f"   ours: {model.describe(way)}\n   theirs: {model.describe(theirs[2])}")
            for a, b in theirs[3]:
                print("   no road of ours:", *(f"{node} {model.nodes[node][:2]}" for node in (a, b)))
        print("\n".join(f"| {name}, {what} | {words} | {number} |" for words, number in causes.most_common()))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("extract")
    parser.add_argument("folder", nargs="?", default="/tmp/roads-routino")
    parser.add_argument("--trips", type=int, default=500)
    parser.add_argument("--count", type=int, default=20)
    options = parser.parse_args()
    model, osrm = Probe(options.extract), Model(options.extract, engines.PROFILES["OSRM"])
    trips = make_trips(model, options.trips)
    found = [osrm.route(trip[:2], trip[2:], 0, None) for trip in trips]
    report(model, "OSRM", trips, [way and (way[1], way[0], way[2], []) for way in found], osrm, options.count)
    if have_routino():
        matcher, rows = Matcher(model), engines.routino_rows(options.extract, options.folder)
        lines = [(trip, rows(trip)) for trip in trips]
        report(model, "routino", trips, [line and (float(line[-1][6]) * 1000, float(line[-1][7]),
                                                   *matcher.way(line, trip[:2], trip[2:])) for trip, line in lines],
               Model(options.extract, ROUTINO), options.count)


if __name__ == "__main__":
    main()

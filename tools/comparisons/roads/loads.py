"""Traffic that trips of a made-up table put on every arc; counts.py compares it with counted traffic.

A search from one end finds the ways to all others; trips to a place weigh as much as the table says.
"""

import collections
import heapq
import itertools
import math
import random

from graph import metres

DECAY_KM = 5.0    # a place that far away, as the crow flies, draws 1/e of what one next door draws
SIGNAL_REACH_M = 300
FREEWAY_GATE = 50
# Where roads lead out of the city, and thousands of vehicles a day there: round, from memory of the state's counts
GATES = [((47.7320, -122.3270), 190), ((47.5130, -122.2790), 200), ((47.6440, -122.3045), 70),
         ((47.5900, -122.2890), 140),
         ((47.7310, -122.3450), 35), ((47.7320, -122.2925), 40), ((47.5150, -122.3290), 55), ((47.5240, -122.3030), 45),
         ((47.5060, -122.2430), 20), ((47.5080, -122.2590), 20), ((47.7320, -122.3555), 15), ((47.7320, -122.3130), 12),
         ((47.5040, -122.3550), 20), ((47.5040, -122.3340), 20), ((47.5170, -122.3770), 10)]


def middle(arc):
    return arc.points[len(arc.points) // 2]


class Ends:
    """Where trips begin and end: homes by length of residential streets, the rest by signals near a street."""

    def __init__(self, model):
        self.model = model
        self.streets = [n for n, arc in enumerate(model.arcs) if model.usable[n] and (arc.twin < 0 or n < arc.twin)
                        and arc.kind in ("residential", "living_street", "unclassified", "tertiary", "secondary",
                                         "primary")]
        cells = collections.defaultdict(list)
        for signal in set(model.controls.cluster.values()):
            cells[self.cell(model.nodes[signal])].append(model.nodes[signal])
        self.home, self.other = {}, {}
        for n in self.streets:
            arc = model.arcs[n]
            x, y = self.cell(middle(arc))
            near = sum(metres(middle(arc), signal) <= SIGNAL_REACH_M
                       for i in (-1, 0, 1) for j in (-1, 0, 1) for signal in cells.get((x + i, y + j), ()))
            self.home[n] = arc.metres if arc.kind in ("residential", "living_street") else 0
            self.other[n] = arc.metres * near
        wide = [n for n, arc in enumerate(model.arcs) if model.usable[n] and arc.rank >= 3]
        self.gates = {}
        for at, size in GATES:
            n = min((n for n in wide if size < FREEWAY_GATE or model.arcs[n].kind.startswith("motorway")),
                    key=lambda n: metres(at, middle(model.arcs[n])))
            self.gates[min(n, model.arcs[n].twin) if model.arcs[n].twin >= 0 else n] = size

    @staticmethod
    def cell(point):
        return int(point[0] / 0.003), int(point[1] / 0.0045)

    def draw(self, weights, count, seed):
        return random.Random(seed).choices(list(weights), list(weights.values()), k=count)

    def table(self, start, weights, decay=DECAY_KM, beyond=0.0):
        """One trip from a street, spread over all streets by weight and distance, and a share of it over the gates."""
        if start in self.gates:
            decay, beyond = float("inf"), 0.0
        at = middle(self.model.arcs[start])
        far = {n: metres(at, middle(self.model.arcs[n])) / 1000 for n in self.streets if weights[n] and n != start}
        drawn = {n: weights[n] * math.exp(-km / decay) for n, km in far.items()}
        total = sum(drawn.values())
        table = {n: (1 - beyond) * part / total for n, part in drawn.items()}
        for n, size in self.gates.items() if beyond else ():
            table[n] = table.get(n, 0) + beyond * size / sum(self.gates.values())
        return table


class Roads:
    """Arcs with what they cost, ready for searches from one to all; cost "time" or "metres"."""

    def __init__(self, model, cost="time", hours=True, spread=0.0):
        self.model, self.hours, self.spread = model, hours, spread
        names = {}
        self.street = [names.setdefault((arc.name, arc.kind), len(names)) for arc in model.arcs]
        self.onward = []
        for n, arc in enumerate(model.arcs):
            steps = []
            for m, turn, beside in model.transitions(n) if model.usable[n] else ():
                to = model.arcs[m]
                minutes = (turn + beside + to.tenths + to.extra) / 600 if cost == "time" else to.metres / 1000
                if hours or not to.reversible:
                    steps.append((m, minutes, to.group))
            self.onward.append(steps)

    def tree(self, start, minute):
        """Arcs in the order in which they are reached from a street, and the arc before each."""
        model, done, order, came, ids = self.model, set(), [], {}, itertools.count()
        heap = [(float(minute or 0), next(ids), n, -1) for n in (start, model.arcs[start].twin) if n >= 0]
        best, slots = {}, model.slots[False]
        seen = self.seen(start)
        while heap:
            now, _, n, before = heapq.heappop(heap)
            if n in done:
                continue
            done.add(n)
            order.append(n)
            came[n] = before
            quarter = int(now // 15)
            for m, minutes, group in self.onward[n]:
                if m in done:
                    continue
                minutes *= seen[self.street[m]]
                if not self.hours:
                    arrive = now + minutes
                else:
                    arrive = now + minutes * slots[group][quarter % 96]
                    if arrive > (quarter + 1) * 15:
                        arrive = model.clock(now, minutes * 60, group, False)
                if arrive < best.get(m, float("inf")):
                    best[m] = arrive
                    heapq.heappush(heap, (arrive, next(ids), m, n))
        return order, came

    def seen(self, start):
        """How much longer each street seems to those of one end: drivers differ, and no times are exact."""
        dice = random.Random(start)
        return [1 + self.spread * (2 * dice.random() - 1) for _ in range(max(self.street) + 1)]

    def add(self, loads, start, minute, table):
        """Adds the trips of one end to the loads of all arcs that they pass; the two end streets are left out."""
        order, came = self.tree(start, minute)
        arcs, ending, seen = self.model.arcs, [0.0] * len(self.model.arcs), set()
        for n in order:
            street = min(n, arcs[n].twin) if arcs[n].twin >= 0 else n
            if street in table and street not in seen:
                seen.add(street)
                ending[n] = table[street]
        passing = [0.0] * len(arcs)
        for n in reversed(order):
            before = came[n]
            loads[n] += passing[n]
            if before >= 0:
                passing[before] += passing[n] + ending[n]
        return loads


def assign(roads, ends, count, decay=DECAY_KM, uniform=False, beyond=0.0):
    """Loads of all arcs by trips from `count` ends at each of three hours: out of home, both, and back.

    Of trips that begin in the city the share `beyond` ends at a gate; as many more begin at one.
    """
    every = {n: roads.model.arcs[n].metres for n in ends.streets}
    home, other = (every, every) if uniform else (ends.home, ends.other)
    loads = [0.0] * len(roads.model.arcs)
    for minute, (origins, goals), share in ((510, (home, other), 1.0), (720, (home, other), 0.5),
                                            (720, (other, home), 0.5), (1050, (other, home), 1.0)):
        starts = ends.draw(origins, round(count * share), minute + (origins is home))
        starts += ends.draw(ends.gates, round(count * share * beyond), minute)
        for start in starts:
            roads.add(loads, start, minute, ends.table(start, goals, decay, beyond))
    return loads

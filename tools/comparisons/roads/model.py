"""Independent reference of the road model: fastest ways by time of departure over network.py; engines.py uses it.

As a program: model.py EXTRACT LAT LON LAT LON HH:MM [weekend] prints the way by road names.
"""

import collections
import heapq
import itertools
import sys

import paces
import rules
from graph import metres
from network import Network


class Model(Network):
    def __init__(self, path, profile=None, reluctance=None):
        super().__init__(path, profile, reluctance or ((0, 0) if profile else rules.RELUCTANCE))
        self.slots = {weekend: paces.slots(weekend) for weekend in (False, True)}
        self.cells = self.index()

    def index(self):
        """Cells of about 200 m with the arcs a trip may start or end on."""
        cells = collections.defaultdict(set)
        for number, arc in enumerate(self.arcs):
            if self.usable[number] and arc.kind not in ("motorway", "trunk") and not arc.kind.endswith("_link"):
                for a, b in itertools.pairwise(arc.points):
                    for step in range(int(metres(a, b) / 100) + 2):
                        part = step / (int(metres(a, b) / 100) + 1)
                        cells[self.cell((a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part))].add(number)
        return cells

    @staticmethod
    def cell(point):
        return int(point[0] / 0.002), int(point[1] / 0.003)

    def snap(self, point):
        """The arcs nearest to a point (both directions of one road): (arc, metres along it)."""
        found, (x, y) = [], self.cell(point)
        for ring in range(1, 12):
            reach = range(-ring, ring + 1)
            near = {n for i in reach for j in reach for n in self.cells.get((x + i, y + j), ())}
            found = [(*self.project(point, n), n) for n in near]
            if found:
                break
        away, along, best = min(found)
        places = [(best, along)]
        if self.arcs[best].twin >= 0:
            places.append((self.arcs[best].twin, self.arcs[best].metres - along))
        return places

    def project(self, point, number):
        best, gone = (float("inf"), 0.0), 0.0
        for a, b in itertools.pairwise(self.arcs[number].points):
            best = min(best, rules.foot(point, a, b, metres, gone))
            gone += metres(a, b)
        return best

    def clock(self, minute, free_seconds, group, weekend):
        """Minute at which free seconds are used up from a minute of the day on, quarter by quarter."""
        if weekend is None:
            return minute + free_seconds / 60
        left, slots = free_seconds / 60, self.slots[weekend][group]
        while True:
            quarter = int(minute // 15)
            pace = slots[quarter % 96]
            room = (quarter + 1) * 15 - minute
            if left * pace <= room:
                return minute + left * pace
            left -= room / pace
            minute = (quarter + 1) * 15.0

    def route(self, start, goal, minute, weekend=False):
        """The way that seems fastest: (minutes, metres, arcs); weekend None: free pace, express lanes closed."""
        return search(self, self.snap(start), self.snap(goal), minute, weekend)

    def describe(self, way):
        """Road names of a way with their kilometres, runs of one name joined."""
        names = [(self.arcs[n].name or self.arcs[n].kind, self.arcs[n].metres) for n in way]
        runs = [(name, sum(m for _, m in part)) for name, part in itertools.groupby(names, key=lambda pair: pair[0])]
        return ", ".join(f"{name} {length / 1000:.1f}" for name, length in runs if length >= 100)


def search(model, sources, targets, minute, weekend):
    arcs, heap, done = model.arcs, [], set()
    ends, order, best = dict(targets), itertools.count(), {}

    def seeming(number, metres, turn=0):
        arc = arcs[number]
        return (turn + (arc.tenths + arc.extra) * metres / max(arc.metres, 0.1)) / 10

    for number, along in sources:
        arc = arcs[number]
        if number in ends and ends[number] >= along:
            arrive = model.clock(minute, seeming(number, ends[number] - along), arc.group, weekend)
            heapq.heappush(heap, (arrive, next(order), -1, number, None))
        best[number] = model.clock(minute, seeming(number, arc.metres - along), arc.group, weekend)
        heapq.heappush(heap, (best[number], next(order), number, None, None))
    came = {}
    while heap:
        now, _, number, last, before = heapq.heappop(heap)
        if number == -1:
            return finish(model, came, minute, last, before, sources, ends, weekend)
        if number in done:
            continue
        done.add(number)
        came[number] = last
        for following, turn, beside in model.transitions(number):
            arc = arcs[following]
            if weekend is None and arc.reversible:
                continue
            if following in ends:
                arrive = model.clock(now, seeming(following, ends[following], turn + beside), arc.group, weekend)
                heapq.heappush(heap, (arrive, next(order), -1, following, number))
            if following not in done:
                arrive = model.clock(now, seeming(following, arc.metres, turn + beside), arc.group, weekend)
                if arrive < best.get(following, float("inf")):
                    best[following] = arrive
                    heapq.heappush(heap, (arrive, next(order), following, number, None))
    return None


def finish(model, came, minute, last, before, sources, ends, weekend):
    """The way's minutes, without what it only seems to take, its length, and its arcs, partial at both ends."""
    way, at, arcs = [last], before, model.arcs
    while at is not None:
        way.append(at)
        at = came[at]
    way.reverse()
    first = dict(sources)[way[0]]
    now, length = minute, 0
    for place, number in enumerate(way):
        arc = arcs[number]
        part = (ends[last] if place == len(way) - 1 else arc.metres) - (first if place == 0 else 0)
        turn = 0 if place == 0 else next(turn for n, turn, _ in model.transitions(way[place - 1]) if n == number)
        now = model.clock(now, (turn + arc.tenths * part / max(arc.metres, 0.1)) / 10, arc.group, weekend)
        length += part
    return now - minute, length, way


def main():
    model = Model(sys.argv[1])
    start, goal = tuple(map(float, sys.argv[2:4])), tuple(map(float, sys.argv[4:6]))
    hour, minute = map(int, sys.argv[6].split(":"))
    minutes, length, way = model.route(start, goal, hour * 60 + minute, "weekend" in sys.argv)
    print(f"{minutes:.1f} min, {length / 1000:.2f} km: {model.describe(way)}")


if __name__ == "__main__":
    main()

"""The reference: arcs of the streets with times and turns, and the fastest way by time of departure (Dijkstra)."""
import collections
import dataclasses
import heapq
import itertools
import math

import rules
from geography import bearing, metres
from streets import (Controls, directions, downtown, drivable, end_bearing, express, limit, pieces, read, running_kmh,
                     start_bearing, turn_angle)


@dataclasses.dataclass(slots=True, eq=False)
class Arc:
    """A piece of road between two junctions in one direction; it waits at what it passes and at its end."""

    start: int
    end: int
    points: list
    kind: str
    name: str
    limit: float         # miles per hour
    metres: float
    is_circle: bool
    is_reversible: bool
    is_oneway: bool
    tenths: int          # of a second: free time with the delays of signals and signs
    extra: int           # tenths that the search adds
    stops: str           # "all", "minor" or "": the sign before its end
    group: int           # of rules.py
    twin: int = -1       # the other direction
    onward: list = None  # arcs that may follow; see Model.transitions

    @property
    def rank(self):
        return rules.RANK[self.kind]

    @property
    def is_link(self):
        return self.kind.endswith("_link")


def pace_group(points, kind, miles_per_hour):
    """Pace group by class and by the direction relative to the centre."""
    middle = points[len(points) // 2]
    ends = (points[0], points[-1]) if points[0] != points[-1] else (points[0], middle)
    inwards = math.cos(math.radians(turn_angle(bearing(*ends), bearing(middle, rules.CENTRE))))
    needed = {"motorway": rules.FREEWAY_LIMIT, "trunk": rules.EXPRESSWAY_LIMIT}.get(kind, math.inf)
    if miles_per_hour >= needed:
        return rules.FREEWAY_IN if inwards >= 0 else rules.FREEWAY_OUT
    if rules.RANK[kind] == 1:
        return rules.LOCAL
    return rules.INBOUND if inwards > 0.5 else rules.OUTBOUND if inwards < -0.5 else rules.ACROSS


class Model:
    """The arcs of an extract, and the times of going from one to the next."""

    def __init__(self, extract, reluctance=rules.RELUCTANCE):
        self.nodes, ways = read(extract)
        self.reluctance = reluctance
        lines = pieces(self.nodes, [way for way in ways if drivable(way["tags"])])
        self.controls = Controls(self.nodes, lines)
        self.arcs = []
        self.leaving, self.arriving = collections.defaultdict(list), collections.defaultdict(list)
        for line, tags in lines:
            self.add(line, tags)
        inside = strongly_connected(self.arcs, self.leaving)
        self.usable = [arc.start in inside and arc.end in inside for arc in self.arcs]
        self.slots = {weekend: rules.slots(weekend) for weekend in (False, True)}
        self.cells = self.index()

    def add(self, line, tags):
        """Adds the arcs of a piece of road, one for each direction that is open."""
        made = []
        allowed = directions(tags)
        for along in (True, False):
            if not allowed[0 if along else 1]:
                continue
            arc = self.arc(line if along else line[::-1], tags, along, is_oneway=not all(allowed))
            made.append(len(self.arcs))
            self.leaving[arc.start].append(len(self.arcs))
            self.arriving[arc.end].append(len(self.arcs))
            self.arcs.append(arc)
        if len(made) == 2:
            self.arcs[made[0]].twin, self.arcs[made[1]].twin = made[1], made[0]

    def arc(self, path, tags, along, is_oneway):
        kind, points = tags["highway"], [self.nodes[node][:2] for node in path]
        middle = points[len(points) // 2]
        length = sum(itertools.starmap(metres, itertools.pairwise(points)))
        delay = self.controls.delay(path, tags, downtown(middle), not along)
        tenths = max(1, round(10 * (length / running_kmh(tags, middle) * 3.6 + delay)))
        is_reversible = express(tags) is not None
        lanes = express(tags) if along else rules.EXPRESS_IN
        return Arc(
            start=path[0], end=path[-1], points=points, kind=kind, name=tags.get("name") or tags.get("ref") or "",
            limit=limit(tags), metres=length,
            is_circle="junction" in tags and tags["junction"] != "intersection",
            is_reversible=is_reversible, is_oneway=is_oneway or is_reversible, tenths=tenths,
            extra=round(tenths * self.reluctance[0]) if rules.RANK[kind] == 1 else 0,
            stops=self.controls.stops(path, not along),
            group=lanes if is_reversible else pace_group(points, kind, limit(tags)))

    # Turns

    def transitions(self, number):
        """Arcs that may follow, each with the tenths of a second of its turn and those that the search adds."""
        arc = self.arcs[number]
        if arc.onward is None:
            onward = [n for n in self.leaving[arc.end] if self.usable[n]]
            arc.onward = [
                (n, round(10 * self.turn(arc, self.arcs[n])), self.reluctance_tenths(arc, self.arcs[n])) for n in onward
                if n != arc.twin and (len(onward) == 1 or not self.turns_round(arc, self.arcs[n]))]
            if not arc.onward and arc.twin >= 0:
                arc.onward = [(arc.twin, round(10 * rules.TURN["dead_end"]), 0)]
        return arc.onward

    def reluctance_tenths(self, arc, onto):
        return round(10 * self.reluctance[1]) if onto.rank == 1 and arc.rank > 1 else 0

    def turns_round(self, arc, onto):
        """Whether two arcs of one dual carriageway make a U-turn where the carriageways meet."""
        angle = turn_angle(end_bearing(arc.points), start_bearing(onto.points))
        alike = arc.name == onto.name or arc.is_link or onto.is_link
        return alike and self.controls.degree[arc.end] > 2 and abs(angle) > rules.U_TURN

    def turn(self, arc, onto):
        """Seconds lost between two arcs that meet."""
        if self.controls.degree[arc.end] == 2:
            return 0
        if arc.is_circle or onto.is_circle:
            return rules.CIRCLE if onto.is_circle and not arc.is_circle else 0
        if arc.kind == "motorway_link" and onto.kind == "motorway" and onto.limit >= rules.FREEWAY_LIMIT:
            return rules.MERGE
        angle = turn_angle(end_bearing(arc.points), start_bearing(onto.points))
        if abs(angle) < 60 and any(a.is_link or a.kind == "motorway" for a in (arc, onto)):
            return 0
        kind = rules.turn_kind(angle)
        seconds = rules.TURN[kind]
        if arc.end in self.controls.core:
            return seconds + (rules.SIGNAL_LEFT if kind == "left" and self.opposed(arc, onto) else 0)
        if arc.stops == "all":
            return seconds
        major, oneway = self.major(arc)
        if major > arc.rank:
            return self.gap_seconds(arc, kind, major, oneway)
        if kind == "left" and self.opposed(arc, onto):
            return seconds + rules.OPPOSING[arc.rank]
        return seconds + (rules.LOCAL_CROSSING if arc.rank == major == 1 and not arc.stops else 0)

    @staticmethod
    def gap_seconds(arc, kind, major, oneway):
        """Seconds of waiting for a gap in the traffic of a larger road."""
        movement = kind if kind in ("right", "left") else "across"
        movement = "right" if movement == "left" and oneway else movement
        wait = rules.ONTO[major][movement] * (0.6 if oneway and movement == "across" else 1)
        return wait + (0 if arc.stops else rules.STOP_MINOR)

    def opposed(self, arc, onto):
        """Whether a left turn has traffic coming from straight ahead."""
        heading = end_bearing(arc.points)
        return any(abs(turn_angle(heading, end_bearing(self.arcs[n].points) + 180)) < 40
                   for n in self.arriving[arc.end] if self.arcs[n].start != arc.start and n != onto.twin)

    def major(self, arc):
        """Highest class of the other roads that pass the end of an arc, and whether that road is one-way."""
        best, both = 0, collections.defaultdict(set)
        for n in self.leaving[arc.end] + self.arriving[arc.end]:
            other = self.arcs[n]
            if other is arc or n == arc.twin or (arc.name and other.name == arc.name):
                continue
            far = other.end if other.start == arc.end else other.start
            both[other.rank].add((far, other.name))
        for rank, far in both.items():
            if len(far) >= 2:
                best = max(best, rank)
        arms = [self.arcs[n] for n in self.leaving[arc.end] + self.arriving[arc.end] if self.arcs[n].rank == best]
        return best, bool(arms) and all(other.is_oneway for other in arms)

    # Places

    def index(self):
        """Cells of about 200 m with the arcs a trip may start or end on."""
        cells = collections.defaultdict(set)
        for number, arc in enumerate(self.arcs):
            if self.usable[number] and arc.kind not in ("motorway", "trunk") and not arc.is_link:
                for a, b in itertools.pairwise(arc.points):
                    steps = int(metres(a, b) / 100) + 1
                    for part in (step / steps for step in range(steps + 1)):
                        cells[self.cell((a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part))].add(number)
        return cells

    @staticmethod
    def cell(point):
        return int(point[0] / 0.002), int(point[1] / 0.003)

    def snap(self, point):
        """The arcs nearest to a point (both directions of one road), each with the metres along it."""
        found, (x, y) = [], self.cell(point)
        for ring in range(1, 12):
            reach = range(-ring, ring + 1)
            near = {n for i in reach for j in reach for n in self.cells.get((x + i, y + j), ())}
            found = [(*self.project(point, n), n) for n in near]
            if found:
                break
        _, along, best = min(found)
        places = {best: along}
        if self.arcs[best].twin >= 0:
            places[self.arcs[best].twin] = self.arcs[best].metres - along
        return places

    def project(self, point, number):
        """Metres from a point to an arc, and from the arc's start to the nearest point on it."""
        best, gone = (math.inf, 0.0), 0.0
        for a, b in itertools.pairwise(self.arcs[number].points):
            best = min(best, foot(point, a, b, gone))
            gone += metres(a, b)
        return best

    # Ways

    def clock(self, minute, free_seconds, group, weekend=False):
        """Minute at which free seconds are used up from a minute of the day on, quarter by quarter."""
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
        """The best way between two points: (minutes, metres, arcs); None where there is none."""
        return Search(self, self.snap(start), self.snap(goal), minute, weekend).run()


class Search:
    """Dijkstra's algorithm over arcs, by the clock: one trip."""

    def __init__(self, model, sources, targets, minute, weekend):
        self.model, self.minute, self.weekend = model, minute, weekend
        self.sources, self.targets = sources, targets
        self.heap, self.order, self.best, self.came = [], itertools.count(), {}, {}

    def run(self):
        for number, along in self.sources.items():
            if self.targets.get(number, -1) >= along:
                self.push_end(self.minute, number, self.targets[number] - along, None)
            self.push(self.minute, number, self.model.arcs[number].metres - along, None)
        done = set()
        while self.heap:
            now, _, number, last, before = heapq.heappop(self.heap)
            if number is None:
                return self.finish(last, before)
            if number in done:
                continue
            done.add(number)
            self.came[number] = before
            for following, turn, added in self.model.transitions(number):
                if following in self.targets:
                    self.push_end(now, following, self.targets[following], number, turn + added)
                if following not in done:
                    self.push(now, following, self.model.arcs[following].metres, number, turn + added)
        return None

    def arrival(self, now, number, length, turn):
        """Minute at which a length of an arc is driven, with what the search adds."""
        arc = self.model.arcs[number]
        seconds = (turn + (arc.tenths + arc.extra) * length / max(arc.metres, 0.1)) / 10
        return self.model.clock(now, seconds, arc.group, self.weekend)

    def push(self, now, number, length, before, turn=0):
        arrival = self.arrival(now, number, length, turn)
        if arrival < self.best.get(number, math.inf):
            self.best[number] = arrival
            heapq.heappush(self.heap, (arrival, next(self.order), number, None, before))

    def push_end(self, now, number, length, before, turn=0):
        heapq.heappush(self.heap, (self.arrival(now, number, length, turn), next(self.order), None, number, before))

    def finish(self, last, before):
        """The way's minutes, without what the search added, its length, and its arcs, partial at both ends."""
        way, at, model = [last], before, self.model
        while at is not None:
            way.append(at)
            at = self.came[at]
        way.reverse()
        now, length = self.minute, 0
        for position, number in enumerate(way):
            arc = model.arcs[number]
            end = self.targets[last] if position == len(way) - 1 else arc.metres
            part = end - (self.sources[number] if position == 0 else 0)
            turn = 0 if position == 0 else next(t for n, t, _ in model.transitions(way[position - 1]) if n == number)
            seconds = (turn + arc.tenths * part / max(arc.metres, 0.1)) / 10
            now = model.clock(now, seconds, arc.group, self.weekend)
            length += part
        return now - self.minute, length, way


def foot(point, a, b, gone):
    """Metres from a point to a segment, and along the line to the nearest point of it, `gone` metres before it."""
    scale = math.cos(math.radians(point[0]))
    ax, ay = (a[1] - point[1]) * scale, a[0] - point[0]
    dx, dy = (b[1] - a[1]) * scale, b[0] - a[0]
    length = dx * dx + dy * dy
    part = 0 if length == 0 else min(1, max(0, -(ax * dx + ay * dy) / length))
    nearest = (a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part)
    return metres(point, nearest), gone + part * metres(a, b)


def strongly_connected(arcs, leaving):
    """Nodes of the largest part in which every node reaches every other (Kosaraju)."""
    entering = collections.defaultdict(list)
    for arc in arcs:
        entering[arc.end].append(arc.start)
    best, done = set(), set()
    for root in reversed(finishing_order(arcs, leaving)):
        part, stack = set(), [root]
        while stack:
            node = stack.pop()
            if node not in done:
                done.add(node)
                part.add(node)
                stack += entering[node]
        best = max(best, part, key=len)
    return best


def finishing_order(arcs, leaving):
    """Nodes in the order in which a depth-first search leaves them."""
    order, seen = [], set()
    for root in list(leaving):
        stack = [] if root in seen else [(root, iter(leaving[root]))]
        seen.add(root)
        while stack:
            node, rest = stack[-1]
            onward = next((arcs[number].end for number in rest if arcs[number].end not in seen), None)
            if onward is None:
                order.append(node)
                stack.pop()
            else:
                seen.add(onward)
                stack.append((onward, iter(leaving.get(onward, ()))))
    return order

"""The arcs of the road model with their free times, groups and turns; model.py searches them.

With a profile of another program (engines.py) it has that program's speeds and penalties instead, and no paces.
"""

import collections
import itertools
import math

import rules
from controls import Controls
from graph import (
    Arc,
    bearing,
    directions,
    downtown,
    drivable,
    end_bearing,
    express,
    limit,
    metres,
    pieces,
    read,
    running_kmh,
    start_bearing,
    strongly_connected,
    turn_angle,
)


class Network:
    def __init__(self, path, profile=None, reluctance=(0, 0)):
        self.nodes, ways = read(path)
        self.profile, self.reluctance = profile, reluctance
        lines = pieces(self.nodes, [way for way in ways if drivable(way["tags"])])
        self.controls = Controls(self.nodes, lines)
        self.arcs, self.leaving, self.arriving = [], collections.defaultdict(list), collections.defaultdict(list)
        for line, tags in lines:
            self.add(line, tags)
        inside = strongly_connected(self.arcs, self.leaving)
        self.usable = [arc.start in inside and arc.end in inside for arc in self.arcs]

    def add(self, line, tags):
        forward, backward = directions(tags)
        made = []
        for along, allowed in ((True, forward), (False, backward)):
            if not allowed:
                continue
            arc, path = Arc(), line if along else line[::-1]
            arc.points = [self.nodes[node][:2] for node in path]
            arc.start, arc.end, arc.kind = path[0], path[-1], tags["highway"]
            arc.name = tags.get("name") or tags.get("ref") or ""
            arc.rank, arc.circle = rules.RANK[arc.kind], "junction" in tags and tags["junction"] != "intersection"
            arc.reversible, arc.movable = express(tags) is not None, "bridge:movable" in tags
            arc.oneway = not (forward and backward) or arc.reversible
            arc.limit = limit(tags)
            arc.metres = sum(itertools.starmap(metres, itertools.pairwise(arc.points)))
            middle = arc.points[len(arc.points) // 2]
            arc.tenths = max(1, round(10 * self.seconds(arc, tags, path, middle, along)))
            arc.extra = round(arc.tenths * self.reluctance[0]) if arc.rank == 1 else 0
            arc.stops = self.controls.stops(path, not along)
            arc.twin, arc.next = -1, None
            arc.group = self.group(arc) if not arc.reversible else express(tags) if along else rules.EXPRESS_IN
            made.append(len(self.arcs))
            self.leaving[arc.start].append(len(self.arcs))
            self.arriving[arc.end].append(len(self.arcs))
            self.arcs.append(arc)
        if len(made) == 2:
            self.arcs[made[0]].twin, self.arcs[made[1]].twin = made[1], made[0]

    def seconds(self, arc, tags, path, middle, along):
        """Free time of an arc with the control delay of what it passes."""
        if self.profile:
            signals = sum(self.controls.is_signal(node) for node in path[1:])
            return arc.metres / self.profile.speed(tags) * 3.6 + signals * self.profile.signal
        delay = self.controls.delay(path, tags, downtown(middle), not along)
        return arc.metres / running_kmh(tags, middle) * 3.6 + delay

    def group(self, arc):
        """Pace group by class and by the direction relative to the centre."""
        middle = arc.points[len(arc.points) // 2]
        ends = (arc.points[0], arc.points[-1]) if arc.start != arc.end else (arc.points[0], middle)
        cosine = rules.cosine(turn_angle(bearing(*ends), bearing(middle, rules.CENTRE)))
        least = {"motorway": rules.FREEWAY_LIMIT, "trunk": rules.EXPRESSWAY_LIMIT}.get(arc.kind, math.inf)
        if arc.limit >= least:
            return rules.FREEWAY_IN if cosine >= 0 else rules.FREEWAY_OUT
        if arc.rank == 1:
            return rules.LOCAL
        return rules.INBOUND if cosine > 0.5 else rules.OUTBOUND if cosine < -0.5 else rules.ACROSS

    def transitions(self, number):
        """Arcs that may follow, each with its turn in tenths of a second, and with what it seems to take beside."""
        arc = self.arcs[number]
        if arc.next is None:
            onward = [n for n in self.leaving[arc.end] if self.usable[n]]
            arc.next = [(n, round(10 * self.turn(arc, self.arcs[n])), self.seeming(arc, self.arcs[n])) for n in onward
                        if n != arc.twin and (len(onward) == 1 or not self.turns_round(arc, self.arcs[n]))]
            if not arc.next and arc.twin >= 0:
                arc.next = [(arc.twin, round(10 * rules.TURN["dead_end"]), 0)]
        return arc.next

    def seeming(self, arc, onto):
        """Tenths of a second that a turn seems to take beside its time."""
        return round(10 * self.reluctance[1]) if onto.rank == 1 and arc.rank > 1 else 0

    def turns_round(self, arc, onto):
        """Whether two arcs of one dual carriageway make a U-turn where the carriageways meet."""
        angle = turn_angle(end_bearing(arc.points), start_bearing(onto.points))
        alike = arc.name == onto.name or arc.kind.endswith("_link") or onto.kind.endswith("_link")
        return alike and self.controls.degree[arc.end] > 2 and abs(angle) > rules.U_TURN

    def turn(self, arc, onto):
        """Seconds lost between two arcs that meet."""
        if self.controls.degree[arc.end] == 2:
            return 0
        if self.profile:
            return self.profile.turn(turn_angle(end_bearing(arc.points), start_bearing(onto.points)))
        if arc.circle or onto.circle:
            return rules.CIRCLE if onto.circle and not arc.circle else 0
        if arc.kind == "motorway_link" and onto.kind == "motorway" and onto.limit >= rules.FREEWAY_LIMIT:
            return rules.MERGE
        angle = turn_angle(end_bearing(arc.points), start_bearing(onto.points))
        kind = rules.turn_kind(angle)
        if abs(angle) < 60 and any(a.kind.endswith("_link") or a.kind == "motorway" for a in (arc, onto)):
            return 0
        seconds = rules.TURN[kind]
        if arc.end in self.controls.core:
            return seconds + (rules.SIGNAL_LEFT if kind == "left" and self.opposed(arc, onto) else 0)
        if arc.stops == "all":
            return seconds
        major, oneway = self.major(arc)
        if major > arc.rank:
            movement = kind if kind in ("right", "left") else "across"
            movement = "right" if movement == "left" and oneway else movement
            wait = rules.ONTO[major][movement] * (0.6 if oneway and movement == "across" else 1)
            return wait + (0 if arc.stops else rules.STOP_MINOR)
        if kind == "left" and self.opposed(arc, onto):
            return seconds + rules.OPPOSING[arc.rank]
        return seconds + (rules.LOCAL_CROSSING if arc.rank == major == 1 and not arc.stops else 0)

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
        return best, bool(arms) and all(other.oneway for other in arms)

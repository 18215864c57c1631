"""The city's counted segments, and which arcs of the road model they lie on; counts.py uses it.

A segment has the arcs that run beside it, have its name and head along it or against it.
"""

import collections
import dataclasses
import gzip
import itertools
import json
import re

import rules
from graph import bearing, metres, turn_angle

BESIDE_M, STEP_M, PARALLEL = 30, 25, 30   # how far an arc may lie, metres between looks, degrees
SHORT = {"NORTHEAST": "NE", "NORTHWEST": "NW", "SOUTHEAST": "SE", "SOUTHWEST": "SW", "NORTH": "N", "SOUTH": "S",
         "EAST": "E", "WEST": "W", "STREET": "ST", "AVENUE": "AVE", "AV": "AVE", "BOULEVARD": "BLVD", "DRIVE": "DR",
         "PLACE": "PL", "ROAD": "RD", "PARKWAY": "PKWY", "PY": "PKWY", "JUNIOR": "JR", "BRIDGE": "BR", "COURT": "CT",
         "TERRACE": "TER", "LANE": "LN", "SAINT": "ST"}
ALIAS = {"MARTIN LUTHER KING": "M L KING", "UNIVERSITY BR": "EASTLAKE AVE", "WEST SEATTLE BR": "W SEATTLE BR"}
HEADING = {"NB": 0, "EB": 90, "SB": 180, "WB": 270}


@dataclasses.dataclass
class Segment:
    """A counted stretch: vehicles on an average weekday, and degrees from north where it is one direction alone."""

    number: int
    names: list
    lines: list
    count: int
    quality: str
    heading: float | None

    @property
    def title(self):
        return " / ".join(self.names[:2])

    @property
    def place(self):
        line = max(self.lines, key=len)
        return line[len(line) // 2]


def short(name):
    """A street's name as the city writes it."""
    name = " ".join(SHORT.get(word, word) for word in re.sub(r"[^A-Z0-9 ]", " ", name.upper()).split())
    for long, brief in ALIAS.items():
        name = name.replace(long, brief)
    return name


def read(path):
    """Segments with a count, and how many were left out and why."""
    with (gzip.open if path.endswith(".gz") else open)(path) as file:
        features = json.load(file)["features"]
    segments, left = [], collections.Counter()
    for feature in features:
        facts, shape = feature["properties"], feature["geometry"]
        names = facts["STNAME_ORD"].split(",")
        if facts["AWDT"] <= 0:
            left["no figure"] += 1
        elif all(re.search(r"\b(RP|RAMP|TURN)\b", name) for name in names):
            left["ramp"] += 1
        else:
            lines = [shape["coordinates"]] if shape["type"] == "LineString" else shape["coordinates"]
            ways = {HEADING[word] for name in names for word in name.split() if word in HEADING}
            quality = "estimate" if facts["DATAQUALIT"].startswith("Es") else "study"
            segments.append(Segment(feature["id"], [short(re.sub(r"\b(NB|SB|EB|WB)\b", "", name)) for name in names],
                                    [[(b, a) for a, b in line] for line in lines], facts["AWDT"], quality,
                                    ways.pop() if len(ways) == 1 else None))
    return segments, left


class Finder:
    """Arcs by place and name."""

    def __init__(self, model):
        self.model, self.cells = model, collections.defaultdict(set)
        self.names = [short(arc.name) for arc in model.arcs]
        for number, arc in enumerate(model.arcs):
            for a, b in itertools.pairwise(arc.points) if model.usable[number] else ():
                steps = int(metres(a, b) / 60) + 1
                for step in range(steps + 1):
                    part = step / steps
                    self.cells[self.cell((a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part))].add(number)

    @staticmethod
    def cell(point):
        return int(point[0] / 0.0006), int(point[1] / 0.0009)

    def beside(self, segment, others):
        """For each look along the segment the arcs beside it: nearest along and nearest against."""
        looks = []
        for line in segment.lines:
            length = sum(itertools.starmap(metres, itertools.pairwise(line)))
            for point, heading, gone in walk(line):
                if min(gone, length - gone) >= min(15, length / 3):
                    looks.append(self.look(segment, point, heading, others))
        return looks

    def look(self, segment, point, heading, others):
        x, y = self.cell(point)
        best = {}
        for n in {n for i in (-1, 0, 1) for j in (-1, 0, 1) for n in self.cells.get((x + i, y + j), ())}:
            if not any(same(self.names[n], name) for name in segment.names):
                continue
            for a, b in itertools.pairwise(self.model.arcs[n].points):
                away, _ = rules.foot(point, a, b, metres, 0)
                angle = turn_angle(heading, bearing(a, b))
                along = abs(angle) <= PARALLEL
                if away > BESIDE_M or not (along or abs(angle) >= 180 - PARALLEL):
                    continue
                if segment.heading is not None and abs(turn_angle(segment.heading, bearing(a, b))) > 75:
                    continue
                if any(away > 3 and distance(point, a, b, line) < away / 2 for line in others):
                    continue   # the other carriageway is counted by itself
                if along not in best or away < best[along][0]:
                    best[along] = away, n
        return {n for _, n in best.values()}


def same(ours, theirs):
    return ours == theirs or (ours + " ").startswith(theirs + " ") or (theirs + " ").startswith(ours + " ") and ours


def distance(point, a, b, line):
    """How far another counted line is from where a piece of arc passes a point."""
    scale = rules.cosine(point[0])
    dx, dy = (b[1] - a[1]) * scale, b[0] - a[0]
    size = dx * dx + dy * dy
    part = 0 if size == 0 else min(1, max(0, ((point[1] - a[1]) * scale * dx + (point[0] - a[0]) * dy) / size))
    at = a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part
    return min((rules.foot(at, c, d, metres, 0)[0] for c, d in itertools.pairwise(line)), default=1e9)


def walk(line):
    """Points every 25 m of a line, beginning in the middle of the first stretch, with heading and metres gone."""
    length = sum(itertools.starmap(metres, itertools.pairwise(line)))
    count = max(1, round(length / STEP_M))
    marks, gone = [(k + 0.5) * length / count for k in range(count)], 0.0
    for a, b in itertools.pairwise(line):
        size = metres(a, b)
        while marks and marks[0] <= gone + size:
            part = (marks[0] - gone) / size if size else 0
            yield (a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part), bearing(a, b), marks.pop(0)
        gone += size


def match(model, segments):
    """Looks of each segment with arcs, by its place in the list; others have no street of the same name beside them."""
    finder, by_name = Finder(model), collections.defaultdict(list)
    for place, segment in enumerate(segments):
        for name in segment.names:
            by_name[name].append(place)
    found = {}
    for place, segment in enumerate(segments):
        near = {p for name in segment.names for p in by_name[name] if p != place}
        others = [line for p in near for line in segments[p].lines
                  if any(metres(line[k], own) < 600 for k in (0, -1) for mine in segment.lines for own in mine)]
        looks = finder.beside(segment, others)
        full = [look for look in looks if look]
        if full and len(full) * 2 >= len(looks):
            found[place] = full
    return found

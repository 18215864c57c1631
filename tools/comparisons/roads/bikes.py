"""Independent reference of bike trips: arcs with their times and their room for bikes; riding.py uses it."""

import collections
import heapq
import itertools
import json
import pathlib

import rules
from controls import Controls
from graph import metres, pieces, read, strongly_connected

ADDITIONS = pathlib.Path(__file__).resolve().parents[3] / "models/roads/seattle-additions.json"
LOCAL = ("residential", "unclassified", "living_street")
BUSY = ("motorway", "motorway_link", "trunk", "trunk_link", "primary", "primary_link")
CLOSED = {"no", "private", "permit", "customers"}
ROOMS = ("trail", "track", "lane", "greenway", "sharrows", "local", "arterial", "busy")


def is_oneway(tags):
    ring = tags.get("junction") in ("roundabout", "circular") or tags["highway"] == "motorway"
    return tags.get("oneway", "yes" if ring else "no") not in ("no", "reversible", "alternating")


def sides(tags):
    """What stands on the left and on the right of a way, each with its own `oneway`."""
    found = {}
    for side in ("left", "right"):
        kinds = {tags.get(key, "") for key in ("cycleway", "cycleway:both", f"cycleway:{side}")}
        apart = any(f"cycleway:{part}:separation{end}" in tags for part in ("both", side)
                    for end in ("", ":left", ":right", ":both"))
        lane = kinds & {"lane", "shoulder", "opposite_lane"}
        room = ("track" if kinds & {"track", "separate", "opposite_track"} or (lane and apart) else "lane" if lane
                else "sharrows" if kinds & {"shared_lane", "share_busway", "shared", "opposite_share_busway"} else "")
        oneway = tags.get(f"cycleway:{side}:oneway", tags.get("cycleway:both:oneway", tags.get("cycleway:oneway")))
        found[side] = room, oneway, any(kind.startswith("opposite") for kind in kinds), "separate" in kinds
    return found


def towards(tags, side):
    """Directions that a side is for: True along the way, False against it."""
    both, (room, oneway, opposite, apart) = sides(tags), sides(tags)[side]
    if oneway in ("no", "yes", "-1"):
        return {"no": {True, False}, "yes": {True}, "-1": {False}}[oneway]
    other = both["right" if side == "left" else "left"][0]
    if not is_oneway(tags):
        return {True, False} if apart and other not in ("lane", "track") else {side == "right"}
    along = tags.get("oneway") != "-1"
    wrong = (side == "left") == along and room in ("lane", "track")
    if opposite:
        return {not along}
    if tags.get("oneway:bicycle") == "no" and wrong:
        return {True, False} if room == "track" else {not along}
    return {along}


def room(tags, along):
    """Where bikes ride in a direction, as ROOMS has it."""
    kind = tags["highway"]
    if kind in ("cycleway", "footway"):
        return "trail"
    marked = {sides(tags)[side][0] for side in ("left", "right") if along in towards(tags, side)}
    for best in ("track", "lane"):
        if best in marked and (best == "track" or kind not in LOCAL):
            return best
    if "destination" in (tags.get("motor_vehicle"), tags.get("access")):
        return "greenway"
    shown = "sharrows" in marked or tags.get("lcn") == "yes"
    if kind in LOCAL:
        return "greenway" if shown and "lane" not in marked else "local"
    return "busy" if kind in BUSY else "sharrows" if shown else "arterial"


def rideable(tags):
    bike = tags.get("bicycle", tags.get("vehicle", tags.get("access", "")))
    if tags.get("service"):
        return False
    if tags.get("bicycle") in ("yes", "designated", "permissive"):
        return True
    return not tags["highway"].startswith(("motorway", "trunk")) and bike not in CLOSED


def directions(tags):
    """Which ways a bike may go: (along the drawing, against it)."""
    if not is_oneway(tags):
        return True, True
    along = tags.get("oneway") != "-1"
    against = tags.get("oneway:bicycle") == "no" or tags.get("two-way track") or any(
        opposite or (kind in ("lane", "track") and oneway in ("no", "-1" if along else "yes"))
        for kind, oneway, opposite, _ in sides(tags).values())
    return along or against, not along or against


def shortened(name):
    for word, short in (("Avenue", "Ave"), ("Street", "St"), ("Northwest", "NW")):
        name = name.replace(word, short)
    return name


def add(nodes, ways, more):
    """Joins trails to the corners of streets, and opens tracks that lead both ways."""
    for track in more["twoWayTracks"]:
        for way in ways:
            ends = [sorted(part) for part in zip(track["from"], track["to"])]
            if (shortened(way["tags"].get("name", "")) == track["street"] and room(way["tags"], True) == "track"
                    and is_oneway(way["tags"]) and all(low - 0.0005 <= value <= high + 0.0005 for node in way["nodes"]
                                                       for value, (low, high) in zip(nodes[node][:2], ends))):
                way["tags"] = way["tags"] | {"two-way track": True}
    uses, ends = collections.Counter(node for way in ways for node in way["nodes"]), set()
    for way in ways:
        tags = way["tags"]
        if (tags.get("bridge", "no") == "no" and tags.get("tunnel", "no") == "no" and tags.get("oneway") != "-1"
                and not tags["highway"].startswith(("motorway", "trunk"))):
            ends |= {node for node in way["nodes"] if uses[node] > 1 or node in (way["nodes"][0], way["nodes"][-1])}
    numbers = itertools.count(-1, -1)
    for line in more["lines"]:
        joins = sorted(line.get("joins", (0, len(line["points"]) - 1)))
        for first, last in itertools.pairwise(joins):
            nearest = [min(ends, key=lambda node, at=at: metres(nodes[node], line["points"][at]))
                       for at in (first, last)]
            if nearest[0] == nearest[1] or any(metres(nodes[node], line["points"][at]) > 250
                                               for node, at in zip(nearest, (first, last))):
                continue
            between = list(itertools.islice(numbers, last - first - 1))
            nodes |= {number: (*point, {}) for number, point in zip(between, line["points"][first + 1:last])}
            kind = "cycleway" if line["kind"] == "trail" else "footway"
            ways.append({"nodes": [nearest[0], *between, nearest[1]], "tags": {"highway": kind, "name": line["name"]}})


Arc = collections.namedtuple("Arc", "start end metres tenths room")


class Bikes:
    def __init__(self, extract):
        self.nodes, ways = read(extract)
        ways = [way for way in ways if rideable(way["tags"])]
        add(self.nodes, ways, json.loads(ADDITIONS.read_text()))
        lines = pieces(self.nodes, ways)
        self.controls = Controls(self.nodes, [(line, tags) for line, tags in lines if tags["highway"] in rules.RANK])
        self.arms = collections.defaultdict(list)
        for line, tags in lines:
            if rules.RANK.get(tags["highway"], 0) in (3, 4, 5):
                for end in (line[0], line[-1]):
                    self.arms[end].append(tags.get("name"))
        self.arcs, leaving = [], collections.defaultdict(list)
        for line, tags in lines:
            for along, open_ in zip((True, False), directions(tags)):
                if open_:
                    path = line if along else line[::-1]
                    leaving[path[0]].append(len(self.arcs))
                    self.arcs.append(self.arc(path, tags, along))
        self.inside = strongly_connected(self.arcs, leaving)
        self.leaving = {node: [self.arcs[n] for n in arcs if self.arcs[n].end in self.inside]
                        for node, arcs in leaving.items() if node in self.inside}

    def arc(self, path, tags, along):
        length = sum(metres(self.nodes[a], self.nodes[b]) for a, b in itertools.pairwise(path))
        pushed = tags["highway"] == "footway" or tags.get("bicycle") == "dismount"
        speed = rules.PUSHED_KMH if pushed else rules.TRAIL_KMH if tags["highway"] == "cycleway" else rules.BIKE_KMH
        tenths = max(1, round(36 * length / speed + 10 * self.waits(path, tags, along)))
        return Arc(path[0], path[-1], length, tenths, "track" if tags.get("two-way track") else room(tags, along))

    def waits(self, path, tags, along):
        controls, seconds, counted = self.controls, 0, {self.controls.core.get(path[0])}
        for position, node in enumerate(path[1:], 1):
            ahead = path[position + 1] if position + 1 < len(path) else None
            cluster, at = controls.cluster.get(node), controls.applies.get(node)
            if cluster is not None and cluster not in counted and (
                    node not in controls.applies or at is None or at == ahead
                    or (ahead is None and at != path[position - 1])):
                seconds += rules.BIKE_SIGNAL
                counted.add(cluster)
            stop = self.nodes[node][2].get("highway", "").startswith("stop")
            seconds += rules.BIKE_STOP if stop and controls.heeded(node, path, position, not along) else 0
        others = [name for name in self.arms[path[-1]] if name != tags.get("name") or name is None]
        crosses = len(others) >= 2 and path[-1] not in controls.core and rules.RANK.get(tags["highway"], 0) < 3
        return seconds + (rules.BIKE_ACROSS if crosses else 0)

    def route(self, start, goal, shares):
        """Minutes, metres and arcs of the way that seems quickest."""
        heap, came, done, order = [(0, 0, start, None)], {}, set(), itertools.count(1)
        while heap:
            seems, _, node, arc = heapq.heappop(heap)
            if node in done:
                continue
            done.add(node)
            came[node] = arc
            if node == goal:
                break
            for onward in self.leaving[node]:
                if onward.end not in done:
                    cost = onward.tenths + round(onward.tenths * shares[onward.room])
                    heapq.heappush(heap, (seems + cost, next(order), onward.end, onward))
        way = []
        while came[node]:
            way.append(came[node])
            node = came[node].start
        return sum(arc.tenths for arc in way) / 600, sum(arc.metres for arc in way), way

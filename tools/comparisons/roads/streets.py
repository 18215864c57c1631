"""Reads an OpenStreetMap extract: streets cut at junctions, by their tags, with their signals and stop signs."""
import collections
import gzip
import json
import math

import rules
from geography import bearing, metres


def turn_angle(before, after):
    return (after - before + 540) % 360 - 180


def end_bearing(points, reach=20):
    """Heading with which a line arrives, from the point about 20 m before its end."""
    gone, at = 0, points[-1]
    for point in reversed(points[:-1]):
        gone += metres(point, at)
        at = point
        if gone >= reach:
            break
    return bearing(at, points[-1])


def start_bearing(points):
    return (end_bearing(points[::-1]) + 180) % 360


def read(path):
    """Nodes (lat, lon, tags) and ways of the extract."""
    with gzip.open(path) as file:
        elements = json.load(file)["elements"]
    nodes = {e["id"]: (e["lat"], e["lon"], e.get("tags", {})) for e in elements if e["type"] == "node"}
    return nodes, [e for e in elements if e["type"] == "way"]


def express(tags):
    """Pace group of a way of the express lanes along its drawing, or None; the reversible ones are drawn northwards."""
    times = tags.get("motor_vehicle:conditional", "")
    if tags.get("oneway") == "reversible" or times.startswith("yes @ (Mo-Fr 11:15"):
        return rules.EXPRESS_OUT
    return rules.EXPRESS_IN if times.startswith("yes @ (Mo-Fr 05:00") else None


def drivable(tags):
    if tags.get("hov") == "designated" or (tags.get("motor_vehicle") in ("no", "private") and express(tags) is None):
        return False
    if tags.get("access") in ("no", "private", "permit", "customers") or tags.get("service"):
        return False
    times = tags.get("motor_vehicle:conditional", "").replace(" ", "")
    return not times.startswith(("no@(06:00-19:00", "no@(6:00-9:00"))  # 3rd Avenue, for buses on weekdays


def signed(tags, key):
    """Miles per hour of a tag, or None."""
    text = tags.get(key, "").split(" ")[0]
    return float(text) if text.isdigit() else None


def advised(tags):
    """What a sign on a ramp advises, if that is below what is allowed."""
    advice = signed(tags, "maxspeed:advisory") if tags["highway"].endswith("_link") else None
    return advice if advice and advice < (signed(tags, "maxspeed") or math.inf) else None


def limit(tags):
    return advised(tags) or signed(tags, "maxspeed") or rules.LIMIT[tags["highway"]]


def running_share(tags):
    is_expressway = tags["highway"] == "trunk" and limit(tags) >= rules.EXPRESSWAY_LIMIT
    return 1 if advised(tags) else rules.EXPRESSWAY_RUNNING if is_expressway else rules.RUNNING[tags["highway"]]


def downtown(point):
    south, west, north, east = rules.DOWNTOWN
    return south <= point[0] <= north and west <= point[1] <= east


def running_kmh(tags, point):
    kind = tags["highway"]
    speed = limit(tags) * rules.MILE * running_share(tags)
    if rules.RANK[kind] == 1 and tags.get("oneway", "no") == "no" and tags.get("lanes", "1") == "1":
        speed *= rules.NARROW
    if kind.startswith(("primary", "secondary", "tertiary")) and downtown(point):
        speed *= rules.DOWNTOWN_RUNNING
    if "destination" in (tags.get("motor_vehicle"), tags.get("access")):
        speed *= rules.DESTINATION_ONLY
    speed = min(speed, rules.ROUGH_KMH) if tags.get("surface") in rules.ROUGH else speed
    return max(speed, rules.MIN_KMH)


def directions(tags):
    """Which ways a car may go: (along the drawing, against it)."""
    ring = tags.get("junction") in ("roundabout", "circular")
    oneway = tags.get("oneway", "yes" if ring or tags["highway"] == "motorway" else "no")
    return oneway != "-1", oneway not in ("yes", "1", "true")


def pieces(nodes, ways):
    """Ways cut at junctions, chains of equal tags joined: lists of (node ids, tags)."""
    uses = collections.Counter()
    for way in ways:
        for position, node in enumerate(way["nodes"]):
            uses[node] += 1 if position in (0, len(way["nodes"]) - 1) else 2
    junctions = {node for node, count in uses.items() if count != 2}
    cut = []
    for way in ways:
        line = [way["nodes"][0]]
        for node in way["nodes"][1:]:
            line.append(node)
            if node in junctions:
                cut.append((line, way["tags"]))
                line = [node]
        if len(line) > 1:
            cut.append((line, way["tags"]))
    return join(cut)


# Pieces that agree in these tags may become one
ALIKE = ("highway", "name", "maxspeed", "maxspeed:advisory", "oneway", "lanes", "surface", "motor_vehicle",
         "motor_vehicle:conditional", "access", "junction", "bridge:movable", "bicycle", "foot")


def join(cut):
    """Joins pieces that meet end to start at a node of two pieces and have the same tags that matter."""
    ends = collections.defaultdict(list)
    for number, (line, _) in enumerate(cut):
        ends[line[0]].append(number)
        ends[line[-1]].append(number)
    keys = [tuple(tags.get(key) for key in ALIKE) for _, tags in cut]
    follower, led = {}, set()
    for node, numbers in ends.items():
        if len(numbers) == 2 and numbers[0] != numbers[1] and keys[numbers[0]] == keys[numbers[1]]:
            for first, second in (numbers, numbers[::-1]):
                if cut[first][0][-1] == node and cut[second][0][0] == node:
                    follower[first] = second
                    led.add(second)
                    break
    joined = []
    for number, (line, tags) in enumerate(cut):
        if number in led:
            continue
        line, at = list(line), number
        while at in follower:
            at = follower[at]
            line += cut[at][0][1:]
        joined.append((line, tags))
    return joined


class Controls:
    """Junctions with signals, as clusters of signal nodes within 40 m, with the roads that meet there."""

    def __init__(self, nodes, pieces):
        self.nodes = nodes
        self.roads = collections.defaultdict(list)
        for line, tags in pieces:
            for node in line:
                self.roads[node].append(tags)
        self.degree = collections.Counter()
        for line, _ in pieces:
            for position, node in enumerate(line):
                self.degree[node] += 1 if position in (0, len(line) - 1) else 2
        signals = [node for node in self.roads if self.is_signal(node)]
        self.cluster = self.group(signals)
        self.core = dict(self.cluster)
        self.applies = {}
        for line, _ in pieces:
            for position, node in enumerate(line):
                if node in self.cluster and self.degree[node] == 2:
                    self.orient(line, position)
        self.members = collections.defaultdict(set)
        for node, cluster in self.core.items():
            self.members[cluster].add(node)

    def is_signal(self, node):
        tags = self.nodes[node][2]
        kind = tags.get("highway", "")
        return kind.startswith("traffic_signals") and tags.get("traffic_signals") not in rules.NO_SIGNAL

    def group(self, signals):
        """Cluster number of each signal node: those within 40 m of each other, by chains."""
        cells, cluster = collections.defaultdict(list), {}
        for node in signals:
            cells[self.cell(node)].append(node)
        for root in signals:
            stack = [] if root in cluster else [root]
            while stack:
                node = stack.pop()
                cluster[node] = root
                x, y = self.cell(node)
                for other in [n for i in (-1, 0, 1) for j in (-1, 0, 1) for n in cells.get((x + i, y + j), ())]:
                    if other not in cluster and metres(self.nodes[node], self.nodes[other]) <= rules.SIGNAL_RADIUS_M:
                        cluster[other] = root
                        stack.append(other)
        return cluster

    def cell(self, node):
        return int(self.nodes[node][0] / 0.0004), int(self.nodes[node][1] / 0.0006)

    def orient(self, line, position):
        """A signal on the approach counts towards its junction only; that junction belongs to its cluster."""
        node, found = line[position], []
        for step in (1, -1):
            gone, at = 0, position
            while 0 <= at + step < len(line) and gone <= rules.SIGNAL_RADIUS_M:
                gone += metres(self.nodes[line[at]], self.nodes[line[at + step]])
                at += step
                if self.degree[line[at]] > 2 and gone <= rules.SIGNAL_RADIUS_M:
                    found.append((gone, step, line[at]))
                    break
        tag = self.nodes[node][2].get("traffic_signals:direction", self.nodes[node][2].get("direction"))
        step = {"forward": 1, "backward": -1}.get(tag, 0)
        if step == 0 and found and tag != "both":
            step = min(found)[1]
        if step:
            self.applies[node] = (line[position + step] if 0 <= position + step < len(line) else None)
        for _, side, junction in found:
            if side == step:
                self.core.setdefault(junction, self.cluster[node])

    def crossing_rank(self, cluster, tags):
        """Highest class of the other roads at the signal; 0 where there are none."""
        own = tags.get("name"), tags["highway"]
        others = [rules.RANK[other["highway"]] for node in self.members[cluster] for other in self.roads[node]
                  if (other.get("name") != own[0] if own[0] or other.get("name") else other["highway"] != own[1])]
        return max(others, default=0)

    def signal_seconds(self, cluster, tags, inside):
        if self.nodes[cluster][2].get("traffic_signals") == "ramp_meter":
            return rules.RAMP_METER
        cross = self.crossing_rank(cluster, tags)
        if cross == 0:
            return rules.PEDESTRIAN_SIGNAL
        limit = 1 if inside else 2
        case = max(-limit, min(limit, rules.RANK[tags["highway"]] - cross))
        return rules.SIGNAL[case] * (rules.DOWNTOWN_SIGNAL if inside else 1)

    def delay(self, line, tags, inside, backward):
        """Control delay in seconds of going along the line of node numbers."""
        seconds, counted, previous = 0.0, {self.core.get(line[0])}, line[0]
        for position, node in enumerate(line[1:], 1):
            ahead = line[position + 1] if position + 1 < len(line) else None
            cluster = self.cluster.get(node)
            if cluster is not None and cluster not in counted:
                towards = self.applies.get(node)
                if towards is None or towards == ahead or (ahead is None and towards != previous):
                    seconds += self.signal_seconds(cluster, tags, inside)
                    counted.add(cluster)
            seconds += self.small(line, position, backward)
            previous = node
        return seconds

    def small(self, line, position, backward):
        """Stop signs, crossings with a button, and traffic calming."""
        node = line[position]
        marks = self.nodes[node][2]
        seconds, kind = 0.0, marks.get("highway", "")
        if kind.startswith("stop") and self.heeded(node, line, position, backward):
            seconds += rules.STOP_ALL if self.all_way(node) else rules.STOP_MINOR
        elif kind == "give_way" and self.heeded(node, line, position, backward):
            seconds += rules.GIVE_WAY
        elif kind == "crossing" and self.lone_crossing(node, marks):
            seconds += rules.CROSSING_SIGNAL
        return seconds + max(rules.CALMING.get(part, 0) for part in marks.get("traffic_calming", "").split(";"))

    def heeded(self, node, line, position, backward):
        """Whether a sign is for this direction: by its tag, or as the next junction is nearer than the last."""
        direction = self.nodes[node][2].get("direction", "")
        if direction in ("forward", "backward"):
            return (direction == "backward") == backward
        if direction == "both" or self.degree[node] != 2:
            return True
        ahead = sum(metres(self.nodes[a], self.nodes[b]) for a, b in zip(line[position:], line[position + 1:]))
        passed = sum(metres(self.nodes[a], self.nodes[b]) for a, b in zip(line[:position], line[1:position + 1]))
        return ahead <= passed

    def stops(self, line, backward):
        """Whether a sign within the last 40 m before the end stops or slows this direction."""
        gone = 0.0
        for position in range(len(line) - 1, 0, -1):
            if self.nodes[line[position]][2].get("highway", "")[:4] in ("stop", "give") \
                    and self.heeded(line[position], line, position, backward):
                return "all" if self.all_way(line[position]) else "minor"
            gone += metres(self.nodes[line[position]], self.nodes[line[position - 1]])
            if gone > rules.SIGNAL_RADIUS_M:
                return ""
        return ""

    def lone_crossing(self, node, marks):
        """A pedestrian signal that is not part of a junction's signals."""
        if "traffic_signals" not in marks.get("crossing", "") and marks.get("crossing:signals") != "yes":
            return False
        if not hasattr(self, "near"):
            self.near = collections.defaultdict(list)
            for signal in self.cluster:
                self.near[self.cell(signal)].append(signal)
        x, y = self.cell(node)
        return not any(metres(self.nodes[node], self.nodes[s]) <= 60
                       for i in (-2, -1, 0, 1, 2) for j in (-2, -1, 0, 1, 2) for s in self.near.get((x + i, y + j), ()))

    def all_way(self, node):
        stop = self.nodes[node][2].get("stop")
        return stop == "all" or (self.degree[node] > 2 and stop != "minor")

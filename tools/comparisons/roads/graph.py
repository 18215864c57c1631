"""Reads the OpenStreetMap extract into directed arcs with free times and transitions; model.py searches them.

An arc is a piece of road between two junctions in one direction; it waits at what it passes and at its end.
"""

import collections
import gzip
import json
import math

import rules


class Arc:
    __slots__ = (
        "circle",
        "end",
        "extra",
        "group",
        "kind",
        "limit",
        "metres",
        "movable",
        "name",
        "next",
        "oneway",
        "points",
        "rank",
        "reversible",
        "start",
        "stops",
        "tenths",
        "twin",
    )


def metres(a, b):
    """Distance of two (lat, lon) points, flat: good to a metre within the city."""
    x = (b[1] - a[1]) * 111320 * math.cos(math.radians((a[0] + b[0]) / 2))
    return math.hypot(x, (b[0] - a[0]) * 110574 * 1.0053)


def bearing(a, b):
    x = (b[1] - a[1]) * math.cos(math.radians((a[0] + b[0]) / 2))
    return math.degrees(math.atan2(x, b[0] - a[0]))


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
    """Miles per hour that a tag says, or None."""
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
    return max(speed, rules.LEAST_KMH)


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


ALIKE = ("highway", "name", "maxspeed", "maxspeed:advisory", "oneway", "lanes", "surface", "motor_vehicle", "motor_vehicle:conditional",
         "access", "junction", "bridge:movable", "bicycle", "foot")


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


def strongly_connected(arcs, leaving):
    """Nodes of the largest part in which every node reaches every other (Kosaraju)."""
    order, seen = [], set()
    for root in list(leaving):
        stack = [] if root in seen else [(root, iter(leaving[root]))]
        seen.add(root)
        while stack:
            node, rest = stack[-1]
            for number in rest:
                if arcs[number].end not in seen:
                    seen.add(arcs[number].end)
                    stack.append((arcs[number].end, iter(leaving.get(arcs[number].end, ()))))
                    break
            else:
                order.append(node)
                stack.pop()
    entering = collections.defaultdict(list)
    for arc in arcs:
        entering[arc.end].append(arc.start)
    best, done = set(), set()
    for root in reversed(order):
        part, stack = set(), [root]
        while stack:
            node = stack.pop()
            if node not in done:
                done.add(node)
                part.add(node)
                stack += entering[node]
        best = max(best, part, key=len)
    return best

"""Signals and stop signs of the extract: which belong together, and what an arc waits for at them; model.py uses it."""

import collections

import rules
from graph import metres


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
        most = 1 if inside else 2
        case = max(-most, min(most, rules.RANK[tags["highway"]] - cross))
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
        behind = sum(metres(self.nodes[a], self.nodes[b]) for a, b in zip(line[:position], line[1:position + 1]))
        return ahead <= behind

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

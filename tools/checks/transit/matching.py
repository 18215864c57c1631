#!/usr/bin/env python3
"""Compares how buses are put on lines with a slow exact search.

The fixes of one trip become a line, and the next trip on the same shape is matched to it. The tests
`FollowedVehiclesTests` write the messages and their results into a folder; here the lines and fixes are read again
with the official bindings, every line is sampled at each metre, and every approach to every fix is kept.

    mkdir /tmp/matching
    BRIDGECAST_MATCHING=/tmp/matching swift test --filter FollowedVehiclesTests
    tools/checks/transit/matching.py /tmp/matching

Needs numpy and gtfs-realtime-bindings.
"""
import collections
import functools
import glob
import json
import math
import pathlib
import sys

import numpy
from google.transit import gtfs_realtime_pb2

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "shared"))

import geography

# Metres between points, which may be arrays.
distance = functools.partial(geography.metres, library=numpy)
OFF_ROUTE, OFF_COST, JUMP_COST, OPPOSED_COST, STEP_BACK = 150.0, 15.0, 30.0, 4.0, 50.0
FASTEST = 32.0


def read_trips(folder):
    """Fixes (seconds, latitude, longitude) of each trip, each time once."""
    trips = collections.defaultdict(list)
    for name in sorted(glob.glob(folder + "/VehiclePosition*.pb")):
        message = gtfs_realtime_pb2.FeedMessage()
        with open(name, "rb") as file:
            message.ParseFromString(file.read())
        for entity in message.entity:
            vehicle = entity.vehicle
            fixes = trips[vehicle.trip.trip_id]
            if all(fix[0] < vehicle.timestamp for fix in fixes):
                fixes.append((vehicle.timestamp, vehicle.position.latitude,
                              vehicle.position.longitude))
    return trips


def sampled(fixes):
    """The line through fixes at least 10 m apart, at each metre: metres, latitudes, longitudes, headings."""
    points = [fixes[0][1:]]
    for _, lat, lon in fixes[1:]:
        if distance(points[-1], (lat, lon)) >= 10:
            points.append((lat, lon))
    lat, lon = numpy.array(points).T
    ends = numpy.concatenate([[0], numpy.cumsum(distance((lat[:-1], lon[:-1]), (lat[1:], lon[1:])))])
    metres = numpy.append(numpy.arange(0, ends[-1], 1.0), ends[-1])
    lats, lons = numpy.interp(metres, ends, lat), numpy.interp(metres, ends, lon)
    # The heading of the line over the 15 m before and after each sample.
    low, high = numpy.maximum(metres - 15, 0), numpy.minimum(metres + 15, ends[-1])
    a_lat, a_lon = numpy.interp(low, ends, lat), numpy.interp(low, ends, lon)
    b_lat, b_lon = numpy.interp(high, ends, lat), numpy.interp(high, ends, lon)
    return metres, lats, lons, numpy.arctan2(
        (b_lon - a_lon) * numpy.cos(numpy.radians((a_lat + b_lat) / 2)), b_lat - a_lat)


def approaches(line, fix):
    """Samples that are nearer to a fix than those before and after them: their numbers and metres away."""
    away = distance(fix[1:], line[1:3])
    before = numpy.concatenate([[numpy.inf], away[:-1]])
    after = numpy.concatenate([away[1:], [numpy.inf]])
    found = numpy.flatnonzero((away < before) & (away <= after) & (away <= OFF_ROUTE))
    return found, away[found]


def step_cost(ways, metres, time):
    """The cheapest way up to a position on the line at a time."""
    if not ways:
        return metres / 1000
    return min(
        before + (max(0, metres - place) * 1e-3
                  if -STEP_BACK <= metres - place <= FASTEST * max(1, time - seconds) + 100 else JUMP_COST)
        for place, seconds, before in ways)


def heading_between(last, fix):
    """Radians clockwise from north; None where fixes are too close or too long apart."""
    if last is None or fix[0] - last[0] > 120 or distance(last[1:], fix[1:]) < 30:
        return None
    return math.radians(geography.bearing(last[1:], fix[1:]))


def follow(line, fixes):
    """The cheapest position for each fix by all fixes up to it, metres; None off the route. All ways are kept."""
    ways = []  # (metres, seconds, cost)
    places, last = [], None
    for fix in fixes:
        course = heading_between(last, fix)
        following = [(metres, seconds, cost + OFF_COST) for metres, seconds, cost in ways]
        for number, off in zip(*approaches(line, fix)):
            cost = step_cost(ways, line[0][number], fix[0]) + (off / OFF_ROUTE) ** 2 * OFF_COST
            if course is not None:
                cost += max(0, -numpy.cos(course - line[3][number])) * OPPOSED_COST
            following.append((line[0][number], fix[0], cost))
        ways, last = following, fix
        best = min(ways, key=lambda way: way[2], default=None)
        places.append(best[0] if best is not None and best[1] == fix[0] else None)
        # A way that costs 500 more than another can never catch up: no single step costs so much.
        if best is not None:
            ways = [way for way in ways if way[2] <= best[2] + 500]
    return places


def shown(places, ours, off_route):
    """The rule of what is shown, applied to the exact places: forwards until fixes leave no doubt."""
    result, before, was_back = [], None, False
    for place, own, off in zip(places, ours, off_route):
        if place is None:
            result.append(None)
            before = own if off else before  # what is shown off the route is another matter
            continue
        is_back = before is not None and before - place > STEP_BACK
        if before is not None and place < before and not (
                before - place > OFF_ROUTE or (is_back and was_back)):
            result.append(before)
        else:
            result.append(place)
            is_back = False
        was_back, before = is_back, result[-1]
    return result


class Comparison:
    """Counts of fixes, and the differences in metres."""

    def __init__(self, trips):
        self.trips, self.lines = trips, {}
        self.differences, self.disagreements = [], 0
        self.jumps = self.exact_jumps = self.off_in_both = 0

    def add(self, pair):
        """Compares what was found for a pair of a line and a trip."""
        if pair["line"] not in self.lines:
            self.lines[pair["line"]] = sampled(self.trips[pair["line"]])
        line, fixes = self.lines[pair["line"]], self.trips[pair["trip"]]
        ours, off = pair["metres"], pair["off_route"]
        assert len(ours) == len(fixes), pair["trip"]
        exact = shown(follow(line, fixes), ours, off)
        self.jumps += steps_back(ours)
        self.exact_jumps += steps_back([place for place in exact if place is not None])
        for place, own, is_off in zip(exact, ours, off):
            if (place is None) != bool(is_off):
                self.disagreements += 1
            elif place is None:
                self.off_in_both += 1
            else:
                self.differences.append(abs(place - own))


def steps_back(places):
    return sum(b < a - 1 for a, b in zip(places, places[1:]))


def main():
    found = Comparison(read_trips(sys.argv[1]))
    with open(sys.argv[1] + "/matching.ndjson") as file:
        pairs = [json.loads(row) for row in file]
    for pair in pairs:
        found.add(pair)
    differences = numpy.array(found.differences)
    within = float((differences <= 5).mean())
    print(f"{len(pairs)} pairs of a line and a trip, {len(differences) + found.disagreements + found.off_in_both} "
          f"fixes; on the line in both {len(differences)}, off it in both {found.off_in_both}, "
          f"else {found.disagreements}; same position within 5 m: {within:.3%}, "
          f"median difference {numpy.median(differences):.2f} m, max {differences.max():.1f} m; "
          f"steps back: ours {found.jumps}, exact {found.exact_jumps}")
    is_same = within >= 0.999 and found.disagreements <= len(differences) / 1000
    return 0 if is_same and found.jumps <= found.exact_jumps + 2 else 1


if __name__ == "__main__":
    sys.exit(main())

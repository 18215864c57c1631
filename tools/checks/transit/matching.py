#!/usr/bin/env python3
"""Compares how buses are put on lines with a slow exact search.

The recorded afternoon of Saskatoon has no shapes: the fixes of one trip are made a line, and other trips of the same route
are put on it. The test `RecordedMatchingTests` writes what it found; here the lines and fixes are read anew with the
official bindings, every line is sampled at each metre, every approach to every fix is kept, and nothing is forgotten.

    BRIDGECAST_MATCHING=/tmp/matching.ndjson swift test --filter RecordedMatchingTests
    tools/checks/transit/matching.py /tmp/matching.ndjson FOLDER_OF_RECORDING

Needs numpy and gtfs-realtime-bindings.
"""
import collections
import glob
import json
import sys

import numpy
from google.transit import gtfs_realtime_pb2

EARTH = 6_371_009.0
OFF_ROUTE, OFF_COST, JUMP_COST, OPPOSED_COST, STEP_BACK = 150.0, 15.0, 30.0, 4.0, 50.0
FASTEST = 32.0


def distance(a_lat, a_lon, b_lat, b_lon):
    """Metres on the sphere, by the haversine formula."""
    a_lat, a_lon, b_lat, b_lon = map(numpy.radians, (a_lat, a_lon, b_lat, b_lon))
    h = (numpy.sin((b_lat - a_lat) / 2) ** 2
         + numpy.cos(a_lat) * numpy.cos(b_lat) * numpy.sin((b_lon - a_lon) / 2) ** 2)
    return 2 * EARTH * numpy.arcsin(numpy.sqrt(numpy.minimum(1, h)))


def read_trips(folder):
    """Fixes (seconds, latitude, longitude) of each trip, each moment once."""
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
    """The line through fixes at least 10 m apart, at each metre: metres, latitudes, longitudes, ways."""
    points = [fixes[0][1:]]
    for _, lat, lon in fixes[1:]:
        if distance(*points[-1], lat, lon) >= 10:
            points.append((lat, lon))
    lat, lon = numpy.array(points).T
    ends = numpy.concatenate([[0], numpy.cumsum(distance(lat[:-1], lon[:-1], lat[1:], lon[1:]))])
    metres = numpy.append(numpy.arange(0, ends[-1], 1.0), ends[-1])
    lats, lons = numpy.interp(metres, ends, lat), numpy.interp(metres, ends, lon)
    # The way of the line over the 15 m before and after each sample.
    low, high = numpy.maximum(metres - 15, 0), numpy.minimum(metres + 15, ends[-1])
    a_lat, a_lon = numpy.interp(low, ends, lat), numpy.interp(low, ends, lon)
    b_lat, b_lon = numpy.interp(high, ends, lat), numpy.interp(high, ends, lon)
    return metres, lats, lons, numpy.arctan2(
        (b_lon - a_lon) * numpy.cos(numpy.radians((a_lat + b_lat) / 2)), b_lat - a_lat)


def approaches(line, fix):
    """Samples that are nearer to a fix than those before and after them: their numbers and metres away."""
    away = distance(fix[1], fix[2], line[1], line[2])
    before = numpy.concatenate([[numpy.inf], away[:-1]])
    after = numpy.concatenate([away[1:], [numpy.inf]])
    found = numpy.flatnonzero((away < before) & (away <= after) & (away <= OFF_ROUTE))
    return found, away[found]


def follow(line, fixes):
    """The cheapest place for each fix by all fixes up to it, metres; None off the route. All ways are kept."""
    ways = []  # (metres, seconds, cost)
    places, last = [], None
    for fix in fixes:
        course = None
        if last is not None and fix[0] - last[0] <= 120 and distance(*last[1:], *fix[1:]) >= 30:
            course = numpy.arctan2(
                (fix[2] - last[2]) * numpy.cos(numpy.radians((fix[1] + last[1]) / 2)),
                fix[1] - last[1])
        found, away = approaches(line, fix)
        following = [(metres, seconds, cost + OFF_COST) for metres, seconds, cost in ways]
        for number, off in zip(found, away):
            metres = line[0][number]
            if ways:
                cost = min(
                    before + (max(0, metres - place) * 1e-3
                              if -STEP_BACK <= metres - place
                              <= FASTEST * max(1, fix[0] - seconds) + 100 else JUMP_COST)
                    for place, seconds, before in ways)
            else:
                cost = metres / 1000
            cost += (off / OFF_ROUTE) ** 2 * OFF_COST
            if course is not None:
                cost += max(0, -numpy.cos(course - line[3][number])) * OPPOSED_COST
            following.append((metres, fix[0], cost))
        ways, last = following, fix
        best = min(ways, key=lambda way: way[2], default=None)
        places.append(best[0] if best is not None and best[1] == fix[0] else None)
        # A way that costs 500 more than another can never catch up: no single step costs so much.
        if best is not None:
            ways = [way for way in ways if way[2] <= best[2] + 500]
    return places


def shown(places, ours, off_route):
    """The rule of what is shown, applied to the exact places: forwards until fixes leave no doubt."""
    result, before, was_behind = [], None, False
    for place, own, off in zip(places, ours, off_route):
        if place is None:
            result.append(None)
            before = own if off else before  # what is shown off the route is another matter
            continue
        behind = before is not None and before - place > STEP_BACK
        if before is not None and place < before and not (
                before - place > OFF_ROUTE or (behind and was_behind)):
            result.append(before)
        else:
            result.append(place)
            behind = False
        was_behind, before = behind, result[-1]
    return result


def main():
    trips = read_trips(sys.argv[2])
    lines, differences, disagree = {}, [], []
    jumps = exact_jumps = off_in_both = 0
    with open(sys.argv[1]) as file:
        pairs = [json.loads(row) for row in file]
    for pair in pairs:
        if pair["line"] not in lines:
            lines[pair["line"]] = sampled(trips[pair["line"]])
        line, fixes = lines[pair["line"]], trips[pair["trip"]]
        ours, off = pair["metres"], pair["off_route"]
        assert len(ours) == len(fixes), pair["trip"]
        exact = shown(follow(line, fixes), ours, off)
        jumps += sum(b < a - 1 for a, b in zip(ours, ours[1:]))
        known = [place for place in exact if place is not None]
        exact_jumps += sum(b < a - 1 for a, b in zip(known, known[1:]))
        for place, own, is_off in zip(exact, ours, off):
            if (place is None) != bool(is_off):
                disagree.append((pair["line"], pair["trip"]))
            elif place is None:
                off_in_both += 1
            else:
                differences.append(abs(place - own))
    differences = numpy.array(differences)
    within = float((differences <= 5).mean())
    print(f"{len(pairs)} pairs of a line and a trip, "
          f"{len(differences) + len(disagree) + off_in_both} fixes; "
          f"on the line in both {len(differences)}, off it in both {off_in_both}, "
          f"else {len(disagree)}; same place within 5 m: {within:.3%}, "
          f"median difference {numpy.median(differences):.2f} m, most {differences.max():.1f} m; "
          f"steps back: ours {jumps}, exact {exact_jumps}")
    is_same = within >= 0.999 and len(disagree) <= len(differences) / 1000
    return 0 if is_same and jumps <= exact_jumps + 2 else 1


if __name__ == "__main__":
    sys.exit(main())

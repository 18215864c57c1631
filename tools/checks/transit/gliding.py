#!/usr/bin/env python3
"""Judges how vehicles are put on lines and moved between reports by the real fixes of a recording.

    gliding.py PROGRAM FOLDER [--every 1]      PROGRAM: a bridgecast-server, asked for `vehicles` at each time

FOLDER has messages VehiclePosition*.pb, one every 30 seconds. A timetable with shapes is made of them
(tools/transit/make_timetable_of_fixes), in which a trip's own shape and times know nothing of every second message. The
program is given the others, and asked where the vehicles are half a minute later: what it says is compared with the
fix that was held out. The two other answers are where the vehicle was seen last, and on from there as it went before.
Given the messages that were held out, it is asked how far they are from their lines, and whether vehicles go back.

Needs gtfs-realtime-bindings (PyPI). Prints median and 90 % of the errors; exit code 1 if the program is no better than
the other answers for vehicles that moved, or if more than one report in 100 goes back: every question is a run of its own,
which knows the ten minutes before.
"""
import collections
import datetime
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "tools/shared"), str(ROOT / "tools/transit/recording")]

import checks
import fixes
import geography
import make_timetable_of_fixes

ZONE = "America/Regina"
# A fix that is held out comes so many seconds after the one before; others are not judged.
GAP_SECONDS = (20, 45)
# More is a step back rather than an error of a fix, metres.
BACK_METRES = 30
# What moved less between the two fixes stands, metres.
MOVED_METRES = 50


def reports(feed):
    """The reports of a message by vehicle."""
    return {entity.vehicle.vehicle.id: entity.vehicle for entity in feed.entity}


def place(report):
    return report.position.latitude, report.position.longitude


class Pair:
    """A message that is given, and the next one, which is held out."""

    def __init__(self, before, given, held):
        self.given, self.held = given, held
        earlier, kept, after = reports(before), reports(given), reports(held)
        self.time = held.header.timestamp
        self.pairs = {}
        for vehicle, report in kept.items():
            other = after.get(vehicle)
            if other is None or other.trip.trip_id != report.trip.trip_id:
                continue
            gap = other.timestamp - report.timestamp
            if GAP_SECONDS[0] <= gap <= GAP_SECONDS[1]:
                self.pairs[vehicle] = (earlier.get(vehicle), report, other)

    def message(self):
        """The given message; each report is so old at the time that is asked for as it was when the next fix came."""
        copy = type(self.given)()
        copy.CopyFrom(self.given)
        for entity in copy.entity:
            pair = self.pairs.get(entity.vehicle.vehicle.id)
            entity.vehicle.timestamp = (self.time - (pair[2].timestamp - pair[1].timestamp) if pair
                                        else min(entity.vehicle.timestamp, self.given.header.timestamp))
        return copy


def straight(earlier, report, other):
    """On from the last fix as straight and as fast as from the one before."""
    if earlier is None or not 0 < report.timestamp - earlier.timestamp <= 2 * 90:
        return place(report)
    share = (other.timestamp - report.timestamp) / (report.timestamp - earlier.timestamp)
    return tuple(last + share * (last - before) for before, last in zip(place(earlier), place(report)))


class Judge:
    """Errors in metres of each answer, for vehicles that moved and for all."""

    def __init__(self, program, timetable, trips):
        self.program, self.timetable, self.trips = program, timetable, trips
        self.errors = collections.defaultdict(list)
        self.off_route, self.offs, self.matched_off, self.back = 0, [], 0, 0
        self._along = {}

    def ask(self, folder, time):
        """What the program says of all vehicles at a time, given a folder of messages."""
        words = [self.program, "vehicles", "--feed", self.timetable, "--vehicles", folder, "--at",
                 rfc3339(time), "--no-bridges", "--format", "ndjson"]
        reply = subprocess.run(words, capture_output=True, text=True, check=True)
        return {entry["id"]: entry for entry in json.loads(reply.stdout)["data"]["vehicles"]}

    def match(self, pair, folder):
        """How the reports that were held out are put on lines that were made without them."""
        found = self.ask(folder, pair.time)
        for vehicle, (_, _, report) in pair.pairs.items():
            entry, trip = found.get(vehicle), report.trip.trip_id
            if entry is None or trip not in self.trips:
                continue
            if entry["off_route"] or entry["off_m"] is None:
                self.matched_off += 1
                continue
            self.offs.append(entry["off_m"])
            self.back += entry["along_m"] < self._along.get((vehicle, trip), 0) - BACK_METRES
            self._along[vehicle, trip] = entry["along_m"]

    def glide(self, pair, folder):
        """How far off the program has vehicles when the fixes came that were held out."""
        found = self.ask(folder, pair.time)
        for vehicle, (earlier, report, other) in pair.pairs.items():
            entry = found.get(vehicle)
            if entry is None or report.trip.trip_id not in self.trips:
                continue
            if entry["off_route"] or entry["off_m"] is None:
                self.off_route += 1
                continue
            true = place(other)
            answers = {"ours": (entry["lat"], entry["lon"]), "last fix": place(report),
                       "straight on": straight(earlier, report, other)}
            moved = geography.metres(place(report), true) > MOVED_METRES
            for name, answer in answers.items():
                error = geography.metres(answer, true)
                self.errors[name, "all"].append(error)
                if moved:
                    self.errors[name, "moved"].append(error)

    def lines(self):
        """What was found, and what is wrong."""
        print(f"matched: {len(self.offs):,} fixes on lines made without them, median {statistics.median(self.offs):.0f} m, "
              f"90 % {share(self.offs, 0.9):.0f} m from the line; {self.matched_off:,} off it; {self.back:,} steps back")
        print(f"moved on for half a minute: {len(self.errors['ours', 'all']):,} fixes; {self.off_route:,} of vehicles off "
              "their lines are left out")
        for kind in ("moved", "all"):
            for name in ("ours", "straight on", "last fix"):
                errors = self.errors[name, kind]
                print(f"{kind:6} {name:12} {len(errors):6,} fixes   median {statistics.median(errors):4.0f} m   "
                      f"90 % {share(errors, 0.9):4.0f} m")
        ours = statistics.median(self.errors["ours", "moved"])
        wrong = [f"{name} is as good: {other:.0f} m to {ours:.0f} m" for name in ("straight on", "last fix")
                 if (other := statistics.median(self.errors[name, "moved"])) <= ours]
        return wrong + ([f"{self.back} steps back"] if self.back > len(self.offs) / 100 else [])


def share(values, part):
    return sorted(values)[int(part * (len(values) - 1))]


def rfc3339(time):
    return datetime.datetime.fromtimestamp(time, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def write(feeds, folder):
    """Writes messages into a new folder, as recorders do: a file for each."""
    folder.mkdir()
    for feed in feeds:
        (folder / f"{feed.header.timestamp}.pb").write_bytes(feed.SerializeToString())
    return str(folder)


def main():
    parser = checks.parser(__doc__)
    parser.add_argument("program")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--every", type=int, default=1, help="judge every so many of the messages that are held out")
    given = parser.parse_args()
    feeds = fixes.read(sorted(given.folder.glob("VehiclePosition*.pb")))
    pairs = [Pair(feeds[number - 2], feeds[number], feeds[number + 1]) for number in range(2, len(feeds) - 1, 2)]
    with tempfile.TemporaryDirectory() as folder:
        timetable = os.path.join(folder, "timetable.zip")
        patterns = make_timetable_of_fixes.make(feeds, timetable, ZONE, holds_out=True)
        kept = write([pair.message() for pair in pairs], pathlib.Path(folder, "given"))
        held = write([pair.held for pair in pairs], pathlib.Path(folder, "held"))
        judge = Judge(given.program, timetable, {pattern.trip.trip for pattern in patterns})
        for pair in pairs[::given.every]:
            judge.glide(pair, kept)
            judge.match(pair, held)
    checks.finish(judge.lines())


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Compares boards with an independent calculation over the raw files of feeds, with pandas.

    departures.py [--program .build/release/bridgecast-server] [--count 500] [--seed 21] FEED.zip ...

For each feed stops and times are drawn, equally many of each kind: before departures, before trips that run after
midnight, on the days when clocks change and next to them, on the first and last days of the timetable, and anywhere.
Every line of every board must be the same: trip, service day, start by headway, stop, time and order. Needs pandas.
"""
import datetime
import io
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import zipfile
import zoneinfo

import pandas

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "shared"))

from checks import ROOT, parser

HORIZON = 7200


def seconds(text):
    hours, minutes, rest = text.strip().split(":")
    return int(hours) * 3600 + int(minutes) * 60 + int(rest)


def day(text):
    return datetime.datetime.strptime(text, "%Y%m%d").date()


class Timetable:
    """A feed's raw files."""

    def __init__(self, path):
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
            read = lambda name: pandas.read_csv(
                io.BytesIO(archive.read(name)), dtype=str, encoding="utf-8-sig", keep_default_na=False,
                skipinitialspace=True) if name in names else None
            self.zone = zoneinfo.ZoneInfo(read("agency.txt").agency_timezone[0])
            self.stops, self.trips = read("stops.txt"), read("trips.txt")
            self.calendar, self.exceptions = read("calendar.txt"), read("calendar_dates.txt")
            frequencies, times = read("frequencies.txt"), read("stop_times.txt")
        self.days = self.service_days()
        self.begins = {}
        self.frequencies = {}
        for row in [] if frequencies is None else frequencies.itertuples():
            self.frequencies.setdefault(row.trip_id, []).append(
                (seconds(row.start_time), seconds(row.end_time), int(row.headway_secs)))
        self.calls = self.board_calls(times)
        self.places = self.places_of_stops()

    def service_days(self):
        """By day, the services that run on it."""
        days = {}
        for row in [] if self.calendar is None else self.calendar.itertuples():
            first, last = day(row.start_date), day(row.end_date)
            runs = [row.monday, row.tuesday, row.wednesday, row.thursday, row.friday, row.saturday, row.sunday]
            for number in range((last - first).days + 1):
                date = first + datetime.timedelta(number)
                if runs[date.weekday()] == "1":
                    days.setdefault(date, set()).add(row.service_id)
        for row in [] if self.exceptions is None else self.exceptions.itertuples():
            services = days.setdefault(day(row.date), set())
            (services.add if row.exception_type == "1" else services.discard)(row.service_id)
        return {date: services for date, services in days.items() if services}

    def board_calls(self, times):
        """By stop, where one can board: trip, its row, its service, index in the trip, seconds, seconds of the start."""
        times = times[times.departure_time != ""].copy()
        times["order"] = times.stop_sequence.astype(int)
        times = times.sort_values(["trip_id", "order"], kind="stable")
        if "pickup_type" not in times:
            times["pickup_type"] = "0"
        rows = {trip: number for number, trip in enumerate(self.trips.trip_id)}
        services = dict(zip(self.trips.trip_id, self.trips.service_id))
        calls = {}
        for trip, group in times.groupby("trip_id", sort=False):
            first = seconds(group.departure_time.iloc[0])
            for index, (stop, left, pickup) in enumerate(
                    list(zip(group.stop_id, group.departure_time, group.pickup_type))[:-1]):
                if pickup != "1":
                    calls.setdefault(stop, []).append(
                        (trip, rows[trip], services[trip], index, seconds(left), first))
        return calls

    def places_of_stops(self):
        """By stop or station, the stops whose departures its board shows."""
        places = {stop: [stop] for stop in self.stops.stop_id}
        if "parent_station" in self.stops:
            for row in self.stops.itertuples():
                if row.parent_station:
                    places[row.parent_station].append(row.stop_id)
        return places

    def begin(self, date):
        """When the service day of a date begins: twelve hours before noon."""
        if date not in self.begins:
            noon = datetime.datetime.combine(date, datetime.time(12), self.zone)
            self.begins[date] = int(noon.timestamp()) - 43200
        return self.begins[date]

    def board(self, stop, time):
        """The lines of a board: trip, service day, start, stop, time."""
        today = datetime.datetime.fromtimestamp(time, self.zone).date()
        found = []
        for shift in range(-3, 3):
            date = today + datetime.timedelta(shift)
            services = self.days.get(date, ())
            for place in self.places[stop]:
                for trip, row, service, order, left, first in self.calls.get(place, ()):
                    if service not in services:
                        continue
                    for start, moved in self.runs(trip, left, first):
                        expected = self.begin(date) + moved
                        if time <= expected <= time + HORIZON:
                            found.append((expected, row, order, trip, date.isoformat(), start, place))
        return [(trip, date, start, place, expected) for expected, _, _, trip, date, start, place in sorted(found)]

    def runs(self, trip, left, first):
        """The starts of a trip's runs and when they leave a stop, seconds of the service day."""
        if trip not in self.frequencies:
            return [(None, left)]
        return [(start, start + left - first) for begin, end, headway in self.frequencies[trip]
                for start in range(begin, end, headway)]


def clock_changes(timetable, first, last):
    """The days on which clocks change."""
    date, changes = first, []
    while date <= last:
        at = lambda d: datetime.datetime.combine(d, datetime.time(12), timetable.zone).utcoffset()
        if at(date) != at(date - datetime.timedelta(1)):
            changes.append(date)
        date += datetime.timedelta(1)
    return changes


class Questions:
    """Stops and times, equally many of each kind."""

    def __init__(self, timetable, chance):
        self.timetable, self.chance = timetable, chance
        self.first, self.last = min(timetable.days), max(timetable.days)
        self.stops = sorted(timetable.calls)
        self.stations = sorted(stop for stop, places in timetable.places.items() if len(places) > 1)
        self.late = [(stop, call) for stop in self.stops for call in timetable.calls[stop] if call[4] >= 86400]
        self.changes = clock_changes(timetable, self.first, self.last)
        self.asked, self.kinds = [], {"midnight": 0, "clock change": 0}

    def draw(self, count):
        for number in range(count):
            self.asked.append(self.question(number % 5))
        return self.asked, self.kinds

    def question(self, kind):
        chance, begin = self.chance, self.timetable.begin
        stop = chance.choice(self.stations if self.stations and chance.random() < 0.3 else self.stops)
        date = self.first + datetime.timedelta(chance.randrange((self.last - self.first).days + 1))
        if kind == 0 and self.late:
            stop, call = chance.choice(self.late)
            self.kinds["midnight"] += 1
            dates = [date for date, services in self.timetable.days.items() if call[2] in services]
            return stop, begin(chance.choice(dates)) + call[4] - chance.randrange(3600)
        if kind == 1 and self.changes:
            self.kinds["clock change"] += 1
            date = chance.choice(self.changes) + datetime.timedelta(chance.choice([-1, 0, 0, 0, 1]))
            return stop, begin(date) + chance.randrange(-3600, 90000)
        if kind == 2:
            return stop, begin(chance.choice([self.first, self.last])) + chance.randrange(-7200, 100000)
        if kind == 3:
            return stop, begin(date) + chance.randrange(86400)
        call = chance.choice(self.timetable.calls[chance.choice(self.stops)])
        return stop, begin(date) + call[4] - chance.randrange(-60, 1800)


def answers(program, path, asked):
    with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
        file.write("".join("%s,%d\n" % question for question in asked))
        file.flush()
        done = subprocess.run(
            [program, "board", "--feed", str(path), "--queries", file.name, "--format", "ndjson"],
            capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit("FAIL: %s: %s" % (path, done.stderr.strip()))
    return [json.loads(line)["data"] for line in done.stdout.splitlines()]


def lines(board):
    clock = lambda text: None if text is None else seconds(text)
    return [(line["trip_id"], line["service_date"], clock(line["start_time"]), line["stop_id"],
             line["scheduled_departure_epoch_s"]) for line in board["departures"]]


def check(program, path, count, seed):
    """Compares the boards of a feed; how many were wrong."""
    timetable = Timetable(path)
    asked, kinds = Questions(timetable, random.Random(seed)).draw(count)
    boards = answers(program, path, asked)
    wrong = [number for number, (question, board) in enumerate(zip(asked, boards))
             if lines(board) != timetable.board(*question)]
    wrong += range(len(boards), len(asked))
    shown = sum(len(board["departures"]) for board in boards)
    print(
        "%s: %d boards (%d before trips after midnight, %d around clock changes), %d with departures, %d lines: %s"
        % (
            path.name, len(asked), kinds["midnight"], kinds["clock change"],
            sum(bool(board["departures"]) for board in boards), shown,
            "all the same" if not wrong else "%d DIFFER" % len(wrong)))
    for number in wrong[:3]:
        expected, got = timetable.board(*asked[number]), lines(boards[number]) if number < len(boards) else None
        print("  %s at %d: expected %s, got %s" % (*asked[number], expected[:6], got and got[:6]))
    return len(wrong)


def main():
    line = parser(__doc__)
    line.add_argument("--program", default=str(ROOT / ".build/release/bridgecast-server"))
    line.add_argument("--count", type=int, default=500)
    line.add_argument("--seed", type=int, default=21)
    line.add_argument("feeds", nargs="+", type=pathlib.Path)
    asked = line.parse_args()
    sys.exit(1 if sum(check(asked.program, path, asked.count, asked.seed) for path in asked.feeds) else 0)


if __name__ == "__main__":
    main()

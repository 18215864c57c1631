"""A day of a timetable (GTFS) as its buses drive it: trips with their stops along their lines, and where a bridge is."""
import bisect
import collections
import csv
import dataclasses
import datetime
import io
import math
import pathlib
import sys
import zipfile
import zoneinfo

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "shared"))

import geography


class Line:
    """A line of (latitude, longitude) points, measured in metres from its start."""

    def __init__(self, points):
        self.points = points
        self.ends = [0.0]
        for a, b in zip(points, points[1:]):
            self.ends.append(self.ends[-1] + geography.metres(a, b))

    @property
    def metres(self):
        return self.ends[-1]

    def _piece(self, metres):
        """The number of the piece at a distance, and the share of it that is behind."""
        after = min(max(1, bisect.bisect_right(self.ends, metres)), len(self.ends) - 1)
        length = self.ends[after] - self.ends[after - 1]
        return after - 1, min(max((metres - self.ends[after - 1]) / length, 0.0), 1.0) if length else 0.0

    def point(self, metres):
        """The place at a distance from the start."""
        piece, share = self._piece(metres)
        (lat, lon), (next_lat, next_lon) = self.points[piece:piece + 2]
        return lat + share * (next_lat - lat), lon + share * (next_lon - lon)

    def bearing(self, metres):
        """Degrees clockwise from north of the 20 metres ahead."""
        start = min(metres, self.metres - 20)
        return geography.bearing(self.point(start), self.point(start + 20)) % 360

    def nearest(self, place, low=0.0, high=math.inf):
        """The nearest distance from the start between two others, and how far the place is from there."""
        best = (low, math.inf)
        for piece in range(len(self.points) - 1):
            if self.ends[piece + 1] < low or self.ends[piece] > high:
                continue
            share, away = nearest_on_piece(place, self.points[piece], self.points[piece + 1])
            if away < best[1]:
                best = (self.ends[piece] + share * (self.ends[piece + 1] - self.ends[piece]), away)
        return min(max(best[0], low), high), best[1]


def nearest_on_piece(place, a, b):
    """The share of a straight piece at its nearest point to a place, and the metres between them; on a plane."""
    shrink = math.cos(math.radians(place[0]))
    north, east = b[0] - a[0], (b[1] - a[1]) * shrink
    to_north, to_east = place[0] - a[0], (place[1] - a[1]) * shrink
    square = north * north + east * east
    share = min(max((to_north * north + to_east * east) / square, 0.0), 1.0) if square else 0.0
    away = math.hypot(to_north - share * north, to_east - share * east)
    return share, math.radians(away) * geography.EARTH_METRES


@dataclasses.dataclass
class Stop:
    """A stop of a trip: times in seconds since the start of the service day, and its distance along the line."""
    sequence: int
    id: str
    arrival: int
    departure: int
    metres: float


@dataclasses.dataclass
class Trip:
    id: str
    route: str
    block: str
    line: Line
    stops: list


def day_start(date, zone):
    """When a service day starts, seconds since 1970: twelve hours before noon."""
    noon = datetime.datetime.combine(date, datetime.time(12), zoneinfo.ZoneInfo(zone))
    return int(noon.timestamp()) - 43_200


def seconds(text):
    """Seconds of a time such as 25:10:00."""
    hours, minutes, rest = text.split(":")
    return int(hours) * 3600 + int(minutes) * 60 + int(rest)


class Timetable:
    """The trips of a zip file."""

    def __init__(self, path):
        with zipfile.ZipFile(path) as archive:
            self.tables = {name: list(csv.DictReader(io.TextIOWrapper(archive.open(name), "utf-8-sig", newline="")))
                           for name in archive.namelist()}
        self.zone = self.tables["agency.txt"][0]["agency_timezone"]
        self.agency = self.tables["agency.txt"][0]["agency_id"]
        self._lines = {}

    def services(self, date):
        """The services of a day."""
        text, weekday = date.strftime("%Y%m%d"), date.strftime("%A").lower()
        found = {row["service_id"] for row in self.tables["calendar.txt"]
                 if row[weekday] == "1" and row["start_date"] <= text <= row["end_date"]}
        for row in self.tables["calendar_dates.txt"]:
            if row["date"] == text:
                (found.add if row["exception_type"] == "1" else found.discard)(row["service_id"])
        return found

    def trips(self, date):
        """The trips of a day in the order of their first departures."""
        services = self.services(date)
        calls = collections.defaultdict(list)
        for row in self.tables["stop_times.txt"]:
            calls[row["trip_id"]].append(row)
        trips = [self._trip(row, sorted(calls[row["trip_id"]], key=lambda call: int(call["stop_sequence"])))
                 for row in self.tables["trips.txt"] if row["service_id"] in services]
        return sorted(trips, key=lambda trip: (trip.stops[0].departure, trip.id))

    def _trip(self, row, calls):
        line, marks = self._line(row["shape_id"])
        stops = [Stop(int(call["stop_sequence"]), call["stop_id"], seconds(call["arrival_time"]),
                      seconds(call["departure_time"]), along(line, marks, float(call["shape_dist_traveled"])))
                 for call in calls]
        return Trip(row["trip_id"], row["route_id"], row["block_id"], line, stops)

    def _line(self, shape):
        """A shape and the distances that the feed gives its points, in the feed's own unit."""
        if not self._lines:
            for row in self.tables["shapes.txt"]:
                self._lines.setdefault(row["shape_id"], []).append(row)
            self._lines = {name: self._measured(rows) for name, rows in self._lines.items()}
        return self._lines[shape]

    @staticmethod
    def _measured(rows):
        rows = sorted(rows, key=lambda row: int(row["shape_pt_sequence"]))
        return (Line([(float(row["shape_pt_lat"]), float(row["shape_pt_lon"])) for row in rows]),
                [float(row["shape_dist_traveled"]) for row in rows])


def along(line, marks, mark):
    """Metres along a line of a distance in the feed's unit."""
    after = min(max(1, bisect.bisect_left(marks, mark)), len(marks) - 1)
    length = marks[after] - marks[after - 1]
    share = min(max((mark - marks[after - 1]) / length, 0.0), 1.0) if length else 0.0
    return line.ends[after - 1] + share * (line.ends[after] - line.ends[after - 1])


# MARK: Openings

def openings(path, bridge, date, zone):
    """When a bridge was raised on a day by the records: (start, end) in seconds since 1970, in order."""
    local = zoneinfo.ZoneInfo(zone)

    def instant(text):
        return datetime.datetime.fromisoformat(text).replace(tzinfo=local).timestamp()

    with open(path, encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file)
                if row["entityname"] == bridge and row["opendatetime"].startswith(date.isoformat())]
    return sorted((instant(row["opendatetime"]), instant(row["closedatetime"])) for row in rows)

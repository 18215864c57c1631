"""Makes a timetable (GTFS) of recorded fixes. `make_timetable_of_fixes` in the folder above runs it."""
import collections
import datetime
import pathlib
import sys
import zoneinfo

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "shared"))

import checks
import fixes
import gtfs
import timetable


def patterns(feeds, holds_out):
    """The pattern of each trip; with `holds_out` made of its fixes of every second message and of all fixes of others."""
    by_route = collections.defaultdict(list)
    for trip in fixes.trips(feeds):
        by_route[trip.route].append(trip)
    for trip in fixes.trips(feeds, step=2 if holds_out else 1):
        yield fixes.Pattern(trip, [other for other in by_route[trip.route] if other.trip != trip.trip])


class Tables:
    """The files of a timetable, row by row."""

    def __init__(self, zone, date):
        self.start = timetable.day_start(date, zone)
        self.tables = {
            "agency.txt": [("agency_id", "agency_name", "agency_url", "agency_timezone"),
                           ("fixes", "Made of recorded fixes", "https://gtfs.org", zone)],
            "routes.txt": [("route_id", "agency_id", "route_short_name", "route_type")],
            "calendar_dates.txt": [("service_id", "date", "exception_type"), ("day", date.strftime("%Y%m%d"), 1)],
            "trips.txt": [("route_id", "service_id", "trip_id", "shape_id")],
            "stops.txt": [("stop_id", "stop_name", "stop_lat", "stop_lon")],
            "stop_times.txt": [("trip_id", "arrival_time", "departure_time", "stop_id", "stop_sequence",
                                "shape_dist_traveled")],
            "shapes.txt": [("shape_id", "shape_pt_lat", "shape_pt_lon", "shape_pt_sequence", "shape_dist_traveled")]}
        self._routes = set()

    def add(self, pattern):
        """A trip with a shape and stops of its own."""
        trip = pattern.trip
        if trip.route not in self._routes:
            self._routes.add(trip.route)
            self.tables["routes.txt"].append((trip.route, "fixes", trip.route, 3))
        self.tables["trips.txt"].append((trip.route, "day", trip.trip, trip.trip))
        for number, (point, metres) in enumerate(zip(pattern.line.points, pattern.line.ends)):
            self.tables["shapes.txt"].append((trip.trip, *map("{:.6f}".format, point), number, f"{metres:.1f}"))
        stops = pattern.stops()
        for number, (metres, time) in enumerate(zip(stops, pattern.times(stops))):
            name, clock = f"{trip.trip}-{number}", clock_text(time - self.start)
            self.tables["stops.txt"].append((name, name, *map("{:.6f}".format, pattern.line.point(metres))))
            self.tables["stop_times.txt"].append((trip.trip, clock, clock, name, number, f"{metres:.1f}"))


def clock_text(seconds):
    """Seconds of a service day as GTFS writes them; a trip that began before it is at its start."""
    seconds = max(0, seconds)
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def make(feeds, path, zone, holds_out=False):
    """Writes the timetable of messages; returns its trips."""
    date = datetime.datetime.fromtimestamp(feeds[0].header.timestamp, zoneinfo.ZoneInfo(zone)).date()
    tables = Tables(zone, date)
    made = list(patterns(feeds, holds_out))
    for pattern in made:
        tables.add(pattern)
    gtfs.write(tables.tables, path, (date.year, date.month, date.day))
    return made


def main():
    parser = checks.parser(__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--zone", default="America/Regina", help="of the timetable's clock; by default Saskatchewan's")
    parser.add_argument("--hold-out", action="store_true", help="leave every second message out of the trips' own lines and times")
    given = parser.parse_args()
    paths = sorted(given.folder.glob("VehiclePosition*.pb"))
    if not paths:
        sys.exit(f"make_timetable_of_fixes: error: {given.folder}: there are no files VehiclePosition*.pb")
    made = make(fixes.read(paths), given.output, given.zone, given.hold_out)
    shared = sum(bool(pattern.members) for pattern in made)
    print(f"{given.output.name}: {len(made)} trips, {shared} of them on a line that others went too, "
          f"{sum(pattern.line.metres for pattern in made) / 1000:,.0f} km of shapes")


if __name__ == "__main__":
    main()

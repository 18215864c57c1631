"""Stand-ins for the feeds that a service reads: the city's, whose bridges move by the clock, and a bus line.

The line runs over Ballard Bridge, as GTFS, with the realtime messages of its buses on 20 February 2026.
feeds/stand_in.py replays the shipped records instead.
"""
import csv
import datetime
import json
import time
import zoneinfo

import server  # noqa: F401 for the path of tools/shared
from checks import serve

# Bridges with a sensor, as the city names them.
BRIDGES = {1: "1st Ave South", 2: "Ballard", 3: "Fremont", 4: "Montlake", 29: "South Park"}


class City:
    """The city's feed. A bridge is up for `up` of every `period` seconds, each bridge at another time."""

    def __init__(self, period=90, up=40):
        self.period, self.up, self.port, self.server, self.asked = period, up, 0, None, 0
        self.start()

    @property
    def url(self):
        return "http://127.0.0.1:%d/bridges" % self.port

    def states(self, now):
        return {bridge: (now + 17 * place) % self.period < self.up for place, bridge in enumerate(BRIDGES)}

    def start(self):
        """Begins to serve; on the same port as before."""
        self.server = serve(self.answer, self.port)
        self.port = self.server.server_port

    def answer(self):
        self.asked += 1
        rows = [{"BridgeID": bridge, "BridgeName": BRIDGES[bridge], "Status": "Open" if is_up else "Closed"}
                for bridge, is_up in self.states(time.time()).items()]
        # JSON in a JSON string, as the city sends it.
        return json.dumps(json.dumps(rows)).encode()

    def stop(self):
        """Stops serving: connections are refused."""
        self.server.shutdown()
        self.server.server_close()


# The line: ids of its stops, seconds of a ride, between buses, and late.
SOUTH, NORTH, STATION, ROUTE = "S/1 süd", "N1", "ballard", "15/Ä"
RIDE, EVERY, LATE = 8 * 60, 10 * 60, 60
SEATTLE = zoneinfo.ZoneInfo("America/Los_Angeles")
# 20 February 2026, the day that is replayed.
MIDNIGHT = int(datetime.datetime(2026, 2, 20, tzinfo=SEATTLE).timestamp())
# Where buses begin and end, degrees north, and the longitude of the line.
BEGIN, END, MERIDIAN = 47.6500, 47.6680, -122.3762
EVERY_DAY = "service_id monday tuesday wednesday thursday friday saturday sunday start_date end_date"


def clock(seconds):
    return "%02d:%02d:%02d" % (seconds // 3600, seconds // 60 % 60, seconds % 60)


def starts():
    """From the first bus at five to the last one at two in the night."""
    return range(5 * 3600, 26 * 3600 + 1, EVERY)


def runs():
    """Rows of trips and of stop times, in both directions."""
    trips, times = [], []
    for start in starts():
        name = clock(start)[:5]
        for letter, headsign, direction, stops in (("n", "Ballard", 0, (SOUTH, NORTH)),
                                                   ("s", "Interbay", 1, (NORTH, SOUTH))):
            trips.append((ROUTE, "daily", letter + "-" + name, headsign, direction, letter))
            for position, stop in enumerate(stops):
                due = clock(start + position * RIDE)
                times.append((letter + "-" + name, due, due, stop, position + 1))
    return trips, times


def files():
    """Tables by name: a head and its rows."""
    trips, times = runs()
    line = [(BEGIN + (END - BEGIN) * step / 18, MERIDIAN) for step in range(19)]
    shapes = [(letter, "%.6f" % lat, "%.6f" % lon, position) for letter, points in (("n", line), ("s", line[::-1]))
              for position, (lat, lon) in enumerate(points)]
    return {
        "agency": ("agency_id agency_name agency_url agency_timezone",
                   [("a", "Small Transit", "https://example.org", "America/Los_Angeles")]),
        "stops": ("stop_id stop_name stop_lat stop_lon location_type parent_station",
                  [(SOUTH, "Interbay", BEGIN, MERIDIAN, 0, ""), (STATION, "Ballard", END, MERIDIAN, 1, ""),
                   (NORTH, "Ballard 1", END, MERIDIAN, 0, STATION)]),
        "routes": ("route_id agency_id route_short_name route_long_name route_type",
                   [(ROUTE, "a", "15", "Interbay - Ballard", 3)]),
        "calendar": (EVERY_DAY, [("daily", *[1] * 7, "20170101", "20991231")]),
        "trips": ("route_id service_id trip_id trip_headsign direction_id shape_id", trips),
        "stop_times": ("trip_id arrival_time departure_time stop_id stop_sequence", times),
        "shapes": ("shape_id shape_pt_lat shape_pt_lon shape_pt_sequence", shapes),
    }


def messages(now):
    """Trip updates and vehicle positions at a time, as JSON."""
    # Buses run into the night: until three it is still yesterday's service.
    day = datetime.datetime.fromtimestamp(now - 3 * 3600, SEATTLE).replace(hour=0, minute=0, second=0, microsecond=0)
    midnight, date = int(day.timestamp()), day.strftime("%Y%m%d")
    header = {"gtfs_realtime_version": "2.0", "timestamp": now}
    updates, vehicles = [], []
    for start in starts():
        done = (now - midnight - start - LATE) / RIDE
        if not -1 <= done <= 1:
            continue
        trip = {"trip_id": "n-" + clock(start)[:5], "start_date": date}
        updates.append({"id": trip["trip_id"], "trip_update": {
            "trip": trip, "timestamp": now, "stop_time_update": [{"stop_sequence": 1, "departure": {"delay": LATE}}]}})
        # It waits at its first stop before it leaves, so that a bus is always visible.
        if done >= -0.3:
            vehicles.append({"id": trip["trip_id"], "vehicle": {
                "trip": trip, "vehicle": {"id": "v" + trip["trip_id"]}, "timestamp": now,
                "occupancy_status": start // EVERY % 7,
                "position": {"latitude": BEGIN + (END - BEGIN) * max(0, done), "longitude": MERIDIAN}}})
    return {"header": header, "entity": updates}, {"header": header, "entity": vehicles}


def write_timetable(folder, has_realtime=True):
    """Writes the line into a folder; the options of `serve` that name it."""
    folder = folder / "transit"
    folder.mkdir()
    for name, (head, rows) in files().items():
        with open(folder / (name + ".txt"), "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([head.split(), *rows])
    options = ["--transit", str(folder)]
    if not has_realtime:
        return options
    for name in ("updates", "vehicles"):
        (folder.parent / name).mkdir()
        options += ["--transit-" + name, str(folder.parent / name)]
    for now in range(MIDNIGHT + 17 * 3600 + 2400, MIDNIGHT + 19 * 3600 + 600, 30):
        for name, message in zip(("updates", "vehicles"), messages(now)):
            (folder.parent / name / ("%d.json" % now)).write_text(json.dumps(message))
    return options

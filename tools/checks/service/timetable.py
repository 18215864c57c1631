"""A bus line over Ballard Bridge as GTFS, and what its buses told on 20 February 2026; for the checks of this folder."""
import csv, datetime, json, zoneinfo

SOUTH, NORTH, STATION, ROUTE = "S/1 süd", "N1", "ballard", "15/Ä"
RIDE, EVERY, LATE = 8 * 60, 10 * 60, 60
SEATTLE = zoneinfo.ZoneInfo("America/Los_Angeles")
# 20 February 2026, which is replayed.
MIDNIGHT = int(datetime.datetime(2026, 2, 20, tzinfo=SEATTLE).timestamp())
# From where to where a bus drives, degrees north.
BEGIN, END, MERIDIAN = 47.6500, 47.6680, -122.3762


def clock(seconds):
    return "%02d:%02d:%02d" % (seconds // 3600, seconds // 60 % 60, seconds % 60)


def starts():
    """From the first bus at five to the last one at two in the night."""
    return range(5 * 3600, 26 * 3600 + 1, EVERY)


def files():
    """Tables by name: a head and its rows."""
    trips, times = [], []
    for start in starts():
        name = clock(start)[:5]
        for letter, headsign, direction, stops in (("n", "Ballard", 0, (SOUTH, NORTH)), ("s", "Interbay", 1, (NORTH, SOUTH))):
            trips.append((ROUTE, "daily", letter + "-" + name, headsign, direction, letter))
            for place, stop in enumerate(stops):
                moment = clock(start + place * RIDE)
                times.append((letter + "-" + name, moment, moment, stop, place + 1))
    line = [(BEGIN + (END - BEGIN) * step / 18, MERIDIAN) for step in range(19)]
    shapes = [(letter, "%.6f" % lat, "%.6f" % lon, place) for letter, points in (("n", line), ("s", line[::-1]))
              for place, (lat, lon) in enumerate(points)]
    return {
        "agency": ("agency_id agency_name agency_url agency_timezone", [("a", "Small Transit", "https://example.org", "America/Los_Angeles")]),
        "stops": ("stop_id stop_name stop_lat stop_lon location_type parent_station",
                  [(SOUTH, "Interbay", BEGIN, MERIDIAN, 0, ""), (STATION, "Ballard", END, MERIDIAN, 1, ""), (NORTH, "Ballard 1", END, MERIDIAN, 0, STATION)]),
        "routes": ("route_id agency_id route_short_name route_long_name route_type", [(ROUTE, "a", "15", "Interbay - Ballard", 3)]),
        "calendar": ("service_id monday tuesday wednesday thursday friday saturday sunday start_date end_date", [("daily", *[1] * 7, "20170101", "20991231")]),
        "trips": ("route_id service_id trip_id trip_headsign direction_id shape_id", trips),
        "stop_times": ("trip_id arrival_time departure_time stop_id stop_sequence", times),
        "shapes": ("shape_id shape_pt_lat shape_pt_lon shape_pt_sequence", shapes),
    }


def messages(now):
    """Trip updates and vehicle positions at a moment, as JSON."""
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
        # It stands at its first stop before it leaves, so that there is always a bus to see.
        if done >= -0.3:
            vehicles.append({"id": trip["trip_id"], "vehicle": {
                "trip": trip, "vehicle": {"id": "v" + trip["trip_id"]}, "timestamp": now, "occupancy_status": start // EVERY % 7,
                "position": {"latitude": BEGIN + (END - BEGIN) * max(0, done), "longitude": MERIDIAN}}})
    return {"header": header, "entity": updates}, {"header": header, "entity": vehicles}


def write(folder, has_realtime=True):
    """Writes all of it into a folder; the options of `serve` that name it."""
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

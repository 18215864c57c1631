#!/usr/bin/env python3
"""Hostile inputs, and what bridgecast must say to them: one table, ROWS, which the next trial extends.

    trial.py --programs FOLDER [--long] [--show] [NAME ...]

A row names a command line, the exit code, and a text that the one line of standard error holds. What stands in
braces is written by MAKERS into a folder of the row's own, whose every file must then be as it was, and none may
have come, but for what the row expects. --long adds the slow rows and repeats the races 200 times; --show tells
what the rows do, for a new one; a NAME takes the rows whose names hold it.
"""
import argparse, collections, concurrent.futures, csv, dataclasses, fnmatch, hashlib, io, json, os, pathlib, re, shlex
import shutil, signal, sqlite3, stat, subprocess, sys, tempfile, threading, time, unicodedata

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST_SECONDS = 20
LONGEST_LINE = 2_000
QUICK_ROUNDS, LONG_ROUNDS = 10, 200
# Words of Swift and its library, which say nothing to a person.
INTERNALS = ["DecodingError", "NSCocoaErrorDomain", "NSPOSIXErrorDomain", "Dictionary<", "Array<", "Swift.",
             "Fatal error", "Optional(", "unexpected:"]

PREDICT = "predict --at 2026-02-20T17:50 --only ballard-downtown"
FORECAST = "--at 2026-02-20T17:50"
ROUTES = "predict --at 2026-02-20T17:50 --routes"


@dataclasses.dataclass
class Row:
    name: str
    command: str             # without "bridgecast"; `> FILE` and `| head -1` at the end, ` & ` between two at once
    code: int
    said: str = ""           # in the last line of standard error; nothing may be said if it is empty
    shown: str = ""          # in standard output
    makes: str = ""          # patterns of files that come or change
    checks: tuple = ()       # functions of the row's folder and standard output; each tells what is wrong
    env: dict = dataclasses.field(default_factory=dict)     # None takes a variable away
    races: bool = False      # chance decides: repeated
    slow: bool = False       # with --long only


# --- files

HEADER = "entitytype,entityname,entityid,opendatetime,closedatetime,minutesopen\n"
GOOD = "Bridge,Fremont,3,2026-02-20T17:20:00.000,2026-02-20T17:24:00.000,4\n"
LATER = "Bridge,Ballard,2,2026-02-20T17:40:00.000,2026-02-20T17:46:00.000,6\n"
# Over Fremont Bridge, from shore to shore.
FREMONT = [[-122.3499, 47.6522], [-122.3498, 47.6489], [-122.3497, 47.6464], [-122.342, 47.64], [-122.34, 47.6325]]
# From Everett over Ballard Bridge to Tacoma.
LONG_WAY = [[-122.2021, 47.979], [-122.3762, 47.68], [-122.3762, 47.663], [-122.3762, 47.656], [-122.4443, 47.2529]]


def line(points, **properties):
    return {"type": "Feature", "properties": properties, "geometry": {"type": "LineString", "coordinates": points}}


def collection(*features):
    return {"type": "FeatureCollection", "features": list(features)}


def own(*steps, **changes):
    route = {"id": "a", "name": "A", "origin": "Home", "destination": "Work", "mode": "car", "steps": list(steps)}
    return {"routes": [dict(route, **changes)]}


def osrm(annotation):
    return {"code": "Ok", "routes": [{
        "duration": 600, "distance": 2400, "geometry": {"type": "LineString", "coordinates": FREMONT},
        "legs": [{"summary": "Fremont Ave N", "annotation": {"duration": annotation}}]}]}


def live(*bridges, **more):
    return dict({"asOf": "2026-02-20T17:50:00-08:00", "bridges": list(bridges)}, **more)


RAISED = {"bridge": "Fremont", "state": "raised", "since": "2026-02-20T17:48:00-08:00"}

# Files by name; what is no bytes and no text becomes JSON.
CONTENT = {
    "empty": b"",
    "text": "Dear diary, today the bridge was up.\n" * 20,
    # Records.
    "good.csv": HEADER + GOOD + LATER,
    "lf.csv": HEADER + GOOD + LATER,
    "crlf.csv": (HEADER + GOOD + LATER).replace("\n", "\r\n"),
    "cr.csv": (HEADER + GOOD + LATER).replace("\n", "\r"),
    "mixed-ends.csv": HEADER.replace("\n", "\r\n") + GOOD.replace("\n", "\r") + LATER,
    "lone-cr.csv": HEADER + GOOD.replace("Fremont", "Fre\rmont") + LATER,
    "quoted-cr.csv": HEADER + GOOD.replace("Fremont", '"Fre\rmont"') + LATER,
    "all-bad.csv": HEADER + GOOD.replace("Fremont,3", "Atlantis,99") + LATER.replace("2026-02-20", "yesterday"),
    "1970.csv": HEADER + GOOD.replace("2026-02-20", "1970-01-01") + LATER,
    "0001.csv": HEADER + GOOD.replace("2026-02-20", "0001-01-01") + LATER,
    "9999.csv": HEADER + GOOD.replace("2026-02-20", "9999-12-31") + LATER,
    "escape.csv": HEADER + GOOD.replace(",3,", ",\x1b[2J\x1b]0;gone\x07,") + LATER,
    "escape-header.csv": "entity\x1b[2Jtype,\x1b[31mentityname\n" + GOOD,
    "nul.csv": HEADER + GOOD.replace("Fremont", "Fre\0mont") + LATER,
    "utf-16.csv": (HEADER + GOOD).encode("utf-16"),
    "utf-16-be-no-mark.csv": (HEADER + GOOD).encode("utf-16-be"),
    "latin-1.csv": (HEADER + GOOD.replace("Fremont", "Frémont")).encode("latin-1"),
    "header-only.csv": HEADER,
    "open-quote.csv": HEADER + GOOD + LATER.replace("Ballard", '"Ballard'),
    "open-quote-first.csv": HEADER + GOOD.replace("Fremont", '"Fremont') + LATER,
    "long-line.csv": HEADER + GOOD.replace("Fremont", "F" * 1_000_000) + LATER,
    "long-header.csv": "x" * 1_000_000 + "\n" + GOOD,
    "object.json": {"error": True, "message": "Query coordinator error"},
    "cut.json": '[{"entityname": "Fremont", "opendatetime": "2026-02-20T17:20:0',
    "deep.json": "[" * 100_000,
    "number.json": [1, "two", None],
    "future.csv": HEADER + GOOD.replace("2026-02-20", "2126-02-20"),
    "bad.coverage.json": {"Fremont": "always"},
    # Routes.
    "line.geojson": line(FREMONT, duration=600, name="Over Fremont"),
    "bare-line.geojson": line(FREMONT)["geometry"],
    "gap.geojson": {"type": "MultiLineString", "coordinates": [
        [[-122.3499, 47.6522], [-122.3498, 47.6489]], [[-122.3497, 47.6461], [-122.34, 47.6325]]]},
    "everett-tacoma.geojson": line(LONG_WAY, duration=5400, name="I-5 avoided"),
    "null-beside-good.geojson": collection(
        {"type": "Feature", "properties": {}, "geometry": None}, line(FREMONT, duration=600, name="Over Fremont")),
    "null.geojson": {"type": "Feature", "properties": {}, "geometry": None},
    "10001-lines.geojson": collection(*[line(FREMONT, duration=600)] * 10_001),
    "geometries.geojson": {"type": "GeometryCollection", "geometries": [line(FREMONT)["geometry"]]},
    "point.geojson": {"type": "Point", "coordinates": [-122.35, 47.65]},
    "no-lines.geojson": collection(),
    "elsewhere.geojson": line([[13.4, 52.5], [13.5, 52.6]]),
    "nan.geojson": '{"type": "LineString", "coordinates": [[-122.35, NaN], [-122.35, 47.64]]}',
    "huge.geojson": '{"type": "LineString", "coordinates": [[-122.35, 1e400], [-122.35, 47.64]]}',
    "one-point.geojson": line([FREMONT[0]]),
    "one-place.geojson": line([FREMONT[0]] * 3),
    "no-time.geojson": line(FREMONT, duration=0),
    "escape.geojson": line(FREMONT, duration=600, name="\x1b[2JOver\r\nFremont\x9b31m"),
    "osrm.json": osrm([131, 60, 169, 240]),
    "osrm-infinite.json": osrm([1e308, 1e308]),
    "osrm-infinite-4.json": osrm([1e308, 1e308, 1e308, 1e308]),
    "osrm-error.json": {"code": "NoRoute", "message": "Impossible route between points"},
    "osrm-url.json": {"code": "InvalidUrl", "message": "URL string malformed close to position 40: \"\x1b[2J\""},
    "mapbox-error.json": {"message": "Not Authorized - Invalid Token", "error_code": "INVALID_TOKEN"},
    "mapbox-no-route.json": {"code": "NoRoute", "message": "No route found", "routes": []},
    "valhalla-error.json": {"error_code": 442, "error": "No path could be found for input", "status_code": 400,
                            "status": "Bad Request"},
    "graphhopper-error.json": {"message": "Point 0 is out of bounds: 90.0,180.0", "hints": [
        {"message": "Point 0 is out of bounds: 90.0,180.0", "details": "PointOutOfBoundsException"}]},
    "graphhopper-none.json": {"hints": {}, "info": {}, "paths": []},
    "otp-error.json": {"plan": {"itineraries": []}, "error": {
        "id": 404, "msg": "No trip found. There may be no transit service", "message": "PATH_NOT_FOUND"}},
    "otp-graphql-error.json": {"errors": [{"message": "Validation error: Field 'x' is undefined"}], "data": None},
    "ors-error.json": {"error": {"code": 2010, "message": "Could not find routable point"}, "info": {}},
    "google.json": {"status": "ZERO_RESULTS", "routes": [], "geocoded_waypoints": []},
    "array.json": [1, 2, 3],
    "string.json": '"routes"',
    "html.json": "<html><body>502 Bad Gateway</body></html>",
    "own.json": own({"minutes": 6}, {"bridge": "Fremont"}),
    "own-unknown.json": own({"minutes": 6}, {"bridge": "Fremont"}, colour="red"),
    "own-unknown-step.json": own({"minutes": 6, "minuets": 7}, {"bridge": "Fremont"}),
    "own-unknown-top.json": dict(own({"minutes": 6}), route=[]),
    "own-unknown-bridge.json": own({"minutes": 6}, {"bridge": "\x1b[2JGolden Gate"}),
    "own-twice.json": {"routes": own({"minutes": 6})["routes"] * 2},
    "own-none.json": {"routes": []},
    "own-null.json": own({"minutes": None}),
    "own-text.json": own({"minutes": "six"}),
    "own-negative.json": own({"minutes": -6}),
    "own-eternal.json": own({"minutes": 1e308}),
    "own-0.json": own({"minutes": 0}),
    "own-10001.json": {"routes": [dict(own({"minutes": 6})["routes"][0], id=str(n)) for n in range(10_001)]},
    "own-escape.json": own({"minutes": 6}, {"bridge": "Fremont"}, name='=cmd|\x1b[31m"red",\nrow\x07',
                           origin="\x1b]0;title\x07Home", destination="Wo\rrk\x9b2J"),
    "own-bidi.json": own({"minutes": 6}, name="\u202eegdirB\u2066"),
    "own-empty-names.json": own({"minutes": 6}, name="", origin="", destination=""),
    # Live states.
    "live.json": live(RAISED),
    "live-twice.json": live(RAISED, {"bridge": "fremont", "state": "lowered"}),
    "live-later.json": live(dict(RAISED, since="2026-02-20T17:51:00-08:00")),
    "live-unknown.json": live(dict(RAISED, colour="red")),
    "live-unknown-top.json": live(RAISED, opening=[]),
    "live-state.json": live(dict(RAISED, state="\x1b[5mopen")),
    "live-bridge.json": live(dict(RAISED, bridge="Golden\x1b[2J Gate")),
    "live-open-lowered.json": live({"bridge": "Fremont", "state": "lowered"}, openings=[
        {"bridge": "Fremont", "raised": "2026-02-20T17:20:00-08:00"}]),
    "live-backwards.json": live(RAISED, openings=[
        {"bridge": "Ballard", "raised": "2026-02-20T17:20:00-08:00", "lowered": "2026-02-20T17:10:00-08:00"}]),
    "live-old.json": live({"bridge": "Fremont", "state": "raised", "since": "2026-02-20T10:00:00-08:00"},
                          asOf="2026-02-20T10:00:00-08:00"),
    "live-no-time.json": live(RAISED, asOf="soon"),
    "live-city.json": [{"BridgeID": "fremont", "Status": "Ajar"}],
    # Others.
    "network.json": {"nodes": [], "roads": []},
    "traffic.csv": "bridge,time,rho\nFremont,2026-02-20T17:45:00-08:00,NaN\n",
}


def content(name):
    value = CONTENT[name]
    if isinstance(value, bytes):
        return value
    return (value if isinstance(value, str) else json.dumps(value)).encode()


def database(path, *statements):
    """A database made by these statements."""
    connection = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        connection.execute(statement)
    connection.close()


# Another process: in this one, hashing the file would give its locks up.
HOLDER = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
for statement in sys.argv[2:]: connection.execute(statement)
print(flush=True)
sys.stdin.read()
"""


def held(keep, path, *statements):
    """A database that another program has open."""
    holder = subprocess.Popen([sys.executable, "-c", HOLDER, path, *statements], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE)
    holder.stdout.readline()
    keep.append(holder)


NOTES = ["CREATE TABLE note (id INTEGER PRIMARY KEY, words TEXT)", "INSERT INTO note VALUES (1, 'not yours')"]
# Tables named as ours are.
COLLIDING = ["CREATE TABLE opening (chess TEXT)", "CREATE TABLE file (path TEXT)", "INSERT INTO opening VALUES ('e4')"]
OTHER_GRDB = ["CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)",
              "INSERT INTO grdb_migrations VALUES ('v1')", *NOTES]
WAL = "PRAGMA journal_mode = WAL"


def crashed(keep, path, *statements):
    """A database whose log nobody has carried over, as a program that was killed leaves it."""
    held(keep, path, *statements)
    keep[-1].kill()
    keep[-1].wait()
    os.unlink(path + "-shm")


class Trial:
    """The programs, and what rows share."""

    def __init__(self, programs):
        self.programs = programs
        self.lock = threading.Lock()
        self.store_bytes = None

    def environment(self, home):
        kept = {name: value for name, value in os.environ.items()
                if not name.startswith(("XDG_", "BRIDGECAST", "OPENBLAS")) and name != "DYLD_LIBRARY_PATH"}
        return dict(kept, HOME=home, BRIDGECAST_HOME=str(ROOT), OPENBLAS_NUM_THREADS="1", TZ="UTC")

    def store(self):
        """The bytes of a store of ours."""
        with self.lock:
            if self.store_bytes is None:
                with tempfile.TemporaryDirectory() as folder:
                    for name in ("first.csv", "again.csv"):
                        pathlib.Path(folder, name).write_text(SHIPPED_ROWS)
                    subprocess.run([self.programs / "bridgecast", "ingest", folder + "/first.csv", "--store",
                                    folder + "/s.sqlite"], env=self.environment(folder), check=True,
                                   stdout=subprocess.DEVNULL)
                    database(folder + "/s.sqlite", "PRAGMA wal_checkpoint(TRUNCATE)")
                    self.store_bytes = pathlib.Path(folder, "s.sqlite").read_bytes()
        return self.store_bytes


SHIPPED = ROOT / "training-data/openings-2025-2026.csv"
SHIPPED_ROWS = "".join(SHIPPED.read_text().splitlines(keepends=True)[:400])


def ours(trial, path, keep, *statements):
    pathlib.Path(path).write_bytes(trial.store())
    if statements:
        database(path, *statements)


def cut(trial, path, keep, bytes):
    pathlib.Path(path).write_bytes(trial.store()[:bytes])


def damaged(trial, path, keep):
    """The second page, and so a table's root, is somebody's noise."""
    whole = bytearray(trial.store())
    whole[4096:3 * 4096] = bytes(range(256)) * 32
    pathlib.Path(path).write_bytes(whole)


def older(trial, path, keep):
    """A store of before stores carried a mark."""
    names = ["1: files, openings, coverage", "2: synced feeds and live observations"]
    ours(trial, path, keep, "PRAGMA application_id = 0", "PRAGMA user_version = 0",
         "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)",
         *["INSERT INTO grdb_migrations VALUES ('%s')" % name for name in names])


def open_store(trial, path, keep):
    """A store that another program has open, with rows that are in its log only."""
    ours(trial, path, keep)
    held(keep, path, "PRAGMA wal_autocheckpoint = 0",
         "INSERT INTO opening SELECT bridge, start + 1, end + 1, file, number FROM opening LIMIT 1")


def locked_store(trial, path, keep):
    ours(trial, path, keep)
    held(keep, path, "BEGIN EXCLUSIVE")


def linked_programs(trial, path, keep):
    """A program whose partner is a link to itself."""
    os.mkdir(path)
    shutil.copy2(trial.programs / "bridgecast", path + "/bridgecast")
    os.symlink("bridgecast", path + "/bridgecast-server")


def empty_partner(trial, path, keep):
    os.mkdir(path)
    shutil.copy2(trial.programs / "bridgecast", path + "/bridgecast")
    pathlib.Path(path, "bridgecast-server").touch(0o755)


def no_partner(trial, path, keep):
    os.mkdir(path)
    shutil.copy2(trial.programs / "bridgecast", path + "/bridgecast")


def unexecutable_partner(trial, path, keep):
    empty_partner(trial, path, keep)
    os.chmod(path + "/bridgecast-server", 0o644)


# Files by name: functions of the trial, the path, and a list of what stays open.
MAKERS = {
    "folder": lambda trial, path, keep: os.mkdir(path),
    "pipe": lambda trial, path, keep: os.mkfifo(path),
    "rollback": lambda trial, path, keep: database(path, *NOTES),
    "wal": lambda trial, path, keep: database(path, WAL, *NOTES),
    "wal-open": lambda trial, path, keep: held(keep, path, WAL, *NOTES),
    "wal-crashed": lambda trial, path, keep: crashed(keep, path, WAL, *NOTES),
    "colliding": lambda trial, path, keep: database(path, *COLLIDING),
    "colliding-wal": lambda trial, path, keep: database(path, WAL, *COLLIDING),
    "other-id": lambda trial, path, keep: database(path, "PRAGMA application_id = 1234", *NOTES),
    "other-id-wal": lambda trial, path, keep: held(keep, path, WAL, "PRAGMA application_id = 1234", *NOTES),
    "other-version": lambda trial, path, keep: database(path, "PRAGMA user_version = 7"),
    "other-grdb": lambda trial, path, keep: database(path, *OTHER_GRDB),
    "ours": ours,
    "ours-open": open_store,
    "ours-locked": locked_store,
    "ours-open2": open_store,
    "truncated": lambda trial, path, keep: cut(trial, path, keep, len(trial.store()) // 2),
    "first-page": lambda trial, path, keep: cut(trial, path, keep, 4096),
    "header": lambda trial, path, keep: cut(trial, path, keep, 100),
    "few-bytes": lambda trial, path, keep: cut(trial, path, keep, 50),
    "damaged": damaged,
    "newer": lambda trial, path, keep: ours(trial, path, keep, "PRAGMA user_version = 99"),
    "older": older,
    "linked": linked_programs,
    "empty-partner": empty_partner,
    "no-partner": no_partner,
    "unexecutable-partner": unexecutable_partner,
    "cut.bcm": lambda trial, path, keep: pathlib.Path(path).write_bytes(
        (ROOT / "models/bridgecast.int8.bcm").read_bytes()[:100_000]),
}
VALUES = {"long": "x" * 120_000, "escapes": "\x1b[2J\x07\x9b31m", "records": str(SHIPPED)}

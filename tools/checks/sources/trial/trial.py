#!/usr/bin/env python3
"""Hostile inputs, and what bridgecast must say to them: the table is ROWS.

    trial.py --programs FOLDER [--long] [--show] [NAME ...]

A row is a command line, its exit code, and a text that the last line of standard error must hold. Names in braces
are files that are made in a folder of the row's own, by MAKERS or of CONTENT; but for {new...}, which the program
may make if it succeeds. Nothing else in the folder may change, nor anything come: files are compared by SHA-256.
"""
import argparse, concurrent.futures, csv, dataclasses, fnmatch, hashlib, io, json, os, pathlib, re, shlex, shutil
import signal, sqlite3, stat, subprocess, sys, tempfile, threading, time, unicodedata

ROOT = pathlib.Path(__file__).resolve().parents[4]
RECORDS = ROOT / "training-data/openings-2025-2026.csv"
LONGEST_LINE = 2_000
# Ends of the numbers that a store can hold.
EARLIEST, LATEST = -2**63, 2**63 - 1
QUICK_ROUNDS, LONG_ROUNDS = 10, 200
# Words of Swift and its library, which say nothing to a person.
INTERNALS = ["DecodingError", "EncodingError", "NSCocoaErrorDomain", "NSPOSIXErrorDomain", "Dictionary<", "Array<",
             "Swift.", "Fatal error", "Optional(", "unexpected: "]


@dataclasses.dataclass
class Row:
    """What is run, and what must come of it."""
    name: str
    # Without "bridgecast". It may end in `> FILE` or `| head -1`; ` & ` runs several at once, each with a code.
    command: str
    code: object
    said: str = ""
    # Texts of standard output.
    shown: tuple = ()
    # Lines of standard error; by default one if something is said.
    lines: int = None
    # Patterns of other files that may come or change.
    makes: str = ""
    # Functions of the row's place and standard output that tell what is wrong.
    checks: tuple = ()
    # Variables of the environment; None takes one away.
    env: dict = dataclasses.field(default_factory=dict)
    seconds: int = 20
    # With --long only.
    slow: bool = False

    def needs_server(self):
        return re.match("sync|watch|replay .*--bridges-url", self.command)


# --- contents of files

HEADER = "entitytype,entityname,entityid,opendatetime,closedatetime,minutesopen\n"
FIRST = "Bridge,Fremont,3,2026-02-20T17:20:00.000,2026-02-20T17:24:00.000,4\n"
SECOND = "Bridge,Ballard,2,2026-02-20T17:40:00.000,2026-02-20T17:46:00.000,6\n"
GOOD = HEADER + FIRST + SECOND
SHIPPED = RECORDS.read_text().splitlines(keepends=True)[:600]
# Over Fremont Bridge, from shore to shore.
FREMONT = [[-122.3499, 47.6522], [-122.3498, 47.6489], [-122.3497, 47.6464], [-122.342, 47.64], [-122.34, 47.6325]]
# From Everett over Ballard Bridge to Tacoma.
FAR = [[-122.2021, 47.979], [-122.3762, 47.68], [-122.3762, 47.663], [-122.3762, 47.656], [-122.4443, 47.2529]]
RAISED = {"bridge": "Fremont", "state": "raised", "since": "2026-02-20T17:48:00-08:00"}


def feature(points, **properties):
    return {"type": "Feature", "properties": properties, "geometry": {"type": "LineString", "coordinates": points}}


def features(*members):
    return {"type": "FeatureCollection", "features": list(members)}


def route(*steps, **changes):
    return dict({"id": "a", "name": "A", "origin": "Home", "destination": "Work", "mode": "car", "steps": list(steps)},
                **changes)


def own(*steps, **changes):
    return {"routes": [route(*steps, **changes)]}


def osrm(seconds):
    line = {"type": "LineString", "coordinates": FREMONT}
    return {"code": "Ok", "routes": [{"duration": 600, "distance": 2400, "geometry": line,
                                      "legs": [{"summary": "", "annotation": {"duration": seconds}}]}]}


def live(*bridges, **more):
    return dict({"asOf": "2026-02-20T17:50:00-08:00", "bridges": list(bridges)}, **more)


# By name; what is neither text nor bytes is written as JSON.
CONTENT = {
    "empty": "",
    "text": "Dear diary, today the bridge was up.\n" * 20,
    "array.json": [1, "two", None],
    "string.json": '"routes"',
    "deep.json": "[" * 100_000,
    "html": "<html><body>502 Bad Gateway</body></html>",
    # Records.
    "good.csv": GOOD,
    "crlf.csv": GOOD.replace("\n", "\r\n"),
    "cr.csv": GOOD.replace("\n", "\r"),
    "mixed.csv": HEADER.replace("\n", "\r\n") + FIRST.replace("\n", "\r") + SECOND,
    "lone-cr.csv": HEADER + FIRST.replace("Fremont", "Fre\rmont") + SECOND,
    "quoted-cr.csv": HEADER + FIRST.replace("Fremont", '"Fre\rmont"') + SECOND,
    "all-bad.csv": HEADER + FIRST.replace("Fremont,3", "Atlantis,99") + SECOND.replace("2026-02-20", "yesterday"),
    "header.csv": HEADER,
    "1970.csv": HEADER + FIRST.replace("2026-02-20", "1970-01-01") + SECOND,
    "0001.csv": HEADER + FIRST.replace("2026-02-20", "0001-01-01") + SECOND,
    "9999.csv": HEADER + FIRST.replace("2026-02-20", "9999-12-31") + SECOND,
    "escape.csv": HEADER + FIRST.replace(",3,", ",\x1b[2J\x1b]0;gone\x07,") + SECOND,
    "escape-header.csv": "entity\x1b[2Jtype,\x1b[31mentityname\n" + FIRST,
    "nul.csv": HEADER + FIRST.replace("Fremont", "Fre\0mont") + SECOND,
    "utf-16.csv": GOOD.encode("utf-16"),
    "utf-16-be.csv": GOOD.encode("utf-16-be"),
    "latin-1.csv": GOOD.replace("Fremont", "Frémont").encode("latin-1"),
    "quote.csv": HEADER + FIRST + SECOND.replace("Ballard", '"Ballard'),
    "quote-above.csv": HEADER + FIRST.replace("Fremont", '"Fremont') + SECOND,
    "long-line.csv": HEADER + FIRST.replace("Fremont", "F" * 1_000_000) + SECOND,
    "long-header.csv": "x" * 1_000_000 + "\n" + FIRST,
    "object.json": {"error": True, "message": "Query coordinator error"},
    "cut.json": '[{"entityname": "Fremont", "opendatetime": "2026-02-20T17:20:0',
    "coverage.json": {"Fremont": "always"},
    "half-1.csv": "".join(SHIPPED[:301]),
    "half-2.csv": SHIPPED[0] + "".join(SHIPPED[301:]),
    "third-1.csv": "".join(SHIPPED[:201]),
    "third-2.csv": SHIPPED[0] + "".join(SHIPPED[201:401]),
    "third-3.csv": SHIPPED[0] + "".join(SHIPPED[401:]),
    "whole.csv": "".join(SHIPPED),
    # Routes.
    "line.geojson": feature(FREMONT, duration=600, name="Way"),
    "bare.geojson": feature(FREMONT)["geometry"],
    "gap.geojson": {"type": "MultiLineString", "coordinates": [
        [[-122.3499, 47.6522], [-122.3498, 47.6489]], [[-122.3497, 47.6461], [-122.34, 47.6325]]]},
    "far.geojson": feature(FAR, duration=5400),
    "null-beside.geojson": features(
        {"type": "Feature", "properties": {}, "geometry": None}, feature(FREMONT, duration=600, name="Way")),
    "null.geojson": {"type": "Feature", "properties": {}, "geometry": None},
    "10001.geojson": features(*[feature(FREMONT, duration=600)] * 10_001),
    "collection.geojson": {"type": "GeometryCollection", "geometries": [feature(FREMONT)["geometry"]]},
    "none.geojson": features(),
    "elsewhere.geojson": feature([[13.4, 52.5], [13.5, 52.6]]),
    "nan.geojson": '{"type": "LineString", "coordinates": [[-122.35, NaN], [-122.35, 47.64]]}',
    "point.geojson": feature(FREMONT[:1]),
    "still.geojson": feature(FREMONT[:1] * 3),
    "no-time.geojson": feature(FREMONT, duration=0),
    "escape.geojson": feature(FREMONT, duration=600, name="\x1b[2JOver\r\nFremont\x9b31m"),
    "osrm.json": osrm([131, 60, 169, 240]),
    "osrm-endless.json": osrm([1e308, 1e308]),
    "osrm-no.json": {"code": "NoRoute", "message": "Impossible route between points"},
    "osrm-escape.json": {"code": "InvalidUrl", "message": "URL string malformed: \x1b[2J"},
    "mapbox-no.json": {"message": "Not Authorized - Invalid Token", "error_code": "INVALID_TOKEN"},
    "valhalla-no.json": {"error_code": 442, "error": "No path could be found for input", "status_code": 400,
                         "status": "Bad Request"},
    "graphhopper-no.json": {"message": "Point 0 is out of bounds", "hints": [
        {"message": "Point 0 is out of bounds", "details": "PointOutOfBoundsException"}]},
    "graphhopper-none.json": {"hints": {}, "info": {}, "paths": []},
    "otp-no.json": {"plan": {"itineraries": []}, "error": {"id": 404, "msg": "No trip found"}},
    "otp-graphql-no.json": {"errors": [{"message": "Field 'x' is undefined"}], "data": None},
    "ors-no.json": {"error": {"code": 2010, "message": "Could not find routable point"}},
    "google.json": {"status": "ZERO_RESULTS", "routes": [], "geocoded_waypoints": []},
    "own.json": own({"minutes": 6}, {"bridge": "Fremont"}),
    "own-field.json": own({"minutes": 6}, colour="red"),
    "own-step-field.json": own({"minutes": 6, "minuets": 7}),
    "own-top-field.json": dict(own({"minutes": 6}), route=[]),
    "own-bridge.json": own({"bridge": "\x1b[2JGolden Gate"}),
    "own-twice.json": {"routes": [route({"minutes": 6})] * 2},
    "own-none.json": {"routes": []},
    "own-null.json": own({"minutes": None}),
    "own-text.json": own({"minutes": "six"}),
    "own-negative.json": own({"minutes": -6}),
    "own-endless.json": own({"minutes": 1e308}),
    "own-0.json": own({"minutes": 0}),
    "own-10001.json": {"routes": [route({"minutes": 6}, id=str(number)) for number in range(10_001)]},
    "own-escape.json": own({"minutes": 6}, {"bridge": "Fremont"}, name='\x1b[31m"red",\nrow\x07',
                           origin="\x1b]0;title\x07Home", destination="Wo\rrk\x9b2J"),
    # Live states.
    "live.json": live(RAISED),
    "live-twice.json": live(RAISED, dict(RAISED, state="lowered", bridge="fremont")),
    "live-later.json": live(dict(RAISED, since="2026-02-20T17:51:00-08:00")),
    "live-field.json": live(dict(RAISED, colour="red")),
    "live-top-field.json": live(RAISED, opening=[]),
    "live-state.json": live(dict(RAISED, state="\x1b[5mopen")),
    "live-bridge.json": live(dict(RAISED, bridge="Golden\x1b[2J Gate")),
    "live-lowered.json": live(dict(RAISED, state="lowered"), openings=[
        {"bridge": "Fremont", "raised": "2026-02-20T17:20:00-08:00"}]),
    "live-backwards.json": live(RAISED, openings=[
        {"bridge": "Ballard", "raised": "2026-02-20T17:20:00-08:00", "lowered": "2026-02-20T17:10:00-08:00"}]),
    "live-old.json": live(asOf="2026-02-20T10:00:00-08:00"),
    "live-soon.json": live(RAISED, asOf="soon"),
    "live-city.json": [{"BridgeID": 3, "Status": "Ajar\x1b[2J"}],
    "live-city-twice.json": [{"BridgeID": 3, "Status": "Open"}, {"BridgeID": 3, "Status": "Closed"}],
    # Others.
    "network.json": {"nodes": []},
    "traffic.csv": "bridge,time,rho\nFremont,2026-02-20T17:45:00-08:00,NaN\n",
}
VALUES = {"long": "x" * 120_000, "escape": "\x1b[2J\x07\x9b31m", "records": str(RECORDS)}


# --- databases and programs

WAL = "PRAGMA journal_mode = WAL"
NOTES = ["CREATE TABLE note (words TEXT)", "INSERT INTO note VALUES ('not yours')"]
# Named as ours are.
COLLIDING = ["CREATE TABLE opening (chess TEXT)", "CREATE TABLE file (path TEXT)", "INSERT INTO opening VALUES ('e4')"]
# Of another program that uses the same library.
GRDB = ["CREATE TABLE grdb_migrations (identifier TEXT PRIMARY KEY)", "INSERT INTO grdb_migrations VALUES ('v1')"]
# In another process: hashing the file in this one would give up its locks.
HOLDER = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
for statement in sys.argv[2:]: connection.execute(statement)
print(flush=True)
sys.stdin.read()
"""


def database(place, path, *statements):
    connection = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        connection.execute(statement)
    connection.close()


def held(place, path, *statements):
    """A database that another program has open."""
    holder = subprocess.Popen([sys.executable, "-c", HOLDER, path, *statements], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE)
    place.holders.append(holder)
    holder.stdout.readline()


def killed(place, path, *statements):
    """A database of another program that was killed: what it wrote stands in the log."""
    held(place, path, *statements)
    place.holders[-1].kill()
    place.holders[-1].wait()
    os.unlink(path + "-shm")


def ours(place, path, *statements):
    """A store of ours."""
    pathlib.Path(path).write_bytes(place.trial.store)
    if statements:
        database(place, path, *statements)


def cut(place, path, share):
    pathlib.Path(path).write_bytes(place.trial.store[:int(share * len(place.trial.store))])


def noisy(place, path):
    """A store of which only the first page is left as it was."""
    rest = len(place.trial.store) - 4096
    pathlib.Path(path).write_bytes(place.trial.store[:4096] + bytes(range(1, 251)) * (rest // 250 + 1))


def unmarked(place, path):
    """A store of the time before stores were marked."""
    steps = ["1: files, openings, coverage", "2: synced feeds and live observations"]
    ours(place, path, "PRAGMA application_id = 0", "PRAGMA user_version = 0",
         "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)",
         *["INSERT INTO grdb_migrations VALUES ('%s')" % step for step in steps])


def held_store(place, path):
    """A store that another program has open, with an opening that stands in its log only."""
    ours(place, path)
    held(place, path, "INSERT INTO opening SELECT bridge, start + 1, end + 1, file, number FROM opening LIMIT 1")


def programs(place, path, partner=None):
    """A folder with bridgecast, and something in the place of bridgecast-server."""
    os.mkdir(path)
    shutil.copy2(place.trial.programs / "bridgecast", path)
    if partner:
        partner(path + "/bridgecast-server")


MAKERS = {
    "folder": lambda place, path: os.mkdir(path),
    "pipe": lambda place, path: os.mkfifo(path),
    "link-to-rollback": lambda place, path: os.symlink(place.value("rollback"), path),
    "link-to-ours": lambda place, path: os.symlink(place.value("ours"), path),
    # Databases of other programs.
    "rollback": lambda place, path: database(place, path, *NOTES),
    "wal": lambda place, path: database(place, path, WAL, *NOTES),
    "wal-killed": lambda place, path: killed(place, path, WAL, *NOTES),
    "wal-open": lambda place, path: held(place, path, WAL, *NOTES),
    "colliding": lambda place, path: database(place, path, *COLLIDING),
    "colliding-wal": lambda place, path: database(place, path, WAL, *COLLIDING),
    "other-id": lambda place, path: database(place, path, "PRAGMA application_id = 1234", *COLLIDING),
    "other-id-open": lambda place, path: held(place, path, WAL, "PRAGMA application_id = 1234", *COLLIDING),
    "other-version": lambda place, path: database(place, path, "PRAGMA user_version = 7"),
    "other-grdb": lambda place, path: database(place, path, *GRDB),
    # Stores of ours.
    "ours": ours,
    "ours-open": held_store,
    "ours-locked": lambda place, path: (ours(place, path), held(place, path, "BEGIN EXCLUSIVE")),
    "half": lambda place, path: cut(place, path, 0.5),
    "first-page": lambda place, path: pathlib.Path(path).write_bytes(place.trial.store[:4096]),
    "first-100": lambda place, path: pathlib.Path(path).write_bytes(place.trial.store[:100]),
    "first-50": lambda place, path: pathlib.Path(path).write_bytes(place.trial.store[:50]),
    "noisy": noisy,
    "newer": lambda place, path: ours(place, path, "PRAGMA user_version = 99"),
    "unmarked": unmarked,
    **{name: lambda place, path, sql=sql: ours(place, path, sql) for name, sql in [
        ("opening-at-the-end", "INSERT INTO opening SELECT 3, %d, NULL, sha256, 1 FROM file LIMIT 1" % LATEST),
        ("opening-for-ever", "INSERT INTO opening SELECT 3, %d, %d, sha256, 1 FROM file LIMIT 1" % (EARLIEST, LATEST)),
        ("coverage-for-ever", "INSERT INTO coverage SELECT 3, %d, %d, sha256 FROM file LIMIT 1" % (EARLIEST, LATEST)),
        ("coverage-at-the-end", "INSERT INTO coverage SELECT 3, %d, %d, sha256 FROM file LIMIT 1" % (LATEST - 1, LATEST)),
        ("synced-long-ago", "INSERT INTO feed VALUES ('x', 'y', 1, '', '', %d)" % EARLIEST),
        ("no-openings", "DROP TABLE opening")]},
    # Programs and models.
    "linked": lambda place, path: programs(place, path, lambda partner: os.symlink("bridgecast", partner)),
    "locked-up": lambda place, path: programs(place, path, lambda partner: pathlib.Path(partner).touch(0o644)),
    "hollow": lambda place, path: programs(place, path, lambda partner: pathlib.Path(partner).touch(0o755)),
    # A shell would run it.
    "wordy": lambda place, path: programs(place, path, lambda partner: (
        pathlib.Path(partner).write_text("echo oh\n"), os.chmod(partner, 0o755))),
    "alone": programs,
    "cut.bcm": lambda place, path: pathlib.Path(path).write_bytes(
        (ROOT / "models/bridgecast.int8.bcm").read_bytes()[:100_000]),
}


# --- what a row may ask besides

def openings(path):
    connection = sqlite3.connect(path)
    try:
        problems = [row for row in connection.execute("PRAGMA integrity_check") if row != ("ok",)]
        return problems, sorted(connection.execute("SELECT bridge, start, end FROM opening"))
    finally:
        connection.close()


def holds_all(place, output):
    """Several programs have filled new.store with what one puts into a store of its own."""
    problems, found = openings(place.value("new.store"))
    expected = openings(place.value("ours"))[1]
    if problems or found != expected:
        return "new.store has %d openings instead of %d %s" % (len(found), len(expected), problems)


def copy_is_sound(place, output):
    return "; ".join(map(str, openings(place.value("new.copy"))[0]))


def copy_holds_the_log(place, output):
    """new.copy holds what ours-open held, the log included."""
    problems, found = openings(place.value("new.copy"))
    expected = openings(place.value("ours-open"))[1]
    if problems or found != expected or len(found) != len(openings(place.value("ours"))[1]) + 1:
        return "new.copy has %d openings instead of %d %s" % (len(found), len(expected), problems)


def is_json(place, output):
    try:
        json.loads(output, parse_constant=lambda name: int(name))
    except ValueError as error:
        return "it shows no JSON: %s" % error


def is_csv(place, output):
    widths = {len(fields) for fields in csv.reader(io.StringIO(output))}
    if len(widths) != 1:
        return "its rows have %s fields" % sorted(widths)


# --- the table

AT = "--at 2026-02-20T17:50"
PREDICT = "predict %s --only ballard-downtown" % AT
ROUTES = "predict %s --routes" % AT
LIVE = PREDICT + " --live"
REPLAY = "replay --speed max --format lines --from 2026-02-20T17:50 --to 2026-02-20T18:00"
NOBODY = "http://127.0.0.1:9"
# What SQLite leaves beside a store of ours that was only read.
LOG = "*-wal *-shm"
FULL = "No space left on device"
FOREIGN = "not a history store of bridgecast, and left as it is; choose another file"

# What lies in a store's place, and what every command says to it.
PLACES = [
    ("folder", 74, "is a folder, not a file"), ("pipe", 74, "is a pipe, not a file"),
    ("text", 65, FOREIGN), ("rollback", 65, FOREIGN), ("link-to-rollback", 65, FOREIGN), ("wal", 65, FOREIGN),
    ("wal-killed", 65, FOREIGN), ("wal-open", 65, FOREIGN), ("colliding", 65, FOREIGN), ("colliding-wal", 65, FOREIGN),
        ("other-id", 65, FOREIGN),
    ("other-id-open", 65, FOREIGN), ("other-version", 65, FOREIGN), ("other-grdb", 65, FOREIGN),
    ("newer", 65, "a store of a newer version of bridgecast"),
    ("half", 65, "the store is damaged"), ("first-page", 65, "the store is damaged"),
    ("first-100", 65, "the store is damaged"), ("first-50", 65, FOREIGN), ("noisy", 65, "the store is damaged"),
]
USERS = ["ingest {good.csv}", "history export", "history backup {new.copy}",
         "history prune --before 2026-01-01 --of all", PREDICT, "bridge Fremont " + AT, REPLAY]
# What prints: onto a full disk, and to a reader who goes.
PRINTS = [PREDICT, PREDICT + " --format json", PREDICT + " --format csv",
          "predict %s --from Ballard --to Downtown" % AT,
          "doctor --store {new.store}", "inspect", "inspect --format json", "bridge Fremont " + AT,
          "depart --from Ballard --to Downtown " + AT, REPLAY, "--help", "help predict", "--version",
          "evaluate --routes --from 2026-02-20T17:00 --to 2026-02-20T17:30"]
PRINTS_A_STORE = ["history export --store {ours}", "history export --format json --store {ours}",
                  "doctor --store {ours}"]


def stored(new, *more):
    return ("%d  new openings" % new, *more)


def beside(place):
    """What may come beside what is refused: a store of ours, of whatever use, is read as one."""
    return LOG if place in ("newer", "half", "first-page", "first-100", "noisy") else ""


ROWS = [
    # What waits comes first, so that the rest goes on beside it.
    Row("a store that another program writes for long", "ingest {good.csv} --store {ours-locked}", 74,
        "another process is writing to the store; try again"),
    Row("a model from a pipe that nobody writes", "inspect {pipe}", 74, "that nobody", seconds=15),
    Row("a forecast with such a model", PREDICT + " --model {pipe}", 74, "that nobody", seconds=15,
        slow=True),
    Row("a day's evaluation onto a full disk", "evaluate --from 2026-02-20 --to 2026-02-20 > /dev/full", 74, FULL,
        seconds=120, slow=True),

    # Usage.
    Row("a mistyped command", "predcit", 64, "There is no command 'predcit'; is it predict?"),
    Row("a mistyped command with words", "histroy export", 64, "is it history?"),
    Row("help for a mistyped command", "help evalute", 64, "is it evaluate?"),
    Row("a mistyped command of history", "history exprot", 64, "Unexpected argument 'exprot'"),
    Row("a mistyped option", PREDICT + " --form Ballard", 64, "Unknown option '--form'. Did you mean '--from'?"),
    Row("a mistyped place", "predict --from Balard --to Downtown " + AT, 64, "did you mean Ballard?"),
    Row("half a trip", "predict --from Ballard " + AT, 64, "--from and --to belong together"),
    Row("no trip", "predict --from Ballard --to Ballard " + AT, 64, "are the same place"),
    Row("no place at all", "predict --from '' --to Downtown " + AT, 64, "unknown place ''"),
    Row("a place that is no number", "predict --from nan,nan --to Downtown " + AT, 64, "unknown place 'nan,nan'"),
    Row("a place at the end of the world", "predict --from 90,180 --to Downtown " + AT, 64, "from the nearest road"),
    Row("no bridge of that name", "bridge Atlantis " + AT, 64, "unknown bridge 'Atlantis'; there are Ballard"),
    Row("no bridge named", "bridge", 64, "Missing expected argument '<name>'"),
    Row("no hours", "bridge Fremont --hours 0 " + AT, 64, "--hours 0 does not lie between 1 and 24"),
    Row("too many hours", "bridge Fremont --hours 99999999999999999999 " + AT, 64, "is invalid for '--hours"),
    Row("a vessel of no height", "bridge Fremont --vessel-height nan " + AT, 64, "'nan' is no height"),
    Row("the year 1", "predict --at 0001-01-01T00:00", 64, "lies before 2001"),
    Row("a bridge in the year 1", "bridge Fremont --at 0001-01-01T00:00", 64, "lies before 2001"),
    Row("leaving in the year 1", "depart --from Ballard --to Downtown --at 0001-01-01T00:00", 64, "lies before 2001"),
    Row("the year 9999", "predict --at 9999-12-31T23:59", 64, "more than 366 days ahead"),
    Row("30 February", "predict --at 2026-02-30", 64, "'2026-02-30' is not a time"),
    Row("arriving before leaving", "depart --from Ballard --to Downtown --arrive-by 0001-01-01T00:00 " + AT, 64,
        "cannot be met"),
    Row("certainty", "depart --from Ballard --to Downtown --confidence 1 " + AT, 64, "does not lie between 0 and 1"),
    Row("traffic that is no number", PREDICT + " --traffic nan", 64, "--traffic nan: write a degree of saturation"),
    Row("traffic without end", PREDICT + " --traffic Fremont=1e999s/1s", 64, "--traffic Fremont=1e999s/1s: write"),
    Row("weights that are no numbers", PREDICT + " --weights expected=nan", 64, "is not a number from 0"),
    Row("weights without end", PREDICT + " --weights expected=1e308 --format json", 64, "is not a number from 0"),
    Row("no weights", PREDICT + " --weights ''", 64, "all weights are 0"),
    Row("routes that nobody has", "predict %s --only nowhere" % AT, 64, "has 'nowhere'"),
    Row("a format that is none", "history export --format xml --store {ours}", 64, "The value 'xml' is invalid"),
    Row("a gap that is no number", "ingest {good.csv} --merge-gap nan --store {new.store}", 64,
        "--merge-gap must lie between 0 and 60 minutes"),
    Row("an evaluation backwards", "evaluate --from 2026-02-21 --to 2026-02-20", 64, "--to lies before --from"),
    Row("an evaluation of no bridge", "evaluate --leave-out Atlantis", 64, "unknown bridge 'Atlantis'"),
    Row("a margin that is no number", "evaluate --routes --margin nan", 64, "--margin nan does not lie between"),
    Row("parts of nothing", "bench --parts nonsense", 64, "'nonsense' is none of network, pipeline, load"),
    Row("batches of nothing", "bench --batches 0", 64, "'0' is not a number from 1 to"),
    Row("no seconds", "watch --seconds 0", 64, "must be above zero"),
    Row("keeping and not keeping", "watch --store {new.store} --no-store", 64, "contradict each other"),
    Row("a level of no log", REPLAY + " --log-level loud", 64, "--log-level: 'loud' is no level"),
    Row("kernels of another age", "inspect", 64, "BRIDGECAST_ISA=\ufffd[2J is unknown",
        env={"BRIDGECAST_ISA": "\x1b[2J"}),
    # What was typed is cut where it is shown, and the line is not endless.
    *[Row("120,000 letters: " + command, command, 64, said) for command, said in [
        ("{long}", "There is no command 'xxx"), ("help {long}", "There is no command 'xxx"),
        ("bridge {long} " + AT, "'; there are Ballard"),
        ("predict --from {long} --to Downtown " + AT, "; give a neighbourhood"),
        ("watch --bridges-url {long}", "is no address of a feed"), ("predict --at {long}", "error: "),
        (PREDICT + " --weights {long}", "error: "), (PREDICT + " --traffic {long}", "error: "),
        ("predict {long}", "Error: Unexpected argument 'xxx"), ("predict --{long}", "Error: Unknown option '--xxx"),
        ("predict --format {long}", "Error: The value 'xxx"), ("replay --speed {long}", "error: "),
        ("sync --dataset {long}", "error: ")]],
    *[Row("120,000 letters and why: " + command, command, 64, said) for command, said in [
        ("predict --at {long}", "is not a time"), (PREDICT + " --weights {long}", "with a weight, such as"),
        ("replay --speed {long}", "is no number above zero"), ("sync --dataset {long}", "is no data set id"),
        ("history prune --before {long} --store {ours}", "is not a time")]],
    Row("120,000 letters for a model", "inspect {long}", 66, "error: "),
    *[Row("escapes: " + command, command, 64, said) for command, said in [
        ("{escape}", "There is no command '\ufffd[2J"), ("predict --{escape}", "Unknown option '--\ufffd[2J"),
        ("predict --at {escape}", "is not a time"), ("predict --format {escape}", "The value '\ufffd[2J"),
        ("bridge {escape} " + AT, "unknown bridge '\ufffd[2J"),
        ("watch --bridges-url {escape}", "no address of a feed"),
        (PREDICT + " --traffic {escape}", "--traffic \ufffd[2J"), (PREDICT + " --weights {escape}", "'\ufffd[2J")]],
    Row("escapes: a store's name", "history export --store {escape}", 66, "\ufffd[2J"),

    # The system's reasons, not the library's.
    *[Row("a file for a folder: " + command, command, 74, "Not a directory") for command in [
        "ingest {text}/x.csv --store {new.s}", ROUTES + " {text}/x", LIVE + " {text}/x", "evaluate --report {text}/x",
        "features export {text}/x", PREDICT + " --traffic-file {text}/x", "ingest {good.csv} --store {text}/x",
        "ingest {good.csv} --coverage {text}/x --store {new.s}", REPLAY + " --metrics-file {text}/x",
        PREDICT + " --store {text}/x"]],
    Row("an export backwards", "history export --store {ours} --from 2026-01-01 --to 2025-01-01", 64,
        "--to lies before --from", makes=LOG),
    Row("a name of nothing", "history export --store {ours} -o ''", 64, "an empty name", makes=LOG),

    # Places for the store.
    Row("a forecast without HOME", PREDICT, 0, shown=("Ballard Bridge",), env={"HOME": None}),
    *[Row("no HOME: " + command, command, 64, "name one with --store", env={"HOME": None})
      for command in ["ingest {good.csv}", "doctor", "history export", "sync --host " + NOBODY]],
    Row("a HOME that is a device", "ingest {good.csv}", 74, "cannot be read (Not a directory)",
        env={"HOME": "/dev/null"}),
    Row("a HOME that nobody may write", "ingest {good.csv}", 74, "its folder cannot be made", env={"HOME": "/proc"}),
    Row("a forecast with such a HOME", PREDICT, 0, shown=("Ballard Bridge",), env={"HOME": "/proc"}),
    Row("a usual HOME", "ingest {good.csv}", 0, shown=stored(2), makes="home/.local*"),
    Row("a relative place for data", "ingest {good.csv}", 0, makes="home/.local*", env={"XDG_DATA_HOME": "here"}),

    # Stores that are none, or not of use.
    *[Row("%s: %s" % (place, user), "%s --store {%s}" % (user, place), code, said, makes=beside(place))
      for place, code, said in PLACES for user in USERS],
    *[Row("%s: doctor" % place, "doctor --store {%s}" % place, 65, shown=("ERROR     file: ", said),
          makes=beside(place))
      for place, code, said in PLACES],
    *[Row("a backup onto %s" % place, "history backup --store {ours} {%s}" % place, code, said, makes=LOG)
      for place, code, said in PLACES if "damaged" not in said],
    Row("rollback: sync", "sync --host %s --store {rollback}" % NOBODY, 65, FOREIGN),
    Row("rollback: watch", "watch --bridges-url %s --seconds 1 --store {rollback}" % NOBODY, 65, FOREIGN),
    Row("rollback: replay's records", REPLAY + " --records {rollback}", 65, FOREIGN),
    Row("no store: export", "history export --store {new.store}", 66, "there is no such store"),
    Row("no store: forecast", PREDICT + " --store {new.store}", 66, "there is no such store"),
    Row("no store: doctor", "doctor --store {new.store}", 0, shown=("there is no store at",)),
    Row("nothing in it: export", "history export --store {empty}", 65, "nothing is in it yet"),
    Row("nothing in it: ingest", "ingest {good.csv} --store {empty}", 0, shown=stored(2), makes="empty*"),
    Row("an unmarked store: export", "history export --store {unmarked}", 0, shown=("Fremont",), makes=LOG),
    Row("an unmarked store: ingest", "ingest {good.csv} --store {unmarked}", 0, shown=stored(2), makes="unmarked*"),
    Row("a backup of a store in use", "history backup --store {ours-open} {new.copy}", 0, shown=("copied to",),
        makes="*-shm", checks=(copy_holds_the_log,)),
    Row("a backup onto a backup", "history backup --store {ours} {unmarked}", 0, shown=("copied to",),
        makes="unmarked* " + LOG),
    Row("a backup onto an empty file", "history backup --store {ours} {empty}", 0, shown=("copied to",),
        makes="empty* " + LOG),
    Row("a backup onto a damaged one", "history backup --store {ours} {half}", 0, shown=("copied to",),
        makes="half* " + LOG),
    *[Row("a store of nothing: " + command, command, 65, "nothing is in it yet") for command in [
        "history backup --store {empty} {ours}", "history backup --store {empty} {new.copy}",
        "history prune --store {empty} --before 2026-01-01", "history export --store {empty}"]],
    Row("a backup onto the store itself", "history backup --store {ours} {ours}", 64, "is the store itself",
        makes=LOG),
    Row("a backup onto it by another name", "history backup --store {ours} {link-to-ours}", 64,
        "is the store itself", makes=LOG),
    Row("a backup into no folder", "history backup --store {ours} {new.folder}/copy", 74, "cannot be written",
        makes=LOG),
    Row("a backup into a device", "history backup --store {ours} /dev/full", 74, "is a device or socket, not a file",
        makes=LOG),
    # Nothing that is written takes a store's place.
    *[Row("over a store: " + command, command, 64, "is a database or belongs to one", makes=LOG) for command in [
        "history export --store {ours} -o {ours}", "history export --store {ours} -o {link-to-ours}",
        "history export --store {ours} -o {ours}-wal", "history export --store {ours} -o {ours}-journal",
        REPLAY + " --store {ours} --metrics-file {ours}", REPLAY + " --metrics-file {ours}",
        REPLAY + " --log-level debug --log-file {ours}"]],
    *[Row("%s: %s" % (place, command), "%s --store {%s}" % (command, place), 65, "the store is damaged", makes=LOG)
      for place in ["opening-at-the-end", "opening-for-ever", "coverage-for-ever", "coverage-at-the-end"]
      for command in ["history export", PREDICT, "bridge Fremont " + AT]],
    *[Row("damaged: doctor, " + place, "doctor --store {%s}" % place, 65, shown=("ERROR",), makes=LOG)
      for place in ["opening-at-the-end", "coverage-for-ever", "synced-long-ago", "no-openings"]],
    Row("a store without a table", "history export --store {no-openings}", 65, "the store is damaged", makes=LOG),
    Row("a sound copy of no table", "history backup --store {no-openings} {new.copy}", 65, "no table opening",
        makes=LOG),
    Row("pruning before the year 1", "history prune --store {ours} --before 0001-01-01 --of all", 0,
        shown=("0 recorded",)),

    # Several programs at once.
    Row("two at once", "ingest {half-1.csv} --store {new.store} & ingest {half-2.csv} --store {new.store}", (0, 0),
        checks=(holds_all,)),
    Row("two at once with the same", "ingest {whole.csv} --store {new.store} & ingest {whole.csv} --store {new.store}",
        (0, 0), checks=(holds_all,)),
    Row("three at once", "ingest {third-1.csv} --store {new.store} & ingest {third-2.csv} --store {new.store} & "
        "ingest {third-3.csv} --store {new.store}", (0, 0, 0), checks=(holds_all,)),
    # Who comes too early to read says so.
    Row("one writes, one reads", "ingest {whole.csv} --store {new.store} & %s --store {new.store}" % PREDICT,
        (0, {0, 65, 66}), checks=(holds_all,)),
    Row("two write, one looks", "ingest {half-1.csv} --store {new.store} & ingest {half-2.csv} --store {new.store} & "
        "doctor --store {new.store}", (0, 0, {0, 65}), checks=(holds_all,)),
    Row("one writes, one copies", "ingest {good.csv} --store {ours} & history backup --store {ours} {new.copy}", (0, 0),
        makes="ours*", checks=(copy_is_sound,)),

    # Full disks and readers who go.
    *[Row("a full disk: " + command, command + " > /dev/full", 74, "standard output cannot be written: " + FULL)
      for command in PRINTS],
    *[Row("a full disk: " + command, command + " > /dev/full", 74, "standard output cannot be written: " + FULL,
          makes=LOG)
      for command in PRINTS_A_STORE],
    Row("a full disk: ingest", "ingest {good.csv} --store {new.store} > /dev/full", 74, "standard output cannot be",
        makes="new*"),
    Row("a full disk: bench", "bench --parts load > /dev/full", 74, "standard output cannot be written: " + FULL,
        lines=2),
    *[Row("a reader who goes: " + command, command + " | head -1", 0) for command in PRINTS],
    *[Row("a reader who goes: " + command, command + " | head -1", 0, makes=LOG) for command in PRINTS_A_STORE],
    Row("a reader who goes: watch",
        "watch --no-store --seconds 6 --log-file {new.log} --bridges-url %s | head -1" % NOBODY, 0),
    Row("an export into a folder", "history export --store {ours} -o {folder}", 74, "is a folder; name a file in it",
        makes=LOG),
    Row("an export onto a full disk", "history export --store {ours} -o /dev/full", 74,
        "/dev/full: cannot be written: " + FULL, makes=LOG),
    Row("an export into no folder", "history export --store {ours} -o {new.folder}/x.csv", 74,
        "No such file or directory", makes=LOG),
    Row("an export into a file's folder", "history export --store {ours} -o {text}/x.csv", 74, "Not a directory",
        makes=LOG),
    Row("an export over a file", "history export --store {ours} -o {text}", 0, "openings written to",
        makes=LOG + " text"),
    Row("metrics into no folder", REPLAY + " --metrics-file {new.folder}/m", 74,
        "cannot be written: No such file or directory"),
    Row("metrics into a folder", REPLAY + " --metrics-file {folder}", 74, "is a folder; name a file in it"),
    Row("metrics onto a full disk", REPLAY + " --metrics-file /dev/full", 74, "/dev/full: cannot be written: " + FULL,
        shown=("watching",)),
    Row("a log into no folder", REPLAY + " --log-file {new.folder}/l", 74,
        "cannot be written: No such file or directory"),
    Row("a log onto a full disk", REPLAY + " --log-level debug --log-file /dev/full", 0, "log lines are lost: " + FULL,
        shown=("watching",)),

    # Records.
    *[Row("records: " + name, "ingest {%s} --store {new.store}" % name, 0, shown=shown) for name, shown in [
        ("good.csv", stored(2, "2  rows read in all")), ("crlf.csv", stored(2, "2  rows read in all")),
        ("cr.csv", stored(2, "2  rows read in all")), ("mixed.csv", stored(2, "2  rows read in all")),
        ("quoted-cr.csv", stored(2, "2  rows read in all")),
        ("lone-cr.csv", stored(1, "2  rejected: wrong number of fields", "3  rows read in all")),
        ("1970.csv", stored(1, "too_early: line 2, opendatetime: '1970-01-01T17:20:00.000'")),
        ("0001.csv", stored(1, "too_early: line 2, opendatetime: '0001-01-01T17:20:00.000'")),
        ("9999.csv", stored(1, "1  rejected: in the future")),
        ("escape.csv", stored(1, "1  rejected: unknown bridge", "entityid: '\ufffd[2J\ufffd]0;gone\ufffd'")),
        ("quote.csv", stored(1, "1  rejected: broken quoting", "bad_quoting: line 3")),
        ("quote-above.csv", stored(1, "1  rejected: broken quoting", "bad_quoting: line 2")),
        ("long-line.csv", stored(1, "1  rejected: unknown bridge", "entityname: 'FFF"))]],
    *[Row("records: " + name, "ingest {%s} --store {new.store}" % name, 65, said) for name, said in [
        ("empty", "the file is empty"), ("header.csv", "the file holds no records"),
        ("text", "not SDOT opening records: no column opendatetime, closedatetime"),
        ("escape-header.csv", "(found: entity\ufffd[2Jtype, \ufffd[31mentityname)"),
        ("all-bad.csv", "none of its 2 rows is usable; nothing was stored"),
        ("array.json", "none of its 3 rows is usable; nothing was stored"),
        ("nul.csv", "not a text file: a zero byte at offset 80"), ("utf-16.csv", "the file is UTF-16; convert it"),
        ("utf-16-be.csv", "not a text file: a zero byte at offset 0"),
        ("latin-1.csv", "the text is not UTF-8; convert it"),
        ("long-header.csv", "not SDOT opening records"), ("object.json", "a JSON object, not an array of records"),
        ("cut.json", "not valid JSON, or cut short"), ("deep.json", "not valid JSON, or cut short"),
        ("ours", "not a text file")]],
    Row("records: none", "ingest {new.csv} --store {new.store}", 66, "there is no such file"),
    Row("records: folder", "ingest {folder} --store {new.store}", 74, "is a folder, not a file"),
    Row("records: without end", "ingest /dev/zero --store {new.store}", 65, "not a text file: a zero byte at offset 0"),
    Row("records: good and bad", "ingest {good.csv} {all-bad.csv} --store {new.store}", 65, lines=2, makes="new.store",
        said="1 of 2 files stored, nothing of the others",
        shown=stored(2, "unknown_bridge: line 2")),
    Row("records: the first refusal's code", "ingest {good.csv} {new.csv} {text} --store {new.store}", 66,
        "1 of 3 files stored", lines=3, makes="new.store"),
    Row("records: twice", "ingest {good.csv} {good.csv} --store {new.store}", 0,
        shown=stored(2, "2  in the store already")),
    Row("records: all bad, as JSON", "ingest {all-bad.csv} --format json --store {new.store}", 65,
        "none of its 2 rows is usable", checks=(is_json,)),
    Row("records: coverage that is none", "ingest {good.csv} --coverage {coverage.json} --store {new.store}", 65,
        "not a coverage file"),
    Row("records: to be learned, all bad", "train --records {all-bad.csv} --output {new.model}", 65,
        "covered records are needed", lines=3),

    # Candidates.
    *[Row("routes: " + name, "%s {%s}" % (ROUTES, name), 0, said, shown) for name, said, shown in [
        ("line.geojson", "", ("Way, Fremont Bridge", "Fremont 17:5")),
        ("bare.geojson", "no duration; taken at 30 km/h", ("Fremont Bridge",)),
        ("far.geojson", "", ("Ballard Bridge", "Ballard 18:")),
        ("null-beside.geojson", "features[0]: geometry: is missing: set aside", ("Way, Fremont Bridge",)),
        ("escape.geojson", "", ("\ufffd[2JOver\ufffd\ufffdFremont\ufffd31m, Fremont Bridge",)),
        ("osrm.json", "", ("Fremont Bridge",)),
        ("osrm-endless.json", "annotations hold what is no duration", ("Fremont Bridge",)),
        ("own.json", "", ("Home -> Work", "Fremont 17:5")),
        ("own-0.json", "", ("A          0:00  0:00",)),
        ("own-escape.json", "", ("\ufffd]0;title\ufffdHome -> Wo\ufffdrk\ufffd2J",))]],
    *[Row("routes: " + name, "%s {%s}" % (ROUTES, name), 65, said) for name, said in [
        ("gap.geojson", "coordinates[1]: begins 311 m from where the part before it ends; parts must touch"),
        ("null.geojson", "geometry: is missing"), ("none.geojson", "holds no route"),
        ("10001.geojson", "features[10000]: more than 10000 routes at once; split the file"),
        ("collection.geojson", "looks like a GeoJSON GeometryCollection, which"),
        ("elsewhere.geojson", "not come near Seattle"), ("nan.geojson", "not valid JSON"),
        ("point.geojson", "has no length"), ("still.geojson", "has no length"),
        ("no-time.geojson", "0.0 is no duration"),
        ("osrm-no.json", "the route service answered: NoRoute: Impossible route between points"),
        ("osrm-escape.json", "the route service answered: InvalidUrl: URL string malformed: \ufffd[2J"),
        ("mapbox-no.json", "the route service answered: Not Authorized - Invalid Token"),
        ("valhalla-no.json", "the route service answered: No path could be found for input"),
        ("graphhopper-no.json", "the route service answered: Point 0 is out of bounds"),
        ("graphhopper-none.json", "holds no route"), ("otp-no.json", "the route service answered: No trip found"),
        ("otp-graphql-no.json", "the route service answered: Field 'x' is undefined"),
        ("ors-no.json", "the route service answered: Could not find routable point"),
        ("google.json", "the route service answered: ZERO_RESULTS"), ("array.json", "is a JSON array, not an object"),
        ("string.json", "is a bare JSON value"), ("html", "not valid JSON"), ("deep.json", "not valid JSON"),
        ("live.json", "holds no \"routes\""), ("empty", "the file is empty"), ("ours", "not a text file"),
        ("own-field.json", "routes[0]: unknown field 'colour' (known: id, name, origin"),
        ("own-step-field.json", "routes[0].steps[0]: unknown field 'minuets' (known: minutes, spread"),
        ("own-top-field.json", "unknown field 'route' (known: about, routes)"),
        ("own-bridge.json", "routes[0].steps[0].bridge: unknown bridge '\ufffd[2JGolden Gate'"),
        ("own-twice.json", "routes[1].id: 'a' stands twice"), ("own-none.json", "routes: there are none"),
        ("own-null.json", "routes[0].steps[0]: needs \"minutes\" or \"bridge\""),
        ("own-text.json", "routes[0].steps[0].minutes: should be a number"),
        ("own-negative.json", "-6.0 does not lie between 0 and 1440"),
        ("own-endless.json", "does not lie between 0 and 1440"),
        ("own-10001.json", "10001 of them, at most 10000 at once")]],
    Row("routes: folder", ROUTES + " {folder}", 74, "is a folder, not a file"),
    Row("routes: none", ROUTES + " {new.json}", 66, "there is no such file"),
    *[Row("routes: %s as JSON" % name, "%s {%s} --format json" % (ROUTES, name), 0, checks=(is_json,))
      for name in ["own-escape.json", "escape.geojson", "own-0.json"]],
    *[Row("routes: %s as CSV" % name, "%s {%s} --format csv" % (ROUTES, name), 0, checks=(is_csv,))
      for name in ["own-escape.json", "escape.geojson", "own-0.json"]],
    Row("routes: escapes in a replay", REPLAY + " --routes {own-escape.json}", 0, shown=("watching",)),

    # Live states.
    Row("live: raised", LIVE + " {live.json}", 0, shown=("Fremont has been raised for 2 min",)),
    Row("live: of the morning", LIVE + " {live-old.json}", 0,
        "more than 5 minutes before the issue time or after it: they are not used", shown=("Ballard Bridge",)),
    *[Row("live: " + name, "%s {%s}" % (LIVE, name), 65, said) for name, said in [
        ("live-twice.json", "bridges[1].bridge: Fremont stands twice"),
        ("live-later.json", "bridges[0].since: lies after asOf"),
        ("live-field.json", "bridges[0]: unknown field 'colour' (known: bridge, state, since)"),
        ("live-top-field.json", "unknown field 'opening' (known: asOf, observedSince, bridges, openings)"),
        ("live-state.json", "'\ufffd[5mopen' is not raised, lowered or unknown"),
        ("live-bridge.json", "unknown bridge 'Golden\ufffd[2J Gate'"),
        ("live-lowered.json", "openings[0].lowered: is missing, but Fremont is lowered"),
        ("live-backwards.json", "openings[0].lowered: lies before raised"),
        ("live-soon.json", "asOf: 'soon' is not a time"),
        ("live-city.json", "[0].Status: 'Ajar\ufffd[2J' is neither Open nor Closed"),
        ("live-city-twice.json", "[1].BridgeID: bridge 3 stands twice"), ("empty", "the file is empty"),
        ("text", "not valid JSON"), ("own.json", "an object with \"bridges\"")]],

    # Models, networks, traffic.
    Row("a model: folder", "inspect {folder}", 74, "it is not a file"),
    Row("a model: text", "inspect {text}", 65, "not a Bridgecast model"),
    Row("a model: empty", "inspect {empty}", 65, "the file is cut short: 0 bytes"),
    Row("a model: cut", "inspect {cut.bcm}", 65, "the file is damaged: its digest is"),
    Row("a model: none", "inspect {new.bcm}", 66, "there is no such file"),
    Row("a model: without end", "inspect /dev/zero", 65, "more than 67108864"),
    Row("a checkout without models", "inspect", 66, "there is no such file", env={"BRIDGECAST_HOME": "/proc"}),
    Row("a network that is none", "predict --network {network.json} --from Ballard --to Downtown " + AT, 65,
        "not a road network"),
    Row("traffic that is none", PREDICT + " --traffic-file {text}", 65, "needs the columns bridge and time"),
    Row("traffic that cannot be", PREDICT + " --traffic-file {traffic.csv}", 65, "a value that cannot be measured"),

    # Programs that talk to a network, and where there is none.
    Row("no address", "watch --bridges-url ''", 64, "'' is no address of a feed; write https://host/path"),
    Row("an address of another kind", "watch --bridges-url ftp://x", 64, "'ftp://x' is no address of a feed"),
    Row("an address of no port", "watch --bridges-url http://x:99999", 64, "is no address of a feed"),
    Row("a replay of such an address", REPLAY + " --bridges-url ftp://x", 64, "'ftp://x' is no address of a feed"),
    Row("a host that is none", "sync --host nonsense://", 64, "'nonsense://' is no address of a feed"),
    Row("a host of no port", "sync --host http://x:99999 --store {new.store}", 64, "is no address of a feed"),
    Row("no host", "sync --host '' --store {new.store}", 64, "'' is no address of a feed"),
    Row("a data set that is none", "sync --dataset ../../x", 64, "'../../x' is no data set id"),
    Row("nobody at home", "sync --host %s --attempts 1 --store {new.store}" % NOBODY, 74, "cannot be reached",
        makes="new.store"),
    Row("nobody at home: watch", "watch --no-store --seconds 6 --bridges-url " + NOBODY, 0, "feed failed",
        shown=("the live feed failed",)),
    *[Row("%s: %s" % (name, command), "{%s}/bridgecast %s" % (name, command), 69, said) for name, said in [
        ("linked", "bridgecast-server is a link to bridgecast itself"), ("alone", "bridgecast-server"),
        ("locked-up", "cannot be started: Permission denied"), ("hollow", "cannot be started: Exec format error"),
        ("wordy", "cannot be started: Exec format error")]
      for command in ["sync", "watch --seconds 1", "help sync", "replay --bridges-url " + NOBODY]],

    # Replays.
    Row("a replay of no records", "replay --from 2019-01-01 --to 2019-01-02", 65, "no covered records from 2019-01-01"),
    Row("a replay of the future", "replay --from 2126-01-01 --to 2126-01-02", 65, "they lie between 2017-10-25"),
    Row("a replay backwards", "replay --from 2026-02-21 --to 2026-02-20", 64, "--to lies before --from"),
    Row("a replay that stands", "replay --speed 0", 64, "'0' is no number above zero"),
    *[Row("a replay too fast or slow: " + speed, "replay --speed " + speed, 64, "is no number above zero")
      for speed in ["1e300", "1e-18", "nan"]],
    Row("a watch for ever", "watch --seconds 9223372036854775807", 64, "1 to 315360000"),
    Row("a replay of a text", REPLAY + " --records {text}", 65, "not SDOT opening records"),
]


# --- running

class Trial:
    """The programs, and what rows share."""

    def __init__(self, programs):
        self.programs = programs
        with tempfile.TemporaryDirectory(prefix="bridgecast-trial-") as folder:
            records, store = folder + "/whole.csv", folder + "/store"
            pathlib.Path(records).write_text(CONTENT["whole.csv"])
            subprocess.run([programs / "bridgecast", "ingest", records, "--store", store], check=True,
                           env=self.environment(folder), stdout=subprocess.DEVNULL)
            self.store = pathlib.Path(store).read_bytes()

    @staticmethod
    def environment(home):
        foreign = ("XDG_", "BRIDGECAST", "OPENBLAS")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
        # A crash is told by its signal; where it was takes half a second to find.
        return dict(kept, HOME=home, BRIDGECAST_HOME=str(ROOT), OPENBLAS_NUM_THREADS="1", SWIFT_BACKTRACE="enable=no")


class Place:
    """The folder of a run; files are made when they are first named."""

    def __init__(self, trial, path):
        self.trial, self.path, self.holders = trial, path, []
        os.mkdir(path + "/home")

    def word(self, word):
        return re.sub(r"\{([\w.-]+)\}", lambda found: self.value(found.group(1)), word)

    def value(self, name):
        path = "%s/%s" % (self.path, name)
        if name in VALUES:
            return VALUES[name]
        if not name.startswith("new.") and not os.path.lexists(path):
            self.make(name, path)
        return path

    def make(self, name, path):
        if name in MAKERS:
            return MAKERS[name](self, path)
        content = CONTENT[name]
        if not isinstance(content, (bytes, str)):
            content = json.dumps(content)
        pathlib.Path(path).write_bytes(content if isinstance(content, bytes) else content.encode())

    def look(self, but):
        """What everything is, by name."""
        found = {}
        for folder, folders, files in os.walk(self.path):
            for path in [pathlib.Path(folder, name) for name in folders + files]:
                name, kind = str(path.relative_to(self.path)), path.lstat().st_mode
                if not any(fnmatch.fnmatch(name, pattern) for pattern in but):
                    found[name] = kind, hashlib.sha256(path.read_bytes()).digest() if stat.S_ISREG(kind) else None
        return found

    def close(self):
        for holder in self.holders:
            holder.kill()
            holder.communicate()


class Run:
    """A program that has been started."""

    def __init__(self, place, command, row):
        words = [place.word(word) for word in shlex.split(command)]
        environment = dict(place.trial.environment(place.path + "/home"), **row.env)
        environment = {name: value for name, value in environment.items() if value is not None}
        program, output = place.trial.programs / "bridgecast", subprocess.PIPE
        self.reader_goes = words[-3:] == ["|", "head", "-1"]
        if self.reader_goes:
            words = words[:-3]
        elif words[-2:-1] == [">"]:
            words, output = words[:-2], open(words[-1], "wb")
        if words[0].startswith("/"):
            program, *words = words
        self.late, self.seconds = False, row.seconds
        self.process = subprocess.Popen([program, *words], env=environment, cwd=place.path, stdin=subprocess.DEVNULL,
                                        stdout=output, stderr=subprocess.PIPE)
        if output is not subprocess.PIPE:
            output.close()

    def end(self):
        """Waits for the end; standard output and standard error."""
        clock = threading.Timer(self.seconds, self.stop)
        clock.start()
        if self.reader_goes:
            output = self.process.stdout.readline()
            self.process.stdout.close()
            errors = self.process.stderr.read()
            self.process.wait()
        else:
            output, errors = self.process.communicate()
        clock.cancel()
        return output or b"", errors

    def stop(self):
        self.late = True
        self.process.kill()

    def wrong_end(self, codes):
        code = self.process.returncode
        if self.late:
            return "it did not end in %d s" % self.seconds
        if code in codes or (code == -signal.SIGPIPE and self.reader_goes):
            return None
        expected = " or ".join(map(str, sorted(codes)))
        return "it crashed: %s" % signal.Signals(-code).name if code < 0 else "exit code %d, not %s" % (code, expected)


def wrong_text(name, text):
    """What no text for people may hold."""
    try:
        text = text.decode()
    except UnicodeDecodeError as error:
        return ["%s is not UTF-8: %s" % (name, error)]
    controls = {ascii(letter) for letter in text if unicodedata.category(letter) == "Cc" and letter not in "\n\t"}
    found = ["control characters: " + ", ".join(sorted(controls))] if controls else []
    return ["%s holds %s" % (name, what) for what in found + [word for word in INTERNALS if word in text]]


def said_lines(errors):
    """Lines of standard error, without what the command line's parser adds about usage."""
    lines = [line for line in errors.split("\n") if line]
    ends = [number for number, line in enumerate(lines) if line.startswith(("Help: ", "Usage: "))]
    return lines[:min(ends, default=len(lines))]


def judge(row, run, codes, output, errors):
    """What is wrong with what a program did."""
    wrong = [*filter(None, [run.wrong_end(codes)]), *wrong_text("standard output", output),
             *wrong_text("standard error", errors)]
    output, errors = output.decode(errors="replace"), errors.decode(errors="replace")
    wrong += ["it does not show %r" % text for text in row.shown if text not in output]
    if any(len(line) > LONGEST_LINE for line in errors.split("\n")):
        wrong.append("a line of standard error has more than %d characters" % LONGEST_LINE)
    lines = said_lines(errors)
    if len(codes) == 1:
        expected = row.lines if row.lines is not None else 1 if row.said else 0
        if len(lines) != expected:
            wrong.append("it says %d lines, not %d" % (len(lines), expected))
        if row.said not in (lines or [""])[-1]:
            wrong.append("it does not say %r" % row.said)
    if run.process.returncode > 0 and lines and not any("error: " in line.lower()[:20] for line in lines):
        wrong.append("it does not say that this is an error")
    if " & " in row.command and "damaged" in output + errors:
        wrong.append("it takes for damaged what another program is writing")
    return wrong


def changes(before, after):
    for name in sorted(before.keys() | after.keys()):
        if name not in before:
            yield name + " has come"
        elif name not in after:
            yield name + " is gone"
        elif before[name] != after[name]:
            yield name + " was changed"


def run_once(trial, row):
    """What is wrong with a row, and what its programs said."""
    wrong, told = [], []
    codes = row.code if isinstance(row.code, tuple) else (row.code,)
    but = row.makes.split() + (["new.*"] if codes[0] == 0 else [])
    with tempfile.TemporaryDirectory(prefix="bridgecast-trial-") as path:
        place = Place(trial, path)
        try:
            place.word(row.command)
            before = place.look(but)
            runs = [Run(place, command, row) for command in row.command.split(" & ")]
            for run, allowed in zip(runs, codes):
                output, errors = run.end()
                wrong += judge(row, run, allowed if isinstance(allowed, set) else {allowed}, output, errors)
                told += ["  ended with %d" % run.process.returncode, shortened(output), shortened(errors)]
            wrong += changes(before, place.look(but))
            wrong += filter(None, [check(place, output.decode(errors="replace")) for check in row.checks])
        finally:
            place.close()
    return wrong, told


def shortened(text):
    lines = [line for line in text.decode(errors="replace").split("\n") if line]
    return "\n".join("  | %.300s" % line for line in lines[-12:])


def run_row(trial, row, rounds):
    for _ in range(rounds if " & " in row.command else 1):
        wrong, told = run_once(trial, row)
        if wrong:
            break
    return row, wrong, told


def ends(code, words):
    print("trial: " + words, file=sys.stderr)
    sys.exit(code)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=pathlib.Path, required=True, help="their folder")
    parser.add_argument("--long", action="store_true", help="the slow rows too, races %d times" % LONG_ROUNDS)
    parser.add_argument("--show", action="store_true", help="tell what programs say")
    parser.add_argument("names", nargs="*", help="only rows whose names hold this")
    options = parser.parse_args()
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    if not (options.programs / "bridgecast").exists():
        ends(66, "there is no bridgecast in %s" % options.programs)
    began, failed = time.monotonic(), 0
    trial = Trial(options.programs.resolve())
    has_server = (trial.programs / "bridgecast-server").exists()
    if not has_server:
        print("NOT CHECKED: what bridgecast-server does, which is not built")
    rows = [row for row in ROWS if (options.long or not row.slow) and (has_server or not row.needs_server())
            and (not options.names or any(name in row.name for name in options.names))]
    if not rows:
        ends(64, "no row has such a name")
    rounds = LONG_ROUNDS if options.long else QUICK_ROUNDS
    # More than there are cores: some rows only wait.
    with concurrent.futures.ThreadPoolExecutor(2 + (os.cpu_count() or 1)) as pool:
        for row, wrong, told in pool.map(lambda row: run_row(trial, row, rounds), rows):
            if options.show or wrong:
                print("%s: bridgecast %s" % (row.name, ascii(row.command)), *filter(None, told), sep="\n")
            for problem in wrong:
                print("FAIL: %s: %s" % (row.name, problem))
            failed += bool(wrong)
    print("%d of %d rows wrong, %.0f s" % (failed, len(rows), time.monotonic() - began))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

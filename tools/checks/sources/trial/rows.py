"""What a row of the table is, and the texts and files that rows of several topics share."""
import dataclasses
import json
import os
import pathlib
import re


@dataclasses.dataclass
class Row:
    """What is run, and what must come of it."""
    name: str
    # Without "bridgecast". It may end in `> FILE` or `| head -1`; ` & ` runs several at once, each with a code.
    command: str
    code: object
    message: str = ""
    # Texts of standard output.
    shown: tuple = ()
    # Lines of standard error; by default one if there is a message.
    lines: int = None
    # Patterns of other files that may come or change.
    makes: str = ""
    # Functions of the row's place and standard output that return what is wrong.
    checks: tuple = ()
    # Variables of the environment; None takes one away.
    env: dict = dataclasses.field(default_factory=dict)
    seconds: int = 20
    # With --long only.
    slow: bool = False
    # Begun before the others, which run at the same time.
    waits: bool = False

    def needs_server(self):
        return re.match("sync|watch|serve|board|trip|feed|roads import|replay .*--bridges-url|.* --router ", self.command)


def each(name, command, code, words, message="", **more):
    """A row for each word, which replaces %s in the name and the command.

    Words may be a dictionary of messages, or of pairs of message and texts shown; else all have `message`.
    """
    rows = []
    for word, expected in (words if isinstance(words, dict) else dict.fromkeys(words, message)).items():
        message, shown = (expected, ()) if isinstance(expected, str) else expected
        rows.append(Row(name % word, command % word, code, message, shown, **more))
    return rows


# Command lines of several topics
AT = "--at 2026-02-20T17:50"
PREDICT = "predict %s --only ballard-downtown" % AT
ROUTES = "predict %s --routes" % AT
LIVE = PREDICT + " --live"
REPLAY = "replay --speed max --format lines --from 2026-02-20T17:50 --to 2026-02-20T18:00"
UNREACHABLE = "http://127.0.0.1:9"
# What SQLite leaves next to a store of ours that was only read.
LOG = "*-wal *-shm"
FULL = "No space left on device"
FOREIGN = "not a history store of bridgecast, and not changed; choose another file"


def stored(new, *more):
    """What ingest shows."""
    return ("%d  new openings" % new, *more)


def is_json(place, output):
    """A check of a row."""
    try:
        json.loads(output, parse_constant=lambda name: int(name))
    except ValueError as error:
        return "it shows no JSON: %s" % error


# Files and texts that several topics name

ROOT = pathlib.Path(__file__).resolve().parents[4]
RECORDS = ROOT / "training-data/openings-2025-2026.csv"
HEADER = "entitytype,entityname,entityid,opendatetime,closedatetime,minutesopen\n"
FIRST = "Bridge,Fremont,3,2026-02-20T17:20:00.000,2026-02-20T17:24:00.000,4\n"
SECOND = "Bridge,Ballard,2,2026-02-20T17:40:00.000,2026-02-20T17:46:00.000,6\n"
GOOD = HEADER + FIRST + SECOND

CONTENT = {
    "empty": "",
    "text": "Dear diary, today the bridge was up.\n" * 20,
    "array.json": [1, "two", None],
    "deep.json": "[" * 100_000,
    "good.csv": GOOD,
}
MAKERS = {
    "folder": lambda place, path: os.mkdir(path),
    "pipe": lambda place, path: os.mkfifo(path),
}
VALUES = {"long": "x" * 120_000, "escape": "\x1b[2J\x07\x9b31m"}

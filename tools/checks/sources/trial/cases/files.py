"""Files and texts that rows of several topics name."""
import os
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[5]
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

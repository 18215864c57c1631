#!/usr/bin/env python3
"""The repository's order: nothing heavy, downloaded or built is tracked, functions are short, targets declare what they import.

tools/checks/repository starts it; a line for each thing that is wrong, exit code 1 if there is one.
"""
import pathlib
import subprocess
import sys

from functions import check_functions, sources
from imports import check_imports
from words import check_words

ROOT = pathlib.Path(__file__).resolve().parents[4]
MAX_BYTES = 1_000_000
# Files of more bytes, and why they are.
HEAVY = {
    "models/validation/bridgecast.fp32.bcm": "the reference that int8 and fp16 are compared with",
    "models/roads/seattle.roads": "the roads of a city, prepared for searching; made by tools/import_roads",
    "training-data/openings-2015-2017.csv": "the only records of a whole summer, as the city publishes them",
    "Tests/Samples/roads/seattle-streets-2026-07-18.json.gz": "Seattle's main roads, for tests of the import",
}
# Timetables are published as zip files.
TIMETABLES = ("Tests/Samples/transit/", "models/transit/")
MADE = (".whl", ".tar.gz", ".zip", ".so", ".o", ".pyc", "Package.resolved")
failures = []


def fail(text):
    failures.append(text)
    print("FAIL: " + text)


def check_tracked():
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], capture_output=True, text=True)
    if listed.returncode:
        return print("NOT CHECKED: the repository's weight (this is not a git checkout)")
    tracked = [name for name in listed.stdout.split("\0") if name and (ROOT / name).exists()]
    for name in tracked:
        bytes = (ROOT / name).stat().st_size
        if bytes > MAX_BYTES and name not in HEAVY:
            fail(f"{name}: {bytes} bytes; files of more than 1 MB are listed with a reason in tools/checks/sources/repository")
        is_timetable = name.startswith(TIMETABLES) and name.endswith(".zip")
        if name.endswith(MADE) and not is_timetable or ".build" in pathlib.Path(name).parts:
            fail(f"{name}: made or downloaded files are not tracked")
        if name.startswith("Sources/BridgecastService/Resources/page/vendor/"):
            fail(f"{name}: what tools/install_page fetches is not tracked")
    for name in HEAVY.keys() - set(tracked):
        fail(f"{name} is listed as heavy and does not exist")


def check_page_comments():
    """Modules and styles of the page open with a comment; a document with its type."""
    for path in sources(ROOT):
        if path.suffix in (".js", ".mjs") and not path.read_text(encoding="utf-8").startswith(("//", "/*")):
            fail(f"{path.relative_to(ROOT)}: no opening comment says what it is for")


def main():
    check_tracked()
    check_page_comments()
    check_functions(ROOT, fail, lambda text: print("long: " + text))
    check_imports(ROOT, fail)
    check_words(ROOT, fail)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Hostile inputs, and what bridgecast must say to them: tools/checks/trial starts it. The rows are in cases/, by topic.

    trial.py --programs FOLDER [--long] [--show] [NAME ...]

A row is a command line, its exit code, and a text that the last line of standard error must hold. Names in braces
are files that are made in a folder of the row's own, by MAKERS or of CONTENT; but for {new...}, which the program
may make if it succeeds. Nothing else in the folder may change, nor anything come: files are compared by SHA-256.
"""
import argparse
import concurrent.futures
import os
import pathlib
import signal
import sys
import tempfile
import time

from cases import ROWS
from judging import changes, judge
from running import Place, Run, Trial

QUICK_ROUNDS, LONG_ROUNDS = 10, 200


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

#!/usr/bin/env python3
"""Hostile inputs, and the messages that bridgecast must give; tools/checks/trial starts it. The rows are in cases/.

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
import unicodedata

from cases import ROWS
from rows import ROOT
from running import Place, Run, Trial

QUICK_ROUNDS, LONG_ROUNDS = 10, 200
MAX_LINE = 2_000
# Internals of Swift and its library, which no message may show.
INTERNALS = ["DecodingError", "EncodingError", "NSCocoaErrorDomain", "NSPOSIXErrorDomain", "Dictionary<", "Array<",
             "Swift.", "Fatal error", "Optional(", "unexpected: "]
# Places on the machine that built the programs.
BUILT_AT = [".build/", ".swift:", "/checkouts/", str(ROOT / "Sources")]
# A day that the shipped model was fitted to, as nearly all rows have it: what other notes say is judged without it.
FITTED = "bridgecast: note: the model in use was fitted to records of this day, so this is no test of it"


def run_once(trial, row):
    """What is wrong with a row, and the output of its programs."""
    wrong, shown = [], []
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
                shown += ["  ended with %d" % run.process.returncode, shortened(output), shortened(errors)]
            wrong += changes(before, place.look(but))
            wrong += filter(None, [check(place, output.decode(errors="replace")) for check in row.checks])
        finally:
            place.close()
    return wrong, shown


def shortened(text):
    lines = [line for line in text.decode(errors="replace").split("\n") if line]
    return "\n".join("  | %.300s" % line for line in lines[-12:])


def run_row(trial, row, rounds):
    for _ in range(rounds if " & " in row.command else 1):
        wrong, shown = run_once(trial, row)
        if wrong:
            break
    return row, wrong, shown


def wrong_text(name, text):
    """What is wrong in a text for people."""
    try:
        text = text.decode()
    except UnicodeDecodeError as error:
        return ["%s is not UTF-8: %s" % (name, error)]
    controls = {ascii(letter) for letter in text if unicodedata.category(letter) == "Cc" and letter not in "\n\t"}
    found = ["control characters: " + ", ".join(sorted(controls))] if controls else []
    return ["%s holds %s" % (name, what) for what in found + [word for word in INTERNALS + BUILT_AT if word in text]]


def message_lines(errors):
    """Lines of standard error, without what the command line's parser adds about usage."""
    lines = [line for line in errors.split("\n") if line and line != FITTED]
    ends = [number for number, line in enumerate(lines) if line.startswith(("Help: ", "Usage: "))]
    return lines[:min(ends, default=len(lines))]


def judge(row, run, codes, output, errors):
    """What is wrong with what a program did."""
    wrong = [*filter(None, [run.wrong_end(codes)]), *wrong_text("standard output", output),
             *wrong_text("standard error", errors)]
    output, errors = output.decode(errors="replace"), errors.decode(errors="replace")
    wrong += ["it does not show %r" % text for text in row.shown if text not in output]
    if any(len(line) > MAX_LINE for line in errors.split("\n")):
        wrong.append("a line of standard error has more than %d characters" % MAX_LINE)
    lines = message_lines(errors)
    if len(codes) == 1:
        expected = row.lines if row.lines is not None else 1 if row.message else 0
        if len(lines) != expected:
            wrong.append("it writes %d lines to standard error, not %d" % (len(lines), expected))
        if row.message not in (lines or [""])[-1]:
            wrong.append("its message does not hold %r" % row.message)
    if run.process.returncode > 0 and lines and not any(line.startswith("bridgecast: error: ") for line in lines):
        wrong.append("no line begins as errors do")
    if " & " in row.command and "damaged" in output + errors:
        wrong.append("it reports as damaged what another program is writing")
    return wrong


def changes(before, after):
    for name in sorted(before.keys() | after.keys()):
        if name not in before:
            yield name + " has come"
        elif name not in after:
            yield name + " is gone"
        elif before[name] != after[name]:
            yield name + " was changed"


def end(code, message):
    print("trial: " + message, file=sys.stderr)
    sys.exit(code)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=pathlib.Path, required=True, help="their folder")
    parser.add_argument("--long", action="store_true", help="the slow rows too, races %d times" % LONG_ROUNDS)
    parser.add_argument("--show", action="store_true", help="show what programs write")
    parser.add_argument("names", nargs="*", help="only rows whose names hold this")
    options = parser.parse_args()
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    if not (options.programs / "bridgecast").exists():
        end(66, "there is no bridgecast in %s" % options.programs)
    began, failed = time.monotonic(), 0
    trial = Trial(options.programs.resolve())
    has_server = (trial.programs / "bridgecast-server").exists()
    if not has_server:
        print("NOT CHECKED: what bridgecast-server does, which is not built")
    rows = [row for row in ROWS if (options.long or not row.slow) and (has_server or not row.needs_server())
            and (not options.names or any(name in row.name for name in options.names))]
    if not rows:
        end(64, "no row has such a name")
    rounds = LONG_ROUNDS if options.long else QUICK_ROUNDS
    # More than the cores: some rows only wait.
    with concurrent.futures.ThreadPoolExecutor(2 + (os.cpu_count() or 1)) as pool:
        for row, wrong, shown in pool.map(lambda row: run_row(trial, row, rounds), rows):
            if options.show or wrong:
                print("%s: bridgecast %s" % (row.name, ascii(row.command)), *filter(None, shown), sep="\n")
            for problem in wrong:
                print("FAIL: %s: %s" % (row.name, problem))
            failed += bool(wrong)
    print("%d of %d rows wrong, %.0f s" % (failed, len(rows), time.monotonic() - began))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

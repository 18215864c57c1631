#!/usr/bin/env python3
"""Tries the page in a real browser; tools/checks/browser starts it.

    check.py [--only NAME,...] [--shots FOLDER] [--minutes 1] [--list]

Each trial starts what it needs: a service that replays an evening of the records, a browser, and where it is about
faults something between them that spoils answers. A line for each thing that is wrong; exit code 1 if there is one.
`--shots` also writes pictures of every state at 360, 768 and 1440 pixels; `--minutes` is how long a day is played for
the trial of memory.
"""
import argparse, concurrent.futures, pathlib, sys, tempfile, time, traceback

import alerts, boards, everybody, figures, hostile, journeys, line, marks, me, pictures, pointing, states, widgets
from trial import Trial

MODULES = (states, journeys, line, pointing, boards, marks, widgets, me, alerts, everybody, hostile, figures)
TRIALS = line.MEASURING + pointing.MEASURING + boards.MEASURING + [trial for module in MODULES for trial in module.TRIALS]
MEASURING = figures.TRIALS + line.MEASURING + pointing.MEASURING + boards.MEASURING


def attempt(trial, folder, options):
    """Runs one trial, and prints what came of it."""
    began = time.monotonic()
    own = Trial(trial.__name__, folder, options)
    try:
        trial(own)
    except Exception:
        own.wrong.append("%s: %s" % (trial.__name__, traceback.format_exc(limit=-4).strip()))
    finally:
        own.close()
    print("%s %s (%.0f s)%s" % ("FAIL " if own.wrong else "ok   ", trial.__doc__.strip().splitlines()[0],
                                time.monotonic() - began,
                                "".join(["\n      " + f for f in own.figures] + ["\n      WRONG " + w for w in own.wrong])),
          flush=True)
    return own


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", help="names of trials, with commas")
    parser.add_argument("--shots", type=pathlib.Path, help="a folder for pictures of every state")
    parser.add_argument("--minutes", type=float, default=1.0, help="how long a day is played for the trial of memory")
    parser.add_argument("--list", action="store_true", help="the names of all trials")
    options = parser.parse_args()
    chosen = [t for t in TRIALS if not options.only or t.__name__ in options.only.split(",")]
    if options.list or not chosen:
        print("\n".join(t.__name__ for t in TRIALS))
        sys.exit(0 if options.list else 64)
    wrong, count = [], 0
    with tempfile.TemporaryDirectory(prefix="bridgecast-page-") as name:
        # Trials mostly wait, so two go at once; what measures goes alone.
        measuring = [t for t in chosen if t in MEASURING]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            ended = list(pool.map(lambda t: attempt(t, pathlib.Path(name), options), [t for t in chosen if t not in measuring]))
        ended += [attempt(t, pathlib.Path(name), options) for t in measuring]
        for own in ended:
            wrong += own.wrong
            count += own.count
        if options.shots:
            pictures.write(options.shots, pathlib.Path(name))
            print("pictures: %s" % options.shots)
    print("page: %d expectations in %d trials, %d wrong" % (count, len(chosen), len(wrong)))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()

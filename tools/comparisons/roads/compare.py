"""Compares our ways through Seattle with those of other programs, with published times, and with each other by hour.

Run: python3 tools/comparisons/roads/compare.py EXTRACT [FOLDER] [--trips N] [--outliers] [--command PROGRAM]
EXTRACT is the OpenStreetMap extract (Overpass JSON, gzip); FOLDER keeps routino's database. PROGRAM reads
`lat,lon,lat,lon,HH:MM` lines and prints `metres,minutes` lines: the reference is then compared with it as well.
Needs Python 3.11 alone; Debian's routino is installed where that is allowed, else its rows are left out.
"""

import argparse
import math
import os
import random
import shutil
import statistics
import subprocess

import corridors
import engines
from graph import metres
from model import Model

NIGHT, MORNING, EVENING = 3 * 60, 8 * 60 + 30, 17 * 60 + 30


def middle(arc):
    """The middle of an arc's middle segment: a point whose nearest road is plain."""
    half = (len(arc.points) - 1) // 2
    (a, b), (c, d) = arc.points[half:half + 2]
    return round((a + c) / 2, 6), round((b + d) / 2, 6)


def make_trips(model, count, seed=7):
    """Pairs of places on local and arterial streets all over the city, at least 2 km apart."""
    dice = random.Random(seed)
    ends = sorted({middle(arc) for number, arc in enumerate(model.arcs) if model.usable[number] and arc.metres >= 40
                   and arc.kind in ("residential", "tertiary", "secondary", "primary")})
    trips = []
    while len(trips) < count:
        start, goal = dice.choice(ends), dice.choice(ends)
        if metres(start, goal) >= 2000:
            trips.append((*start, *goal))
    return trips


def quantiles(values):
    values = sorted(values)
    return [values[min(len(values) - 1, int(part * len(values)))] for part in (0.05, 0.25, 0.5, 0.75, 0.95)]


def table(name, ours, others):
    """Ratios of our distance and time to each other engine's: 5, 25, 50, 75 and 95 per cent."""
    print(f"\n{name}: ours divided by\n{'':14}{'distance':>38}{'time':>38}")
    for other, answers in others.items():
        pairs = [(a, b) for a, b in zip(ours, answers) if a and b and b[1] > 0]
        cells = [" ".join(f"{q:7.2f}" for q in quantiles([a[part] / b[part] for a, b in pairs])) for part in (0, 1)]
        print(f"{other:14}{cells[0]}  {cells[1]}   ({len(pairs)} trips)")


def outliers(model, trips, ours, others, minute, count=10):
    """Trips whose time differs most from the median ratio to another engine, with our way."""
    for other, answers in others.items():
        logs = [(math.log(a[1] / b[1]), number) for number, (a, b) in enumerate(zip(ours, answers))
                if a and b and b[1] > 0]
        usual = statistics.median(log for log, _ in logs)
        print(f"\nfurthest from the median ratio to {other} ({math.exp(usual):.2f})")
        for log, number in sorted(logs, key=lambda pair: -abs(pair[0] - usual))[:count]:
            way = model.route(trips[number][:2], trips[number][2:], minute)
            print(f"{math.exp(log):5.2f} {trips[number]}", *(f"{whose} {found[0] / 1000:.1f} km {found[1]:.1f} min"
                  for whose, found in (("ours", ours[number]), ("theirs", answers[number]))))
            print("      ", model.describe(way[2]))


def have_routino():
    if not shutil.which("planetsplitter") and os.geteuid() == 0 and shutil.which("apt-get"):
        subprocess.run(["apt-get", "install", "-qq", "-y", "routino"], check=False, stdout=subprocess.DEVNULL)
    return shutil.which("planetsplitter") is not None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("extract")
    parser.add_argument("folder", nargs="?", default="/tmp/roads-routino")
    parser.add_argument("--trips", type=int, default=500)
    parser.add_argument("--command")
    parser.add_argument("--outliers", action="store_true")
    options = parser.parse_args()
    model = Model(options.extract)
    trips = make_trips(model, options.trips)
    own = engines.model_engine(model)
    others = {name: engines.profile(options.extract, name)([(*trip, 0) for trip in trips]) for name in engines.PROFILES}
    if have_routino():
        others["routino"] = engines.routino(options.extract, options.folder)([(*trip, 0) for trip in trips])
    ours = {minute: own([(*trip, minute) for trip in trips]) for minute in (NIGHT, MORNING, EVENING)}
    for name, minute in (("03:00", NIGHT), ("08:30", MORNING), ("17:30", EVENING)):
        table(name, ours[minute], others)
        if options.command:
            table(f"{name} reference", ours[minute], {"program": engines.command(options.command)(
                [(*trip, minute) for trip in trips])})
    table("17:30", ours[EVENING], {"ours 03:00": ours[NIGHT], "ours 08:30": ours[MORNING]})
    if options.outliers:
        outliers(model, trips, ours[NIGHT], others, NIGHT)
    corridors.report(model, own)


if __name__ == "__main__":
    main()

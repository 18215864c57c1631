"""How much longer people ride to be on lanes, over random trips, and whether the program agrees with the reference.

Run: python3 tools/comparisons/roads/riding.py EXTRACT [--trips N] [--program PROGRAM]
Prints a table by what riders are taken to be reluctant of. With --program it compares the shipped row with what
`PROGRAM predict --mode bike` finds, on trips over no drawbridge. Needs Python 3.11 alone; some minutes.
"""

import argparse
import collections
import json
import random
import statistics
import subprocess

import rules
from bikes import ROOMS, Bikes
from graph import metres

ARE_FOR_BIKES = ("trail", "track", "lane", "greenway")


def scaled(factor):
    return {name: factor * share for name, share in rules.BIKE_RELUCTANCE.items()}


def table(model, trips):
    print("| reluctance | minutes | longer than the quickest, mean, most | km | on trails, tracks, lanes, greenways "
          "| on busy arterials |\n|---|---|---|---|---|---|")
    old = dict.fromkeys(ROOMS, 0.35) | {"trail": 0.0, "local": 0.15, "greenway": 0.15}
    quickest = [model.route(*trip, scaled(0))[0] for trip in trips]
    for name, shares in (("none", scaled(0)), ("blind to lanes", old), ("half", scaled(0.5)), ("as shipped", scaled(1)),
                         ("twice", scaled(2))):
        found = [model.route(*trip, shares) for trip in trips]
        longer = [way[0] - least for way, least in zip(found, quickest)]
        length, on = sum(way[1] for way in found), collections.Counter()
        for arc in (arc for way in found for arc in way[2]):
            on[arc.room] += arc.metres
        print(f"| {name} | {statistics.mean(way[0] for way in found):.2f} | {statistics.mean(longer):.2f}, "
              f"{max(longer):.1f} | {length / len(trips) / 1000:.2f} "
              f"| {100 * sum(on[kind] for kind in ARE_FOR_BIKES) / length:.0f} % | {100 * on['busy'] / length:.1f} % |")


def agreement(model, trips, program):
    """The program's minutes by those of the reference, on trips over no drawbridge."""
    shares, ratios = scaled(1), []
    for start, goal in trips:
        ends = [f"{model.nodes[node][0]:.7f},{model.nodes[node][1]:.7f}" for node in (start, goal)]
        answer = subprocess.run([program, "predict", "--mode", "bike", "--from", ends[0], "--to", ends[1], "--at",
                                 "2026-02-24T12:00", "--format", "json"], capture_output=True, text=True, check=False)
        if answer.returncode:
            continue
        route = json.loads(answer.stdout)["groups"][0]["routes"][0]
        if route["probability_stopped"] == 0:
            ratios.append(route["criteria"]["expected_minutes"] / model.route(start, goal, shares)[0])
    ratios.sort()
    parts = [ratios[min(len(ratios) - 1, int(part * len(ratios)))] for part in (0.05, 0.25, 0.5, 0.75, 0.95)]
    print(f"\nprogram by reference, {len(ratios)} trips over no drawbridge: 5, 25, 50, 75, 95 % "
          + " ".join(f"{part:.3f}" for part in parts))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("extract")
    parser.add_argument("--trips", type=int, default=300)
    parser.add_argument("--program")
    options = parser.parse_args()
    model, dice, trips = Bikes(options.extract), random.Random(7), []
    corners = sorted(node for node, arcs in model.leaving.items() if len(arcs) >= 3 and node > 0)
    while len(trips) < options.trips:
        trip = dice.choice(corners), dice.choice(corners)
        if metres(*(model.nodes[node] for node in trip)) >= 2000:
            trips.append(trip)
    table(model, trips)
    if options.program:
        agreement(model, trips, options.program)


if __name__ == "__main__":
    main()

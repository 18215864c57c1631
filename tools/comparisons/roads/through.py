"""How much of random trips leads through local streets in their middle, by what drivers are taken to be reluctant of.

Run: python3 tools/comparisons/roads/through.py EXTRACT [--trips N]
The middle of a trip is what lies between its first and its last arterial. Needs Python 3.11 alone; some minutes.
"""

import argparse
import itertools

from compare import make_trips
from model import Model

# Share of the time on local streets, seconds of turning into one.
TRIED = [(0, 0), (0.15, 15), (0.3, 30), (0.5, 60)]
HOURS = (180, 720, 1060)


def middle(model, way):
    """Metres of local streets between the first and the last arterial, and how many stretches they are."""
    ranks = [model.arcs[number].rank for number in way]
    arterial = [place for place, rank in enumerate(ranks) if rank > 1]
    if not arterial:
        return 0, 0
    arcs = [model.arcs[number] for number in way[arterial[0]:arterial[-1] + 1]]
    runs = [list(run) for local, run in itertools.groupby(arcs, key=lambda arc: arc.rank == 1) if local]
    return sum(arc.metres for run in runs for arc in run), len(runs)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("extract")
    parser.add_argument("--trips", type=int, default=300)
    options = parser.parse_args()
    trips = make_trips(Model(options.extract), options.trips)
    print("| share, turn | minutes | km | stretches a trip | km of them | of the way |\n|---|---|---|---|---|---|")
    for reluctance in TRIED:
        model = Model(options.extract, reluctance=reluctance)
        found = [model.route(trip[:2], trip[2:], hour) for trip in trips for hour in HOURS]
        through = [middle(model, way[2]) for way in found]
        count, length = len(found), sum(way[1] for way in found)
        local = sum(metres for metres, _ in through)
        print(f"| {', '.join(f'{part:g}' for part in reluctance)} | {sum(way[0] for way in found) / count:.2f} "
              f"| {length / count / 1000:.2f} | {sum(runs for _, runs in through) / count:.2f} "
              f"| {local / count / 1000:.2f} | {100 * local / length:.1f} % |")


if __name__ == "__main__":
    main()

"""How the traffic that our ways put on Seattle's arterials agrees with the city's counts, and what trivial peers do.

Run: python3 tools/comparisons/roads/counts.py EXTRACT COUNTS [--ends N] [--decay KM] [--uniform]
     [--beyond SHARE] [--spread SHARE] [--arterials] [--far N] [--ours]
COUNTS is the city's file of traffic flow counts (GeoJSON, also gzipped). The trips are made up: see loads.py. --far
lists the segments that are furthest off, --ours leaves out the peers. Needs Python 3.11 alone; six minutes.
"""

import argparse
import collections
import math
import random

import engines
import rules
import segments
from graph import downtown, read
from loads import DECAY_KM, Ends, Roads, assign
from model import Model

BOOTSTRAPS = 500
# Bridge, a line across its deck, the same for the counts where that differs, and what its roads are called in each.
BRIDGES = [
    ("Ballard Bridge", ((47.6597, -122.3782), (47.6597, -122.3742)), None, "15TH AVE", "BALLARD BR"),
    ("Fremont Bridge", ((47.6475, -122.3510), (47.6475, -122.3485)), None, "", "FREMONT BR"),
    ("Aurora Bridge", ((47.6475, -122.3484), (47.6475, -122.3460)), ((47.6560, -122.3490), (47.6560, -122.3456)),
     "AURORA AVE", "AURORA AVE"),
    ("University Bridge", ((47.6518, -122.3225), (47.6537, -122.3185)), None, "EASTLAKE AVE", "EASTLAKE AVE"),
    ("Montlake Bridge", ((47.6475, -122.3060), (47.6475, -122.3030)), None, "MONTLAKE BLVD", "MONTLAKE B"),
    ("West Seattle Bridge", ((47.5690, -122.3500), (47.5730, -122.3500)), None, "W SEATTLE BR", "W SEATTLE BR"),
    ("Lower Spokane St Bridge", ((47.5690, -122.3535), (47.5730, -122.3535)), None, "SW SPOKANE ST", "SW SPOKANE ST"),
    ("1st Avenue South Bridge", ((47.5420, -122.3370), (47.5426, -122.3320)), None, "1ST AVE S BR", "1ST AVE S BR"),
    ("South Park Bridge", ((47.5291, -122.3165), (47.5291, -122.3120)), None, "", "16TH AVE S"),
]
WATERS = {"Ship Canal": range(5), "Duwamish": range(5, 9)}
FREEWAY = ("I-5", ((47.6535, -122.3250), (47.6535, -122.3205)), "SHIP CANAL BR")


def crosses(a, b, cut):
    """Whether the piece from a to b crosses a line."""
    def side(p, q, r):
        return (q[1] - p[1]) * (r[0] - p[0]) - (q[0] - p[0]) * (r[1] - p[1])
    c, d = cut
    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


def over(lines, cut):
    return any(crosses(a, b, cut) for line in lines for a, b in zip(line, line[1:]))


def ranks(values):
    """Ranks with ties in the middle."""
    order, result, at = sorted(range(len(values)), key=values.__getitem__), [0.0] * len(values), 0
    while at < len(order):
        end = at
        while end + 1 < len(order) and values[order[end + 1]] == values[order[at]]:
            end += 1
        for place in order[at:end + 1]:
            result[place] = (at + end) / 2
        at = end + 1
    return result


def spearman(a, b):
    x, y = ranks(a), ranks(b)
    mean = (len(x) - 1) / 2
    both = sum((p - mean) * (q - mean) for p, q in zip(x, y))
    return both / (sum((p - mean) ** 2 for p in x) * sum((q - mean) ** 2 for q in y)) ** 0.5


def interval(values):
    values = sorted(values)
    return values[int(0.025 * len(values))], values[int(0.975 * len(values))]


def correlations(chosen, counted, scores):
    """Spearman of each score with the counts, and the difference from ours, with intervals by drawing whole streets."""
    streets = collections.defaultdict(list)
    for place, segment in enumerate(chosen):
        streets[segment.names[0]].append(place)
    names, dice, drawn = sorted(streets), random.Random(1), []
    for _ in range(BOOTSTRAPS):
        places = [place for name in dice.choices(names, k=len(names)) for place in streets[name]]
        real = [counted[p] for p in places]
        drawn.append({name: spearman([values[p] for p in places], real) for name, values in scores.items()})
    ours = next(iter(scores))
    print(f"\n{len(chosen)} segments of {len(names)} streets\n| by | rank correlation | 95 % | less than ours by |\n"
          "|---|---|---|---|")
    for name, values in scores.items():
        low, high = interval([one[name] for one in drawn])
        least, most = interval([one[ours] - one[name] for one in drawn])
        less = "" if name == ours else f"{least:+.3f} to {most:+.3f}"
        print(f"| {name} | {spearman(values, counted):.3f} | {low:.3f} to {high:.3f} | {less} |")


def bridges(model, chosen, loads):
    """Shares of the bridges over each water, counted and by each table of loads."""
    counted, ours = [], {name: [] for name in loads}
    for _, cut, cut_of_counts, name, counts_name in BRIDGES:
        counted.append(sum(s.count for s in chosen if any(counts_name in n for n in s.names)
                           and over(s.lines, cut_of_counts or cut)))
        arcs = [n for n, arc in enumerate(model.arcs) if over([arc.points], cut) and name in segments.short(arc.name)]
        for way, load in loads.items():
            ours[way].append(sum(load[n] for n in arcs))
    print(f"\n| bridge | counted | share of its water's bridges | {' | '.join(loads)} |\n|---|---|---|"
          + "---|" * len(loads))
    for water in WATERS.values():
        for place in water:
            share = [f"{100 * column[place] / sum(column[p] for p in water):.0f} %" for column in
                     (counted, *ours.values())]
            print(f"| {BRIDGES[place][0]} | {counted[place]:,} | {' | '.join(share)} |")
    _, cut, name = FREEWAY
    for way, load in loads.items():
        freeway = sum(load[n] for n, arc in enumerate(model.arcs) if over([arc.points], cut)
                      and name in segments.short(arc.name))
        print(f"I-5 over the canal has {freeway / sum(ours[way][p] for p in WATERS['Ship Canal']):.2f} of what these "
              f"five have together, {way}")


def far(model, chosen, counted, ours, looks, count):
    """Segments whose rank by our traffic is furthest above and below that by the counts, one for each street."""
    x, y = ranks(ours), ranks(counted)
    gap = [(a - b) / len(x) for a, b in zip(x, y)]
    for title, order in (("most over", sorted(range(len(x)), key=lambda p: -gap[p])),
                         ("most under", sorted(range(len(x)), key=lambda p: gap[p]))):
        print(f"\n{title}: percentile by our traffic and by the counts")
        seen = set()
        for p in order:
            segment = chosen[p]
            if segment.names[0] in seen:
                continue
            seen.add(segment.names[0])
            arcs = {n for look in looks[p] for n in look}
            kinds = collections.Counter(f"{model.arcs[n].kind} {model.arcs[n].limit:.0f}" for n in arcs)
            print(f"{100 * x[p] / len(x):3.0f} {100 * y[p] / len(x):3.0f}  {segment.title}, {segment.count} "
                  f"({segment.quality}, {segment.number}) at {segment.place[0]:.4f},{segment.place[1]:.4f}, ours "
                  f"{ours[p]:.1f}, {', '.join(k for k, _ in kinds.most_common(3))}")
            if len(seen) == count:
                break


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("extract")
    parser.add_argument("counts")
    parser.add_argument("--ends", type=int, default=200, help="ends at each of three hours")
    parser.add_argument("--decay", type=float, default=DECAY_KM, help="kilometres in which a place's pull falls to 1/e")
    parser.add_argument("--uniform", action="store_true", help="ends by length of all streets alike")
    parser.add_argument("--beyond", type=float, default=0, help="share of trips that lead out of the city")
    parser.add_argument("--spread", type=float, default=0, help="by how much streets seem longer or shorter to drivers")
    parser.add_argument("--arterials", action="store_true", help="Aurora Avenue and such as arterials")
    parser.add_argument("--far", type=int, default=0, help="segments to list")
    parser.add_argument("--ours", action="store_true", help="our ways alone")
    options = parser.parse_args()
    if options.arterials:
        rules.EXPRESSWAY_LIMIT = math.inf
    model = Model(options.extract)
    known, left = segments.read(options.counts)
    found = segments.match(model, known)
    chosen, looks = [known[p] for p in found], list(found.values())
    print(f"{len(known) + sum(left.values())} segments; left out: {dict(left)}, {len(known) - len(found)} without a "
          "street of that name")
    ends = Ends(model)
    ways = {"our ways": Roads(model, spread=options.spread)}
    if not options.ours:
        ways["shortest ways"] = Roads(model, "metres", hours=False)
        ways["OSRM's speeds"] = Roads(Model(options.extract, engines.PROFILES["OSRM"]), hours=False)
    loads = {name: assign(roads, ends, options.ends, options.decay, options.uniform, options.beyond)
             for name, roads in ways.items()}
    trips, km = sum((1, 0.5, 0.5, 1)) * options.ends, sum(a.metres * w for a, w in zip(model.arcs, loads["our ways"]))
    middle = sum(ends.other[n] for n in ends.streets if downtown(model.arcs[n].points[0])) / sum(ends.other.values())
    print(f"{trips:.0f} ends, each to all others; a trip has {km / trips / 1000:.1f} km on the way; "
          f"{100 * middle:.0f} % of what is not home lies downtown")
    scores = {name: [sum(sum(load[n] for n in look) for look in parts) / len(parts) for parts in looks]
              for name, load in loads.items()}
    arcs = [[model.arcs[n] for n in parts[len(parts) // 2]] for parts in looks]
    lanes = lanes_by_place(options.extract)
    scores["class of road"] = [max(arc.rank for arc in few) for few in arcs]
    scores["class, then lanes"] = [max(arc.rank for arc in few) * 100 + lane_count(few, lanes) for few in arcs]
    scores["class, lanes and our ways"] = [a + b for a, b in zip(ranks(scores["class, then lanes"]),
                                                                 ranks(scores["our ways"]))]
    counted = [segment.count for segment in chosen]
    correlations(chosen, counted, scores)
    studies = [p for p, segment in enumerate(chosen) if segment.quality == "study"]
    correlations([chosen[p] for p in studies], [counted[p] for p in studies],
                 {name: [values[p] for p in studies] for name, values in scores.items()})
    bridges(model, known, loads)
    if options.far:
        far(model, chosen, counted, scores["our ways"], looks, options.far)


def lanes_by_place(extract):
    """Lanes of the way that has two neighbouring nodes, by where they are."""
    nodes, ways = read(extract)
    lanes = {}
    for way in ways:
        text = way["tags"].get("lanes", "")
        for a, b in zip(way["nodes"], way["nodes"][1:]):
            lanes[nodes[a][:2], nodes[b][:2]] = lanes[nodes[b][:2], nodes[a][:2]] = int(text) if text.isdigit() else 0
    return lanes


def lane_count(arcs, lanes):
    """Lanes of both directions: a street's own, or the sum of its carriageways."""
    own = {frozenset(arc.points[:2]): lanes.get(tuple(arc.points[:2]), 0) or (1 if arc.oneway else 2) for arc in arcs}
    twins = {frozenset((arc.points[0], arc.points[-1])): lanes.get(tuple(arc.points[:2]), 0) or (1 if arc.oneway else 2)
             for arc in arcs}
    return min(sum(own.values()), sum(twins.values()))


if __name__ == "__main__":
    main()

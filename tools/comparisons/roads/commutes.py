"""Twenty commutes across the canal and the Duwamish at three hours of a weekday: the best way and the second one.

Run: python3 tools/comparisons/roads/commutes.py [--program PROGRAM] [--date YYYY-MM-DD] [OPTION] [FROM TO]
Asks `bridgecast predict --format json` and prints the table of the article "Twenty commutes". With --directions it
prints the steps of every way that is shown instead, and with --published the tables of published times and ours of
the article "Road comparisons"; FROM and TO restrict it to one trip. Needs Python 3.11 alone.
"""

import argparse
import json
import pathlib
import subprocess
import sys

import corridors

ROOT = pathlib.Path(__file__).resolve().parents[3]
HOURS = ("08:50", "12:00", "17:40")
# From, to, and minutes of an evening that were published: Seattle's comprehensive plan of 2015, Google Maps in 2014.
COMMUTES = [
    ("Ballard", "Pike Place Market", 20), ("Crown Hill", "Downtown", None),
    ("Phinney Ridge", "South Lake Union", None), ("Fremont", "Belltown", None),
    ("Wallingford", "Capitol Hill", None), ("University District", "Downtown", 14), ("Ravenna", "First Hill", None),
    ("Laurelhurst", "Madison Park", None), ("Wedgwood", "South Lake Union", None),
    ("Lake City", "Central Business District", None), ("Greenwood", "SoDo", None), ("Magnolia", "Fremont", None),
    ("Queen Anne", "University District", 23), ("Madison Valley", "University Village", None),
    ("West Seattle", "Downtown", 15), ("Alki", "Pioneer Square", None), ("White Center", "SoDo", None),
    ("South Park", "Georgetown", None), ("High Point", "Beacon Hill", None), ("Delridge", "First Hill", None),
]


def routes(program, start, goal, moment):
    """The routes that are shown for a trip, the best first."""
    command = [program, "predict", "--from", start, "--to", goal, "--at", moment, "--directions", "--format", "json"]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    if answer.returncode:
        sys.exit(f"{start} to {goal}: {answer.stderr.strip()}")
    return json.loads(answer.stdout)["groups"][0]["routes"]


def minutes(route):
    seconds = round(route["criteria"]["expected_minutes"] * 60)
    return f"{seconds // 60}:{seconds % 60:02}"


def table(program, date, trips):
    print("| trip | leaving | best | minutes | second | minutes |\n|---|---|---|---|---|---|")
    for start, goal, published in trips:
        for hour in HOURS:
            found = routes(program, start, goal, f"{date}T{hour}")
            cells = [cell for route in found[:2] for cell in (route["name"], minutes(route))]
            cells += ["none", ""] * (2 - len(found[:2]))
            trip = f"{start} - {goal}" if hour == HOURS[0] else ""
            if published and hour == HOURS[-1]:
                cells[1] += f" ({published} published)"
            print(f"| {trip} | {hour.lstrip('0')} | {' | '.join(cells)} |")


def directions(program, date, trips):
    for start, goal, _ in trips:
        for hour in HOURS:
            print(f"\n{start} - {goal}, {hour}")
            for route in routes(program, start, goal, f"{date}T{hour}"):
                steps = [f"{step['name']} {step['metres']:.0f} m" for step in route["directions"][:-1]]
                print(f"  {minutes(route)} {route['name']}\n        {', '.join(steps)}")


def published(program, date):
    """Published minutes between villages, of streets and single ones, and ours; both ways between villages."""
    def ours(start, goal, hour):
        ends = (f"{latitude},{longitude}" for latitude, longitude in (start, goal))
        return routes(program, *ends, f"{date}T{hour}")[0]["criteria"]["expected_minutes"]

    ratios = []
    print("| trip, 17:40 | published | ours | and back |\n|---|---|---|---|")
    for start, goal, wanted in corridors.VILLAGES:
        there, back = (ours(*(corridors.PLACES[end] for end in ends), HOURS[-1])
                       for ends in ((start, goal), (goal, start)))
        ratios.append((there + back) / 2 / wanted)
        print(f"| {start}, {goal} | {wanted} | {there:.1f} | {back:.1f} |")
    far = [sum(abs(ratio - 1) > part for ratio in ratios) for part in (0.25, 0.2)]
    middle = sorted(ratios)[len(ratios) // 2]
    print(f"\nthe mean of both ways is off by more than a quarter in {far[0]} of {len(ratios)}, by more than a "
          f"fifth in {far[1]}; median of ours by theirs {middle:.2f}\n")
    print("| street, 8:50, 12:00, 17:40 | published | ours |\n|---|---|---|")
    for name, start, goal, wanted in corridors.STREETS:
        print(f"| {name} | {', '.join(map(str, wanted))} | "
              f"{', '.join(format(ours(start, goal, hour), '.1f') for hour in HOURS)} |")
    for name, start, goal, minute in corridors.SINGLE:
        print(f"| {name} | | {ours(start, goal, f'{minute // 60:02}:{minute % 60:02}'):.1f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("ends", nargs="*", metavar="PLACE")
    parser.add_argument("--program", default=str(ROOT / ".build/release/bridgecast"))
    parser.add_argument("--date", default="2026-02-24")
    parser.add_argument("--directions", action="store_true")
    parser.add_argument("--published", action="store_true")
    options = parser.parse_args()
    if options.published:
        published(options.program, options.date)
        return
    if len(options.ends) not in (0, 2):
        parser.error("give both ends of a trip, or none")
    trips = [(*options.ends, None)] if options.ends else COMMUTES
    (directions if options.directions else table)(options.program, options.date, trips)


if __name__ == "__main__":
    main()

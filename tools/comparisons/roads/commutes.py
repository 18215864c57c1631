"""Twenty commutes across the canal and the Duwamish, and published travel times, with the program's answers."""
import json
import statistics
import subprocess
import sys

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
PLACES = {
    "Ballard": (47.6687, -122.3845), "Downtown": (47.6097, -122.3375), "U District": (47.6613, -122.3130),
    "Northgate": (47.7085, -122.3255), "Queen Anne": (47.6373, -122.3570), "Capitol Hill": (47.6195, -122.3210),
    "West Seattle": (47.5612, -122.3868), "South Park": (47.5290, -122.3210), "Othello": (47.5375, -122.2815),
}
# Seattle's comprehensive plan, transportation appendix, table A.4-1: evening peak by car, Google Maps 2014; both
# directions are printed, as the table does not name one. I-5 there means the express lanes where they help.
VILLAGES = [
    ("Ballard", "Downtown", 20), ("Ballard", "U District", 18), ("Ballard", "Northgate", 20),
    ("Northgate", "Downtown", 16), ("Northgate", "U District", 14),
    ("Queen Anne", "Downtown", 13), ("Queen Anne", "U District", 23), ("Queen Anne", "Northgate", 24),
    ("Downtown", "U District", 14),
    ("Capitol Hill", "Downtown", 11), ("Capitol Hill", "U District", 16), ("Capitol Hill", "Northgate", 30),
    ("West Seattle", "Downtown", 15), ("West Seattle", "U District", 33), ("West Seattle", "Northgate", 44),
    ("South Park", "Downtown", 16), ("South Park", "U District", 31), ("South Park", "Northgate", 44),
    ("Othello", "Downtown", 18), ("Othello", "U District", 31), ("Othello", "Northgate", 44),
]
# Street corridors of the city's retiming report (SDOT blog, 23 May 2016): minutes morning, all day, evening
STREETS = [
    ("4th Avenue, Jackson to Virginia", (47.5992, -122.3293), (47.6125, -122.3392), (6.5, 6.0, 5.6)),
    ("Denny Way, Western to Dexter", (47.6184, -122.3553), (47.6184, -122.3425), (3.4, 4.5, 5.3)),
]
# Single figures: where and what was published, from, to, time of day
SINGLE = [
    (
        "I-5 N 145th to Union, 16:00, INRIX 25 (2012) to 39 (2013)",
        (47.7338, -122.3275),
        (47.6105, -122.3325),
        "16:00",
    ),
    ("Mercer, 3rd W to Fairview, 17:00, SDOT 9.3 (2017)", (47.6245, -122.3607), (47.6246, -122.3343), "17:00"),
    (
        "West Seattle Junction to I-5, 7:30, a driver under 10 (2022)",
        (47.5612, -122.3868),
        (47.5740, -122.3206),
        "07:30",
    ),
]


def routes(program, start, goal, time):
    """The routes shown for a trip, the best first."""
    command = [program, "predict", "--from", start, "--to", goal, "--at", time, "--directions", "--format", "json"]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    if answer.returncode:
        sys.exit(f"{start} to {goal}: {answer.stderr.strip()}")
    return json.loads(answer.stdout)["groups"][0]["routes"]


def minutes(route):
    seconds = round(route["criteria"]["expected_minutes"] * 60)
    return f"{seconds // 60}:{seconds % 60:02}"


def print_table(program, date, trips):
    print("| trip | leaving | best | minutes | second | minutes |\n|---|---|---|---|---|---|")
    for start, goal, published in trips:
        for hour in HOURS:
            found = routes(program, start, goal, f"{date}T{hour}")[:2]
            cells = [cell for route in found for cell in (route["name"], minutes(route))]
            cells += ["none", ""] * (2 - len(found))
            trip = f"{start} - {goal}" if hour == HOURS[0] else ""
            if published and hour == HOURS[-1]:
                cells[1] += f" ({published} published)"
            print(f"| {trip} | {hour.lstrip('0')} | {' | '.join(cells)} |")


def print_directions(program, date, trips):
    for start, goal, _ in trips:
        for hour in HOURS:
            print(f"\n{start} - {goal}, {hour}")
            for route in routes(program, start, goal, f"{date}T{hour}"):
                steps = [f"{step['name']} {step['metres']:.0f} m" for step in route["directions"][:-1]]
                print(f"  {minutes(route)} {route['name']}\n        {', '.join(steps)}")


def print_published(program, date):
    """Published minutes between villages, along streets and of single trips, with the program's."""
    def expected(start, goal, hour):
        ends = (f"{latitude},{longitude}" for latitude, longitude in (start, goal))
        return routes(program, *ends, f"{date}T{hour}")[0]["criteria"]["expected_minutes"]

    ratios = []
    print("| trip, 17:40 | published | Bridgecast | and back |\n|---|---|---|---|")
    for start, goal, published in VILLAGES:
        there = expected(PLACES[start], PLACES[goal], HOURS[-1])
        back = expected(PLACES[goal], PLACES[start], HOURS[-1])
        ratios.append((there + back) / 2 / published)
        print(f"| {start}, {goal} | {published} | {there:.1f} | {back:.1f} |")
    quarter, fifth = (sum(abs(ratio - 1) > part for ratio in ratios) for part in (0.25, 0.2))
    print(f"\nthe mean of both directions differs by more than a quarter in {quarter} of {len(ratios)}, by more than a "
          f"fifth in {fifth}; the median ratio is {statistics.median(ratios):.2f}\n")
    print("| street, 8:50, 12:00, 17:40 | published | Bridgecast |\n|---|---|---|")
    for name, start, goal, published in STREETS:
        found = ", ".join(f"{expected(start, goal, hour):.1f}" for hour in HOURS)
        print(f"| {name} | {', '.join(map(str, published))} | {found} |")
    for name, start, goal, hour in SINGLE:
        print(f"| {name} | | {expected(start, goal, hour):.1f} |")

"""Published corridor times of Seattle and commutes over its bridges, beside the reference; compare.py prints them."""

PLACES = {
    "Ballard": (47.6687, -122.3845), "Downtown": (47.6097, -122.3375), "U District": (47.6613, -122.3130),
    "Northgate": (47.7085, -122.3255), "Queen Anne": (47.6373, -122.3570), "Capitol Hill": (47.6195, -122.3210),
    "West Seattle": (47.5612, -122.3868), "South Park": (47.5290, -122.3210), "Othello": (47.5375, -122.2815),
}
# Seattle's comprehensive plan, transportation appendix, table A.4-1: evening peak by car, Google Maps 2014; both ways
# are printed, as the table does not say which it means. I-5 there means the express lanes where they help.
VILLAGES = [
    ("Ballard", "Downtown", 20), ("Ballard", "U District", 18), ("Ballard", "Northgate", 20),
    ("Northgate", "Downtown", 16), ("Northgate", "U District", 14), ("Queen Anne", "Downtown", 13),
    ("Queen Anne", "U District", 23),
    ("Queen Anne", "Northgate", 24), ("Downtown", "U District", 14), ("Capitol Hill", "Downtown", 11),
    ("Capitol Hill", "U District", 16), ("Capitol Hill", "Northgate", 30), ("West Seattle", "Downtown", 15),
    ("West Seattle", "U District", 33), ("West Seattle", "Northgate", 44), ("South Park", "Downtown", 16),
    ("South Park", "U District", 31), ("South Park", "Northgate", 44), ("Othello", "Downtown", 18),
    ("Othello", "U District", 31), ("Othello", "Northgate", 44),
]
# Street corridors of the city's retiming report (SDOT blog, 23 May 2016): minutes morning, all day, evening
STREETS = [
    ("4th Avenue, Jackson to Virginia", (47.5992, -122.3293), (47.6125, -122.3392), (6.5, 6.0, 5.6)),
    ("Denny Way, Western to Dexter", (47.6184, -122.3553), (47.6184, -122.3425), (3.4, 4.5, 5.3)),
]
# Single figures: where, from, to, minute of the day, what was published
SINGLE = [
    ("I-5 N 145th to Union, 16:00, INRIX 25 (2012) to 39 (2013)", (47.7338, -122.3275), (47.6105, -122.3325), 960),
    ("Mercer, 3rd W to Fairview, 17:00, SDOT 9.3 (2017)", (47.6245, -122.3607), (47.6246, -122.3343), 1020),
    ("West Seattle Junction to I-5, 7:30, a driver under 10 (2022)", (47.5612, -122.3868), (47.5740, -122.3206), 450),
]
TIMES = (530, 720, 1060)

COMMUTES = [
    ("Ballard", "Pike Place", (47.6687, -122.3873), (47.6097, -122.3400)),
    ("Crown Hill", "4th and Pine", (47.6906, -122.3763), (47.6117, -122.3370)),
    ("Phinney Ridge", "South Lake Union", (47.6760, -122.3544), (47.6225, -122.3365)),
    ("Fremont", "Belltown", (47.6513, -122.3500), (47.6145, -122.3450)),
    ("Wallingford", "Capitol Hill", (47.6613, -122.3362), (47.6195, -122.3210)),
    ("U District", "4th and Pine", (47.6613, -122.3130), (47.6117, -122.3370)),
    ("Ravenna", "First Hill", (47.6757, -122.3005), (47.6085, -122.3235)),
    ("Laurelhurst", "Madison Park", (47.6627, -122.2830), (47.6352, -122.2800)),
    ("Wedgwood", "South Lake Union", (47.6870, -122.2900), (47.6225, -122.3365)),
    ("Lake City", "Columbia Street", (47.7195, -122.2953), (47.6045, -122.3320)),
    ("Greenwood", "SODO", (47.7057, -122.3554), (47.5800, -122.3345)),
    ("Magnolia", "Fremont", (47.6396, -122.3990), (47.6513, -122.3500)),
    ("Queen Anne", "U District", (47.6373, -122.3570), (47.6613, -122.3130)),
    ("Madison Valley", "University Village", (47.6235, -122.2955), (47.6622, -122.2985)),
    ("West Seattle Junction", "4th and Pine", (47.5612, -122.3868), (47.6117, -122.3370)),
    ("Alki", "Pioneer Square", (47.5790, -122.4100), (47.6010, -122.3330)),
    ("White Center", "SODO", (47.5170, -122.3550), (47.5800, -122.3345)),
    ("South Park", "Georgetown", (47.5290, -122.3210), (47.5480, -122.3210)),
    ("High Point", "Beacon Hill", (47.5450, -122.3720), (47.5680, -122.3110)),
    ("Delridge", "First Hill", (47.5450, -122.3630), (47.6085, -122.3235)),
]


def clock(minute):
    return f"{minute // 60}:{minute % 60:02}"


def report(model, engine):
    print("\npublished evening minutes between villages, and ours at 03:00, 8:50, 12:00, 17:40 and back at 17:40")
    for start, goal, published in VILLAGES:
        a, b = PLACES[start], PLACES[goal]
        found = engine([(*a, *b, minute) for minute in (180, *TIMES)] + [(*b, *a, TIMES[-1])])
        print(f"{start:13}{goal:12}{published:4}   " + " ".join(f"{way[1]:5.1f}" for way in found))
    print("\npublished street corridors in the morning, by day and in the evening, and ours")
    for name, a, b, published in STREETS:
        found = engine([(*a, *b, minute) for minute in TIMES])
        print(f"{name:34}{published}   " + " ".join(f"{way[1]:5.1f}" for way in found))
    for name, a, b, minute in SINGLE:
        print(f"{name}: ours {engine([(*a, *b, minute)])[0][1]:.1f}")
    print("\ncommutes")
    for start, goal, a, b in COMMUTES:
        for minute in TIMES:
            print(f"{start} to {goal} {clock(minute)}: " + line(model, a, b, minute))
        print(f"  and back {clock(TIMES[-1])}: " + line(model, b, a, TIMES[-1]))


def line(model, start, goal, minute):
    minutes, length, way = model.route(start, goal, minute)
    return f"{minutes:.0f} min, {length / 1000:.1f} km: {model.describe(way)}"

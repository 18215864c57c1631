"""The constants of the road model: speeds, delays, turn costs and groups; the other files here use them.

A second, independent writing of the rules of Bridgecast's own graph, so that its times can be checked against these.
Seconds and km/h throughout; "rank" orders the road classes from local streets (1) to freeways (6).
"""

import math

CENTRE = (47.6117, -122.3370)  # Westlake, 4th Avenue and Pine Street
DOWNTOWN = (47.5985, -122.3600, 47.6250, -122.3195)  # south, west, north, east: with First Hill, Belltown, Lake Union
MILE = 1.609344

RANK = {"living_street": 1, "residential": 1, "unclassified": 1, "tertiary_link": 2, "tertiary": 2, "secondary_link": 2,
        "secondary": 3, "primary_link": 3, "trunk_link": 3, "motorway_link": 3, "primary": 4, "trunk": 5, "motorway": 6}
LIMIT = {"living_street": 15, "residential": 20, "unclassified": 20, "tertiary_link": 25, "tertiary": 25,
         "secondary_link": 25, "secondary": 25, "primary_link": 25, "primary": 25, "trunk_link": 30, "trunk": 35,
         "motorway_link": 35, "motorway": 50}  # miles per hour, where maxspeed is missing
RUNNING = {"living_street": 0.60, "residential": 0.72, "unclassified": 0.75, "tertiary_link": 0.75, "tertiary": 0.90,
           "secondary_link": 0.75, "secondary": 0.98, "primary_link": 0.78, "primary": 1.03, "trunk_link": 0.85,
           "trunk": 1.03, "motorway_link": 0.88, "motorway": 1.0}  # share of the limit driven between stops
EXPRESSWAY_LIMIT, EXPRESSWAY_RUNNING = 40, 1.15  # trunk roads without signals: the hours of freeways
NARROW = 0.88       # two-way local street with one marked lane or none: cars yield to each other
DOWNTOWN_RUNNING = 0.88   # pedestrians, buses, kerbside loading
DESTINATION_ONLY = 0.65   # streets open to residents only, with signs and humps against through traffic
ROUGH_KMH = 20      # cobbles, gravel
LEAST_KMH = 12
ROUGH = {"cobblestone", "unhewn_cobblestone", "sett", "gravel", "unpaved", "dirt", "fine_gravel", "compacted"}

SIGNAL_RADIUS_M = 40
STOP_ALL, STOP_MINOR, GIVE_WAY, RAMP_METER = 8.0, 5.0, 3.0, 10.0
PEDESTRIAN_SIGNAL = 2.5   # a signal that no other road meets
CROSSING_SIGNAL = 1.3     # each crossing with a button away from other signals; they come in pairs
CALMING = {"hump": 2.5, "table": 2.0, "bump": 2.5, "cushion": 1.5, "chicane": 1.0, "choker": 1.0, "island": 0.5}
LOCAL_CROSSING = 1.0      # a local street meets another without a sign
CIRCLE = 1.5              # on entering a neighbourhood traffic circle or roundabout
NO_SIGNAL = {"blinker", "emergency", "continuous_green", "no"}


def uniform_delay(cycle, green, saturation, progression):
    """Control delay of the Highway Capacity Manual without its overflow term."""
    return progression * 0.5 * cycle * (1 - green) ** 2 / (1 - min(1, saturation) * green)


# Rank of one's own road minus the highest crossing one: cycle, green share, degree of saturation, progression factor
SIGNAL_CASES = {2: (100, 0.65, 0.40, 0.50), 1: (100, 0.58, 0.45, 0.65), 0: (100, 0.47, 0.50, 0.85),
                -1: (100, 0.38, 0.45, 1.0), -2: (100, 0.30, 0.35, 1.0)}
SIGNAL = {case: round(uniform_delay(*numbers), 1) for case, numbers in SIGNAL_CASES.items()}
DOWNTOWN_SIGNAL = 0.65    # cycles of 75 to 90 s, progression on the one-way avenues; there only cases -1 to 1


def gap_wait(flow, gap, follow):
    """Seconds a driver waits for a gap: 3600 / potential capacity of the Highway Capacity Manual."""
    return 3600 * (1 - math.exp(-flow * follow / 3600)) / (flow * math.exp(-flow * gap / 3600))


# Off-peak vehicles an hour of a road of this rank, both directions and all lanes, of the city's counts
FLOW = {2: 300, 3: 600, 4: 1100, 5: 1300, 6: 1300}
ONTO = {rank: {"right": round(gap_wait(0.35 * flow, 6.2, 3.3), 1), "across": round(gap_wait(flow * 0.8, 6.5, 4.0), 1),
               "left": round(gap_wait(flow * 0.9, 6.9, 3.5), 1)} for rank, flow in FLOW.items()}
OPPOSING = {1: 0.5} | {rank: round(gap_wait(0.5 * flow, 4.1, 2.2), 1) for rank, flow in FLOW.items()}

TURN = {"straight": 0.0, "slight": 0.5, "right": 2.0, "left": 2.5, "sharp": 5.0, "dead_end": 12.0}
U_TURN = 160              # degrees; turns beyond are not made where there is another way
MERGE = 12.0              # from a ramp onto a freeway: meters and merging
SIGNAL_LEFT = 9.0         # an opposed left turn waits that much longer than the through movement

# What drivers count beside the minutes: a share of the time on local streets, seconds of turning into one from others
RELUCTANCE = (0.3, 30.0)
# And riders: a share of the time by where they ride; bikes.py has the words
BIKE_RELUCTANCE = {"trail": 0.0, "track": 0.05, "greenway": 0.05, "lane": 0.15, "local": 0.15, "sharrows": 0.25,
                   "arterial": 0.35, "busy": 0.8}
BIKE_KMH, TRAIL_KMH, PUSHED_KMH = 16, 18, 4.8
BIKE_SIGNAL, BIKE_STOP, BIKE_ACROSS = 10, 3, 5

LOCAL, INBOUND, OUTBOUND, ACROSS, FREEWAY_IN, FREEWAY_OUT, EXPRESS_IN, EXPRESS_OUT = range(8)
FREEWAY_LIMIT = 55  # miles per hour; slower motorways keep the times of arterials


def turn_kind(angle):
    """Kind of a turn by its angle in degrees, right positive."""
    size = abs(angle)
    if size < 25:
        return "straight"
    if size < 50:
        return "slight"
    if size > 140:
        return "sharp"
    return "right" if angle > 0 else "left"


def cosine(degrees):
    return math.cos(math.radians(degrees))


def foot(point, a, b, metres, gone):
    """Distance of a point to a segment and how far along the line its foot lies."""
    scale = cosine(point[0])
    ax, ay, bx, by = (a[1] - point[1]) * scale, a[0] - point[0], (b[1] - point[1]) * scale, b[0] - point[0]
    dx, dy = bx - ax, by - ay
    length = dx * dx + dy * dy
    part = 0 if length == 0 else min(1, max(0, -(ax * dx + ay * dy) / length))
    nearest = (a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part)
    return metres(point, nearest), gone + part * metres(a, b)

"""The constants of the reference: speeds, delays at signals and turns, paces by hour.

Written independently of Bridgecast's own graph, so that its times can be checked against these. Seconds and km/h
throughout. A rank orders the road classes from local streets (1) to freeways (6).
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
MIN_KMH = 12
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


# Off-peak vehicles an hour on a road of this rank, both directions and all lanes, by the city's counts
FLOW = {2: 300, 3: 600, 4: 1100, 5: 1300, 6: 1300}
ONTO = {rank: {"right": round(gap_wait(0.35 * flow, 6.2, 3.3), 1), "across": round(gap_wait(flow * 0.8, 6.5, 4.0), 1),
               "left": round(gap_wait(flow * 0.9, 6.9, 3.5), 1)} for rank, flow in FLOW.items()}
OPPOSING = {1: 0.5} | {rank: round(gap_wait(0.5 * flow, 4.1, 2.2), 1) for rank, flow in FLOW.items()}

TURN = {"straight": 0.0, "slight": 0.5, "right": 2.0, "left": 2.5, "sharp": 5.0, "dead_end": 12.0}
U_TURN = 160              # degrees; turns beyond are not made where there is another way
MERGE = 12.0              # from a ramp onto a freeway: meters and merging
SIGNAL_LEFT = 9.0         # an opposed left turn waits that much longer than the through movement

# What the search adds to the minutes: a share of the time on local streets, seconds for turning into one
RELUCTANCE = (0.3, 30.0)

# Groups of arcs that have paces of their own
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


CLOSED = 1000.0   # the pace of lanes that are closed

# Pace: minutes of clock for one free minute, in hundredths at the full hours 0 to 23; a line for each group above
WEEKDAY = """
     95  95  95  95  95  97 100 108 112 108 106 107 108 108 110 114 118 118 112 106 102 100  97  95  local
     90  90  90  90  90  95 106 132 145 132 120 120 124 124 128 136 144 146 130 114 106 102  98  94  inbound
     90  90  90  90  90  95 104 120 127 121 118 122 126 128 138 155 170 174 146 116 106 102  98  94  outbound
     90  90  90  90  90  95 105 124 136 125 120 122 126 127 136 150 164 168 142 115 106 102  98  94  across
     97  97  97  97  97 102 145 210 230 195 145 135 142 160 195 230 245 245 180 125 105 101  98  97  freeway in
     97  97  97  97  97 100 108 130 140 128 120 122 132 145 185 240 275 285 205 128 104 101  98  97  freeway out
    100 100 100 100 100 100 105 120 130 115 105 100 100 100 100 100 100 100 100 100 100 100 100 100  express in
    100 100 100 100 100 100 100 100 100 100 100 100 102 105 112 125 135 135 115 100 100 100 100 100  express out
"""
WEEKEND = """
     95  95  95  95  95  95  95  96  98 100 103 106 108 108 108 108 108 107 105 103 100  98  97  96  local
     91  91  91  91  91  91  91  94  97 103 110 116 121 123 124 124 123 120 115 109 104 101  98  95  inbound
     91  91  91  91  91  91  91  94  96 101 108 115 121 124 126 127 126 123 117 110 105 102  99  96  outbound
     91  91  91  91  91  91  91  94  96 102 109 115 121 124 125 125 124 121 116 109 104 101  98  95  across
     97  97  97  97  97  97  97  98 100 105 114 124 134 140 145 148 146 138 124 112 105 102 100  98  freeway in
     97  97  97  97  97  97  97  98 100 103 108 115 122 128 132 134 132 125 115 108 103 101 100  98  freeway out
    100 100 100 100 100 100 100 100 100 100 103 106 108 108 100 100 100 100 100 100 100 100 100 100  express in
    100 100 100 100 100 100 100 100 100 100 100 100 100 103 106 108 108 105 100 100 100 100 100 100  express out
"""
# Hours the express lanes are open, towards the centre (group 6) and away from it (7), by the state's schedule
OPEN = {(False, 6): (5.0, 11.0), (False, 7): (11.25, 23.0), (True, 6): (8.0, 13.5), (True, 7): (13.75, 23.0)}


def hours(text):
    return [[int(number) / 100 for number in line.split()[:24]] for line in text.strip().split("\n")]


def slots(weekend):
    """Pace of each group in the 96 quarters of a day: linear between the full hours, taken at the quarter's middle."""
    table = []
    for group, line in enumerate(hours(WEEKEND if weekend else WEEKDAY)):
        start, end = OPEN.get((weekend, group), (0, 24))
        table.append([])
        for quarter in range(96):
            hour = (quarter + 0.5) / 4
            low = int(hour)
            value = line[low] + (line[(low + 1) % 24] - line[low]) * (hour - low)
            table[-1].append(value if start <= hour < end else CLOSED)
    return table

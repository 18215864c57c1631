"""Paces of the road model: minutes of clock for one free minute, by group, day and hour; model.py drives by them."""

CLOSED = 1000.0

# Hundredths at the full hours 0 to 23, a line for each group of rules.py in its order
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

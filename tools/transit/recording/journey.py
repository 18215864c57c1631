"""A bus on its trip, second by second: late by the timetable, standing at stops, and held by a raised bridge."""
import dataclasses
import math

# The gates close before the span rises, which is when the records begin: by so many seconds.
GATE_SECONDS = 20
# From the middle of Montlake Bridge to where buses wait, and to where they have left the deck, metres.
STOP_LINE_METRES, CLEAR_METRES = 60, 45
# Degree of saturation of Montlake Bridge's busier approach by hour of a weekday: TrafficProfile's.
DENSITY = [0.08, 0.05, 0.03, 0.03, 0.06, 0.14, 0.32, 0.52, 0.57, 0.46, 0.42, 0.53,
           0.56, 0.58, 0.60, 0.63, 0.66, 0.69, 0.63, 0.40, 0.32, 0.28, 0.22, 0.13]
LANE_VEHICLES_PER_SECOND = 1900 / 3600
QUEUED_VEHICLE_METRES = 7.5
MAX_METRES_PER_SECOND = 29
DWELL_SECONDS = (8, 28)
LAYOVER_SECONDS = 90
# How long before its departure a bus stands at its first stop.
EARLY_SECONDS = 300
# Of lateness: after this time little of a deviation is left. Assumed, as recordings half an hour apart cannot tell.
MEMORY_SECONDS = 900.0
# Minutes into the trip from which it holds, mean and standard deviation of lateness, seconds: `learn_lateness` on
# Saskatoon's buses of 23 June 2019 and Caltrain's trains of 17 February 2026. An early bus waits, and is on time here.
LATENESS = [(0, -25, 165), (10, -30, 111), (20, -75, 189)]


def lateness_at(seconds):
    """Mean and standard deviation of lateness some seconds into a trip."""
    _, mean, spread = [row for row in LATENESS if row[0] * 60 <= max(0, seconds)][-1]
    return mean, spread


@dataclasses.dataclass
class Leg:
    """The way from a stop to the next one, seconds since 1970 and metres along the line."""
    start: float
    end: float
    first: float
    last: float
    # Where it is held, from when, and for how long.
    holds: list = dataclasses.field(default_factory=list)

    def metres(self, time):
        """Where the bus is: it starts and brakes evenly, and drives evenly between."""
        for held_at, began, seconds in self.holds:
            if time < began:
                break
            if time < began + seconds:
                return held_at
            time -= seconds
        share = min(max((time - self.start) / max(self.end - self.start, 1e-9), 0.0), 1.0)
        return self.first + (self.last - self.first) * eased(share, self.end - self.start)

    def time(self, metres):
        """When the bus would be at a distance without being held; by halving, to a hundredth of a second."""
        low, high = self.start, self.end
        while high - low > 0.01:
            middle = (low + high) / 2
            way = self.first + (self.last - self.first) * eased(
                (middle - self.start) / (self.end - self.start), self.end - self.start)
            low, high = (low, middle) if way >= metres else (middle, high)
        return high

    @property
    def held_seconds(self):
        return sum(seconds for _, _, seconds in self.holds)


def eased(share, seconds):
    """The share of the way behind at a share of the time, with even acceleration and braking of 12 s or a quarter."""
    ramp = min(12 / max(seconds, 1e-9), 0.25)
    speed = 1 / (1 - ramp)
    if share < ramp:
        return speed * share * share / (2 * ramp)
    if share > 1 - ramp:
        return 1 - speed * (1 - share) ** 2 / (2 * ramp)
    return speed * (share - ramp / 2)


class Journey:
    """A trip as its bus drives it. All times are seconds since 1970."""

    def __init__(self, trip, day_start, random, free_from):
        self.trip = trip
        self.arrivals, self.departures, self.legs = [], [], []
        self._day_start, self._random = day_start, random
        self._deviation = random.gauss(0, 1)
        self._carried = 0.0
        planned = day_start + trip.stops[0].departure
        left = max(planned + self._lateness(0, 0), free_from + LAYOVER_SECONDS)
        self.arrivals.append(min(max(free_from, left - EARLY_SECONDS), left))
        self.departures.append(left)

    def _lateness(self, since, elapsed):
        """The lateness some seconds into the trip; its deviation remembers that of `elapsed` seconds before."""
        kept = math.exp(-elapsed / MEMORY_SECONDS)
        self._deviation = kept * self._deviation + math.sqrt(1 - kept * kept) * self._random.gauss(0, 1)
        mean, spread = lateness_at(since)
        return max(0.0, mean + spread * self._deviation)

    def drive(self, crossing, openings):
        """Drives to the last stop; `crossing` is the bridge's distance along the line, or None."""
        stops = self.trip.stops
        for stop, following in zip(stops, stops[1:]):
            left = self.departures[-1]
            way = following.metres - stop.metres
            late = self._lateness(following.arrival - stops[0].departure, following.arrival - stop.arrival)
            due = self._day_start + following.arrival + late + self._carried
            leg = Leg(left, max(due, left + way / MAX_METRES_PER_SECOND + 10), stop.metres, following.metres)
            if crossing is not None and leg.first + 1 < crossing <= leg.last:
                self._hold(leg, crossing, openings)
            self._carried += leg.held_seconds
            self.legs.append(leg)
            self.arrivals.append(leg.end + leg.held_seconds)
            dwell = self._random.uniform(*DWELL_SECONDS)
            self.departures.append(max(self.arrivals[-1] + dwell, self._day_start + following.departure))
        return self

    def _hold(self, leg, crossing, openings):
        """Holds the bus for each opening that is before it: by the queue that the opening has made, as DelayDistribution."""
        stop_line = max(crossing - STOP_LINE_METRES, leg.first + 1)
        reaches, leaves = leg.time(stop_line), leg.time(min(crossing + CLEAR_METRES, leg.last))
        for start, end in openings:
            waited = leg.held_seconds
            since = max(0.0, reaches + waited - start + GATE_SECONDS)
            density = DENSITY[int((start - self._day_start) // 3600) % 24]
            delay = end - start + GATE_SECONDS - (1 - density) * since
            if leaves + waited <= start or delay <= 0:
                continue
            queue = density * LANE_VEHICLES_PER_SECOND * since * QUEUED_VEHICLE_METRES
            # Between the stop and the bridge, and no further back than where it stands already.
            back = leg.holds[-1][0] if leg.holds else leg.first + 15
            place = min(max(stop_line - queue, back), stop_line)
            leg.holds.append((place, leg.time(place), delay))

    # MARK: What can be seen of it

    def stage(self, time):
        """The number of the stop that it stands at or drives to, and whether it stands there."""
        for number, (came, left) in enumerate(zip(self.arrivals, self.departures)):
            if time < came:
                return number, False
            if time < left:
                return number, True
        return len(self.arrivals) - 1, True

    def is_under_way(self, time):
        return self.arrivals[0] <= time < self.departures[-1]

    def metres(self, time):
        """How far along the line it is."""
        number, stands = self.stage(time)
        return self.trip.stops[number].metres if stands else self.legs[number - 1].metres(time)

    def lateness(self, time):
        """How late it is at a time, seconds, by the time at which it should be where it is; never negative."""
        number, stands = self.stage(time)
        stop, since = self.trip.stops[number], time - self._day_start
        if stands:
            # What a stop takes is in the timetable, on the way to the next one.
            return max(0.0, since - stop.departure) if number == 0 else self.arrivals[number] - self._day_start - stop.arrival
        before = self.trip.stops[number - 1]
        share = (self.metres(time) - before.metres) / max(stop.metres - before.metres, 1.0)
        return max(0.0, since - before.departure - share * (stop.arrival - before.departure))

"""Lines, stops and times that recorded fixes of vehicles imply, for a timetable on which the same fixes can be judged."""
import bisect
import collections
import statistics

import geography
from google.transit import gtfs_realtime_pb2 as realtime
from timetable import Line

# A fix is of the line it is matched to if it is as near, metres; a trip if so many of its fixes are.
MAX_OFF_METRES, MIN_MATCHED = 80, 0.8
MAX_METRES_PER_SECOND = 25
# Lines are smoothed: one point is the mean of the fixes of so many metres.
BIN_METRES = 40
# Vehicles that moved less from fix to fix stand; where they stood is a stop, unless one is near.
STANDING_METRES, STOP_SPACING = 10, (250, 800)
MIN_TRIP_METRES, MIN_TRIP_FIXES = 1500, 10
DEFAULT_METRES_PER_SECOND = 6.0


class Fixes:
    """The fixes of a trip in order: (seconds, latitude, longitude)."""

    def __init__(self, trip, route, fixes):
        self.trip, self.route, self.fixes = trip, route, moving(fixes)
        self.line = line_through(self.fixes)

    @property
    def is_useful(self):
        return len(self.fixes) >= MIN_TRIP_FIXES and self.line is not None and self.line.metres >= MIN_TRIP_METRES


def moving(fixes):
    """Fixes without those before the first movement and after the last one."""
    moves = [number for number, (a, b) in enumerate(zip(fixes, fixes[1:]))
             if geography.metres(a[1:], b[1:]) > 3 * STANDING_METRES]
    return fixes[moves[0]:moves[-1] + 2] if moves else []


def line_through(fixes):
    """The line through fixes at least 10 m apart; None of fewer than two."""
    points = []
    for _, *place in fixes:
        if not points or geography.metres(points[-1], place) >= 10:
            points.append(tuple(place))
    return Line(points) if len(points) > 1 else None


def read(paths):
    """Messages in order of time, each with its vehicles."""
    feeds = []
    for path in paths:
        feed = realtime.FeedMessage()
        feed.ParseFromString(path.read_bytes())
        feeds.append(feed)
    return sorted(feeds, key=lambda feed: feed.header.timestamp)


def trips(feeds, step=1):
    """The trips of messages with their fixes, each once; with a `step` of 2 those first seen in every second message."""
    fixes, routes, newest = collections.defaultdict(list), {}, {}
    for number, feed in enumerate(feeds):
        for entity in feed.entity:
            report, trip = entity.vehicle, entity.vehicle.trip.trip_id
            is_new = newest.get(trip, 0) < report.timestamp
            newest[trip] = max(newest.get(trip, 0), report.timestamp)
            if is_new and number % step == 0:
                fixes[trip].append((report.timestamp, report.position.latitude, report.position.longitude))
            routes[trip] = report.trip.route_id
    found = [Fixes(trip, routes[trip], known) for trip, known in sorted(fixes.items())]
    return [one for one in found if one.is_useful]


# MARK: Matching, only forwards

def follow(line, fixes):
    """Metres along a line of each fix, going forwards; None where it is off the line."""
    found, last = [], None
    for time, *place in fixes:
        if last is None:
            metres, away = line.nearest(place)
        else:
            reach = MAX_METRES_PER_SECOND * (time - last[0]) + 100
            metres, away = line.nearest(place, max(0.0, last[1] - 20), last[1] + reach)
        if away <= MAX_OFF_METRES:
            last = (time, max(metres, last[1]) if last else metres)
            found.append(last[1])
        else:
            found.append(None)
    return found


def fits(line, fixes):
    """Whether fixes are of a line, and go along it; the metres if so, else None."""
    metres = follow(line, fixes)
    known = [place for place in metres if place is not None]
    length = line_through(fixes)
    is_fit = len(known) >= MIN_MATCHED * len(metres) and length and known[-1] - known[0] > 0.6 * length.metres
    return metres if is_fit else None


# MARK: Lines of several trips

class Pattern:
    """The line of a trip, with the trips that went along it."""

    def __init__(self, trip, others):
        """`others`: trips of the same route, without this one."""
        self.trip = trip
        along = [(other, fits(other.line, trip.fixes)) for other in others]
        # The line of another trip that has most of this one's fixes, else its own.
        best = max((pair for pair in along if pair[1]), default=None,
                   key=lambda pair: (sum(place is not None for place in pair[1]), pair[0].line.metres))
        line = best[0].line if best else trip.line
        for _ in range(2):
            line = self._merged(line, [trip, *others])
        self.line = line
        self.members = [(other, metres) for other in others if (metres := fits(line, other.fixes))]

    @staticmethod
    def _merged(line, trips):
        """The line through all fixes along another one: the mean of each stretch."""
        bins = collections.defaultdict(list)
        for trip in trips:
            for metres, (_, *place) in zip(fits(line, trip.fixes) or [], trip.fixes):
                if metres is not None:
                    bins[int(metres // BIN_METRES)].append(place)
        points = [tuple(statistics.fmean(values) for values in zip(*bins[number])) for number in sorted(bins)]
        return Line(points) if len(points) > 1 else line

    def stops(self):
        """Distances along the line where vehicles stood, and some between them."""
        stood = sorted(metres[number] for trip, metres in self._all() for number in range(1, len(metres))
                       if None not in metres[number - 1:number + 1]
                       and geography.metres(trip.fixes[number - 1][1:], trip.fixes[number][1:]) < STANDING_METRES)
        nearest, furthest = STOP_SPACING
        found = [0.0]
        for metres in [*(place for place in stood if place < self.line.metres - nearest), self.line.metres]:
            while metres - found[-1] > furthest:
                found.append(found[-1] + furthest / 2)
            if metres - found[-1] >= nearest:
                found.append(metres)
        found[-1] = self.line.metres
        return found

    def _all(self):
        return [*self.members, (self.trip, follow(self.line, self.trip.fixes))]

    def times(self, stops):
        """When the trip should be at each stop, by how long others took, from where it was first seen."""
        profiles = [profile(trip.fixes, metres) for trip, metres in self.members]
        own = profile(self.trip.fixes, follow(self.line, self.trip.fixes))
        passed = [0.0]
        for start, end in zip(stops, stops[1:]):
            taken = [took for one in profiles if (took := seconds_between(one, start, end)) is not None]
            seconds = statistics.median(taken) if taken else (end - start) / average_speed(own)
            passed.append(passed[-1] + max(seconds, (end - start) / MAX_METRES_PER_SECOND))
        first_metres, first_seconds = own[0]
        offset = first_seconds - interpolated(stops, passed, first_metres)
        return [round(offset + seconds) for seconds in passed]


def profile(fixes, metres):
    """(metres, seconds) of the fixes on the line, in order."""
    return [(place, fix[0]) for place, fix in zip(metres, fixes) if place is not None]


def average_speed(profile):
    seconds = profile[-1][1] - profile[0][1]
    return max((profile[-1][0] - profile[0][0]) / seconds, 1.0) if seconds else DEFAULT_METRES_PER_SECOND


def seconds_between(profile, start, end):
    """How long a trip took from one distance to another; None if it was not seen at both."""
    metres = [place for place, _ in profile]
    if metres[0] > start or metres[-1] < end:
        return None
    seconds = [time for _, time in profile]
    return interpolated(metres, seconds, end) - interpolated(metres, seconds, start)


def interpolated(xs, ys, x):
    """The value at x of the line through points in order; its ends beyond them."""
    after = min(max(1, bisect.bisect_left(xs, x)), len(xs) - 1)
    width = xs[after] - xs[after - 1]
    share = min(max((x - xs[after - 1]) / width, 0.0), 1.0) if width else 0.0
    return ys[after - 1] + share * (ys[after] - ys[after - 1])

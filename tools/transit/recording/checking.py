"""What is true of a made day: checked on the buses as they are driven and on the messages as they are published."""
import collections

import journey
import messages
from google.transit import gtfs_realtime_pb2 as realtime

# Five standard deviations of a position's error, and a second's way where seconds are whole, metres.
NOISE_BOUND = 5 * messages.NOISE_METRES + 5


def read(content):
    """The messages of a recording."""
    position = 0
    while position < len(content):
        length, shift = 0, 0
        while True:
            byte = content[position]
            position += 1
            length |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
        feed = realtime.FeedMessage()
        feed.ParseFromString(content[position:position + length])
        position += length
        yield feed


def journeys(day):
    return [driven for bus in day.buses for driven in bus.journeys]


def summary(day, content):
    """What a day holds, as a line."""
    driven = journeys(day)
    held = [leg.held_seconds for one in driven for leg in one.legs if leg.holds]
    late = sorted(one.arrivals[-1] - day.start - one.trip.stops[-1].arrival for one in driven)
    feeds = list(read(content))
    fixes = sum(entity.HasField("vehicle") for feed in feeds for entity in feed.entity)
    return (f"{len(day.buses)} buses, {len(driven)} trips, {len(day.openings)} openings, {len(held)} buses held for "
            f"{sum(held) / max(len(held), 1):.0f} s on average, {max(held, default=0):.0f} s at most; lateness at the last stop: median "
            f"{late[len(late) // 2]:.0f} s, 90 % {late[len(late) * 9 // 10]:.0f} s; {len(feeds):,} messages, {fixes:,} positions")


def wrong(day, content, published):
    """What is not as it should be, a line each."""
    lines = [] if content == published else ["the file has other messages than are made now: make it again"]
    for driven in journeys(day):
        lines += early(driven, day) + crossed(driven, day)
    return lines + on_lines(day, content)


def early(driven, day):
    """Stops that a bus leaves or reaches before its time."""
    return [f"trip {driven.trip.id} is at stop {stop.sequence} before its time"
            for number, stop in enumerate(driven.trip.stops)
            if driven.departures[number] < day.start + stop.departure - 1e-6
            or (number > 0 and driven.arrivals[number] < day.start + stop.arrival - 1e-6)]


def crossed(driven, day):
    """Openings in which a bus is on the deck, second by second."""
    crossing = day.crossing(driven.trip.line)
    if crossing is None:
        return []
    low, high = crossing - journey.STOP_LINE_METRES, crossing + journey.CLEAR_METRES
    if any(low < stop.metres < high for stop in driven.trip.stops):
        return [f"trip {driven.trip.id} stops on the bridge"]
    return [f"trip {driven.trip.id} is on the bridge at {second}, while it is raised"
            for start, end in day.openings for second in range(int(start), int(end) + 1)
            if driven.is_under_way(second) and low + 1 < driven.metres(second) < high]


def on_lines(day, content):
    """Published positions that are far from where the bus is, and those that go back."""
    trips = {driven.trip.id: driven for driven in journeys(day)}
    fixes = collections.defaultdict(list)
    for feed in read(content):
        for entity in feed.entity:
            if entity.HasField("vehicle"):
                fixes[entity.vehicle.trip.trip_id].append(entity.vehicle)
    lines = []
    for trip, reports in sorted(fixes.items()):
        line, last = trips[trip].trip.line, 0.0
        for report in reports:
            true = trips[trip].metres(report.timestamp)
            place = (report.position.latitude, report.position.longitude)
            metres, away = line.nearest(place, true - 50, true + 50)
            if away > NOISE_BOUND or abs(metres - true) > NOISE_BOUND:
                lines.append(f"trip {trip} at {report.timestamp}: {max(away, abs(metres - true)):.0f} m from where it is")
            if true < last - 1e-6:
                lines.append(f"trip {trip} at {report.timestamp}: goes back by {last - true:.1f} m")
            last = true
    missing = [trip for trip, driven in trips.items() if trip not in fixes and starts_in(driven, day)]
    return lines + [f"trip {trip} has no position" for trip in missing]


def starts_in(driven, day):
    """Whether a trip is driven in the hours of the recording."""
    return day.start + 5 * 3600 < driven.departures[0] < day.start + 23.5 * 3600

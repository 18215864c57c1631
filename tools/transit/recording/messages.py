"""What an agency would publish of buses on their way: positions with the errors of a receiver, and predictions."""
import math
import random

from google.transit import gtfs_realtime_pb2 as realtime

METRES_PER_DEGREE = 111_195.0
# The errors of positions: standard deviation north and east, and the share that stays from one report to the next.
NOISE_METRES, NOISE_KEPT = 4.0, 0.8
# A report is up to so many seconds old when it is published, always the same of a bus.
MAX_AGE_SECONDS = 24
# Full buses by hour: the peaks, hours and the standard deviation of each.
PEAKS, PEAK_HOURS = (7.8, 17.3), 1.1
STATUS = realtime.VehiclePosition.VehicleStopStatus
OCCUPANCY = realtime.VehiclePosition.OccupancyStatus
LABEL = "Made, not recorded: these buses follow the timetable with the lateness of other vehicles"
TEXT = ("No vehicle of this day was recorded. A program placed these buses on their lines by the timetable, late as "
        "real vehicles elsewhere were, and held them at Montlake Bridge while the records have it raised.")


class Bus:
    """A vehicle and its trips of the day, one after the other."""

    def __init__(self, name, journeys, start_date, seed):
        self.name, self.journeys, self.start_date = name, journeys, start_date
        self._random = random.Random(f"{seed} {name}")
        self.age = self._random.randint(0, MAX_AGE_SECONDS)
        self._error = [self._random.gauss(0, NOISE_METRES) for _ in range(2)]
        self._loads = [self._random.gauss(0, 0.12) for _ in journeys]

    def journey(self, time):
        """The trip under way, and its number; None between trips."""
        return next(((number, journey) for number, journey in enumerate(self.journeys)
                     if journey.is_under_way(time)), None)

    def position(self, entity, time, hour):
        """Fills an entity with the bus's report of a time, if it is under way."""
        number, journey = self.journey(time)
        stop, stands = journey.stage(time)
        metres = journey.metres(time)
        report = entity.vehicle
        self._describe(report, journey)
        report.timestamp = time
        self._place(report.position, journey, metres, journey.metres(time + 2) - metres)
        report.current_stop_sequence = journey.trip.stops[stop].sequence
        report.stop_id = journey.trip.stops[stop].id
        is_near = journey.trip.stops[stop].metres - metres < 60
        report.current_status = (STATUS.STOPPED_AT if stands else STATUS.INCOMING_AT if is_near
                                 else STATUS.IN_TRANSIT_TO)
        report.occupancy_status = occupancy(self._load(number, stop, stands, hour))

    def update(self, entity, time):
        """Fills an entity with the prediction of a time: the timetable and the present lateness."""
        _, journey = self.journey(time)
        number, stands = journey.stage(time)
        self._describe(entity.trip_update, journey)
        entity.trip_update.timestamp = time
        stop = entity.trip_update.stop_time_update.add()
        stop.stop_sequence = journey.trip.stops[number].sequence
        stop.stop_id = journey.trip.stops[number].id
        event = stop.departure if stands and number == 0 else stop.arrival
        event.delay = round(journey.lateness(time))

    def _describe(self, message, journey):
        message.trip.trip_id = journey.trip.id
        message.trip.start_date = self.start_date
        message.vehicle.id = self.name

    def _place(self, position, journey, metres, ahead):
        """A place near the true one: the error changes little from report to report, less while it stands."""
        kept = NOISE_KEPT if ahead > 1 else 0.98
        self._error = [kept * error + math.sqrt(1 - kept * kept) * self._random.gauss(0, NOISE_METRES)
                       for error in self._error]
        latitude, longitude = journey.trip.line.point(metres)
        shrink = math.cos(math.radians(latitude))
        # Five decimals, a metre, are what receivers give.
        position.latitude = round(latitude + self._error[0] / METRES_PER_DEGREE, 5)
        position.longitude = round(longitude + self._error[1] / METRES_PER_DEGREE / shrink, 5)
        position.bearing = round(journey.trip.line.bearing(metres))
        position.speed = round(ahead / 2)

    def _load(self, number, stop, stands, hour):
        """The share of its places that are taken: more in the peaks and in the middle of a trip."""
        way = (stop - (0 if stands else 1)) / max(len(self.journeys[number].trip.stops) - 1, 1)
        peak = max(math.exp(-((hour - middle) / PEAK_HOURS) ** 2 / 2) for middle in PEAKS)
        return (0.3 + 0.7 * peak + self._loads[number]) * (0.3 + 0.9 * math.sin(math.pi * min(way + 0.1, 1.0)))


def occupancy(load):
    """The feed's word for a load."""
    levels = [(0.4, OCCUPANCY.MANY_SEATS_AVAILABLE), (0.7, OCCUPANCY.FEW_SEATS_AVAILABLE),
              (1.0, OCCUPANCY.STANDING_ROOM_ONLY), (math.inf, OCCUPANCY.CRUSHED_STANDING_ROOM_ONLY)]
    return next(status for bound, status in levels if load < bound)


# MARK: Messages

def message(time):
    """A message without entities."""
    feed = realtime.FeedMessage()
    feed.header.gtfs_realtime_version = "2.0"
    feed.header.timestamp = time
    return feed


def positions(buses, time, day_start):
    """The vehicle positions that are published at a time."""
    feed = message(time)
    for bus in buses:
        if bus.journey(time - bus.age):
            bus.position(feed.entity.add(id=bus.name), time - bus.age, (time - day_start) / 3600)
    return feed


def updates(buses, time):
    """The trip updates that are published at a time."""
    feed = message(time)
    for bus in buses:
        if bus.journey(time):
            bus.update(feed.entity.add(id=bus.journey(time)[1].trip.id), time)
    return feed


def label(time, agency):
    """The alert that says what the recording is, for every rider of the agency."""
    feed = message(time)
    alert = feed.entity.add(id="made").alert
    alert.informed_entity.add(agency_id=agency)
    alert.cause = realtime.Alert.OTHER_CAUSE
    alert.effect = realtime.Alert.OTHER_EFFECT
    alert.header_text.translation.add(text=LABEL, language="en")
    alert.description_text.translation.add(text=TEXT, language="en")
    return feed

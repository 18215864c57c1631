"""Learns lateness by the minutes into a trip from recorded trip updates. `learn_lateness` in the folder above runs it."""
import collections
import datetime
import pathlib
import statistics
import sys
import zoneinfo

from google.transit import gtfs_realtime_pb2 as realtime

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "shared"))

import checks
import timetable

# Minutes into the trip from which the rows of the table hold.
ROWS = (0, 10, 20)


def read(path):
    message = realtime.FeedMessage()
    message.ParseFromString(path.read_bytes())
    return message


def recorded(folder):
    """Seconds into the trip and lateness of each vehicle in each message of a folder but the first that has its trip."""
    planned, found = {}, []
    for path in sorted(folder.glob("TripUpdates*.pb")):
        message = read(path)
        now = message.header.timestamp
        for entity in message.entity:
            trip, stops = entity.trip_update.trip.trip_id, entity.trip_update.stop_time_update
            if not stops:
                continue
            first = stops[0]
            if trip not in planned:
                if first.arrival.time > now and first.stop_sequence <= 1:
                    planned[trip] = {stop.stop_sequence: stop.arrival.time for stop in stops}
            elif first.stop_sequence in planned[trip] and min(planned[trip].values()) <= now:
                plan = planned[trip][first.stop_sequence]
                found.append((plan - min(planned[trip].values()), first.arrival.time - plan))
    return found


def against(zip_path, path):
    """The same of one message against its timetable: the next stop of each trip that has begun."""
    times, message = timetable.Timetable(zip_path), read(path)
    now = message.header.timestamp
    zone = zoneinfo.ZoneInfo(times.zone)
    start = timetable.day_start(datetime.datetime.fromtimestamp(now, zone).date(), times.zone)
    planned = collections.defaultdict(dict)
    for row in times.tables["stop_times.txt"]:
        planned[row["trip_id"]][row["stop_id"]] = start + timetable.seconds(row["arrival_time"])
    found = []
    for entity in message.entity:
        plan = planned.get(entity.trip_update.trip.trip_id, {})
        stops = [stop for stop in entity.trip_update.stop_time_update if stop.stop_id in plan and stop.arrival.time]
        if stops and min(plan.values()) <= now:
            due = plan[stops[0].stop_id]
            found.append((due - min(plan.values()), stops[0].arrival.time - due))
    return found


def main():
    parser = checks.parser(__doc__)
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    parser.add_argument("--timetable", nargs=2, type=pathlib.Path, metavar=("ZIP", "FILE"))
    given = parser.parse_args()
    found = [pair for folder in given.folders for pair in recorded(folder)]
    if given.timetable:
        found += against(*given.timetable)
    for row, following in zip(ROWS, (*ROWS[1:], float("inf"))):
        late = [seconds for since, seconds in found if row <= max(since, 0) / 60 < following]
        print(f"({row}, {statistics.mean(late):.0f}, {statistics.pstdev(late):.0f})   {len(late)} observations, "
              f"median {statistics.median(late):.0f} s")


if __name__ == "__main__":
    main()

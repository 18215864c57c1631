"""Makes a recording of a day, or checks the one that is there. `make_recording` in the folder above runs it."""
import collections
import datetime
import gzip
import os
import pathlib
import random
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools/shared"))

import checking
import checks
import journey
import messages
import timetable

TIMETABLE = ROOT / "models/transit/sound-transit-montlake.zip"
RECORDS = ROOT / "training-data/openings-2017-2018.csv"
BRIDGE, BRIDGE_PLACE = "Montlake", (47.64728546142578, -122.3045883178711)
# A line further than this from the middle of the bridge does not cross it, metres.
MAX_FROM_BRIDGE = 60
FIRST_HOUR, LAST_HOUR = 5, 24
FRAME_SECONDS, LABEL_SECONDS = 30, 240
SEED = 38


class Day:
    """A day of buses: their trips driven, and when the bridge was raised."""

    def __init__(self, date):
        times = timetable.Timetable(TIMETABLE)
        self.agency = times.agency
        self.start = timetable.day_start(date, times.zone)
        self.openings = timetable.openings(RECORDS, BRIDGE, date, times.zone)
        trips = times.trips(date)
        if not trips or not self.openings:
            sys.exit(f"make_recording: error: {date}: the timetable has no trips that day, or the records no opening")
        self._crossings = {}
        blocks = collections.defaultdict(list)
        for trip in trips:
            blocks[trip.block].append(trip)
        self.buses = [messages.Bus(f"made-{number}", self._drive(blocks[block]), date.strftime("%Y%m%d"), SEED)
                      for number, block in enumerate(blocks, start=1)]

    def crossing(self, line):
        """The bridge's distance along a line, or None."""
        if line not in self._crossings:
            metres, away = line.nearest(BRIDGE_PLACE)
            self._crossings[line] = metres if away <= MAX_FROM_BRIDGE else None
        return self._crossings[line]

    def _drive(self, trips):
        """The trips of a block, which one bus drives: if it comes late to the next one, that leaves late."""
        journeys, free_from = [], float("-inf")
        for trip in trips:
            driver = random.Random(f"{SEED} {trip.id}")
            driven = journey.Journey(trip, self.start, driver, free_from)
            journeys.append(driven.drive(self.crossing(trip.line), self.openings))
            free_from = driven.departures[-1]
        return journeys

    def messages(self):
        """All messages in order, without those that have nothing to say."""
        for time in range(self.start + FIRST_HOUR * 3600, self.start + LAST_HOUR * 3600, FRAME_SECONDS):
            if (time - self.start) % LABEL_SECONDS == 0:
                yield messages.label(time, self.agency)
            for feed in (messages.positions(self.buses, time, self.start), messages.updates(self.buses, time)):
                if feed.entity:
                    yield feed


def delimited(feeds):
    """Messages, each preceded by its length as a varint."""
    parts = []
    for feed in feeds:
        content = feed.SerializeToString(deterministic=True)
        parts += [varint(len(content)), content]
    return b"".join(parts)


def varint(number):
    """A number as protobuf writes it: seven bits a byte, the lowest first."""
    content = bytearray()
    while number > 0x7F:
        content.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes(content + bytes([number]))


def write(content, path):
    """Writes a gzip file without a date or a name, to another name first."""
    temporary = path.with_name(path.name + ".new")
    temporary.write_bytes(gzip.compress(content, 9, mtime=0))
    os.replace(temporary, path)


def main():
    parser = checks.parser(__doc__)
    parser.add_argument("--date", type=datetime.date.fromisoformat, default=datetime.date(2018, 1, 4))
    parser.add_argument("--output", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    output = given.output or ROOT / f"models/transit/sound-transit-montlake-{given.date}.pb.gz"
    day = Day(given.date)
    content = delimited(day.messages())
    print(checking.summary(day, content))
    if given.check:
        checks.finish(checking.wrong(day, content, gzip.decompress(output.read_bytes())))
    write(content, output)
    print(f"{output.name}: {output.stat().st_size:,} bytes, {len(content):,} unpacked")


if __name__ == "__main__":
    main()

"""The shipped records in the form of the city's feeds: stand_in.py serves them, soak.py compares with them."""
import bisect
import collections
import csv
import datetime
import random
import threading

WITH_SENSOR = {"1", "2", "3", "4", "29"}


def offset_hours(local):
    """Seattle's offset of a local time: the United States rule since 2007."""
    def sunday(month, nth):
        first = datetime.datetime(local.year, month, 1)
        return first + datetime.timedelta(days=(6 - first.weekday()) % 7 + 7 * (nth - 1), hours=2)
    return -7 if sunday(3, 2) <= local < sunday(11, 1) else -8


def utc(text):
    local = datetime.datetime.fromisoformat(text[:19])
    return (local - datetime.timedelta(hours=offset_hours(local))).replace(tzinfo=datetime.timezone.utc).timestamp()


class Records:
    """Rows with ids and times of change, as SODA keeps them, and openings by bridge."""

    def __init__(self, path, seed):
        self.lock, self.touched = threading.Lock(), 0
        with open(path) as file:
            self.rows = list(csv.DictReader(file))
        order = random.Random(seed)
        # The city uploads in batches: many rows change at the same time, and ids are in no order.
        for number, row in enumerate(self.rows):
            if row.get(":updated_at"):
                continue
            row[":id"] = "row-%s" % "".join(order.choice("abcdefghjkmnpqrstuvwxyz23456789") for _ in range(14))
            day = datetime.datetime(2026, 3, 1, 11) + datetime.timedelta(minutes=number // 700)
            row[":updated_at"] = day.strftime("%Y-%m-%dT%H:%M:%S.000Z")
        self.rows.sort(key=lambda row: (row[":updated_at"], row[":id"]))
        self.spans = collections.defaultdict(list)
        for row in self.rows:
            self.spans[row["entityid"]].append((utc(row["opendatetime"]), utc(row["closedatetime"])))
        for spans in self.spans.values():
            spans.sort()
        self.names = {row["entityid"]: row["entityname"] for row in self.rows}

    def is_raised(self, bridge, time):
        spans = self.spans[bridge]
        index = bisect.bisect_right(spans, (time, float("inf")))
        return any(start <= time < end for start, end in spans[max(0, index - 4):index])

    def bridges(self, time):
        return [{"BridgeID": int(bridge), "DisplayName": self.names[bridge], "Latitude": 47.6, "Longitude": -122.3,
                 "Name": "Bridge_%s.Input01" % self.names[bridge],
                 "Status": "Open" if self.is_raised(bridge, time) else "Closed"}
                for bridge in sorted(self.spans, key=int) if bridge in WITH_SENSOR]

    def touch(self, count):
        """The first rows change: they move to the end."""
        with self.lock:
            for row in self.rows[:count]:
                row[":updated_at"] = "2026-03-05T00:00:0%d.000Z" % (self.touched % 10)
            self.touched += 1
            self.rows.sort(key=lambda row: (row[":updated_at"], row[":id"]))

    def page(self, query):
        rows = self.rows
        where = query.get("$where", "")
        if where:
            name, sign, value = where.split(" ", 2)
            assert (name, sign) == (":updated_at", ">="), where
            rows = [row for row in rows if row[":updated_at"] >= value.strip("'")]
        assert query["$order"] == ":updated_at,:id" and query["$select"] == ":id,:updated_at,*"
        start, count = int(query.get("$offset", 0)), int(query.get("$limit", 1000))
        return rows[start:start + count]

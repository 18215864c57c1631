"""Closed hours of bridges from the service's iCalendar files (RFC 5545): weekly events in Seattle's time."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
import re

WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
ESCAPED = {r"\n": "\n", r"\N": "\n", r"\,": ",", r"\;": ";", r"\\": "\\"}


@dataclass(frozen=True)
class ClosedHours:
    """Hours of the same days of each week, except on some days; `until` is the last beginning."""

    uid: str
    summary: str
    description: str
    location: str
    start: datetime
    end: datetime
    weekdays: frozenset[int]
    until: datetime | None
    exceptions: frozenset[datetime]

    def between(self, start: datetime, end: datetime) -> Iterator[tuple[datetime, datetime]]:
        """The hours, each with its beginning and end, that overlap a period."""
        zone = self.start.tzinfo
        duration = self.end - self.start
        day = max(self.start.date(), (start - duration).astimezone(zone).date())
        last = min(end, self.until or end).astimezone(zone).date()
        while day <= last:
            begins = datetime.combine(day, self.start.timetz())
            ends = datetime.combine(day, self.start.time()) + duration
            ends = ends.replace(tzinfo=zone)
            if self._has(begins) and begins < end and ends > start:
                yield begins, ends
            day += timedelta(days=1)

    def _has(self, begins: datetime) -> bool:
        if begins in self.exceptions or self.until and begins > self.until:
            return False
        return begins.weekday() in self.weekdays if self.weekdays else begins.date() == self.start.date()


def read_calendar(text: str, zone: tzinfo) -> list[ClosedHours]:
    """The events of a calendar. Raises ValueError for one that has other rules than weekly ones."""
    lines = re.sub(r"\r?\n[ \t]", "", text).splitlines()
    if "BEGIN:VCALENDAR" not in lines:
        raise ValueError("this is no calendar")
    events: list[ClosedHours] = []
    fields: dict[str, list[str]] | None = None
    for line in lines:
        if line == "BEGIN:VEVENT":
            fields = {}
        elif line == "END:VEVENT" and fields is not None:
            events.append(read_event(fields, zone))
            fields = None
        elif fields is not None:
            name, _, value = line.partition(":")
            fields.setdefault(name.partition(";")[0], []).append(value)
    return events


def read_event(fields: dict[str, list[str]], zone: tzinfo) -> ClosedHours:
    """An event by the values of its properties."""
    def text(name: str) -> str:
        return re.sub(r"\\.", lambda match: ESCAPED.get(match[0], match[0]), fields.get(name, [""])[0])

    for name in ("UID", "DTSTART", "DTEND"):
        if name not in fields:
            raise ValueError(f"an event of the calendar has no {name}")
    rule = dict(part.partition("=")[::2] for part in fields.get("RRULE", [""])[0].split(";") if part)
    if rule and (rule.get("FREQ") != "WEEKLY" or set(rule) - {"FREQ", "BYDAY", "UNTIL"}):
        raise ValueError(f"the calendar has a rule that is not supported: {fields['RRULE'][0]}")
    start = read_time(fields["DTSTART"][0], zone)
    days = rule.get("BYDAY", WEEKDAYS[start.weekday()]).split(",") if rule else []
    return ClosedHours(
        uid=text("UID"), summary=text("SUMMARY"), description=text("DESCRIPTION"), location=text("LOCATION"),
        start=start, end=read_time(fields["DTEND"][0], zone),
        weekdays=frozenset(WEEKDAYS.index(day) for day in days),
        until=read_time(rule["UNTIL"], zone) if "UNTIL" in rule else None,
        exceptions=frozenset(read_time(value, zone) for line in fields.get("EXDATE", []) for value in line.split(",")))


def read_time(text: str, zone: tzinfo) -> datetime:
    """A time: in UTC with a final Z, else by the clock of the zone. Raises ValueError."""
    if len(text) == 8:
        return datetime.combine(date.fromisoformat(text), datetime.min.time(), zone)
    return datetime.strptime(text.removesuffix("Z"), "%Y%m%dT%H%M%S").replace(tzinfo=UTC if text.endswith("Z") else zone)

#!/usr/bin/env python3
"""Compares the service's calendars of closed windows with the rules, using two widespread calendar libraries.

    calendar_check.py http://127.0.0.1:8080     asks a running service for /calendar/{bridge}.ics of the seven bridges
    calendar_check.py FOLDER                    files NAME.ics, NAME as in HOURS below

Needs icalendar and recurring-ical-events from PyPI, and pandas for the holidays. For every day of the calendar's two
years the windows of its events must be those of 33 CFR 117.1041 and 117.1051. A line for each difference; exit code 1
if there is one.
"""
import datetime as dt
import pathlib
import sys
import urllib.request
from zoneinfo import ZoneInfo

import icalendar
import recurring_ical_events
from pandas.tseries.holiday import USFederalHolidayCalendar, USColumbusDay, AbstractHolidayCalendar

SEATTLE = ZoneInfo("America/Los_Angeles")
CANAL = ((7, 9), (16, 18))
# Hours on the wall clock, half hours as fractions: 33 CFR 117.1041(a), 117.1051(d) and (e).
HOURS = {"Ballard": CANAL, "Fremont": CANAL, "University": CANAL, "1st Ave South": ((6, 9), (15, 18)),
         "South Park": ((6.5, 8.5), (15.5, 17.5)), "Lower Spokane St": (), "Montlake": ((7, 10), (15.5, 19))}
MONTLAKE_SUMMER = ((7, 9), (15.5, 18.5))
IDS = {"1st Ave South": 1, "Ballard": 2, "Fremont": 3, "Montlake": 4, "Lower Spokane St": 6, "University": 21,
       "South Park": 29}


class Holidays(AbstractHolidayCalendar):
    """Federal holidays but Columbus Day, which counts as a working day at these bridges."""
    rules = [rule for rule in USFederalHolidayCalendar.rules if rule.name != USColumbusDay.name]


def expected(name, first, last):
    """The windows of a bridge from a day to another: pairs of local times."""
    holidays = {day.date() for day in Holidays().holidays(first, last)}
    windows = set()
    for number in range((last - first).days + 1):
        day = first + dt.timedelta(number)
        if day.weekday() > 4 or day in holidays:
            continue
        hours = HOURS[name]
        if name == "Montlake" and (4, 30) <= (day.month, day.day) <= (9, 1):
            hours = MONTLAKE_SUMMER
        midnight = dt.datetime.combine(day, dt.time())
        windows |= {tuple(midnight + dt.timedelta(hours=hour) for hour in pair) for pair in hours}
    return windows


def read(source, name):
    if source.startswith("http"):
        with urllib.request.urlopen("%s/calendar/%d.ics" % (source.rstrip("/"), IDS[name]), timeout=20) as reply:
            kind = reply.headers.get_content_type()
            assert kind == "text/calendar", "content type " + kind
            return reply.read()
    return (pathlib.Path(source) / (name + ".ics")).read_bytes()


def problems(name, data):
    """What is wrong with a calendar, line by line."""
    for number, line in enumerate(data.split(b"\r\n"), 1):
        if len(line) > 75 or b"\n" in line:
            yield "line %d is too long or not ended by CR LF" % number
    calendar = icalendar.Calendar.from_ical(data)
    for component in calendar.walk():
        if component.errors:
            yield "%s: %s" % (component.name, component.errors)
    events = calendar.walk("VEVENT")
    identifiers = [str(event["UID"]) for event in events]
    if len(set(identifiers)) != len(identifiers):
        yield "duplicate identifiers"
    missing = [key for event in events for key in ("UID", "DTSTAMP", "DTSTART", "DTEND", "SUMMARY") if key not in event]
    if missing or "PRODID" not in calendar or "VERSION" not in calendar:
        yield "missing: %s" % (missing or "PRODID or VERSION")
    years = sorted({event["DTSTART"].dt.year for event in events}) or [dt.date.today().year]
    first, last = dt.date(years[0], 1, 1), dt.date(years[-1], 12, 31)
    spelt = recurring_ical_events.of(calendar).between(first, last + dt.timedelta(1))
    found = {tuple(event[key].dt.astimezone(SEATTLE).replace(tzinfo=None) for key in ("DTSTART", "DTEND"))
             for event in spelt}
    wanted = expected(name, first, last)
    for window in sorted(found ^ wanted)[:10]:
        yield "%s to %s is %s" % (*window, "missing" if window in wanted else "too much")
    if len(spelt) != len(found):
        yield "duplicate windows"
    print("%s: %d events, %d windows from %s to %s" % (name, len(events), len(found), first, last))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    wrong = ["%s: %s" % (name, problem) for name in HOURS for problem in problems(name, read(sys.argv[1], name))]
    print("\n".join(wrong) or "calendars: all as the rules have it")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()

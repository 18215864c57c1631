"""What comes with the code: texts in both languages, the diagnostics without secrets, calendars of any size."""
from datetime import datetime, timedelta
import json
import pathlib
from zoneinfo import ZoneInfo

import pytest

from conftest import ALL
from custom_components import bridgecast
from custom_components.bridgecast.closed_hours import read_calendar
from custom_components.bridgecast.diagnostics import async_get_config_entry_diagnostics
from server import ROOT

FOLDER = pathlib.Path(bridgecast.__file__).parent
SEATTLE = ZoneInfo("America/Los_Angeles")
CALENDAR = """BEGIN:VCALENDAR\r
BEGIN:VEVENT\r
UID:bridge-4\r
DTSTART;TZID=America/Los_Angeles:20260302T070000\r
DTEND;TZID=America/Los_Angeles:20260302T090000\r
RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;UNTIL=20260313T140000Z\r
EXDATE;TZID=America/Los_Angeles:20260304T070000\r
SUMMARY:Closed\\, to smaller ves\r
 sels\r
END:VEVENT\r
END:VCALENDAR\r
"""


def texts(name):
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


def keys(value, path=""):
    if not isinstance(value, dict):
        return {path}
    return {key for name, inner in value.items() for key in keys(inner, f"{path}.{name}")}


def test_both_languages_have_all_texts():
    assert texts("strings.json") == texts("translations/en.json")
    assert keys(texts("translations/en.json")) == keys(texts("translations/es.json"))


async def test_each_entity_has_a_name_and_an_icon(hass, still, set_up, entity_registry):
    entry = await set_up(still.address, ALL)
    names, icons = texts("strings.json")["entity"], texts("icons.json")["entity"]
    entities = [entity for entity in entity_registry.entities.values() if entity.config_entry_id == entry.entry_id]
    found = {(entity.domain, entity.translation_key) for entity in entities}
    assert found == {(domain, key) for domain in names for key in names[domain]}
    assert found == {(domain, key) for domain in icons for key in icons[domain]}
    assert all(entity.original_name for entity in entities)


async def test_diagnostics_have_no_address_stop_or_trip(hass, still, set_up):
    entry = await set_up(still.address, ALL)
    text = json.dumps(await async_get_config_entry_diagnostics(hass, entry), default=str)
    for secret in (still.address, '"25243"', '"542"', "Downtown", "Blvd"):
        assert secret not in text
    assert "Montlake" in text and "0.9.0" in text


async def test_diagnostics_name_no_stop_in_an_error(hass, still, set_up):
    entry = await set_up(still.address, ALL | {"stop": "99999"})
    answer = await async_get_config_entry_diagnostics(hass, entry)
    assert answer["coordinators"]["bridgecast departures"]["error"] == "RefusedError"
    assert "99999" not in json.dumps(answer, default=str)


def test_weekly_hours_keep_the_clock_over_the_change_to_summer_time():
    closed, = read_calendar(CALENDAR, SEATTLE)
    start = datetime(2026, 1, 1, tzinfo=SEATTLE)
    hours = list(closed.between(start, start + timedelta(days=365)))
    days = [begins.strftime("%d %H:%M%z") for begins, _ in hours]
    assert days == [f"{day:02} 07:00{'-0800' if day < 8 else '-0700'}" for day in (2, 3, 5, 6, 9, 10, 11, 12, 13)]
    assert {ends.hour for _, ends in hours} == {9}
    assert closed.summary == "Closed, to smaller vessels"


def test_the_last_day_is_left_out_where_the_rule_ends_before_its_hours():
    start = datetime(2026, 3, 12, tzinfo=SEATTLE)
    for until, days in (("T140000Z", [12, 13]), ("T135959Z", [12])):
        closed, = read_calendar(CALENDAR.replace("T140000Z", until), SEATTLE)
        assert [begins.day for begins, _ in closed.between(start, start + timedelta(days=9))] == days


def test_hours_that_have_begun_are_found():
    closed, = read_calendar(CALENDAR, SEATTLE)
    half_past_eight = datetime(2026, 3, 2, 8, 30, tzinfo=SEATTLE)
    assert len(list(closed.between(half_past_eight, half_past_eight + timedelta(minutes=1)))) == 1
    assert not list(closed.between(half_past_eight + timedelta(minutes=30), half_past_eight + timedelta(hours=1)))


@pytest.mark.parametrize(("before", "after"), [
    ("BEGIN:VCALENDAR", "<html>"), ("WEEKLY", "DAILY"), ("UNTIL=", "INTERVAL=2;UNTIL="), ("UID:bridge-4", "URL:x"),
    ("20260302T070000", "tomorrow"), ("MO,TU", "1MO,TU")])
def test_calendars_of_another_form_are_refused(before, after):
    with pytest.raises(ValueError):
        read_calendar(CALENDAR.replace(before, after, 1), SEATTLE)


def test_the_version_is_that_of_bridgecast():
    source = (ROOT / "Sources/BridgecastSupport/BridgecastVersion.swift").read_text(encoding="utf-8")
    assert f'current = "{texts("manifest.json")["version"]}"' in source


def test_nothing_is_needed_besides_home_assistant():
    assert texts("manifest.json")["requirements"] == []

"""How the service is asked: kept answers, waiting times, and longer pauses after failures."""
import asyncio
from datetime import timedelta
from types import SimpleNamespace

from homeassistant.const import STATE_UNAVAILABLE
from homeassistant.helpers.aiohttp_client import async_get_clientsession
import pytest
from yarl import URL

from custom_components.bridgecast.client import BridgecastClient, BusyError, max_age_s, retry_after_s
from custom_components.bridgecast.events import EventReader

FREMONT = {"bridges": ["Fremont"], "mode": "car"}
PATH = "/api/v1/bridges"
DEPARTS = "2026-02-21T02:05:00+00:00"
DEPARTURE = {
    "status": "scheduled", "expected_epoch_s": 1771639500, "route": "42", "headsign": "Pier", "confidence": "NONE",
    "delay_s": None, "occupancy_status": None, "occupancy": "no data", "bridges": [], "bridge_delay": None,
}
real_sleep = asyncio.sleep


@pytest.fixture
async def client(hass, stand_in):
    return BridgecastClient(async_get_clientsession(hass), URL(stand_in.address))


async def test_a_fresh_answer_is_not_asked_for_again(client, stand_in):
    stand_in.answers[PATH]["headers"] = {"Cache-Control": "public, max-age=60"}
    assert await client.get_json(PATH) == await client.get_json(PATH)
    assert len(stand_in.asked(PATH)) == 1


async def test_an_answer_that_may_have_changed_is_asked_for_by_its_etag(client, stand_in):
    stand_in.answers[PATH]["headers"] = {"Cache-Control": "public, max-age=60", "ETag": '"one"'}
    first = await client.get_json(PATH)
    client.expire()
    assert await client.get_json(PATH) == first
    assert [headers.get("If-None-Match") for headers in stand_in.asked(PATH)] == [None, '"one"']


async def test_the_real_service_answers_304(hass, still):
    client = BridgecastClient(async_get_clientsession(hass), URL(still.address))
    statuses = []
    read = client._read
    client._read = lambda url, response, kept: statuses.append(response.status) or read(url, response, kept)
    first = await client.get_text(PATH)
    client.expire()
    assert await client.get_text(PATH) == first
    assert statuses == [200, 304]


@pytest.mark.parametrize("status", [429, 503])
async def test_nothing_is_asked_before_the_time_that_the_service_names(client, stand_in, status):
    stand_in.answers[PATH] = {"status": status, "json": {"detail": "busy"}, "headers": {"Retry-After": "77"}}
    with pytest.raises(BusyError) as refused:
        await client.get_json(PATH)
    assert refused.value.retry_after_s == 77
    with pytest.raises(BusyError) as waiting:
        await client.get_json("/healthz")
    assert 0 < waiting.value.retry_after_s <= 77
    assert len(stand_in.requests) == 1


async def test_pauses_double_with_each_failure_and_end_with_the_first_answer(hass, stand_in, set_up):
    entry = await set_up(stand_in.address, FREMONT)
    bridges = entry.runtime_data.bridges
    good = stand_in.answers[PATH]
    stand_in.answers[PATH] = {"status": 500, "text": "oops"}
    pauses = []
    for _ in range(7):
        await bridges.async_refresh()
        pauses.append(bridges.update_interval.total_seconds())
    assert pauses == [30, 60, 120, 240, 480, 900, 900]
    assert hass.states.get("binary_sensor.fremont_bridge_raised").state == STATE_UNAVAILABLE
    stand_in.answers[PATH] = good
    await bridges.async_refresh()
    assert bridges.update_interval == timedelta(seconds=30)
    assert hass.states.get("binary_sensor.fremont_bridge_raised").state == "off"


async def test_a_busy_service_is_asked_when_it_says(hass, stand_in, set_up):
    entry = await set_up(stand_in.address, FREMONT)
    stand_in.answers[PATH] = {"status": 503, "text": "busy", "headers": {"Retry-After": "333"}}
    await entry.runtime_data.bridges.async_refresh()
    assert entry.runtime_data.bridges.update_interval.total_seconds() == 333


async def test_an_answer_of_another_form_makes_unavailable(hass, stand_in, set_up, caplog):
    entry = await set_up(stand_in.address, FREMONT)
    stand_in.answers[PATH] = {"json": {"bridges": 7}}
    await entry.runtime_data.bridges.async_refresh()
    assert hass.states.get("binary_sensor.fremont_bridge_raised").state == STATE_UNAVAILABLE
    assert "Traceback" not in caplog.text


async def test_stale_feeds_are_shown_and_leave_the_forecast(hass, stand_in, set_up):
    source = {"id": "bridges", "fetched_at": None, "age_s": 900, "stale": True, "error": "no answer"}
    answer = stand_in.answers[PATH]["json"]
    stand_in.answers[PATH] = {"json": answer | {"sources": [source], "bridges": [answer["bridges"][0] | {"state": "unknown"}]}}
    await set_up(stand_in.address, FREMONT)
    raised = hass.states.get("binary_sensor.fremont_bridge_raised")
    assert (raised.state, raised.attributes["stale_sources"]) == ("unknown", ["bridges"])
    assert hass.states.get("sensor.fremont_bridge_chance_of_a_stop_now").state == "10.0"


async def test_a_stream_that_ends_is_continued_after_its_last_event(hass, stand_in, set_up, until):
    stand_in.answers["/api/v1/events"] = {"text": "retry: 50\n\nid: run-7\nevent: state\ndata: {}\n\n"}
    await set_up(stand_in.address, FREMONT)
    await until(lambda: len(stand_in.asked("/api/v1/events")) >= 2)
    assert [headers.get("Last-Event-ID") for headers in stand_in.asked("/api/v1/events")[:2]] == [None, "run-7"]


async def test_a_stream_that_is_refused_is_asked_for_when_the_service_says(hass, stand_in, set_up, monkeypatch):
    pauses = []

    async def pause(seconds):
        pauses.append(seconds)
        await asyncio.Event().wait()

    stand_in.answers["/api/v1/events"] = {"status": 503, "text": "full", "headers": {"Retry-After": "500"}}
    monkeypatch.setattr("custom_components.bridgecast.events.asyncio", SimpleNamespace(sleep=pause, Event=asyncio.Event))
    await set_up(stand_in.address, FREMONT)
    while not pauses:
        await real_sleep(0.01)
    assert len(pauses) == 1 and 400 <= pauses[0] <= 600


@pytest.mark.parametrize(("departures", "no_service", "state", "line"), [
    ([], "nothing runs today", "unknown", None),
    ([DEPARTURE | {"status": "cancelled"}, DEPARTURE | {"expected_epoch_s": None}, DEPARTURE | {"route": "43"}], None, DEPARTS, "43"),
    ([DEPARTURE | {"status": "skipped"}, DEPARTURE | {"route": "44"}], None, DEPARTS, "44"),
])
async def test_departures_that_do_not_come_are_left_out(hass, stand_in, set_up, departures, no_service, state, line):
    data = {"stop": {"name": "Pier"}, "departures": departures, "no_service": no_service, "problem": None}
    stand_in.answers["/api/v1/stops/a%2Fb/board"] = stand_in.answers["/api/v1/stops/a/b/board"] = {"json": {"data": data}}
    await set_up(stand_in.address, {"bridges": [], "stop": "a/b", "mode": "car"})
    departure = hass.states.get("sensor.pier_next_departure")
    assert (departure.state, departure.attributes.get("line"), departure.attributes["no_service"]) == (state, line, no_service)


@pytest.mark.parametrize(("field", "seconds"), [
    ("public, max-age=9", 9), ("max-age=0", 0), ("no-store, max-age=9", 0), ("", 0), ("no-cache", 0)])
def test_cache_control(field, seconds):
    assert max_age_s(field) == seconds


@pytest.mark.parametrize(("field", "seconds"), [
    ("7", 7), ("Sun, 06 Nov 1994 08:49:37 GMT", 0), ("soon", 30), (None, 30)])
def test_retry_after(field, seconds):
    assert retry_after_s(field) == seconds


def test_events_are_read_line_by_line():
    reader = EventReader()
    lines = ["retry: 500", "", "id: run-7", "event: state", 'data: {"a": 1}', "", ": alive", "", "event:bye", "data: {}", ""]
    assert [name for line in lines if (name := reader.read(line))] == ["state", "bye"]
    assert (reader.last_id, reader.retry_s) == ("run-7", 0.5)

"""Entities have the values that the service gives, and follow it: an opening, an end, a return."""
import asyncio
from datetime import datetime, timedelta

from homeassistant.const import STATE_UNAVAILABLE, STATE_UNKNOWN
from homeassistant.config_entries import ConfigEntryState
from homeassistant.util import dt as dt_util
import pytest
from yarl import URL

from conftest import ALL, MOVING

MONTLAKE = {"bridges": ["Montlake"], "mode": "car"}
RAISED = "binary_sensor.montlake_bridge_raised"


def value(hass, entity_id):
    return float(hass.states.get(entity_id).state)


async def test_bridges_have_the_values_of_the_service(hass, still, set_up, ask):
    await set_up(still.address, ALL)
    answer = await ask(still, "/api/v1/bridges")
    bridges = {bridge["bridge"]: bridge for bridge in answer["bridges"]}
    for name in ALL["bridges"]:
        bridge, slug = bridges[name], name.lower().replace(" ", "_") + "_bridge"
        raised = hass.states.get(f"binary_sensor.{slug}_raised")
        assert raised.state == {"raised": "on", "lowered": "off", "unknown": STATE_UNKNOWN}[bridge["state"]]
        assert raised.attributes["since"] == (bridge["since"] and datetime.fromisoformat(bridge["since"]))
        assert value(hass, f"sensor.{slug}_chance_of_a_stop_now") == pytest.approx(100 * bridge["probability_stopped"])
        ahead = next(point for point in bridge["outlook"] if point["lead_time_s"] == 600)
        in_ten = hass.states.get(f"sensor.{slug}_chance_of_a_stop_in_10_minutes")
        assert float(in_ten.state) == pytest.approx(100 * ahead["probability_stopped"])
        assert in_ten.attributes["valid_time"] == datetime.fromisoformat(ahead["valid_time"])
        wait = hass.states.get(f"sensor.{slug}_expected_wait")
        assert float(wait.state) == pytest.approx(bridge["expected_delay_s"])
        assert wait.attributes["quantiles_s"] == bridge["delay_quantiles_s"]
        assert (wait.attributes["device_class"], wait.attributes["unit_of_measurement"]) == ("duration", "s")
    assert {bridges[name]["state"] for name in ALL["bridges"]} == {"raised", "lowered", "unknown"}


async def test_a_raised_bridge_has_a_time_when_it_is_expected_down(hass, still, set_up, ask):
    await set_up(still.address, ALL)
    answer = await ask(still, "/api/v1/bridges")
    montlake = next(bridge for bridge in answer["bridges"] if bridge["bridge"] == "Montlake")
    expected = hass.states.get(RAISED).attributes["expected_down"]
    wait = expected - datetime.fromisoformat(answer["issue_time"])
    quantiles = montlake["delay_quantiles_if_stopped_s"]
    assert timedelta(seconds=quantiles[9] - 1) <= wait <= timedelta(seconds=quantiles[10] + 1)
    assert hass.states.get("binary_sensor.ballard_bridge_raised").attributes["expected_down"] is None


async def test_the_next_departure_is_that_of_the_board(hass, still, set_up, ask):
    await set_up(still.address, ALL)
    board = await ask(still, "/api/v1/stops/25243/board?limit=5&route_id=542")
    departures = board["data"]["departures"]
    first = departures[0]
    state = hass.states.get("sensor.montlake_blvd_e_e_lake_washington_blvd_542_next_departure")
    assert datetime.fromisoformat(state.state) == datetime.fromisoformat(first["expected"])
    shown = {name: state.attributes[name] for name in ("line", "destination", "confidence", "delay_s", "status")}
    assert shown == {
        "line": "542", "destination": first["headsign"], "confidence": first["confidence"], "delay_s": first["delay_s"],
        "status": first["status"]}
    assert state.attributes["bridges"] == ["Montlake"]
    assert state.attributes["bridge_chance"] == pytest.approx(100 * first["bridge_delay"]["probability_stopped"], abs=0.001)
    assert state.attributes["bridge_delay_s"] == first["bridge_delay"]["mean_s"] > 0
    assert state.attributes["following"] == [datetime.fromisoformat(later["expected"]) for later in departures[1:]]


async def test_the_trip_has_the_values_of_the_best_route(hass, still, set_up, ask):
    await set_up(still.address, ALL)
    group = (await ask(still, "/api/v1/routes?from=Ballard&to=Downtown&mode=car"))["groups"][0]
    best = group["routes"][0]
    chance = hass.states.get("sensor.ballard_downtown_chance_of_a_stop")
    assert float(chance.state) == pytest.approx(100 * best["probability_stopped"], abs=0.001)
    assert chance.attributes["route"] == best["name"]
    assert chance.attributes["bridges"] == [crossing["bridge"] for crossing in best["crossings"]] != []
    wait = hass.states.get("sensor.ballard_downtown_expected_wait")
    assert float(wait.state) == pytest.approx(best["expected_delay_s"])
    assert wait.attributes["travel_p90_s"] == best["travel_s"]["p90"]


async def test_the_calendar_has_the_closed_hours_of_the_week(hass, still, set_up, ask, monkeypatch):
    await set_up(still.address, ALL)
    for name in ("Montlake", "Ballard"):
        days = (await ask(still, f"/api/v1/bridges/{name}"))["closed_windows_week"]
        expected = [(window["from"], window["to"]) for day in days for window in day["windows"]]
        period = {"start_date_time": "2018-01-04T00:00:00-08:00", "end_date_time": "2018-01-11T00:00:00-08:00"}
        entity = f"calendar.{name.lower()}_bridge_closed_hours"
        answer = await hass.services.async_call(
            "calendar", "get_events", {"entity_id": entity, **period}, blocking=True, return_response=True)
        events = answer[entity]["events"]
        found = [(datetime.fromisoformat(event["start"]), datetime.fromisoformat(event["end"])) for event in events]
        assert found == [(datetime.fromisoformat(start), datetime.fromisoformat(end)) for start, end in expected]
        assert len(found) == 10
    assert hass.states.get("calendar.lower_spokane_st_bridge_closed_hours") is None
    # At a quarter to four, Montlake's hours hold.
    now = datetime.fromisoformat("2018-01-04T15:45:00-08:00")
    monkeypatch.setattr(dt_util, "now", lambda *_: now)
    calendar = hass.data["calendar"].get_entity("calendar.montlake_bridge_closed_hours")
    assert calendar.event.start == datetime.fromisoformat("2018-01-04T15:30:00-08:00")
    assert calendar.state == "on"


async def test_devices_belong_to_the_service(hass, still, set_up, device_registry):
    entry = await set_up(still.address, ALL)
    devices = device_registry.devices.get_devices_for_config_entry_id(entry.entry_id)
    service = next(device for device in devices if device.name == "Bridgecast")
    assert (service.sw_version, service.configuration_url) == ("0.9.0", still.address)
    others = [device for device in devices if device is not service]
    assert {device.via_device_id for device in others} == {service.id}
    assert len(others) == len(ALL["bridges"]) + 2


async def test_an_opening_is_seen_by_the_event_stream(hass, start, set_up, until, ask):
    server = start(*MOVING)
    entry = await set_up(server.address, ALL | MONTLAKE)
    assert hass.states.get(RAISED).state == "off"
    await until(lambda: entry.runtime_data.live.is_connected)
    await until(lambda: entry.runtime_data.bridges.update_interval == timedelta(minutes=5))
    # With its next poll in five minutes, only an event can bring this.
    await until(lambda: hass.states.get(RAISED).state == "on")
    assert hass.states.get(RAISED).attributes["since"].isoformat() == "2018-01-04T15:06:00-08:00"
    assert value(hass, "sensor.montlake_bridge_chance_of_a_stop_now") > 90
    await until(lambda: hass.states.get(RAISED).state == "off")


async def test_polling_sees_an_opening_where_there_is_no_stream(hass, start, set_up, until, monkeypatch):
    server = start(*MOVING, "--max-streams", "1")
    reader, writer = await asyncio.open_connection("127.0.0.1", URL(server.address).port)
    writer.write(b"GET /api/v1/events HTTP/1.1\r\nHost: bridgecast\r\n\r\n")
    await reader.readuntil(b"event: forecast")
    monkeypatch.setattr("custom_components.bridgecast.coordinator.BridgesCoordinator.interval", timedelta(seconds=1))
    entry = await set_up(server.address, MONTLAKE)
    assert hass.states.get(RAISED).state == "off"
    await until(lambda: hass.states.get(RAISED).state == "on")
    assert not entry.runtime_data.live.is_connected
    writer.close()


async def test_a_service_that_ends_is_unavailable_until_it_is_back(hass, start, set_up, until):
    server = start(MOVING[0], 1)
    data = (await set_up(server.address, ALL)).runtime_data
    # All has been asked for after the stream was there, and the next poll is far.
    await until(lambda: data.bridges.update_interval == data.trip.update_interval == timedelta(minutes=5))
    entities = [state.entity_id for state in hass.states.async_all() if state.domain in ("binary_sensor", "sensor")]
    assert len(entities) == 4 * len(ALL["bridges"]) + 3
    server.kill()
    await until(lambda: all(hass.states.get(entity).state == STATE_UNAVAILABLE for entity in entities))
    server.start()
    await until(lambda: all(hass.states.get(entity).state != STATE_UNAVAILABLE for entity in entities))
    await until(lambda: data.live.is_connected)


async def test_a_service_that_is_away_at_the_start_is_tried_again(hass, start, set_up, until):
    server = start(*MOVING)
    server.kill()
    entry = await set_up(server.address, MONTLAKE)
    assert entry.state is ConfigEntryState.SETUP_RETRY
    server.start()
    await hass.config_entries.async_reload(entry.entry_id)
    assert entry.state is ConfigEntryState.LOADED


async def test_a_stop_that_left_the_timetable_takes_no_bridge_with_it(hass, still, set_up):
    entry = await set_up(still.address, MONTLAKE | {"stop": "99999"})
    assert entry.state is ConfigEntryState.LOADED
    assert hass.states.get("sensor.99999_next_departure").state == STATE_UNAVAILABLE
    assert hass.states.get(RAISED).state == "on"


async def test_unloading_and_reloading_leave_no_task(hass, still, set_up, until):
    entry = await set_up(still.address, ALL)
    for _ in range(3):
        await until(lambda: entry.runtime_data.live.is_connected)
        assert await hass.config_entries.async_reload(entry.entry_id)
    await until(lambda: entry.runtime_data.live.is_connected)
    assert len(entry._background_tasks) == 2
    assert await hass.config_entries.async_unload(entry.entry_id)
    assert entry._background_tasks == set()
    assert hass.states.get(RAISED).state == STATE_UNAVAILABLE

"""The forms, with real services and with other programs at the address."""
import asyncio

from homeassistant.config_entries import SOURCE_USER
from homeassistant.data_entry_flow import FlowResultType
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from conftest import ALL
from custom_components.bridgecast.client import normalised_address, public_address
from custom_components.bridgecast.const import DOMAIN


async def enter_address(hass, address):
    form = await hass.config_entries.flow.async_init(DOMAIN, context={"source": SOURCE_USER})
    assert form["type"] is FlowResultType.FORM
    return await hass.config_entries.flow.async_configure(form["flow_id"], {"address": address})


async def test_a_service_is_added_with_all_that_can_be_watched(hass, still):
    form = await enter_address(hass, f" {still.address.upper().replace('HTTP', 'http')}/ ")
    assert form["step_id"] == "watch", form["errors"]
    result = await hass.config_entries.flow.async_configure(form["flow_id"], ALL)
    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert result["data"] == {"address": still.address}
    assert result["options"] == ALL
    await hass.async_block_till_done()
    assert hass.states.get("binary_sensor.montlake_bridge_raised").state == "on"
    assert await hass.config_entries.async_unload(result["result"].entry_id)


async def test_an_address_is_added_once(hass, still):
    MockConfigEntry(domain=DOMAIN, unique_id=still.address, data={"address": still.address}).add_to_hass(hass)
    result = await enter_address(hass, still.address + "/")
    assert result["type"] is FlowResultType.ABORT
    assert result["reason"] == "already_configured"


@pytest.mark.parametrize("address", ["", "ftp://127.0.0.1", "two words", "http://"])
async def test_text_that_is_no_address_is_refused(hass, address):
    assert (await enter_address(hass, address))["errors"] == {"address": "invalid_address"}


async def test_a_port_without_a_service_cannot_be_connected_to(hass, unused_tcp_port):
    form = await enter_address(hass, f"127.0.0.1:{unused_tcp_port}")
    assert form["errors"] == {"address": "cannot_connect"}


async def test_a_service_that_never_answers_cannot_be_connected_to(hass, monkeypatch):
    monkeypatch.setattr("custom_components.bridgecast.client.REQUEST_TIMEOUT_S", 0.2)
    server = await asyncio.start_server(lambda reader, writer: asyncio.sleep(0), "127.0.0.1", 0)
    form = await enter_address(hass, f"127.0.0.1:{server.sockets[0].getsockname()[1]}")
    assert form["errors"] == {"address": "cannot_connect"}
    server.close()


@pytest.mark.parametrize(("path", "answer", "error"), [
    ("/healthz", {"status": 404, "text": "nothing"}, "not_bridgecast"),
    ("/healthz", {"text": "<html>a router</html>"}, "not_bridgecast"),
    ("/healthz", {"status": 302, "headers": {"Location": "http://127.0.0.1:1/healthz"}}, "not_bridgecast"),
    ("/healthz", {"json": ["alive"]}, "not_bridgecast"),
    ("/healthz", {"json": {"status": "ok"}}, "not_bridgecast"),
    ("/healthz", {"body": b"\xff\xfe", "content_type": "text/plain"}, "not_bridgecast"),
    ("/healthz", {"json": {"version": "0.8.9"}}, "unsupported_version"),
    ("/healthz", {"json": {"version": "2.0.0"}}, "unsupported_version"),
    ("/healthz", {"json": {"version": "next"}}, "unsupported_version"),
    ("/healthz", {"status": 500, "text": "oops"}, "cannot_connect"),
    ("/api/v1/bridges", {"status": 404, "text": "nothing"}, "unsupported_version"),
    ("/api/v1/bridges", {"status": 503, "json": {"detail": "loading"}, "headers": {"Retry-After": "1"}}, "cannot_connect"),
    ("/api/v1/bridges", {"json": {"bridges": [{"name": "Tower"}]}}, "not_bridgecast"),
])
async def test_other_programs_and_versions_are_refused(hass, stand_in, path, answer, error):
    stand_in.answers[path] = answer
    assert (await enter_address(hass, stand_in.address))["errors"] == {"address": error}


@pytest.mark.parametrize(("change", "errors"), [
    ({"stop": "99999"}, {"stop": "unknown_stop"}),
    ({"line": "999"}, {"line": "unknown_line"}),
    ({"stop": " "}, {"stop": "stop_missing"}),
    ({"origin": "Balxlard"}, {"origin": "refused_location"}),
    ({"destination": "Ballard"}, {"destination": "refused_location"}),
    ({"destination": ""}, {"destination": "other_end_missing"}),
    ({"origin": ""}, {"origin": "other_end_missing"}),
    ({"bridges": [], "stop": "", "line": "", "origin": "", "destination": ""}, {"bridges": "nothing_to_watch"}),
])
async def test_what_the_service_does_not_have_is_refused_at_its_field(hass, still, change, errors):
    form = await enter_address(hass, still.address)
    form = await hass.config_entries.flow.async_configure(form["flow_id"], ALL | change)
    assert form["errors"] == errors
    if list(errors.values())[0] in ("unknown_stop", "unknown_line", "refused_location"):
        assert form["description_placeholders"]["detail"]
    result = await hass.config_entries.flow.async_configure(form["flow_id"], {"bridges": ["Fremont"], "mode": "car"})
    assert result["type"] is FlowResultType.CREATE_ENTRY
    await hass.async_block_till_done()
    assert await hass.config_entries.async_unload(result["result"].entry_id)


async def test_departures_need_a_timetable(hass, start):
    server = start("2026-02-20T18:02/2026-02-20T19:00", 0.001)
    form = await enter_address(hass, server.address)
    form = await hass.config_entries.flow.async_configure(form["flow_id"], {"stop": "25243", "mode": "car"})
    assert form["errors"] == {"stop": "no_timetable"}
    hass.config_entries.flow.async_abort(form["flow_id"])


async def test_options_change_entities_and_remove_devices(hass, still, set_up, device_registry):
    entry = await set_up(still.address, ALL)
    form = await hass.config_entries.options.async_init(entry.entry_id)
    form = await hass.config_entries.options.async_configure(form["flow_id"], {"mode": "bike", "stop": "nowhere"})
    assert form["errors"] == {"stop": "unknown_stop"}
    result = await hass.config_entries.options.async_configure(
        form["flow_id"], {"bridges": ["Fremont"], "mode": "bike", "origin": "Fremont", "destination": "Ballard"})
    assert result["type"] is FlowResultType.CREATE_ENTRY
    await hass.async_block_till_done()
    devices = device_registry.devices.get_devices_for_config_entry_id(entry.entry_id)
    assert {device.name for device in devices} == {"Bridgecast", "Fremont Bridge", "Fremont → Ballard"}
    assert not hass.states.async_entity_ids("calendar") == []
    assert hass.states.get("binary_sensor.montlake_bridge_raised") is None


async def test_options_need_the_service(hass, stand_in, set_up):
    entry = await set_up(stand_in.address, {"bridges": ["Fremont"], "mode": "car"})
    stand_in.answers["/healthz"] = {"status": 500, "text": "oops"}
    entry.runtime_data.bridges.client.expire()
    form = await hass.config_entries.options.async_init(entry.entry_id)
    assert (form["type"], form["reason"]) == (FlowResultType.ABORT, "cannot_connect")


async def test_another_address_keeps_the_entities(hass, still, start, set_up, unused_tcp_port, entity_registry):
    other = start(*("2018-01-04T15:20/2018-01-04T16:00", 0.001))
    entry = await set_up(still.address, ALL)
    before = set(entity_registry.entities)
    form = await entry.start_reconfigure_flow(hass)
    form = await hass.config_entries.flow.async_configure(form["flow_id"], {"address": f"127.0.0.1:{unused_tcp_port}"})
    assert form["errors"] == {"address": "cannot_connect"}
    result = await hass.config_entries.flow.async_configure(form["flow_id"], {"address": other.address})
    assert result["reason"] == "reconfigure_successful"
    await hass.async_block_till_done()
    assert (entry.data, entry.unique_id) == ({"address": other.address}, other.address)
    assert set(entity_registry.entities) == before
    assert hass.states.get("binary_sensor.montlake_bridge_raised").state == "off"


async def test_an_address_is_not_moved_to_one_that_is_there(hass, still, stand_in, set_up):
    await set_up(stand_in.address, {"bridges": ["Fremont"], "mode": "car"})
    entry = await set_up(still.address, {"bridges": ["Fremont"], "mode": "car"})
    form = await entry.start_reconfigure_flow(hass)
    result = await hass.config_entries.flow.async_configure(form["flow_id"], {"address": stand_in.address})
    assert (result["type"], result["reason"]) == (FlowResultType.ABORT, "already_configured")


@pytest.mark.parametrize(("text", "address"), [
    ("bridges.example.org", "http://bridges.example.org"),
    ("HTTPS://Bridges.example.org:8443/city/?a=b#c", "https://bridges.example.org:8443/city"),
    ("http://user:secret@10.0.0.2:8080/", "http://10.0.0.2:8080"),
    ("http://[::1]:8080", "http://[::1]:8080"),
])
def test_addresses_have_one_form_without_passwords(text, address):
    assert public_address(normalised_address(text)) == address

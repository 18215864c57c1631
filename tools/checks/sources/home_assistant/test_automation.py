"""The automation of the documentation, in Home Assistant's own engine, on the opening of a replayed day."""
from datetime import datetime

from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
from homeassistant.util.yaml import parse_yaml
import pytest
from pytest_homeassistant_custom_component.common import async_mock_service

from conftest import MOVING
from server import ROOT

ARTICLE = ROOT / "Sources/Bridgecast/Bridgecast.docc/HomeAssistant.md"
RAISED = "binary_sensor.montlake_bridge_raised"


def documented():
    """The automation as the article has it."""
    return parse_yaml(ARTICLE.read_text(encoding="utf-8").split("```yaml\n")[1].split("```")[0])


# The first opening is at 15:06 of a Thursday by the service, whatever this machine's clock says.
@pytest.mark.parametrize(("now", "is_home", "is_warned"), [
    ("2018-01-04T07:30:00-08:00", True, True),
    ("2018-01-04T09:30:00-08:00", True, False),
    ("2018-01-06T07:30:00-08:00", True, False),
    ("2018-01-04T07:30:00-08:00", False, False),
])
async def test_the_documented_automation_warns_when_it_should(hass, start, set_up, until, monkeypatch, now, is_home, is_warned):
    await hass.config.async_set_time_zone("America/Los_Angeles")
    monkeypatch.setattr(dt_util, "now", lambda *_: datetime.fromisoformat(now).astimezone(dt_util.get_default_time_zone()))
    warnings = async_mock_service(hass, "notify", "notify")
    location = {"latitude": 47.64 if is_home else 47.0, "longitude": -122.3, "gps_accuracy": 10}
    hass.states.async_set("person.alex", "home" if is_home else "not_home", location)
    hass.states.async_set("zone.home", "0", {"latitude": 47.64, "longitude": -122.3, "radius": 100, "passive": False})
    await set_up(start(*MOVING).address, {"bridges": ["Montlake"], "mode": "car"})
    assert await async_setup_component(hass, "automation", {"automation": documented()})
    await hass.async_block_till_done()
    await until(lambda: hass.states.get(RAISED).state == "on")
    assert len(warnings) == (1 if is_warned else 0)
    for warning in warnings:
        raised = hass.states.get(RAISED).attributes
        minutes = round(raised["expected_wait_s"] / 60, 1)
        clock = dt_util.as_local(raised["expected_down"]).strftime("%H:%M")
        assert minutes > 1
        assert warning.data["message"] == f"Arriving now, you would wait {minutes} minutes. Traffic moves at about {clock}."

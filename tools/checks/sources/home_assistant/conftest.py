"""Fixtures: services of the build on replayed days, and entries of the integration that are set up with them."""
import asyncio
import json
import urllib.request

import pytest
import pytest_socket
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.bridgecast.const import DOMAIN
from server import Server
from stand_in import StandIn

# Its clock is all but stopped, so that values can be compared. Montlake Bridge is raised, and buses wait.
STILL = ("2018-01-04T15:09/2018-01-04T16:00", 0.001)
# Montlake Bridge goes up after six seconds of these, and down half a minute later.
MOVING = ("2018-01-04T15:05/2018-01-04T16:00", 10)
ALL = {
    "bridges": ["Ballard", "Fremont", "Montlake", "University", "Lower Spokane St"], "stop": "25243", "line": "542",
    "origin": "Ballard", "destination": "Downtown", "mode": "car",
}


@pytest.fixture(autouse=True)
def _real_integration_and_sockets(enable_custom_integrations, socket_enabled):
    """The fixtures of Home Assistant forbid both by default. Only this machine may be reached."""
    pytest_socket.socket_allow_hosts(["127.0.0.1"])


@pytest.fixture(scope="session")
def still():
    pytest_socket.enable_socket()
    server = Server(*STILL).start()
    yield server
    server.kill()


@pytest.fixture
def start():
    """Starts services that end with the test."""
    servers = []

    def start_one(*arguments):
        servers.append(Server(*arguments).start())
        return servers[-1]

    yield start_one
    for server in servers:
        server.kill()


@pytest.fixture
async def stand_in():
    async with StandIn() as service:
        yield service


@pytest.fixture
async def set_up(hass):
    """Sets an entry up, and unloads it after the test: fixtures of Home Assistant then look for tasks that are left."""
    entries = []

    async def set_one_up(address, options):
        entry = MockConfigEntry(domain=DOMAIN, data={"address": address}, options=options, unique_id=address, title="Bridgecast")
        entry.add_to_hass(hass)
        entries.append(entry)
        await hass.config_entries.async_setup(entry.entry_id)
        await hass.async_block_till_done()
        return entry

    yield set_one_up
    for entry in entries:
        if entry.state.recoverable:
            await hass.config_entries.async_unload(entry.entry_id)


@pytest.fixture
def ask(hass):
    """What the service itself answers, read without the integration."""
    def read(address, path):
        with urllib.request.urlopen(address + path, timeout=20) as answer:
            return json.load(answer)

    async def ask_one(server, path):
        return await hass.async_add_executor_job(read, server.address, path)

    return ask_one


@pytest.fixture
def until(hass):
    """Waits until something holds; the test's time limit is the only one."""
    async def wait(holds):
        while not holds():
            await asyncio.sleep(0.05)
            await hass.async_block_till_done()

    return wait

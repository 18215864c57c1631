#!/usr/bin/env python3
"""Calls every operation of a service with a client that openapi-python-client generates; tools/checks/generated_client starts it.

    generated_client.py [--program PATH]

The generator may warn of nothing. Each operation of the file must have a call here, and each answer must be parsed: JSON
into the model that the file names, which gives the same JSON again; text as text, and other bytes as bytes. A line for each
thing that is wrong; exit code 1 if there is one.
"""
import datetime
import functools
import hashlib
import importlib
import json
import pathlib
import re
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request

from server import PROGRAM, REPLAY, UNLIMITED, serving
from stand_ins import NORTH, ROUTE, write_timetable

from checks import finish, parser

# A run of the line of stand_ins.py that is under way when the replay begins.
TRIP = "n-17:50"
SEATTLE = datetime.timezone(datetime.timedelta(hours=-8))
BEFORE = datetime.datetime(2026, 2, 20, 12, 0, tzinfo=SEATTLE)
SOON = datetime.datetime(2026, 2, 20, 18, 50, tzinfo=SEATTLE)
# The generator has no pictures of its own: it is to take them as text and as bytes.
PICTURES = {"image/svg+xml": "text/plain", "image/png": "application/octet-stream"}
ENDS = {"from_": "Ballard", "to": "Downtown"}
DAY = datetime.date(2026, 2, 19)
MORNING = "2026-02-19T08:00:00-08:00"
JOURNAL = {"format": "bridgecast-journal", "version": 2, "reminders": [], "favourites": [{
    "id": "own", "name": "tram", "kind": "stop", "line": "1", "stop": "N1", "direction": "", "refresh_min": 5,
    "last_used_at": None, "use_count": 0, "average_s": None}], "journeys": [{
    "id": "imported", "route": "car/a/b", "name": "a -> b", "mode": "car", "planned_departure": MORNING,
    "planned_arrival": MORNING, "actual_departure": None, "actual_arrival": None, "abandoned": True, "stopped": None,
    "way": None, "expected_s": None, "p90_s": None, "probability_stopped": None, "bridges": None, "expected_delay_s": None, "created_at": MORNING}]}


ENDPOINT = "https://push.example.org/send/abc"
# The example of RFC 8291.
KEYS = {"p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4", "auth": "BTBZMqHH6r4Tts7J_aSIgg"}


def calls(models, stream, first):
    """The arguments of each operation: by position those of its path, or what gives them then; by name the others."""
    rows = [models.ForecastRow(bridge="Fremont", lead_min=10.0), models.ForecastRow(bridge=4, at=SOON, lead_min=None)]
    steps = [models.RoadStep(minutes=6.0, spread=1.0), models.BridgeStep(bridge="Fremont", to="Fremont Ave"),
             models.RoadStep(minutes=9.0, bridge=None)]
    own = models.Candidate(id="own", name="Over Fremont Bridge", origin="Home", destination="Work", steps=steps)
    request = models.ForecastRequest(rows=rows, detail=models.ForecastRequestDetailType1.FULL, mode=None)
    return {
        "bridges": ((), {"issue_time": BEFORE}), "bridge": (("Fremont",), {"hours": 3, "vessel_height_ft": 60.0}),
        "pattern": (("Montlake",), {}), "forecast": ((), {"bridge": "4", "at": SOON}),
        "forecastBatch": ((), {"body": request}), "explain": ((), {"bridge": "Montlake", "lead_min": 10.0}),
        "routes": ((), {**ENDS, "arrive_by": SOON, "explain": True, "directions": True}),
        "rankRoutes": ((), {"body": models.Candidates(routes=[own]), "depart": SOON, "arrive_by": "19:30"}),
        "depart": ((), {**ENDS, "depart": SOON}), "places": ((), {"q": "ball"}),
        "history": ((), {"from_": DAY, "to": BEFORE, "limit": 3}), "day": ((DAY,), {}), "skill": ((), {}),
        "verification": ((), {}),
        "geography": ((), {"metres_per_pixel": 100.0}), "board": ((NORTH,), {"limit": 5}),
        "departures": ((NORTH,), {"at": SOON, "route_id": ROUTE}), "predictions": ((NORTH,), {}),
        "stopTimeline": ((NORTH,), {}), "timeline": ((), {"stop_id": NORTH}),
        "nearest": ((), {"lat": 47.66, "lon": -122.376}), "transitRoute": ((ROUTE,), {}),
        "liveWidget": ((ROUTE,), {}), "lineMap": ((ROUTE,), {}), "lines": ((), {"q": "15"}),
        "stops": ((), {"route_id": ROUTE}), "realtime": ((), {}),
        "trip": ((TRIP,), {"date": DAY}), "tripMap": ((TRIP,), {}), "bridgeAlerts": ((), {}),
        "lineWidgetDocument": ((ROUTE, NORTH), {"rows": 2}), "lineWidgetDrawing": ((ROUTE, NORTH), {}),
        "lineWidgetPicture": ((ROUTE, NORTH), {}), "boardWidgetDocument": ((NORTH,), {"compact": True}),
        "boardWidgetDrawing": ((NORTH,), {}), "boardWidgetPicture": ((NORTH,), {}),
        "me": ((), {}), "settings": ((), {}),
        "changeSettings": ((), {"body": models.SettingsForm(keeps_history=True, keeps_location=True)}),
        "favourites": ((), {}),
        "addFavourite": ((), {"body": models.FavouriteForm(name="commute", **ENDS)}),
        "changeFavourite": (("own",), {"body": models.FavouriteChange(position=1)}),
        "removeFavourite": (("own",), {}), "importJournal": ((), {"body": models.Journal.from_dict(JOURNAL)}),
        "journeys": ((), {"limit": 2}),
        "addJourney": ((), {"body": models.JourneyForm(**ENDS, departed="2026-02-19T17:30", arrived="2026-02-19T17:50")}),
        "startJourney": ((), {"body": models.JourneyStart(**ENDS)}),
        "stopJourney": ((), {"body": models.JourneyEnd(stopped=False)}), "removeJourney": (("imported",), {}),
        "clearJourneys": ((), {"body": models.ClearForm(before="2026-02-19T07:00")}),
        "statistics": ((), {"zone": "America/Denver"}), "exportJournal": ((), {}), "resetSettings": ((), {}),
        "reminders": ((), {}), "addReminder": ((), {"body": models.ReminderForm(favourite="commute", by="9:00", days="mon-fri")}),
        "changeReminder": (first("/reminders", "reminders"), {"body": models.ReminderChange(on=False, lead_min=10.0)}),
        "removeReminder": (first("/reminders", "reminders"), {}), "alerts": ((), {}),
        "addBrowser": ((), {"body": models.PushSubscription(endpoint=ENDPOINT, keys=models.PushKeys(**KEYS))}),
        # Before the test, so that nothing is sent to it.
        "removeBrowser": ((hashlib.sha256(ENDPOINT.encode()).hexdigest()[:32],), {}),
        "addRule": ((), {"body": models.AlertRuleForm(bridge="Fremont", up=True, likely=0.5, days="mon-fri")}),
        "removeRule": (first("/alerts", "rules"), {}),
        "pauseAlerts": ((), {"body": models.AlertPauseForm(for_=models.AlertPauseFormFor.HOUR)}),
        "testAlerts": ((), {"body": models.AlertTestForm()}), "myEvents": ((), {}),
        "calendar": (("Montlake",), {}), "events": ((), {}), "alertEvents": ((stream,), {}),
        "openapi": ((), {}), "openapiAtRoot": ((), {}),
        "health": ((), {}), "ready": ((), {}), "metrics": ((), {}),
    }


def generate(description, folder):
    """Writes the client; what the generator says if it is not content."""
    (folder / "openapi.json").write_text(json.dumps(description))
    (folder / "config.yml").write_text(json.dumps({"post_hooks": [], "content_type_overrides": PICTURES}))
    command = [sys.executable, "-m", "openapi_python_client", "generate", "--path", folder / "openapi.json",
               "--output-path", folder / "client", "--meta", "none", "--config", folder / "config.yml", "--fail-on-warning"]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stdout + done.stderr if done.returncode else ""


def operations(description):
    """The name of each operation, its tag, and what its answer is."""
    for methods in description["paths"].values():
        for operation in methods.values():
            # A client that sends no Accept gets the first form.
            form, content = next(iter(operation["responses"]["200"]["content"].items()))
            yield operation["operationId"], operation["tags"][0].lower(), form, content["schema"].get("$ref", "").split("/")[-1]


class Client:
    """The generated client of a service, and what is wrong with its answers."""

    def __init__(self, service, token, stream):
        package = importlib.import_module("client")
        self.calls = calls(importlib.import_module("client.models"), stream, lambda path, name: lambda: [self.first(path, name)])
        self.service, self.token = service, token
        self.client = package.Client(base_url=service.address, timeout=30)
        self.person = package.AuthenticatedClient(base_url=service.address, timeout=30, token=token)
        self.wrong, self.parsed, self.kinds = [], 0, {}

    def call(self, name, tag, form, model):
        if name not in self.calls:
            return self.wrong.append(f"{name}: no call of this operation in {pathlib.Path(__file__).name}")
        positional, named = self.calls[name]
        positional = positional() if callable(positional) else positional
        module = importlib.import_module("client.api.%s.%s" % (tag, re.sub(r"([A-Z])", r"_\1", name).lower()))
        try:
            answer = module.sync_detailed(*positional, client=self.person if tag == "me" else self.client, **named)
            problem = self.problem(answer, form, model)
        except Exception as error:  # whatever generated code throws
            problem = f"{type(error).__name__}: {error}"
        if problem:
            self.wrong.append(f"{name}: {problem}")
        else:
            self.parsed += 1
            kind = "JSON" if form.endswith("json") else form
            self.kinds[kind] = self.kinds.get(kind, 0) + 1

    def first(self, path, name):
        """The id of the first entry of a list of the person."""
        request = urllib.request.Request(f"{self.service.address}/api/v1/me{path}", headers={"Authorization": f"Bearer {self.token}"})
        return json.load(urllib.request.urlopen(request, timeout=20))[name][0]["id"]

    def problem(self, answer, form, model):
        if answer.status_code != 200:
            return f"answered with {int(answer.status_code)}: {answer.content[:300]}"
        if form.endswith("json"):
            kind = type(answer.parsed).__name__
            if kind.lower() != model.lower():
                return f"parsed into {kind}, not {model}"
            return "" if answer.parsed.to_dict() == json.loads(answer.content) else "the model does not give the same JSON"
        if PICTURES.get(form, form).startswith("text/"):
            return "" if answer.parsed and answer.parsed == answer.content.decode() else "not parsed as text"
        return "" if answer.parsed and answer.parsed.payload.read() == answer.content != b"" else "not parsed as bytes"


def wait_until_scored(service):
    """Until forecasts are archived and scored for the first time; two minutes at most, then its call fails."""
    for _ in range(120):
        try:
            return urllib.request.urlopen(service.address + "/api/v1/verification", timeout=20).read()
        except urllib.error.HTTPError:
            time.sleep(1)
    return None


def check(service, folder):
    """Calls all operations, the streams of events last, which the service ends when it stops."""
    service.wait_until_ready()
    description = json.load(urllib.request.urlopen(service.address + "/openapi.json", timeout=20))
    complaint = generate(description, folder)
    if complaint:
        return ["the generator is not content:\n" + complaint]
    sys.path.insert(0, str(folder))
    wait_until_scored(service)
    tokens = [(folder / name).read_text().strip() for name in ("token", "stream")]
    client, found = Client(service, *tokens), list(operations(description))
    endless = [one for one in found if one[2] == "text/event-stream"]
    # Without the consents that it withdraws the others are refused.
    for operation in sorted(found, key=lambda one: one[0] == "resetSettings"):
        if operation not in endless:
            client.call(*operation)
    streams = [threading.Thread(target=client.call, args=one) for one in endless]
    for stream in streams:
        stream.start()
    time.sleep(0.5)
    service.stop()
    for stream in streams:
        stream.join(30)
    client.wrong += [f"{name}: there is no such operation" for name in client.calls.keys() - {one[0] for one in found}]
    kinds = ", ".join("%d %s" % (count, kind) for kind, count in sorted(client.kinds.items()))
    print(f"{len(found)} operations, {client.parsed} answers parsed: {kinds}")
    if client.parsed + len(client.wrong) < len(found):
        client.wrong.append("a stream of events does not end with the service")
    return client.wrong


def add_files(program, folder):
    """A timetable, an archive, and a person with a journal and a stream of alerts, whose tokens are in files."""
    alerts, people = str(folder / "alerts.sqlite"), str(folder / "people")
    added = subprocess.run([program, "token", "add", "Ann", "--people", people], capture_output=True, text=True, check=True)
    (folder / "token").write_text(added.stdout)
    added = subprocess.run([program, "alert", "add", "Fremont", "--stream", "--alerts", alerts], capture_output=True, text=True,
                           check=True)
    (folder / "stream").write_text(re.search("/alerts/([^/]+)/events", added.stdout)[1])
    return write_timetable(folder) + ["--archive", str(folder / "forecasts.archive"), "--people", people, "--alerts", alerts]


def main():
    line = parser(__doc__)
    line.add_argument("--program", default=PROGRAM)
    options = line.parse_args()
    with serving(REPLAY + UNLIMITED, options.program, functools.partial(add_files, options.program)) as (service, folder):
        wrong = check(service, folder)
    finish(wrong)


if __name__ == "__main__":
    main()

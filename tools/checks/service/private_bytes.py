#!/usr/bin/env python3
"""Reads every byte that leaves the programs while they keep journals of marked texts; tools/checks/private_bytes starts it.

    private_bytes.py [--programs FOLDER] [--self-test]

The commands of a person may open no socket, and write marked texts to their own terminal and their own files alone. A
service may write those of a person to the connections that had this person's token and to this person's journal, and
nowhere else: not to other people, public resources, logs, metrics, feeds, stores, exports and backups. strace records all
of it, so it does not matter which code wrote a byte. --self-test plants leaks instead, each of which has to be found.
"""
import contextlib
import http.client
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import urllib.parse

import traced
from server import Service
from stand_ins import City

from checks import ROOT, finish, parser

REPLAY = ["--replay", "2026-02-20T17:50/2026-02-20T19:00", "--speed", "4"]
POINT = {"Ann": ("47.617331", "122.341772"), "Bob": ("47.653318", "122.312244")}
# Of a visitor without a token, for what is near.
PASSING, PASSING_POINT = "a visitor", ("47.668713", "122.376129")
FIELDS = ("FAVOURITE", "ORIGIN", "TARGET", "LINE", "STOP")


def mark(person, field):
    """A text that is nowhere by chance."""
    return "zq%s%sqz" % (person.lower(), field.lower())


def marks(person):
    return [mark(person, field) for field in FIELDS] + list(POINT[person])


def point(person):
    return "%s,-%s" % POINT[person]


# MARK: Commands

def commands(folder):
    """What a person does with the journal on their own machine, with each command that has one."""
    point_there, day = point("Ann"), ["--departed", "2026-02-03T08:00", "--arrived", "2026-02-03T08:20", "--minutes", "15"]
    name, start, end = mark("Ann", "FAVOURITE"), mark("Ann", "ORIGIN"), mark("Ann", "TARGET")
    at = ["--at", "2026-02-19T18:02"]
    file = lambda one: str(folder / "own" / one)
    return [
        ["settings", "set", "--keep-history", "--keep-location"], ["settings", "show"],
        ["journey", "add", start, end, *day], ["journey", "add", point_there, end, *day],
        ["journey", "start", start, end, "--minutes", "5"], ["journey", "stop"],
        ["favourite", "add", name, "--from", start, "--to", end, "--mode", "transit"],
        ["favourite", "add", "stop", "--line", mark("Ann", "LINE"), "--stop", mark("Ann", "STOP")],
        ["favourite", "add", "drive", "--from", "Ballard", "--to", "Downtown"],
        ["journey", "start", "drive", *at], ["journey", "stop", "--at", "2026-02-19T18:30", "--no-stopped"],
        ["favourite", "forecast", "drive", "--at", "2026-02-20T18:02"],
        ["favourite", "list", "--format", "json"], ["favourite", "move", name, "2"], ["favourite", "set", name, "--refresh", "1"],
        ["remind", "add", "drive", "--by", "9:00"], ["remind", "add", "stop", "--catching", "8:40", "--walk", "5"],
        ["remind", "list"], ["journey", "list"], ["stats", "--range", "all"], ["stats", "--range", "all", "--learned"],
        ["journey", "export", "-o", file("all.json")], ["journey", "export", "--format", "csv"],
        ["journey", "export", "--anonymous"], ["journey", "import", file("all.json")], ["settings", "export", "-o", file("settings.json")],
        ["settings", "import", file("settings.json")], ["favourite", "remove", name], ["journey", "clear", "--before", "2026-02-10"],
        ["settings", "set", "--no-keep-location"], ["settings", "reset"],
        # What fails shows no more either.
        ["favourite", "forecast", name], ["journey", "import", file("none.json")], ["favourite", "add", "x", "--from", start, "--to", end],
        ["favourite", "add", "x", "--from", point_there, "--to", "Downtown"],
    ]


def check_command(program, arguments, folder, number=0):
    """What is wrong with a command: a socket, or marked bytes elsewhere than on its terminal and in its own folder."""
    own = folder / "own"
    done, trace = traced.run([program, *arguments], folder / ("trace-%d" % number), env={
        **os.environ, "BRIDGECAST_HOME": str(ROOT), "XDG_DATA_HOME": str(own), "XDG_CONFIG_HOME": str(own), "HOME": str(own)})
    label, wrong = " ".join(map(str, arguments[:3])), []
    wrong += ["%s: it uses the network: %s" % (label, line) for line in trace.network[:2]]
    wrong += ["%s: bytes that strace does not show: %s" % (label, line) for line in trace.hidden[:2]]
    for target, content in trace.written.items():
        # Its terminal is a pipe here.
        if not target.startswith(("pipe:", str(own) + "/")):
            wrong += ["%s: %s in %s" % (label, one, target) for one in traced.marks_in(content, marks("Ann"))]
    return wrong, done


def check_commands(program, folder):
    wrong, seen, count = [], bytearray(), 0
    (folder / "own").mkdir()
    for count, arguments in enumerate(commands(folder), 1):
        found, done = check_command(program, arguments, folder, count)
        wrong += found
        seen += done.stdout
        if done.returncode not in ((66, 64) if count > len(commands(folder)) - 4 else (0,)):
            wrong.append("%s: exit code %d: %s" % (" ".join(arguments[:3]), done.returncode, done.stderr[-300:].decode()))
        private = done.stdout if "--anonymous" in arguments else b""
        wrong += ["the anonymous export has %s" % one for one in traced.marks_in(private, marks("Ann"))]
    missing = [one for one in marks("Ann") if one not in traced.marks_in(seen, marks("Ann"))]
    wrong += ["no command shows %s: it was not kept, so that nothing was tried" % one for one in missing]
    print("%d commands, %d bytes on their terminals" % (count, len(seen)))
    return wrong


# MARK: A service

class Visitors:
    """Those who ask a service, each request over a connection of its own, whose port tells who has asked."""

    def __init__(self, service, tokens):
        self.service, self.tokens, self.owners, self.answers = service, tokens, {}, []

    def secrets(self):
        """What is no one's but a visitor's, by visitor."""
        return {PASSING: list(PASSING_POINT), **{person: marks(person) + [self.tokens[person]] for person in POINT}}

    def ask(self, person, method, path, form=None, document=None, booked=None):
        """The status and the body of an answer; `booked` is the person in whose name it counts."""
        connection = http.client.HTTPConnection(self.service.host, self.service.port, timeout=20)
        connection.connect()
        self.owners[connection.sock.getsockname()[1]] = booked or person
        headers = {"Authorization": "Bearer " + self.tokens[person]} if person else {}
        body = None
        if form is not None:
            headers["Content-Type"], body = "application/x-www-form-urlencoded", urllib.parse.urlencode(form)
        if document is not None:
            headers["Content-Type"], body = "application/json", json.dumps(document)
        with contextlib.closing(connection):
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            # Streams of events do not end.
            content = answer.read(400) if "event-stream" in answer.getheader("Content-Type", "") else answer.read()
        self.answers.append((booked or person, path, content))
        return answer.status, content

    def me(self, person, method, path, form=None, status=200, **more):
        got, content = self.ask(person, method, "/api/v1/me" + path, form, **more)
        if got != status:
            raise SystemExit("FAIL: %s %s is answered with %d: %s" % (method, path, got, content.decode()[:300]))
        return json.loads(content)


def live(visitors, person):
    """Fills a person's journal through every resource that takes a text, and has some requests refused."""
    me = lambda method, path, *more, **named: visitors.me(person, method, path, *more, **named)
    name, start, end = (mark(person, field) for field in FIELDS[:3])
    ends = {"from": start, "to": end}
    me("POST", "/journeys", {**ends, "departed": "2026-02-19T17:30", "arrived": "2026-02-19T17:50"}, 422)
    me("POST", "/favourites", {"name": "here", "from": point(person), "to": "Downtown"}, 422)
    me("POST", "/favourites", {"name": "here", **ends}, 404)
    me("PATCH", "/settings", {"keeps_history": "true", "keeps_location": "true"})
    favourite = me("POST", "/favourites", {"name": name, "from": "Ballard", "to": "Downtown"})
    me("POST", "/favourites", {"name": name, "from": "Ballard", "to": "Downtown"}, 422)
    me("POST", "/favourites", {"name": "ride", **ends, "mode": "transit"})
    me("POST", "/favourites", {"name": "here", "from": point(person), "to": "Downtown"})
    me("POST", "/favourites", {"name": "bus", "line": mark(person, "LINE"), "stop": mark(person, "STOP")})
    me("POST", "/favourites/" + favourite["id"], {"position": "2", "refresh_min": "1"})
    me("POST", "/journeys", {**ends, "departed": "2026-02-19T17:30", "arrived": "2026-02-19T17:50"})
    me("POST", "/journeys", {"favourite": name, "departed": "2026-02-19T18:30", "arrived": "2026-02-19T18:00"}, 422)
    me("POST", "/journeys/start", {"from": start, "to": end}, 404)
    me("POST", "/journeys/start", {"favourite": name, "minutes": "9"})
    me("POST", "/journeys/start", {"favourite": name, "minutes": "9"}, 422)
    me("POST", "/journeys/stop", {"abandoned": "true"})
    me("POST", "/journeys/start", {"from": "Ballard", "to": "Downtown"})
    me("POST", "/journeys/stop", {"stopped": "false"})
    exported = me("GET", "/export")
    exported["reminders"].append({"id": "r", "favourite_id": favourite["id"], "time": "09:00", "days": "mon", "zone": "America/Denver",
                                  "confidence": 0.9, "lead_s": 300, "walk_s": 0, "on": True})
    me("POST", "/import", document=exported)
    me("POST", "/reminders", {"favourite": name, "by": "18:40", "days": "daily"})
    me("POST", "/alerts/rules", {"reminders": "true"})
    me("POST", "/alerts/rules", {"line": mark(person, "LINE")})
    me("POST", "/alerts/test", {})
    for path in ("", "/favourites", "/journeys", "/statistics?range=all", "/settings", "/reminders", "/alerts"):
        me("GET", path)
    return favourite["id"]


def look(visitors, ids):
    """Asks for all that is public, as no one and as others, and for what belongs to another."""
    _, text = visitors.ask(None, "GET", "/openapi.json")
    paths = [path for path, methods in json.loads(text)["paths"].items() if "get" in methods and "{" not in path]
    more = ["/", "/?view=me", "/api/v1/places?q=zq", "/api/v1/routes?from=Ballard&to=Downtown", "/api/v1/history?limit=5",
            "/api/v1/bridges/Ballard", "/nothing"]
    for path in paths + more:
        visitors.ask(None, "GET", path)
        visitors.ask("Bob", "GET", path)
    for path in ("/api/v1/places?limit=1&near=%s,-%s", "/api/v1/stops/nearest?lat=%s&lon=-%s", "/api/v1/routes?from=%s,-%s&to=Downtown"):
        visitors.ask(None, "GET", path % PASSING_POINT, booked=PASSING)
    for method, path, form in (("DELETE", "/favourites/", None), ("POST", "/favourites/", {"position": "1"}), ("DELETE", "/journeys/", None)):
        visitors.me("Bob", method, path + ids["Ann"], form, 404)
    return len(paths + more)


def check_trace(trace, visitors, journals, city_port):
    """What is wrong with the bytes that a service wrote."""
    wrong = ["bytes that strace does not show: " + line for line in trace.hidden[:3]]
    connections = re.compile(r"TCP(?:v6)?:\[.*:%d->.*:(\d+)\]" % visitors.service.port)
    fed = False
    for target, content in trace.written.items():
        found = connections.match(target)
        owner = visitors.owners.get(int(found[1])) if found else None
        fed = fed or bool(city_port) and target.endswith(":%d]" % city_port)
        for person, secrets in visitors.secrets().items():
            if owner != person and not target.startswith(journals.get(person, "nowhere")):
                wrong += ["%s of %s in %s" % (one, person, target) for one in traced.marks_in(content, secrets)]
    for line in trace.network:
        if re.search(r"\bconnect\(", line) and not re.search(r"127\.0\.0\.1|AF_UNIX|::1", line):
            wrong.append("it connects elsewhere: " + line)
    if city_port and not fed:
        wrong.append("no request of a feed was recorded, so that none was read")
    return wrong


def check_files(folder, visitors, journals):
    """Files of a service's folder that have what is no part of them."""
    wrong = []
    for path in sorted(folder.rglob("*")):
        content = path.read_bytes() if path.is_file() else b""
        for person, secrets in visitors.secrets().items():
            if not str(path).startswith(journals.get(person, "nowhere")):
                wrong += ["%s of %s in the file %s" % (one, person, path.relative_to(folder))
                          for one in traced.marks_in(content, secrets)]
    return wrong


def add_people(program, folder):
    """The tokens of Ann and Bob."""
    return {person: subprocess.run([program, "token", "add", person, "--people", folder / "people"], capture_output=True, text=True,
                                     check=True).stdout.strip() for person in POINT}


def check_service(programs, folder, name, options, plants=()):
    """Runs a service with the journals of Ann and Bob, and reads all that it wrote."""
    own, trace_path = folder / name, folder / ("trace-" + name)
    own.mkdir()
    tokens, city = add_people(programs / "bridgecast", own), None
    if "--replay" not in options:
        city = City()
        address = city.url + ("?" + mark("Ann", "ORIGIN") if "feed" in plants else "")
        options = ["--bridges-url", address, "--refresh", "5", *options]
    options += ["--store", str(own / "store.sqlite"), "--archive", str(own / "archive.sqlite"), "--alerts", str(own / "alerts.sqlite"),
                "--log-level", "trace"]
    service = Service(options + ["--people", str(own / "people")], own, traced.wrapper(programs / "bridgecast-server", trace_path))
    try:
        service.wait_until_ready()
        visitors, ids, journals = Visitors(service, tokens), {}, {}
        for person in POINT:
            before = set((own / "people").iterdir())
            visitors.me(person, "GET", "")
            created = set((own / "people").iterdir()) - before
            # Those of its logs begin in the same way. Rules and alerts of all people are in one file, which nothing else reads.
            journals[person] = str(min(created, key=lambda path: len(path.name))), str(own / "alerts.sqlite")
            ids[person] = live(visitors, person)
        count = look(visitors, ids)
        if "answer" in plants:
            visitors.ask("Ann", "GET", "/api/v1/me/favourites", booked="Bob")
        time.sleep(1)
    finally:
        code, _ = service.stop()
    wrong = [] if code == 0 else ["%s: it ends with %s" % (name, code)]
    for command in (["export", "-o", own / "export.csv"], ["backup", own / "backup.sqlite"]):
        done = subprocess.run([programs / "bridgecast", "history", *command, "--store", own / "store.sqlite"], capture_output=True, text=True)
        # A replay has seen nothing that it would export.
        if done.returncode and city:
            wrong.append("history %s: %s" % (command[0], done.stderr))
    if "backup" in plants:
        (own / "copy").write_bytes(pathlib.Path(journals["Ann"][0]).read_bytes() + mark("Ann", "STOP").encode())
    trace = traced.ended(trace_path, service.process.pid)
    wrong += check_trace(trace, visitors, journals, city.port if city else 0) + check_files(own, visitors, journals)
    shown = [traced.marks_in(b"".join(content for owner, _, content in visitors.answers if owner == person), marks(person)) for person in POINT]
    wrong += ["%s: an answer lacks %s" % (name, one) for person, found in zip(POINT, shown) for one in marks(person) if one not in found]
    if city:
        city.stop()
    print("%s: %d requests, %d public resources, %d targets of %d bytes" % (
        name, len(visitors.answers), count, len(trace.written), sum(map(len, trace.written.values()))))
    return wrong


# MARK: Planted leaks

def self_test(programs, folder):
    """Plants leaks; what was not found."""
    (folder / "own").mkdir()
    secret = mark("Ann", "ORIGIN")
    half = len(secret) // 2
    scripts = {
        "a socket": "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
        "a datagram": "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'%s', ('127.0.0.1', 9))" % secret,
        "a file": "open('%s', 'w').write('%s')" % (folder / "elsewhere", secret),
        "a file in two pieces": "import os; f = os.open('%s', 65); os.write(f, b'%s'); os.write(f, b'%s')" % (
            folder / "pieces", secret[:half], secret[half:]),
        "Base64": "import base64; open('%s', 'wb').write(base64.b64encode(b'ab%sc'))" % (folder / "base64", secret),
        "hexadecimal": "open('%s', 'w').write(b'%s'.hex())" % (folder / "hexadecimal", secret),
        "a child": "import subprocess; subprocess.run(['sh', '-c', 'echo %s > %s'])" % (secret, folder / "child"),
        "a copy in the kernel": "import os; a, b = os.pipe(); os.write(b, b'x'); os.splice(a, os.open('%s', 65), 1)" % (folder / "splice"),
    }
    found = {name: check_command(sys.executable, ["-c", script], folder)[0] for name, script in scripts.items()}
    wrong = ["planted and not found: " + name for name, problems in found.items() if not problems]
    plants = {"feed": r"zqannoriginqz of Ann in TCP", "answer": r"zqannfavouriteqz of Ann in TCP", "backup": r"of Ann in the file copy"}
    leaks = check_service(programs, folder, "leaking", [], plants)
    wrong += ["planted and not found: " + name for name, pattern in plants.items() if not any(re.search(pattern, leak) for leak in leaks)]
    print("%d planted leaks, %d found" % (len(scripts) + len(plants), len(scripts) + len(plants) - len(wrong)))
    return wrong


def main():
    line = parser(__doc__)
    line.add_argument("--programs", type=pathlib.Path, default=ROOT / ".build/release")
    line.add_argument("--self-test", action="store_true")
    options = line.parse_args()
    programs = options.programs.resolve()
    with tempfile.TemporaryDirectory(prefix="bridgecast-bytes-") as name:
        folder = pathlib.Path(name).resolve()
        if options.self_test:
            finish(self_test(programs, folder))
        wrong = check_commands(programs / "bridgecast", folder)
        wrong += check_service(programs, folder, "replaying", REPLAY) + check_service(programs, folder, "watching", [])
    finish(wrong)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Fills the disk of people's journals, plain and encrypted: the service answers 503 and one line in its log says why, reading
goes on, and when there is room again it writes and says so.

    full_disk.py [--program PATH]

check.py runs it. It needs a user who may mount a disk in memory.
"""
import contextlib
import http.client
import json
import pathlib
import subprocess
import tempfile
import time
import urllib.parse

from server import PROGRAM, UNLIMITED, Service

from checks import finish, parser

# The settings that a service needs for nothing but people.
OPTIONS = ["--replay", "2026-02-20T17:50/2026-02-20T19:00", "--no-store", "--no-archive", "--no-page", *UNLIMITED]
SMALL, LARGE = 280 << 10, 64 << 20
FAILING, WRITTEN = "journals of people cannot be written", "journals of people are written again"


class Disk:
    """A small disk in memory, mounted on a folder."""

    def __init__(self, folder):
        self.folder = folder
        mount = ["mount", "-t", "tmpfs", "-o", "size=%d" % SMALL, "tmpfs", folder]
        self.is_mounted = subprocess.run(mount, stderr=subprocess.DEVNULL).returncode == 0

    def make_room(self):
        subprocess.run(["mount", "-o", "remount,size=%d" % LARGE, self.folder], check=True)

    def close(self):
        if self.is_mounted:
            subprocess.run(["umount", self.folder], check=True)


class Person:
    def __init__(self, service, token):
        self.service, self.token = service, token

    def ask(self, method, path, **form):
        connection = http.client.HTTPConnection(self.service.host, self.service.port, timeout=30)
        headers = {"Authorization": "Bearer " + self.token}
        if form:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        connection.request(method, "/api/v1/me" + path, urllib.parse.urlencode(form) or None, headers)
        answer = connection.getresponse()
        body = json.loads(answer.read())
        connection.close()
        if answer.status == 429:
            # A person may send ten requests a second.
            time.sleep(0.2)
            return self.ask(method, path, **form)
        return answer.status, body

    def add(self, number):
        # The names fill the disk.
        name = "%d-%s" % (number, "x" * 190)
        return self.ask("POST", "/journeys", **{
            "from": name[:95], "to": name[-95:], "departed": "2026-02-19T08:00", "arrived": "2026-02-19T08:20", "minutes": "20"})


def problems(person, service, disk):
    added, status = 0, 200
    while status == 200 and added < 3000:
        status, body = person.add(added)
        added += status == 200
    if status != 503 or "disk is full" not in body["detail"]:
        yield "a full disk is answered with %s: %s" % (status, body)
    for number in range(20):
        status, body = person.add(10_000 + number)
        if status not in (200, 503):
            yield "a full disk is answered with %s: %s" % (status, body)
    status, body = person.ask("GET", "/journeys?limit=1000")
    kept = len(body.get("journeys", []))
    if status != 200 or not added <= kept <= added + 20:
        yield "reading from a full disk: %s, %d journeys of %d: %s" % (status, kept, added, str(body)[:300])
    log = service.log_path.read_text()
    if log.count(FAILING) != 1:
        yield "the log has %d lines about the full disk" % log.count(FAILING)
    disk.make_room()
    if person.add(20_000)[0] != 200 or person.add(20_001)[0] != 200:
        yield "nothing is written where there is room again"
    if len(person.ask("GET", "/journeys?limit=1000")[1].get("journeys", [])) != min(1000, kept + 2):
        yield "journeys are missing where there is room again"
    if service.log_path.read_text().count(WRITTEN) != 1:
        yield "the log does not say that there is room again"


def check_one(program, is_encrypted):
    def run(*words):
        return subprocess.run([str(program), *words], check=True, capture_output=True, text=True).stdout.strip()

    with tempfile.TemporaryDirectory(prefix="bridgecast-full-") as name, contextlib.ExitStack() as stack:
        folder = pathlib.Path(name)
        people = folder / "people"
        people.mkdir()
        disk = Disk(str(people))
        if not disk.is_mounted:
            return [], False
        stack.callback(disk.close)
        options = ["--people", str(people)]
        if is_encrypted:
            run("journey", "key", "make", str(folder / "key"))
            options += ["--people-key", str(folder / "key")]
        token = run("token", "add", "Ann", "--people", str(people))
        service = Service(OPTIONS + options, folder, program)
        stack.callback(service.kill)
        service.wait_until_ready()
        wrong = list(problems(Person(service, token), service, disk))
    kind = "encrypted" if is_encrypted else "plain"
    return ["%s: %s" % (kind, text) for text in wrong], True


def check(program):
    wrong = []
    for is_encrypted in (False, True):
        found, is_checked = check_one(program, is_encrypted)
        wrong += found
        if not is_checked:
            return [], "NOT CHECKED: full disks of people's journals (this user may not mount)"
    return wrong, "full disk of people's journals, plain and encrypted: %d wrong" % len(wrong)


def main():
    line = parser(__doc__)
    line.add_argument("--program", default=PROGRAM)
    wrong, summary = check(line.parse_args().program)
    print(summary)
    finish(wrong)


if __name__ == "__main__":
    main()

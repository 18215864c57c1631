#!/usr/bin/env python3
"""Kills the commands that change a journal at random times, and checks that each change is there completely and once, or not.

tools/checks/journal_kills and tools/test start it:

    journal_kills.py --bridgecast BINARY [--kills 300] [--seed 1]

Commands add, start, stop, clear and import journeys, and change favourites and reminders, one after another, until one of
them is killed with -9. After each kill the journal is read by SQLite, and by Python's cryptography where it is encrypted: it
must be sound, and be exactly as it was before the killed command or as that would have left it. All commands that ended
count as done. The first half of the kills is of a journal that is not encrypted, the second of one that is. Before each half,
several processes write to one journal at the same time: none of their changes may be lost. At the end, commands that encrypt,
rekey and decrypt a journal are killed: it must be in the old form or the new one, with all that it had.
"""
import collections
import copy
import datetime
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "shared"))

import journals
from checks import finish, parser

MAX_SECONDS = 1.0
IMPORTED = 40
WRITERS, ADDED_BY_EACH = 4, 8
MAX_CONVERSION_SECONDS = 0.08
# A journal that grows for ever would make each look slow.
KILLS_OF_A_JOURNAL = 50


class State:
    """What a journal has, as the commands change it: journeys by name, favourites in order, reminders."""

    def __init__(self, journeys=(), favourites=(), reminders=()):
        # Name, whether it has arrived, whether it was abandoned.
        self.journeys = collections.Counter(journeys)
        # Name and minutes between refreshes.
        self.favourites = list(favourites)
        # Name of the favourite, minute of the day, whether it is on.
        self.reminders = collections.Counter(reminders)

    def __eq__(self, other):
        return vars(self) == vars(other)

    def under_way(self):
        return next((name for name, arrived, abandoned in self.journeys if not arrived and not abandoned), None)

    def end(self, name, abandoned):
        del self.journeys[(name, False, False)]
        self.journeys[(name, not abandoned, abandoned)] += 1

    def difference(self, other):
        parts = []
        for name in ("journeys", "reminders"):
            mine, others = getattr(self, name), getattr(other, name)
            parts += [f"{name}: lost {list((mine - others).items())[:2]}, more {list((others - mine).items())[:2]}"]
        return "; ".join(parts + [f"favourites: {self.favourites} -> {other.favourites}"])


def read(file, key):
    """What SQLite finds in the journal, and whether it is sound."""
    database = journals.database(file, key)
    sound = database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    state = State(
        database.execute("SELECT name, arrival IS NOT NULL, isAbandoned = 1 FROM journey").fetchall(),
        database.execute("SELECT name, refreshMinutes FROM favourite ORDER BY position").fetchall(),
        database.execute(
            "SELECT f.name, minuteOfDay, isOn = 1 FROM reminder r JOIN favourite f ON f.id = r.favourite").fetchall())
    repeated = database.execute("SELECT count(*) - count(DISTINCT id) FROM journey").fetchone()[0]
    return state, sound and repeated == 0


class Journal:
    """A journal, what should be in it, and the commands that change it."""

    def __init__(self, binary, folder, key_file, dice):
        self.binary, self.file, self.dice = binary, folder / "journeys.sqlite", dice
        self.key_file, self.key = key_file, journals.read_key(key_file) if key_file else None
        self.import_file = folder / "import.json"
        self.state, self.number = State(), 0
        self.counts = collections.Counter()
        self.run("journey", "limit", "100000")

    def command(self, words):
        options = ["--key", self.key_file] if self.key_file else []
        return [self.binary, *words, "--journal", self.file, *options]

    def run(self, *words):
        result = subprocess.run(self.command(words), capture_output=True, text=True)
        if result.returncode != 0:
            sys.exit(f"{' '.join(words)}: {result.stderr}")

    def change(self):
        """The next command, and the journal after it."""
        self.number += 1
        after = copy.deepcopy(self.state)
        name, dice = f"place{self.number}", self.dice
        kinds = ["add", "add", "import", "clear"]
        kinds += ["stop", "abandon"] if after.under_way() else ["start", "start"]
        kinds += ["favourite"] if len(after.favourites) < 20 else ["remove"]
        kinds += ["move", "set", "remind", "remove"] if after.favourites else []
        kind = dice.choice(kinds)
        return kind, getattr(self, kind)(after, name), after

    def add(self, after, name):
        after.journeys[(f"{name} -> work", True, False)] += 1
        day = (datetime.date.today() - datetime.timedelta(days=self.dice.randint(2, 300))).isoformat()
        return ["journey", "add", name, "work", "--departed", f"{day}T08:00", "--arrived", f"{day}T08:25", "--minutes", "20"]

    def start(self, after, name):
        after.journeys[(f"{name} -> work", False, False)] += 1
        return ["journey", "start", name, "work", "--mode", "transit", "--minutes", "20"]

    def stop(self, after, name):
        after.end(after.under_way(), abandoned=False)
        return ["journey", "stop", "--no-stopped"]

    def abandon(self, after, name):
        after.end(after.under_way(), abandoned=True)
        return ["journey", "stop", "--abandon"]

    def clear(self, after, name):
        """Removes those of long ago, which come from imports alone."""
        after.journeys = collections.Counter(
            {entry: count for entry, count in after.journeys.items() if not entry[0].startswith("import")})
        return ["journey", "clear", "--before", "2020-01-01"]

    def favourite(self, after, name):
        after.favourites.append((name, 5))
        return ["favourite", "add", name, "--line", "44", "--stop", name]

    def move(self, after, name):
        entry = after.favourites.pop(self.dice.randrange(len(after.favourites)))
        after.favourites.insert(0, entry)
        return ["favourite", "move", entry[0], "1"]

    def set(self, after, name):
        index = self.dice.randrange(len(after.favourites))
        entry, minutes = after.favourites[index][0], self.dice.choice([1, 2, 10, 15])
        after.favourites[index] = (entry, minutes)
        return ["favourite", "set", entry, "--refresh", str(minutes)]

    def remind(self, after, name):
        entry = self.dice.choice(after.favourites)[0]
        minute = self.dice.randrange(1440)
        # The same one is not added again.
        after.reminders[(entry, minute, True)] = 1
        return ["remind", "add", entry, "--catching", f"{minute // 60}:{minute % 60:02}"]

    def remove(self, after, name):
        entry, _ = after.favourites.pop(self.dice.randrange(len(after.favourites)))
        after.reminders = collections.Counter(
            {reminder: count for reminder, count in after.reminders.items() if reminder[0] != entry})
        return ["favourite", "remove", entry]

    def import_(self, after, name):
        times = {"planned_departure": "2019-02-01T08:00:00-08:00", "planned_arrival": "2019-02-01T08:20:00-08:00",
                 "actual_departure": "2019-02-01T08:00:00-08:00", "actual_arrival": "2019-02-01T08:21:00-08:00"}
        rows = [{"id": f"i-{self.number}-{row}", "route": "car/a/b", "name": f"import {self.number}-{row}", "mode": "car",
                 "created_at": "2019-02-01T08:00:00-08:00", **times} for row in range(IMPORTED)]
        self.import_file.write_text(json.dumps(
            {"format": "bridgecast-journal", "version": 2, "journeys": rows, "favourites": [], "reminders": []}))
        for row in rows:
            after.journeys[(row["name"], True, False)] += 1
        return ["journey", "import", self.import_file]

    def run_until_killed(self):
        """Runs commands until a random time; returns what is wrong then."""
        until = time.monotonic() + self.dice.uniform(0, MAX_SECONDS)
        while True:
            kind, words, after = self.change()
            process = subprocess.Popen(self.command(words), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            try:
                _, errors = process.communicate(timeout=max(0, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                _, errors = process.communicate()
            if process.returncode == -9:
                return self.problems(kind, after)
            if process.returncode != 0:
                return [f"{kind}: exit {process.returncode}, {errors.decode()[-200:]}"]
            self.state = after
            self.counts["done"] += 1

    def problems(self, kind, after):
        found, is_sound = read(self.file, self.key)
        wrong = [] if is_sound else [f"after a kill of {kind}, the journal is not sound"]
        if found == after and found != self.state:
            self.counts["done, killed"] += 1
        elif found == self.state:
            self.counts["not done, killed"] += 1
        else:
            wrong.append(f"after a kill of {kind}: {self.state.difference(found)}")
        self.state = found
        return wrong


# `import` is no name in Python.
setattr(Journal, "import", Journal.import_)


def check(options, is_encrypted, kills, counts):
    dice = random.Random(options.seed)
    wrong, journal = [], None
    with tempfile.TemporaryDirectory() as home:
        for number in range(kills):
            if number % KILLS_OF_A_JOURNAL == 0:
                folder = pathlib.Path(home) / str(number)
                folder.mkdir()
                key_file = folder / "key" if is_encrypted else None
                if key_file:
                    make = [options.bridgecast, "journey", "key", "make", key_file]
                    subprocess.run(make, check=True, capture_output=True)
                journal = Journal(options.bridgecast, folder, key_file, dice)
                journal.counts = counts
            wrong += journal.run_until_killed()
            if len(wrong) > 20:
                break
    return wrong


def write_together(options, is_encrypted):
    """Several processes, each of which adds journeys one after another; what is wrong then."""
    with tempfile.TemporaryDirectory() as folder:
        key_file = pathlib.Path(folder) / "key" if is_encrypted else None
        if key_file:
            subprocess.run([options.bridgecast, "journey", "key", "make", key_file], check=True, capture_output=True)
        journal = Journal(options.bridgecast, pathlib.Path(folder), key_file, random.Random(0))
        codes = []

        def write(writer):
            for number in range(ADDED_BY_EACH):
                words = journal.add(State(), f"w{writer}-{number}")
                codes.append(subprocess.run(journal.command(words), capture_output=True).returncode)

        writers = [threading.Thread(target=write, args=[writer]) for writer in range(WRITERS)]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()
        found, is_sound = read(journal.file, journal.key)
    if any(codes) or not is_sound or len(found.journeys) != WRITERS * ADDED_BY_EACH:
        return [f"{WRITERS} writers: exit codes {set(codes)}, {len(found.journeys)} journeys of {WRITERS * ADDED_BY_EACH}"]
    return []


def forms(file, keys):
    """The names of the keys that the journal can be read with, `plain` for none, and what it has."""
    found = {}
    for name, key in keys.items():
        is_encrypted = file.read_bytes()[:8] == b"BCSEALED"
        if is_encrypted != (key is not None):
            continue
        try:
            found[name] = read(file, key)
        except AssertionError:
            # The id is that of another key.
            pass
    return found


def kill_conversions(options, kills):
    """Kills `encrypt`, `rekey` and `decrypt`; what is wrong then, and how often each ended in its new form."""
    dice, counts = random.Random(options.seed), collections.Counter()
    with tempfile.TemporaryDirectory() as home:
        folder = pathlib.Path(home)
        files = {name: folder / name for name in ("one", "two")}
        for file in files.values():
            subprocess.run([options.bridgecast, "journey", "key", "make", file], check=True, capture_output=True)
        journal = Journal(options.bridgecast, folder, None, dice)
        for number in range(50):
            journal.run(*journal.add(State(), f"place{number}"))
        keys = {"plain": None, **{name: journals.read_key(file) for name, file in files.items()}}
        expected, form = read(journal.file, None), "plain"
        for _ in range(kills):
            other = "two" if form == "one" else "one"
            words = {"plain": ["encrypt", "--key", files["one"]]}.get(form) or dice.choice([
                ["decrypt", "--key", files[form]], ["rekey", "--key", files[form], "--new-key", files[other]]])
            command = [options.bridgecast, "journey", *words, "--journal", journal.file]
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(dice.uniform(0, MAX_CONVERSION_SECONDS))
            process.kill()
            process.wait()
            found = forms(journal.file, keys)
            if len(found) != 1 or next(iter(found.values())) != expected:
                return [f"after a kill of {words[0]} of a journal ({form}), it is {list(found)}"], counts
            counts[words[0] + (" not done" if form in found else " done")] += 1
            form = next(iter(found))
    return [], counts


def main():
    options = parser(__doc__)
    options.add_argument("--bridgecast", required=True)
    options.add_argument("--kills", type=int, default=300)
    options.add_argument("--seed", type=int, default=1)
    options = options.parse_args()
    wrong = []
    for is_encrypted in (False, True):
        wrong += write_together(options, is_encrypted)
        counts, began = collections.Counter(), time.monotonic()
        kills = (options.kills + (0 if is_encrypted else 1)) // 2
        wrong += check(options, is_encrypted, kills, counts)
        print(f"{'encrypted' if is_encrypted else 'plain'}: {kills} kills in {time.monotonic() - began:.0f} s, "
              f"commands {dict(counts)}", flush=True)
        if not counts["done"]:
            wrong.append("no command ended before it was killed")
    found, counts = kill_conversions(options, options.kills // 3)
    print(f"conversions: {options.kills // 3} kills, {dict(counts)}")
    finish(wrong + found)


if __name__ == "__main__":
    main()

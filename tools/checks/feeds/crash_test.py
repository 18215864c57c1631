#!/usr/bin/env python3
"""Kills sync, watch, ingest and archiving at random times and checks what is left of store and archive;
tools/checks/crash_test and tools/test start it.

    crash_test.py --bridgecast BINARY --records CSV [--kills 500] [--seed 1]

After each kill -9 the store must open, be sound, hold everything that was committed before (what a reader saw
just before the kill, and before the command began), and hold nothing twice. Watching continues where it was killed,
and sometimes with a clock that is set back. What it has covered stays covered, by whatever periods; only a clock that
is set back by more than a minute takes coverage after the new time back. At the end the interrupted work is finished
and must give exactly the records. An archive of forecasts must be sound too, and have every issue time that it had before
the kill, unchanged and once. Then the disk is full, and read-only, if this user may mount one.
"""
import collections
import datetime
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "shared"))

import stores
from checks import finish, parser
from stand_in import start_server

# Where watching begins in a new store, and by how much a clock may be set back without a gap, seconds.
WATCHED_FROM = int(datetime.datetime(2026, 2, 18, 8, tzinfo=datetime.timezone.utc).timestamp())
STANDSTILL = 60
ALWAYS = float("inf")
# The longest that each command may run before it is killed, seconds.
MAX_RUN = {"sync": 0.5, "ingest": 0.25, "watch": 0.8, "archive": 1.5}


def beginning(dice, watched):
    """When the next watching begins, and the time up to which earlier coverage must hold."""
    if not watched:
        return WATCHED_FROM, ALWAYS
    last = max(end for _, _, end in watched)
    if dice.random() < 0.2:
        start = dice.randint(min(start for _, start, _ in watched), last)
        return start, start if last - start > STANDSTILL else ALWAYS
    return last + dice.randint(-STANDSTILL, STANDSTILL), ALWAYS


class CrashTest:
    """The commands, their stores, and what is wrong."""

    def __init__(self, options):
        self.options, self.dice = options, random.Random(options.seed)
        self.folder = tempfile.mkdtemp(prefix="bridgecast-crash-")
        self.server, self.address = start_server(options.records)
        self.wrong, self.stores = [], {}
        self.kills, self.ended = collections.Counter(), collections.Counter()
        # Issue times that were seen to be archived before the kills.
        self.archived = 0

    def command(self, kind, store, start=WATCHED_FROM, speed=40_000):
        begin = datetime.datetime.fromtimestamp(start, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        base = {"sync": ["sync", "--host", self.address + "/ok", "--page-rows", "40"],
                "ingest": ["ingest", self.options.records],
                "watch": ["replay", "--from", begin, "--to", "2026-02-27", "--speed", str(speed),
                          "--format", "lines", "--bridges-url", self.address + "/ok/bridges"]}[kind]
        return [self.options.bridgecast, *base, "--store", store]

    def archiving(self, archive, start):
        """A replay into an archive, as fast as it goes."""
        begin = datetime.datetime.fromtimestamp(start, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        return [self.options.bridgecast, "replay", "--from", begin, "--to", "2026-02-27", "--speed", "max",
                "--format", "lines", "--archive", archive]

    def run(self, *arguments):
        return subprocess.run([self.options.bridgecast, *arguments], capture_output=True, text=True)

    def note(self, what, store, looks):
        self.wrong += ["%s: %s" % (what, problem) for problem in stores.problems(store, looks)]

    def kill_one(self):
        """Starts a command, kills it, and looks at its store."""
        dice = self.dice
        kind = dice.choice(self.options.kinds.split(","))
        # A store is used for a few kills, so that work continues from what a kill left; then a new one.
        if kind not in self.stores or dice.random() < 0.15:
            ending = "archive" if kind == "archive" else "sqlite"
            self.stores[kind] = "%s/%s-%d.%s" % (self.folder, kind, sum(self.kills.values()), ending)
        store = self.stores[kind]
        if kind == "archive":
            self.kill_archiving(store)
            return
        at_start = stores.rows(store)
        start, until = beginning(dice, at_start["observedPeriod"])
        # The lower speed leaves no gaps between readings, so that periods grow; the higher one a gap at each.
        process = subprocess.Popen(self.command(kind, store, start, dice.choice([400, 40_000])),
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(dice.random() * MAX_RUN[kind])
        before = stores.rows(store)
        # What a clock that is set back takes, its first reading has taken.
        is_begun = before["observedPeriod"] != at_start["observedPeriod"]
        process.send_signal(signal.SIGKILL)
        if process.wait() != -signal.SIGKILL:
            self.ended[kind] += 1
            del self.stores[kind]
            return
        self.kills[kind] += 1
        if os.path.exists(store):
            self.note("kill %d of %s" % (sum(self.kills.values()), kind), store,
                      [(at_start, until), (before, ALWAYS if is_begun else until)])

    def kill_archiving(self, archive):
        """Kills a replay that continues an archive, or repeats a part of it as after a clock that was set back."""
        found = stores.forecasts(archive)
        start = found[-1][1] - self.dice.choice([0, 0, 7200]) if found else WATCHED_FROM
        process = subprocess.Popen(self.archiving(archive, start),
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(self.dice.random() * MAX_RUN["archive"])
        before = stores.forecasts(archive)
        process.send_signal(signal.SIGKILL)
        if process.wait() != -signal.SIGKILL:
            self.ended["archive"] += 1
            del self.stores["archive"]
            return
        self.kills["archive"] += 1
        self.archived += len(before) - len(found)
        if os.path.exists(archive):
            self.wrong += ["kill %d of archiving: %s" % (sum(self.kills.values()), problem)
                           for problem in stores.archive_problems(archive, before)]

    def finish_work(self):
        """What was interrupted is finished, and is then exactly the records."""
        histories = set()
        for kind in ("sync", "ingest"):
            store = self.stores.get(kind, self.folder + "/last-%s.sqlite" % kind)
            subprocess.run(self.command(kind, store), check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            found = stores.rows(store)["syncedRow" if kind == "sync" else "opening"]
            if len(found) != len(set(found)):
                self.wrong.append("%s finished with rows twice" % kind)
            export = self.run("history", "export", "--store", store)
            export.check_returncode()
            histories.add(export.stdout)
        if len(histories) != 1:
            self.wrong.append("sync and ingest, killed and finished, do not give the same history")
        for store in pathlib.Path(self.folder).glob("*.sqlite"):
            if self.run("doctor", "--store", str(store)).returncode:
                self.wrong.append("doctor finds %s damaged" % store)

    def disks(self):
        """A disk of 400 kB that fills up, and one that cannot be written."""
        disk = self.folder + "/disk"
        os.mkdir(disk)
        mount = ["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", disk]
        if subprocess.run(mount, stderr=subprocess.DEVNULL).returncode:
            print("NOT CHECKED: full and read-only disks (this user may not mount)")
            return
        try:
            self.full_archive(disk + "/a.archive")
            self.full_disk(disk, disk + "/h.sqlite")
            self.read_only_disk(disk, disk + "/h.sqlite")
        finally:
            subprocess.run(["umount", disk])

    def full_archive(self, archive):
        """Forecasting goes on to the end of the replay when the archive's disk is full, and what is archived stays."""
        run = self.run(*self.archiving(archive, WATCHED_FROM)[1:])
        found = stores.forecasts(archive)
        if run.returncode != 74 or "disk is full" not in run.stderr or not found:
            self.wrong.append("full archive: exit %d, %s" % (run.returncode, run.stderr.strip()[-200:]))
        self.wrong += ["full archive: %s" % problem for problem in stores.archive_problems(archive, found)]
        print("full archive: exit %d after %d forecasts: %s" % (run.returncode, len(found), last_line(run)))
        for ending in ("", "-wal", "-shm"):
            pathlib.Path(archive + ending).unlink(missing_ok=True)

    def full_disk(self, disk, store):
        sync = ["sync", "--host", self.address + "/ok", "--store", store]
        run = self.run(*sync, "--page-rows", "100")
        first = stores.rows(store)
        if run.returncode != 74 or "disk" not in run.stderr or not first["syncedRow"]:
            self.wrong.append("full disk: exit %d, %s" % (run.returncode, run.stderr.strip()[-200:]))
        self.note("full disk", store, [(first, ALWAYS)])
        print("full disk: exit %d after %d rows: %s" % (run.returncode, len(first["syncedRow"]), last_line(run)))
        subprocess.run(["mount", "-o", "remount,size=20m", disk], check=True)
        run = self.run(*sync)
        if run.returncode or set(first["syncedRow"]) - set(stores.rows(store)["syncedRow"]):
            self.wrong.append("after the full disk: exit %d, %s" % (run.returncode, run.stderr.strip()[-200:]))
        print("room made: %d rows" % len(stores.rows(store)["syncedRow"]))

    def read_only_disk(self, disk, store):
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        read = self.run("history", "export", "--store", store)
        write = self.run("sync", "--host", self.address + "/ok", "--store", store)
        doctor = self.run("doctor", "--store", store)
        if read.returncode or len(read.stdout.split("\n")) < 3000:
            self.wrong.append("read-only disk: reading gives exit %d, %s" % (read.returncode, read.stderr[-200:]))
        if write.returncode != 74:
            self.wrong.append("read-only disk: sync gives exit %d, %s" % (write.returncode, write.stderr[-200:]))
        if "cannot be written" not in doctor.stdout:
            self.wrong.append("read-only disk: doctor does not report it: %s" % doctor.stdout[-300:])
        print("read-only: export exit %d, sync exit %d: %s" % (read.returncode, write.returncode, last_line(write)))
        watch = self.run("replay", "--from", "2026-02-20T17:55", "--to", "2026-02-20T18:05", "--speed", "max",
                         "--store", store, "--format", "ndjson")
        print("read-only: watching ends with exit %d, %s" % (watch.returncode, last_line(watch)))


def last_line(run):
    return run.stderr.strip().split("\n")[-1][-120:]


def main():
    line = parser(__doc__)
    line.add_argument("--bridgecast", required=True)
    line.add_argument("--records", required=True)
    line.add_argument("--kills", type=int, default=500)
    line.add_argument("--seed", type=int, default=1)
    line.add_argument("--kinds", default="sync,watch,ingest,archive", help="what is killed")
    options = line.parse_args()
    test, began = CrashTest(options), time.time()
    while sum(test.kills.values()) < options.kills:
        test.kill_one()
    test.finish_work()
    if "archive" in test.options.kinds.split(",") and not test.archived:
        test.wrong.append("no forecast was archived before any kill")
    print(
        "killed %s in %.0f s (%s had ended by themselves)" % (dict(test.kills), time.time() - began, dict(test.ended)))
    test.disks()
    test.server.kill()
    if not test.wrong:
        shutil.rmtree(test.folder)
    finish(test.wrong)


if __name__ == "__main__":
    main()

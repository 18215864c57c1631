#!/usr/bin/env python3
"""Kills sync, watch and ingest at random moments and looks at what is left of the store; tools/checks/crash_test and
tools/test start it.

    crash_test.py --bridgecast BINARY --records CSV [--kills 500] [--seed 1]

After each kill -9 the store must open, be sound, hold everything that was committed before (what a reader saw
a moment before the kill, and before the command began), and hold nothing twice. Watching goes on where it was killed,
and sometimes with a clock that is set back. What it has covered stays covered, by whatever periods; only a clock that
is set back by more than a minute takes coverage after the new time back. At the end the interrupted work is finished
and must give exactly the records. Then the disk is full, and read-only, where this user may mount one.
"""
import argparse, collections, datetime, os, pathlib, random, shutil, signal, sqlite3, subprocess, sys, tempfile
import time

from stand_in import start_server

TABLES = {
    "opening": "bridge, start, ifnull(end, -1)", "syncedRow": "feed, row",
    "observedOpening": "bridge, start", "observedPeriod": "bridge, start, end",
}
# Where watching begins in a new store, and by how much a clock may be set back without a gap, seconds.
WATCHED_FROM = int(datetime.datetime(2026, 2, 18, 8, tzinfo=datetime.timezone.utc).timestamp())
STANDSTILL = 60


def rows(store):
    """Identities of everything in the store; openings of watching may still get an end."""
    database = sqlite3.connect("file:%s?mode=ro" % store, uri=True, timeout=10)
    try:
        return {table: database.execute("SELECT %s FROM %s" % (key, table)).fetchall()
                for table, key in TABLES.items()}
    except sqlite3.OperationalError:
        return {table: [] for table in TABLES}  # not migrated yet
    finally:
        database.close()


def periods_by_bridge(periods):
    found = collections.defaultdict(list)
    for bridge, start, end in sorted(periods):
        found[bridge].append((start, end))
    return found


def uncovered(before, after, until):
    """Parts of earlier periods, up to a moment, that later ones do not cover; both ends of a period are covered."""
    later = periods_by_bridge(after)
    parts = []
    for bridge, start, end in sorted(before):
        end = min(end, until)
        for first, last in later[bridge]:
            if first <= start <= last:
                start = last + 1
        if start <= end:
            parts.append((bridge, start, end))
    return parts


def overlaps(periods):
    """Neighbours that share more than the moment at which one ends and the other begins."""
    return [(bridge, one, other) for bridge, found in periods_by_bridge(periods).items()
            for one, other in zip(found, found[1:]) if other[0] < one[1] or other[0] == one[0]]


def beginning(dice, watched):
    """When the next watching begins, and up to when what was watched before must stand."""
    if not watched:
        return WATCHED_FROM, float("inf")
    last = max(end for _, _, end in watched)
    if dice.random() < 0.2:
        moment = dice.randint(min(start for _, start, _ in watched), last)
        return moment, moment if last - moment > STANDSTILL else float("inf")
    return last + dice.randint(-STANDSTILL, STANDSTILL), float("inf")


def check(store, looks, problems, what):
    """Compares what stands with earlier looks; after each stands the moment up to which its coverage must hold."""
    database = sqlite3.connect(store, timeout=10)
    sound = database.execute("PRAGMA integrity_check").fetchall()
    database.close()
    if sound != [("ok",)]:
        problems.append("%s: store not sound: %s" % (what, sound[:2]))
    after = rows(store)
    for before, until in looks:
        parts = uncovered(before["observedPeriod"], after["observedPeriod"], until)
        if parts:
            problems.append("%s: %d periods are no longer covered, such as %s" % (what, len(parts), parts[0]))
        for table in TABLES:
            lost = set(before[table]) - set(after[table])
            if lost and table != "observedPeriod":
                problems.append("%s: %d rows of %s lost, such as %s" % (what, len(lost), table, sorted(lost)[0]))
    double = overlaps(after["observedPeriod"])
    if double:
        problems.append("%s: %d periods overlap, such as %s" % (what, len(double), double[0]))
    for table in TABLES:
        twice = [row for row, count in collections.Counter(after[table]).items() if count > 1]
        if twice:
            problems.append("%s: %d rows of %s stand twice" % (what, len(twice), table))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bridgecast", required=True)
    parser.add_argument("--records", required=True)
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    dice = random.Random(options.seed)
    folder = tempfile.mkdtemp(prefix="bridgecast-crash-")
    server, address = start_server(options.records)
    problems, kills, late = [], collections.Counter(), collections.Counter()
    stores = {}

    def command(kind, store, moment=WATCHED_FROM, speed=40_000):
        start = datetime.datetime.fromtimestamp(moment, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        base = {"sync": ["sync", "--host", address + "/ok", "--page-rows", "40"],
                "ingest": ["ingest", options.records],
                "watch": ["replay", "--from", start, "--to", "2026-02-27", "--speed", str(speed),
                          "--format", "lines", "--bridges-url", address + "/ok/bridges"]}[kind]
        return [options.bridgecast] + base + ["--store", store]

    started = time.time()
    longest = {"sync": 0.5, "ingest": 0.25, "watch": 0.8}
    while sum(kills.values()) < options.kills:
        kind = dice.choice(["sync", "watch", "ingest"])
        # A store is used for a few kills, so that work goes on from what a kill left; then a new one.
        if kind not in stores or dice.random() < 0.15:
            stores[kind] = "%s/%s-%d.sqlite" % (folder, kind, sum(kills.values()))
        store = stores[kind]
        stood = rows(store) if os.path.exists(store) else {table: [] for table in TABLES}
        moment, until = beginning(dice, stood["observedPeriod"])
        # The lower speed leaves no gaps between readings, so that periods grow; the higher one a gap at each.
        process = subprocess.Popen(command(kind, store, moment, dice.choice([400, 40_000])), stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        time.sleep(dice.random() * longest[kind])
        before = rows(store) if os.path.exists(store) else {table: [] for table in TABLES}
        # What a clock that is set back takes, its first reading has taken.
        is_begun = before["observedPeriod"] != stood["observedPeriod"]
        looks = [(stood, until), (before, float("inf") if is_begun else until)]
        process.send_signal(signal.SIGKILL)
        if process.wait() != -signal.SIGKILL:
            late[kind] += 1  # it had ended by itself
            del stores[kind]
            continue
        kills[kind] += 1
        if os.path.exists(store):
            check(store, looks, problems, "kill %d of %s" % (sum(kills.values()), kind))
    # What was interrupted is finished, and is then exactly the records.
    expected = set()
    for kind in ("sync", "ingest"):
        store = stores.get(kind, folder + "/last-%s.sqlite" % kind)
        subprocess.run(command(kind, store), check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        found = rows(store)["syncedRow" if kind == "sync" else "opening"]
        if len(found) != len(set(found)):
            problems.append("%s finished with rows twice" % kind)
        text = subprocess.run([options.bridgecast, "history", "export", "--store", store], check=True,
                              capture_output=True, text=True).stdout
        expected.add(text)
    if len(expected) != 1:
        problems.append("sync and ingest, killed and finished, do not give the same history")
    for store in pathlib.Path(folder).glob("*.sqlite"):
        if subprocess.run([options.bridgecast, "doctor", "--store", str(store)], stdout=subprocess.DEVNULL).returncode:
            problems.append("doctor finds %s broken" % store)
    print("killed %s in %.0f s (%s had ended by themselves)" % (dict(kills), time.time() - started, dict(late)))
    disks(options, address, folder, problems)
    server.kill()
    for problem in problems[:20]:
        print("WRONG " + problem)
    print("%d wrong" % len(problems))
    if not problems:
        shutil.rmtree(folder)
    sys.exit(1 if problems else 0)


def disks(options, address, folder, problems):
    """A disk of one megabyte that fills up, and one that cannot be written."""
    disk = folder + "/disk"
    os.mkdir(disk)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", disk], stderr=subprocess.DEVNULL).returncode:
        print("NOT CHECKED: full and read-only disks (this user may not mount)")
        return
    try:
        store = disk + "/h.sqlite"
        run = subprocess.run([options.bridgecast, "sync", "--host", address + "/ok", "--page-rows", "100", "--store", store],
                             capture_output=True, text=True)
        first = rows(store)
        if run.returncode != 74 or "disk" not in run.stderr or not first["syncedRow"]:
            problems.append("full disk: exit %d, %s" % (run.returncode, run.stderr.strip()[-200:]))
        check(store, [(first, float("inf"))], problems, "full disk")
        print("full disk: exit %d after %d rows: %s" % (
            run.returncode, len(first["syncedRow"]), run.stderr.strip().split("\n")[-1][-120:]))
        subprocess.run(["mount", "-o", "remount,size=20m", disk], check=True)
        run = subprocess.run([options.bridgecast, "sync", "--host", address + "/ok", "--store", store],
                             capture_output=True, text=True)
        if run.returncode or set(first["syncedRow"]) - set(rows(store)["syncedRow"]):
            problems.append("after the full disk: exit %d, %s" % (run.returncode, run.stderr.strip()[-200:]))
        full = len(rows(store)["syncedRow"])
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        read = subprocess.run([options.bridgecast, "history", "export", "--store", store], capture_output=True, text=True)
        write = subprocess.run([options.bridgecast, "sync", "--host", address + "/ok", "--store", store],
                               capture_output=True, text=True)
        doctor = subprocess.run([options.bridgecast, "doctor", "--store", store], capture_output=True, text=True)
        if read.returncode or len(read.stdout.split("\n")) < 3000:
            problems.append("read-only disk: reading gives exit %d, %s" % (read.returncode, read.stderr[-200:]))
        if write.returncode != 74:
            problems.append("read-only disk: sync gives exit %d, %s" % (write.returncode, write.stderr[-200:]))
        if "cannot be written" not in doctor.stdout:
            problems.append("read-only disk: doctor says nothing: %s" % doctor.stdout[-300:])
        print("room made: %d rows; read-only: export exit %d, sync exit %d: %s" % (
            full, read.returncode, write.returncode, write.stderr.strip().split("\n")[-1][-120:]))
        watch = subprocess.run([options.bridgecast, "replay", "--from", "2026-02-20T17:55", "--to", "2026-02-20T18:05",
                                "--speed", "max", "--store", store, "--format", "ndjson"], capture_output=True, text=True)
        print("read-only: watching ends with exit %d, %s" % (watch.returncode, watch.stderr.strip()[-120:]))
    finally:
        subprocess.run(["umount", disk])


if __name__ == "__main__":
    main()

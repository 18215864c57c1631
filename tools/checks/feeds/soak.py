#!/usr/bin/env python3
"""Leaves a replay running beside the stand-in feeds and checks every line of it against the records.

Started by tools/checks/soak:

    soak.py --bridgecast BINARY --records CSV [--from DAY] [--minutes 60] [--speed 20] [--scenario flaky]

Each state shown must be what the records say of the moment the board says it is of, or "unknown"; each "since" must
be the truth or absent. Ends with 1 if anything was wrong, and says what it saw.
"""
import argparse, collections, datetime, json, sqlite3, subprocess, sys, tempfile, time

from records import WITH_SENSOR, Records
from stand_in import start_server

GAP_S, STALE_S, POLL_S = 60, 300, 20


def moment(text):
    return datetime.datetime.fromisoformat(text).timestamp() if text else None


def resident_mb(process):
    try:
        text = open("/proc/%d/status" % process.pid).read()
        return int(text.split("VmRSS:")[1].split()[0]) / 1024
    except (OSError, IndexError):
        return float("nan")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bridgecast", required=True)
    parser.add_argument("--records", required=True)
    parser.add_argument("--from", dest="start", default="2026-02-20T00:00:00-08:00")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--speed", type=float, default=20)
    parser.add_argument("--scenario", default="flaky")
    options = parser.parse_args()
    records = Records(options.records, 1)
    folder = tempfile.mkdtemp(prefix="bridgecast-soak-")
    server, address = start_server(options.records)
    start = datetime.datetime.fromisoformat(options.start)
    end = start + datetime.timedelta(seconds=options.minutes * 60 * options.speed)
    store = folder + "/seen.sqlite"
    watch = subprocess.Popen(
        [options.bridgecast, "replay", "--from", start.isoformat(), "--to", end.isoformat(),
         "--speed", str(options.speed), "--bridges-url", "%s/%s/bridges" % (address, options.scenario),
         "--format", "ndjson", "--store", store, "--log-file", folder + "/log", "--log-level", "info"],
        stdout=subprocess.PIPE, text=True)
    # An answer may take its time, and the replay's time runs faster.
    slack = 2 + 2.5 * options.speed
    counts, wrong, memory, drift = collections.Counter(), [], [], []
    began = time.time()
    for line in watch.stdout:
        board = json.loads(line)
        counts["lines"] += 1
        at = moment(board["generated_at"])
        feeds = {feed["id"]: feed for feed in board["sources"]}
        fetched = moment(feeds.get("bridges", {}).get("fetched_at"))
        drift.append(at - start.timestamp() - (time.time() - began) * options.speed)
        if len(memory) < 1 + (time.time() - began) / 30:
            memory.append(resident_mb(watch))
        counts["phase " + board["phase"]] += 1
        for bridge in board["bridges"]:
            name, state, key = bridge["bridge"], bridge["state"], str(bridge["bridge_id"])
            counts[state] += 1
            if state == "unknown":
                continue
            if key not in WITH_SENSOR:
                wrong.append("%s %s: %s, but it has no sensor" % (board["generated_at"], name, state))
                continue
            # The board may be written just before the feed's line: the state is of then or of now.
            moments = [t for t in (fetched, at) if t]
            steps = [t - back for t in moments for back in range(0, int(slack) + POLL_S, 1)]
            if not any(records.is_raised(key, t) == (state == "raised") for t in steps):
                wrong.append("%s %s: shown %s, as of %s" % (board["generated_at"], name, state, feeds["bridges"]["fetched_at"]))
            if at - (fetched or at) > STALE_S + slack + POLL_S:
                wrong.append("%s %s: %s shown %d s after the last reading" % (board["generated_at"], name, state, at - fetched))
            since = moment(bridge.get("since"))
            if state == "raised" and since:
                counts["since known"] += 1
                starts = [s for s, _ in records.spans[key] if s <= since + 1]
                if not starts or since - max(starts) > GAP_S + slack:
                    wrong.append("%s %s: raised since %s, truly %s" % (board["generated_at"], name, bridge["since"], starts[-1:]))
    code = watch.wait()
    server.kill()
    seen = sqlite3.connect(store).execute(
        "SELECT bridge, start, startIsKnown, end FROM observedOpening").fetchall()
    span = (start.timestamp(), end.timestamp())
    for bridge, first, is_known, last in seen:
        true = [(s, e) for s, e in records.spans[str(bridge)] if s <= first + 1 and e + slack + STALE_S >= first]
        if not true:
            wrong.append("stored opening of %s at %d never happened" % (bridge, first))
    happened = sum(1 for bridge in WITH_SENSOR for s, e in records.spans[bridge] if span[0] <= s < span[1])
    print("exit %d; %s" % (code, dict(sorted(counts.items()))))
    print("openings: %d happened at bridges with a sensor, %d stored" % (happened, len(seen)))
    print("memory MB: first %.0f, a quarter %.0f, half %.0f, last %.0f, most %.0f" % (
        memory[0], memory[len(memory) // 4], memory[len(memory) // 2], memory[-1], max(memory)))
    print("behind the clock, s of the replay: median %.1f, most %.1f" % (
        -sorted(drift)[len(drift) // 2], -min(drift)))
    print(open(folder + "/log").read().strip().split("\n")[-1])
    for text in wrong[:20]:
        print("WRONG " + text)
    print("%d wrong" % len(wrong))
    sys.exit(1 if wrong or code else 0)


if __name__ == "__main__":
    main()

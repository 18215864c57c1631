"""Bridgecast, gtfs_kit and partridge read the same static feed in turn; tools/comparisons/transit/load runs it."""
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

PEERS = {
    "gtfs_kit": "import gtfs_kit, sys; feed = gtfs_kit.read_feed(sys.argv[1], dist_units='ft'); "
                "print(len(feed.stop_times), len(feed.shapes))",
    # It reads a table on first use.
    "partridge": "import partridge, sys; feed = partridge.load_feed(sys.argv[1], view={}); "
                 "[len(getattr(feed, table)) for table in ('agency', 'stops', 'routes', 'trips', 'calendar', "
                 "'calendar_dates')]; print(len(feed.stop_times), len(feed.shapes))",
}


def run(command):
    """Seconds, peak megabytes and both outputs of a process."""
    with tempfile.TemporaryFile() as output:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        output.seek(0)
        text = output.read().decode()
    if status != 0:
        sys.exit("%s failed:\n%s" % (" ".join(command), text[-2000:]))
    return seconds, usage.ru_maxrss / 1024, text


def main():
    server, feed, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
    measured, counts = {"bridgecast": [], **{name: [] for name in PEERS}}, {}
    for _ in range(rounds):
        measured["bridgecast"].append(run([server, "feed", "check", feed, "--format", "json"])[:2])
        for name, program in PEERS.items():
            seconds, megabytes, text = run([sys.executable, "-c", program, feed])
            measured[name].append((seconds, megabytes))
            counts[name] = text.split()[-2:]
    own = json.loads(run([server, "feed", "check", feed, "--format", "json", "--timings"])[2])
    rows = own["stop_times"]
    for name, found in counts.items():
        if int(found[0]) != rows:
            sys.exit("%s read %s stop times, Bridgecast %d" % (name, found[0], rows))
    print("%s: %d stop times" % (feed.split("/")[-1], rows))
    for name, times in measured.items():
        print("%-10s %7.2f s (%.2f .. %.2f), %6.0f MB, the whole process" % (
            name, statistics.median(time for time, _ in times), min(times)[0], max(times)[0],
            max(megabytes for _, megabytes in times)))
    for name, value in own.items():
        print("  %s: %s" % (name.replace("_", " "), value))


main()

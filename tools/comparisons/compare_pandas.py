"""Bridgecast and pandas read the same records by turns; tools/comparisons/compare_pandas runs it."""
import csv
import datetime
import json
import random
import statistics
import subprocess
import sys
import tempfile

PEER = """
import json, resource, sys, time
import pandas
start = time.perf_counter()
if sys.argv[1].endswith("csv"):
    frame = pandas.read_csv(sys.argv[1], parse_dates=["opendatetime", "closedatetime"])
    assert str(frame.dtypes["opendatetime"]).startswith("datetime64")
else:
    frame = pandas.read_json(sys.argv[1])
seconds = time.perf_counter() - start
print(json.dumps({"rows": len(frame), "seconds": seconds,
                  "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))
"""


def write(path, source, rows):
    """Records like the city's, each later than the one before."""
    with open(source) as file:
        examples = list({row["entityid"]: row for row in csv.DictReader(file)}.values())
    dice, time = random.Random(5), datetime.datetime(2008, 1, 1)
    names = list(examples[0])
    with open(path + ".csv", "w") as table, open(path + ".json", "w") as array:
        table.write(",".join('"%s"' % name for name in names) + "\n")
        array.write("[")
        for number in range(rows):
            time += datetime.timedelta(minutes=dice.randint(0, 17))
            minutes = dice.randint(1, 15)
            row = dict(dice.choice(examples), opendatetime=time.strftime("%Y-%m-%dT%H:%M:00.000"),
                       closedatetime=(time + datetime.timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M:00.000"),
                       minutesopen=str(minutes))
            table.write(",".join('"%s"' % row[name] for name in names) + "\n")
            array.write((",\n" if number else "") + json.dumps(row, separators=(",", ":")))
        array.write("]\n")


def main():
    binary, source, rows, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    with tempfile.TemporaryDirectory() as folder:
        path = folder + "/records"
        write(path, source, rows)
        for form in ("csv", "json"):
            ours, theirs = [], []
            for _ in range(rounds):
                output = subprocess.run(
                    [binary, "bench", "--parts", "records", "--records", "%s.%s" % (path, form), "--format", "json"],
                    check=True, capture_output=True, text=True).stdout
                ours.append(json.loads(output)["records"])
                output = subprocess.run([sys.executable, "-c", PEER, "%s.%s" % (path, form)], check=True,
                                        capture_output=True, text=True).stdout
                theirs.append(json.loads(output))
            ratios = sorted(peer["seconds"] / own["read_seconds"] for own, peer in zip(ours, theirs))
            print(
                "%-4s %d rows: bridgecast %.3f s, %.0f MB; pandas %.3f s, %.0f MB; %.2f times as fast (%.2f .. %.2f); "
                "stored in %.2f s"
                % (
                    form, ours[0]["rows"], statistics.median(own["read_seconds"] for own in ours),
                    max(own["peak_megabytes"] for own in ours), statistics.median(p["seconds"] for p in theirs),
                    max(p["megabytes"] for p in theirs), statistics.median(ratios), ratios[0], ratios[-1],
                    statistics.median(own["store_seconds"] for own in ours)))


main()

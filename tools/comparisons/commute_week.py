"""A simulated week of commuting with reminders: what the alerts say, what happens, and what the statistics make of it.

The forecasts, alerts and statistics are those of the programs. The bridge is up when the city's records have it up. How long the
roads take is drawn at random: the person is 6 % slower than the network assumes, with a spread of 8 %.
"""

import argparse
import csv
import datetime
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

ORIGIN, DESTINATION, BRIDGE = "Ballard", "Downtown", "Ballard"
DEADLINE = "10:00"
LEAD_MINUTES = 5
# The morning that is replayed: reminders are due within it.
FROM, TO = "08:45", "10:02"
SPEED = 200
PACE, SPREAD = 1.06, 0.08
# After an opening the queue moves: one and a half minutes for the first half of it, as a rough mean.
QUEUE_MINUTES = 1.5


def minute(text):
    """A time of day in minutes."""
    hours, minutes = text.split(":")
    return int(hours) * 60 + int(minutes)


def clock(minutes):
    """The nearest whole minute of the day, as 09:31."""
    whole = round(minutes)
    return f"{whole // 60:02d}:{whole % 60:02d}"


class Week:
    """A journal, a file of alerts, and what truly happened."""

    def __init__(self, programs, folder, openings, generator):
        self.programs = programs
        self.folder = folder
        self.openings = openings
        self.generator = generator
        self.journal = folder / "journal.sqlite"
        self.alerts = folder / "alerts.sqlite"
        self.messages = folder / "messages.json"
        self.days = []
        self.faults = []

    def run(self, *arguments):
        """Runs `bridgecast`; what it prints."""
        done = subprocess.run([self.programs / "bridgecast", *arguments], capture_output=True, text=True, timeout=120,
                              env={**os.environ, "HOME": str(self.folder)})
        if done.returncode != 0:
            sys.exit(f"bridgecast {' '.join(map(str, arguments))}: {done.stderr}")
        return done.stdout

    def prepare(self):
        """The favourite, its reminder and the rule that delivers it."""
        journal = ["--journal", str(self.journal)]
        self.run("favourite", "add", "work", "--from", ORIGIN, "--to", DESTINATION, *journal)
        self.run("settings", "set", "--keep-history", *journal)
        self.run("remind", "add", "work", "--by", DEADLINE, "--days", "mon-fri", "--lead", str(LEAD_MINUTES), *journal)
        self.run("alert", "add", "--reminders", *journal, "--priority", "critical", "--command", "/usr/bin/tee",
                 "--argument=-a", "--argument", str(self.messages), "--alerts", str(self.alerts))

    def morning(self, date):
        """The alerts of a morning, each with its time and its texts."""
        before = self.messages.read_text() if self.messages.exists() else ""
        service = subprocess.Popen(
            [self.programs / "bridgecast-server", "serve", "--replay", f"{date}T{FROM}/{date}T{TO}", "--speed",
             str(SPEED), "--port", "0", "--no-page", "--alerts", str(self.alerts)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, "HOME": str(self.folder)})
        time.sleep((minute(TO) - minute(FROM)) * 60 / SPEED + 6)
        service.send_signal(signal.SIGTERM)
        service.wait(timeout=60)
        text = (self.messages.read_text() if self.messages.exists() else "")[len(before):]
        decoder = json.JSONDecoder()
        alerts = []
        while text.strip():
            message, end = decoder.raw_decode(text.lstrip())
            text = text.lstrip()[end:]
            alerts += message["alerts"]
        return sorted(alerts, key=lambda alert: alert["at"])

    def travel(self, date, departure):
        """Leaves at a minute of the day: the arrival, and whether the bridge stopped it."""
        answer = json.loads(self.run("predict", "--from", ORIGIN, "--to", DESTINATION, "--at",
                                     f"{date}T{clock(departure)}", "--format", "json"))
        route = answer["groups"][0]["routes"][0]
        pace = PACE * self.generator.lognormvariate(0, SPREAD)
        road = (route["travel_s"]["mean"] - route["expected_delay_s"]) / 60 * pace
        waited = 0
        for crossing in route["crossings"]:
            eta = datetime.datetime.fromisoformat(crossing["eta"])
            at = departure + (eta.hour * 60 + eta.minute + eta.second / 60 - departure) * pace
            waited += self.wait(date, crossing["bridge"], at)
        return departure + road + waited, waited > 0

    def wait(self, date, bridge, at):
        """Minutes lost at a bridge that is reached at a minute of the day."""
        for name, start, end in self.openings.get(date, []):
            if name == bridge and start <= at < end:
                return end - at + QUEUE_MINUTES
        return 0

    def live(self, date):
        """A working day: reminded, gone, arrived, written down."""
        alerts = self.morning(date)
        self.check_alerts(date, alerts)
        if not alerts:
            return
        departure = minute(re.search(r"Leave by (\d\d:\d\d)", alerts[-1]["text"]).group(1))
        arrival, stopped = self.travel(date, departure)
        journal = ["--journal", str(self.journal)]
        self.run("journey", "start", "work", "--at", f"{date}T{clock(departure)}", *journal)
        self.run("journey", "stop", "--at", f"{date}T{clock(arrival)}", "--stopped" if stopped else "--no-stopped",
                 *journal)
        self.days.append({"date": date, "departure": departure, "arrival": round(arrival), "stopped": stopped,
                          "alerts": len(alerts)})
        print(f"{date}  {alerts[0]['at'][11:16]}  {alerts[0]['title']:28}  alerts {len(alerts)}  arrived {clock(arrival)}"
              f"{', stopped' if stopped else ''}", flush=True)
        for alert in alerts[1:]:
            print(f"            {alert['at'][11:16]}  {alert['text']}", flush=True)

    def check_alerts(self, date, alerts):
        """One first reminder, the lead before the time to leave; others only if that has moved."""
        first = [alert for alert in alerts if "announced" not in alert["text"] and alert["kind"] == "leave"]
        if len(first) != 1:
            self.faults.append(f"{date}: {len(first)} first reminders")
            return
        leave = minute(re.search(r"Leave by (\d\d:\d\d)", first[0]["text"]).group(1))
        due = leave - LEAD_MINUTES
        at = minute(first[0]["at"][11:16])
        if not due <= at <= due + 1:
            self.faults.append(f"{date}: reminded at {clock(at)}, due at {clock(due)}")

    def check_statistics(self):
        """Prints what the journal makes of the week, and compares it with what happened."""
        journal = ["--range", "all", "--journal", str(self.journal)]
        print(self.run("stats", *journal))
        print(self.run("stats", "--learned", *journal))
        minutes = [day["arrival"] - day["departure"] for day in self.days]
        in_time = sum(day["arrival"] <= minute(DEADLINE) for day in self.days)
        print(f"in time on {in_time} of {len(self.days)} days; on the way for {min(minutes)} to {max(minutes)} min")
        found = json.loads(self.run("stats", "--format", "json", *journal))
        kept = json.loads(self.run("journey", "list", "--format", "json", *journal))["journeys"]
        planned = {journey["planned_departure"][:10]: journey["planned_arrival"] for journey in kept}
        delays = [day["arrival"] - seconds_of_day(planned[day["date"]]) / 60 for day in self.days]
        hours = [0] * 24
        for day in self.days:
            hours[day["departure"] // 60] += 1
        self.compare("journeys", found["journeys"], len(self.days))
        self.compare("hours", found["hourly_pattern"], hours)
        self.compare("weekdays", found["weekly_pattern"], [1, 1, 1, 1, 1, 0, 0])
        self.compare("mean delay", found["mean_delay_min"], round(sum(delays) / len(delays), 2))

    def compare(self, name, found, wanted):
        """Notes a figure of the statistics that is not what happened."""
        if found != wanted:
            self.faults.append(f"{name}: {found}, but it was {wanted}")


def seconds_of_day(text):
    """The seconds since midnight of a time such as 2026-02-09T09:38:00-08:00."""
    time_of_day = datetime.datetime.fromisoformat(text).time()
    return time_of_day.hour * 3600 + time_of_day.minute * 60 + time_of_day.second


def openings_by_day(path):
    """The openings of each date: bridge, start and end in minutes of the day."""
    days = {}
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            start = datetime.datetime.fromisoformat(row["opendatetime"])
            end = datetime.datetime.fromisoformat(row["closedatetime"])
            first = start.hour * 60 + start.minute + start.second / 60
            last = first + (end - start).total_seconds() / 60
            days.setdefault(str(start.date()), []).append((row["entityname"], first, last))
    return days


def main():
    """Lives through the week and exits with 1 if anything it says is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=pathlib.Path, required=True)
    parser.add_argument("--records", required=True)
    parser.add_argument("--monday", type=datetime.date.fromisoformat, default=datetime.date(2026, 2, 9))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path, help="keeps the files in this folder")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        week = Week(options.programs, folder, openings_by_day(options.records), random.Random(options.seed))
        week.prepare()
        for day in range(5):
            week.live(str(options.monday + datetime.timedelta(days=day)))
        week.check_statistics()
    for fault in week.faults:
        print(f"FAIL {fault}")
    sys.exit(1 if week.faults else 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Kills the service under load, again and again, and looks at what is left and who notices.

    kill.py [--rounds 20] [--program PATH] [--seed 1]

After each kill -9 it must be ready again in less than a second (--ready), every opening and every watched moment that a reader
saw in the store before the kill must still be there, and a client of the stream of events that comes back with its last id
must get the next event, or be told by `reset` that it missed some. Needs no network: the feed is city.py.
"""
import argparse, http.client, json, os, random, sqlite3, sys, tempfile, threading, time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../feeds"))
from city import City
from crash_test import TABLES, overlaps, rows, uncovered
from events import Stream, number
from server import PROGRAM, UNLIMITED, Service, end

PATHS = ["/api/v1/bridges", "/api/v1/forecast?bridge=Fremont&lead_min=10", "/api/v1/routes?from=Ballard&to=Downtown",
         "/api/v1/history?limit=100", "/api/v1/bridges/Ballard"]


def load(service, stopped, answers):
    """Asks until it is told to stop, or the service is gone."""
    connection = http.client.HTTPConnection(service.host, service.port, timeout=10)
    dice = random.Random(id(stopped))
    while not stopped.is_set():
        try:
            connection.request("GET", dice.choice(PATHS))
            answer = connection.getresponse()
            answer.read()
            answers.append(answer.status)
        except (OSError, http.client.HTTPException):
            return


def seen_events(service, found, last):
    """Listens until the service is gone; all events."""
    try:
        stream = Stream(service, last=last)
        while event := stream.next():
            found.append(event)
    except (OSError, http.client.HTTPException):
        pass


def stored(store):
    return rows(store) if os.path.exists(store) else {table: [] for table in TABLES}


def compare(before, store, what, wrong):
    """Whether all that was committed is still there, once, and the store is sound."""
    database = sqlite3.connect("file:%s?mode=ro" % store, uri=True, timeout=10)
    sound = database.execute("PRAGMA integrity_check").fetchall()
    database.close()
    if sound != [("ok",)]:
        wrong.append("%s: the store is not sound: %s" % (what, sound[:2]))
    after = rows(store)
    for table in TABLES:
        lost = set(before[table]) - set(after[table])
        if lost and table != "observedPeriod":
            wrong.append("%s: %d rows of %s lost, such as %s" % (what, len(lost), table, sorted(lost)[0]))
    for words, parts in (("no longer covered", uncovered(before["observedPeriod"], after["observedPeriod"], float("inf"))),
                         ("stand twice", overlaps(after["observedPeriod"]))):
        if parts:
            wrong.append("%s: %d periods %s, such as %s" % (what, len(parts), words, parts[0]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--program", default=PROGRAM)
    parser.add_argument("--ready", type=float, default=1.0, help="seconds until it is ready again")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    dice, wrong, ready, answered, resets, went_on = random.Random(options.seed), [], [], 0, 0, 0
    # So quick that a bridge moves between any two starts, which each begin with a reading.
    city = City(period=7, up=3)
    folder = tempfile.mkdtemp(prefix="bridgecast-kill-")
    store, last = folder + "/history.sqlite", None
    for turn in range(options.rounds + 1):
        what = "round %d" % turn
        service = Service(["--bridges-url", city.url, "--store", store] + UNLIMITED, folder, options.program)
        seconds = service.wait_until_ready()
        if turn and seconds >= options.ready:
            wrong.append("%s: ready after %.2f s" % (what, seconds))
        ready.append(seconds)
        if turn:
            compare(before, store, what, wrong)
        events, answers, stopped = [], [], threading.Event()
        listener = threading.Thread(target=seen_events, args=(service, events, last), daemon=True)
        threads = [listener] + [threading.Thread(target=load, args=(service, stopped, answers)) for _ in range(4)]
        for thread in threads:
            thread.start()
        time.sleep(0.3 + 2 * dice.random())
        before = stored(store)
        service.kill()
        stopped.set()
        for thread in threads:
            thread.join(15)
        answered += len(answers)
        wrong += ["%s: an answer with %d" % (what, status) for status in set(answers) - {200, 304, 429, 503}]
        if not events:
            wrong.append("%s: a listener was told nothing" % what)
            continue
        if last is not None:
            (run, count), (old_run, old_count) = number(events[0][0]), number(last)
            if events[0][1] == "reset":
                resets += 1
            elif (run, count) == (old_run, old_count + 1):
                went_on += 1
            else:
                wrong.append("%s: after %s a listener is sent %s, %s" % (what, last, events[0][0], events[0][1]))
        last = events[-1][0]
    city.stop()
    print("%d kills: ready after %.2f s (median), %.2f s (slowest); %d answers; %d listeners went on, %d were told to begin anew"
          % (options.rounds, sorted(ready)[len(ready) // 2], max(ready[1:] or ready), answered, went_on, resets))
    print("in the store: " + json.dumps({table: len(found) for table, found in stored(store).items()}))
    if not stored(store)["observedPeriod"]:
        wrong.append("nothing was watched: this run has shown nothing")
    end(wrong)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Makes vectors.json: what the rules of refreshing and of the network's condition give, by this third implementation.

    make_vectors.py > vectors.json

Swift and the page's JavaScript are tested against it. The rules are those of the article Recovery.
"""
import json
import random
import statistics

FACTORS = {"good": 1, "slow": 1.5, "poor": 2, "offline": 4}
ORDER = list(FACTORS)


def refresh(interval, departure, condition):
    """Seconds to the next refresh; None for never."""
    if interval is None:
        return None
    near = departure is not None and departure >= -120
    seconds = min(interval, max(30, departure / 6)) if near else interval
    return min(seconds * FACTORS[condition], max(interval, 1800))


def rated(window, scale):
    if len(window) >= 3 and window[-3:] == [None] * 3:
        return "offline"
    answered = [seconds for seconds in window if seconds is not None]
    median = statistics.median(answered) if answered else 0
    share = window.count(None) / max(4, len(window))
    for name, seconds, limit in (("poor", 3, 0.3), ("slow", 1, 0.125)):
        if median >= seconds * scale or share >= limit * scale:
            return name
    return "good"


def conditions(requests):
    """The condition after each request."""
    current, found = "good", []
    for end in range(1, len(requests) + 1):
        window = requests[max(0, end - 8):end]
        worse, better = rated(window, 1), rated(window, 0.7)
        if ORDER.index(worse) > ORDER.index(current):
            current = worse
        elif ORDER.index(better) < ORDER.index(current):
            current = better
        found.append(current)
    return found


def main():
    dice = random.Random(20260220)
    intervals = [None, 60, 120, 300, 600, 900, 7200]
    departures = [None, -121, -120, -1, 0, 1, 179, 180, 181, 360, 1800, 5400, 86400]
    adaptive = [{"interval": i, "departure": d, "condition": c, "seconds": refresh(i, d, c)}
                for i in intervals for d in departures for c in FACTORS]
    network = []
    for _ in range(60):
        bad, slow = dice.choice([0, 0.1, 0.3, 0.7]), dice.choice([0.2, 0.8, 2.2, 4])
        requests = [None if dice.random() < bad else round(slow * (0.3 + 1.5 * dice.random()), 3)
                    for _ in range(25)]
        network.append({"requests": requests, "conditions": conditions(requests)})
    print(json.dumps({"adaptive": adaptive, "network": network}, separators=(",", ":")))


main()

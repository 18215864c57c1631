"""Rows for the checks of bridgecast_spark, the same in every run: trips with candidates, and arrivals at bridges."""
import numpy as np
import pyarrow as pa

BRIDGES = np.array([1, 2, 3, 4, 6, 21, 29], np.int32)
# A fortnight of February 2026, of which the records know all.
FIRST, MINUTES = 1_770_000_000, 14 * 1440
CANDIDATES, STEPS = 4, 3


def times(seconds):
    return pa.array(np.asarray(seconds) * 1_000_000, pa.int64()).view(pa.timestamp("us", "UTC"))


def lists(elements, length):
    """Lists of a length each."""
    return pa.ListArray.from_arrays(pa.array(np.arange(0, len(elements) + 1, length, dtype=np.int32)), elements)


def candidates(count, random):
    """Four candidates a trip: a bridge, two, three with their spread, and one by roads alone."""
    steps = count * CANDIDATES * STEPS
    minutes = random.uniform(1, 12, steps).round(2)
    spread = (minutes * random.uniform(0.05, 0.5, steps)).round(2)
    # No candidate crosses a bridge twice.
    bridges = random.permuted(np.tile(BRIDGES, (count * CANDIDATES, 1)), axis=1)[:, :STEPS].ravel()
    is_road = np.tile([0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 1], count).astype(bool)
    has_no_spread = np.tile([1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0], count).astype(bool)
    step = pa.StructArray.from_arrays(
        [pa.array(minutes), pa.array(spread, mask=has_no_spread), pa.array(bridges, mask=is_road)], ["minutes", "spread", "bridge"])
    return lists(lists(step, STEPS), CANDIDATES)


def trips(count, seed=1):
    """A table of trips, many of one issue time, in its order."""
    random = np.random.default_rng(seed)
    issued = FIRST + 60 * np.sort(random.integers(0, min(MINUTES, max(1, count // 10)), count))
    ahead = random.choice([0, 0, 120, 1_800, 5_400], count)
    mode = np.array(["car", "bike", "walk"])[random.choice(3, count, p=[0.8, 0.1, 0.1])]
    return pa.table({"id": np.arange(count), "issue_time": times(issued), "departure": times(issued + ahead),
                     "mode": pa.array(mode), "candidates": candidates(count, random)})


def arrivals(count, seed=2):
    random = np.random.default_rng(seed)
    issued = FIRST + 60 * random.integers(0, MINUTES, count)
    rho = pa.array(random.uniform(0, 0.9, count), mask=random.random(count) < 0.5)
    return pa.table({"id": np.arange(count), "bridge": BRIDGES[random.integers(0, len(BRIDGES), count)],
                     "issue_time": times(issued), "arrival": times(issued + random.integers(0, 7_200, count)), "rho": rho})

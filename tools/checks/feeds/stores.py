"""What is in a history store, and in an archive of forecasts, after a kill: whether it is sound, and holds what was committed, once."""
import collections
import os
import sqlite3

# Tables, and what identifies a row of each.
TABLES = {
    "opening": "bridge, start, ifnull(end, -1)", "syncedRow": "feed, row",
    "observedOpening": "bridge, start", "observedPeriod": "bridge, start, end",
}


def rows(store):
    """Identities of everything in the store; openings that are watched may still get an end."""
    nothing = {table: [] for table in TABLES}
    if not os.path.exists(store):
        return nothing
    database = sqlite3.connect("file:%s?mode=ro" % store, uri=True, timeout=10)
    try:
        return {table: database.execute("SELECT %s FROM %s" % (key, table)).fetchall()
                for table, key in TABLES.items()}
    except sqlite3.OperationalError:
        return nothing  # not migrated yet
    finally:
        database.close()


def periods_by_bridge(periods):
    found = collections.defaultdict(list)
    for bridge, start, end in sorted(periods):
        found[bridge].append((start, end))
    return found


def uncovered(before, after, until):
    """Parts of earlier periods, up to a time, that later ones do not cover; both ends of a period are covered."""
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
    """Neighbours that share more than the time at which one ends and the other begins."""
    return [(bridge, one, other) for bridge, found in periods_by_bridge(periods).items()
            for one, other in zip(found, found[1:]) if other[0] < one[1] or other[0] == one[0]]


def problems(store, looks):
    """What is wrong with a store, by earlier looks at its rows, each with the time up to which coverage must hold."""
    database = sqlite3.connect(store, timeout=10)
    sound = database.execute("PRAGMA integrity_check").fetchall()
    database.close()
    if sound != [("ok",)]:
        yield "the store is not sound: %s" % sound[:2]
    after = rows(store)
    for before, until in looks:
        parts = uncovered(before["observedPeriod"], after["observedPeriod"], until)
        if parts:
            yield "%d periods are no longer covered, such as %s" % (len(parts), parts[0])
        for table in TABLES:
            lost = set(before[table]) - set(after[table])
            if lost and table != "observedPeriod":
                yield "%d rows of %s lost, such as %s" % (len(lost), table, sorted(lost)[0])
    double = overlaps(after["observedPeriod"])
    if double:
        yield "%d periods overlap, such as %s" % (len(double), double[0])
    for table in TABLES:
        twice = [row for row, count in collections.Counter(after[table]).items() if count > 1]
        if twice:
            yield "%d rows of %s are there twice" % (len(twice), table)


# The bytes of the forecasts of an issue time: seven bridges, eight leads, 20 bytes each.
FORECAST_BYTES = 7 * 8 * 20


def forecasts(archive):
    """What identifies the forecasts of an archive: the five minutes, the issue time, and the bytes."""
    if not os.path.exists(archive):
        return []
    database = sqlite3.connect("file:%s?mode=ro" % archive, uri=True, timeout=10)
    try:
        return database.execute("SELECT slot, issuedAt, forecasts FROM issue ORDER BY slot").fetchall()
    except sqlite3.OperationalError:
        return []  # not migrated yet
    finally:
        database.close()


def archive_problems(archive, before):
    """What is wrong with an archive, by an earlier look at its forecasts."""
    database = sqlite3.connect(archive, timeout=10)
    sound = database.execute("PRAGMA integrity_check").fetchall()
    database.close()
    if sound != [("ok",)]:
        yield "the archive is not sound: %s" % sound[:2]
    after = forecasts(archive)
    lost = set(before) - set(after)
    if lost:
        yield "%d issue times lost or changed, such as %s" % (len(lost), sorted(lost)[0][:2])
    cut = [row[:2] for row in after if len(row[2]) != FORECAST_BYTES or row[1] // 300 != row[0]]
    if cut:
        yield "%d issue times are not whole, such as %s" % (len(cut), cut[0])

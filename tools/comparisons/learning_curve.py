"""Skill by weeks of records, and the power law through it; run by tools/comparisons/learning_curve.

The weeks of a share are part of those of every larger share. At an origin the share of climatology's log loss that a fit
on n weeks leaves is taken to be level + b * n^-c, with a level of each origin and b and c of all. Climatology is always
that of all records, so that only the fit changes.
"""

import argparse
import datetime
import hashlib
import json
import os
import subprocess
import sys

import numpy as np

ORIGINS = ("2018-02-12", "2018-03-12", "2025-02-15", "2025-04-10", "2026-02-01", "2026-02-15")
EXPONENTS = np.linspace(0.05, 2, 79)
DRAWS = 1000
YEARS = (1, 2, 3)
WEEK = datetime.timedelta(days=7)


def monday(time):
    return datetime.datetime.combine(time.date() - datetime.timedelta(days=time.weekday()), datetime.time())


def periods(coverage):
    return [(datetime.datetime.fromisoformat(p["from"]), datetime.datetime.fromisoformat(p["to"]), p["bridges"])
            for p in coverage["periods"]]


def past_weeks(coverage, end):
    """Mondays of the weeks with covered time before a time, each with the days of it that are covered."""
    days = {}
    for start, stop, _ in periods(coverage):
        week = monday(start)
        while week < min(stop, end):
            covered = min(stop, end, week + WEEK) - max(start, week)
            days[week] = max(days.get(week, 0.0), covered / datetime.timedelta(days=1))
            week += WEEK
    return {week: covered for week, covered in days.items() if covered > 0}


def chosen(weeks, share, seed):
    """A share of the weeks, at least one, in the order of a hash: neither the newest nor the oldest first."""
    order = sorted(weeks, key=lambda week: hashlib.sha256(f"{seed} {week.date()}".encode()).digest())
    return sorted(order[:max(1, round(len(order) * share / 100))])


def reduced(coverage, weeks, end):
    """The coverage with only some weeks before a time, and all that is after it."""
    parts = [(week, min(week + WEEK, end)) for week in weeks] + [(end, datetime.datetime.max)]
    kept = [{"from": max(start, first).isoformat(), "to": min(stop, last).isoformat(), "bridges": bridges}
            for start, stop, bridges in periods(coverage) for first, last in parts if max(start, first) < min(stop, last)]
    return {"timeZone": coverage["timeZone"], "meaning": coverage["meaning"], "periods": kept}


def run(command):
    result = subprocess.run(command, stdout=subprocess.DEVNULL)
    if result.returncode != 0:
        sys.exit(result.returncode)


def scores(options, coverage, origin, share):
    """Fits at an origin to a share of the weeks, unless that fit exists, and scores it with all records."""
    end = datetime.datetime.fromisoformat(origin) - datetime.timedelta(days=1)
    weeks = past_weeks(coverage, end)
    if not weeks:
        sys.exit(f"learning_curve: no covered records before {end.date()}")
    used = chosen(weeks, share, options.seed)
    folder = f"{options.folder}/{origin}-seed-{options.seed}"
    os.makedirs(folder, exist_ok=True)
    part = f"{folder}/coverage-{share}.json"
    with open(part + ".part", "w") as file:
        json.dump(reduced(coverage, used, end), file)
    os.replace(part + ".part", part)
    records = [word for path in options.records for word in ("--records", path)]
    name = ["--origin", origin, "--recipe-name", f"weeks-{share}"]
    run([options.program, "origins", "run", *name, "--folder", f"{folder}/fits", "--coverage", part, *records,
         "--keep-all-records", "--quiet", *(["--light"] if options.light else []), *options.recipe])
    run([options.program, "origins", "score", *name, "--folder", f"{folder}/scores", "--model-folder",
         f"{folder}/fits/weeks-{share}", "--coverage", options.coverage, *records])
    with open(f"{folder}/scores/weeks-{share}/{origin}.json") as file:
        return sum(weeks[week] for week in used) / 7, daily(json.load(file))


def daily(document):
    """The sums of log loss and of climatology's, by day."""
    days = {}
    for cell in document["rows"]:
        sums = days.setdefault(cell["day"], [0.0, 0.0])
        sums[0] += cell["loss"]
        sums[1] += cell["climatology_loss"]
    return np.array([days[day] for day in sorted(days)])


def power_law(weeks, ratios):
    """Level by origin, b and c of least squares; weeks and ratios are by origin and share."""
    count = len(weeks)
    best = None
    rows = [(origin, share) for origin in range(count) for share in range(len(weeks[origin]))]
    outcomes = np.array([ratios[origin][share] for origin, share in rows])
    for exponent in EXPONENTS:
        design = np.zeros((len(rows), count + 1))
        for row, (origin, share) in enumerate(rows):
            design[row, origin] = 1
            design[row, count] = weeks[origin][share] ** -exponent
        solution = np.linalg.lstsq(design, outcomes, rcond=None)[0]
        # More records do no harm.
        if solution[count] < 0:
            solution[:count] = [np.mean(ratios[origin]) for origin in range(count)]
            solution[count] = 0
        error = np.sum((design @ solution - outcomes) ** 2)
        if best is None or error < best[0] - 1e-15:
            best = (error, solution[:count], solution[count], exponent)
    return best[1:]


def expected(weeks, ratios, of):
    levels, factor, exponent = power_law(weeks, ratios)
    return [1 - np.mean(levels) - factor * n ** -exponent for n in of]


def curve(table, drawn=None):
    """The ratio of each origin and share; the same drawn days for all shares of an origin."""
    result = []
    for number, origin in enumerate(table):
        days = slice(None) if drawn is None else drawn[number]
        sums = [share[1][days].sum(axis=0) for share in origin]
        result.append([loss / climatology for loss, climatology in sums])
    return result


def interval(values):
    low, high = np.percentile(values, [2.5, 97.5])
    return f"{low:.3f} to {high:.3f}"


def report(table, shares, seed):
    weeks = [[share[0] for share in origin] for origin in table]
    ratios = curve(table)
    random = np.random.default_rng(seed)
    draws = [curve(table, [random.integers(len(o[0][1]), size=len(o[0][1])) for o in table]) for _ in range(DRAWS)]
    print("weeks   share  skill  95 % of days drawn again")
    for index, share in enumerate(shares):
        skill = 1 - np.mean([origin[index] for origin in ratios])
        spread = [1 - np.mean([origin[index] for origin in draw]) for draw in draws]
        print(f"{np.mean([w[index] for w in weeks]):5.1f}  {share:4d} %  {skill:.3f}  {interval(spread)}")
    if len(shares) < 3:
        print("a power law needs three shares or more")
        return
    _, factor, exponent = power_law(weeks, ratios)
    print(f"\nskill = level - {factor:.3f} * weeks^-{exponent:.3f}, level by origin")
    if exponent in (EXPONENTS[0], EXPONENTS[-1]):
        print("the exponent is at the bound of those that are tried: these shares do not determine the bend")
    of = [52 * years for years in YEARS]
    spreads = np.array([expected(weeks, draw, of) for draw in draws])
    for years, value, spread in zip(YEARS, expected(weeks, ratios, of), spreads.T):
        print(f"{years} year{'s' if years > 1 else ' '} of records: {value:.3f}  {interval(spread)}")


def arguments():
    parser = argparse.ArgumentParser(prog="tools/comparisons/learning_curve")
    parser.add_argument("program")
    parser.add_argument("shipped")
    parser.add_argument("folder")
    parser.add_argument("--origin", action="append", type=datetime.date.fromisoformat)
    parser.add_argument("--shares", default="25,50,75,100")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--light", action="store_true")
    parser.add_argument("--records", action="append", default=[])
    parser.add_argument("--coverage")
    # What is after -- is for the recipe.
    given = sys.argv[1:]
    cut = given.index("--") if "--" in given else len(given)
    options = parser.parse_args(given[:cut])
    options.recipe = given[cut + 1:]
    options.coverage = options.coverage or options.shipped
    options.origin = sorted({str(date) for date in options.origin or []}) or ORIGINS
    try:
        options.shares = sorted({int(share) for share in options.shares.split(",")})
    except ValueError:
        parser.error("--shares: whole percentages such as 25,50,75,100")
    if not all(1 <= share <= 100 for share in options.shares):
        parser.error("--shares: 1 to 100")
    return options


def main():
    options = arguments()
    try:
        with open(options.coverage) as file:
            coverage = json.load(file)
        periods(coverage)
    except FileNotFoundError:
        print(f"learning_curve: {options.coverage}: there is no such file", file=sys.stderr)
        sys.exit(66)
    except (ValueError, KeyError, TypeError) as error:
        print(f"learning_curve: {options.coverage}: is not a statement of coverage: {error}", file=sys.stderr)
        sys.exit(65)
    table = []
    for origin in options.origin:
        table.append([scores(options, coverage, origin, share) for share in options.shares])
        print(f"{origin} done", file=sys.stderr)
    report(table, options.shares, options.seed)


if __name__ == "__main__":
    main()

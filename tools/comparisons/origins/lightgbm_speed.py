"""Times LightGBM's 200 trees of 31 leaves against our shipped network: plain LightGBM, and the trees compiled by lleaves.

Run by tools/bench_onnxruntime:
  TRAINING TEST OURS PROGRAM [--rounds 7]

TRAINING and TEST are exports of one origin with --trees, OURS is one of the same days with the validation model.
The margins of every contender are compared with LightGBM's own before anything is timed. lleaves compiles for one row
or for many, in single or double precision; for each number of rows its fastest form counts. Contenders take turns with
`bridgecast bench`, which runs our network. Calls are made in C (lightgbm_speed.c), on rows that are in place.
"""
import argparse
import ctypes
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import lightgbm
import lleaves
import numpy as np

import lightgbm_origins as origins

LEAVES, TREES = 31, 200
# Where the rows of the calls begin: those of `bridgecast bench` are from this hour too.
BENCH_TIME = "2026-02-20T07:00"
ROWS = 1024
# Label, rows of a call, rows that a call advances.
CASES = [("1 row, always the same", 1, 0), ("1 row, another each call", 1, 1), ("1024 rows", 1024, 0)]
# Trees of one piece suit a single row, blocks of trees many rows: so lleaves says.
FORMS = [(blocks, double) for blocks in (TREES, 34) for double in (True, False)]
COMPILED_FLOAT32, COMPILED_FLOAT64, LIGHTGBM = range(3)
FLOAT64, RAW_SCORE, ALL_TREES = 1, 1, -1
# Single precision sums 200 leaves.
TOLERANCE = {True: 1e-12, False: 1e-5}
TURN_NANOSECONDS = 100e6


class SpeedError(Exception):
    """What is wrong and what to do; exit code 65 for data, 70 for a contender that errs, 69 for a missing tool."""

    def __init__(self, text, code):
        super().__init__(text)
        self.code = code


class Contender(ctypes.Structure):
    """As in lightgbm_speed.c; `kept` holds what the pointers point to."""
    _fields_ = [(name, ctypes.c_int32) for name in ("kind", "width", "rows", "batch", "step")] + [
        (name, ctypes.c_void_p) for name in ("function", "handle", "inputs", "prior", "margins", "chances")]

    def attach(self, rows, prior, *owners):
        """Rows and results in place, followed by the first rows again, so that a call may begin at any row."""
        number = np.float32 if self.kind == COMPILED_FLOAT32 else np.float64
        inputs = np.ascontiguousarray(np.concatenate([rows, rows[:self.batch]]), number)
        prior = np.concatenate([prior, prior[:self.batch]])
        margins, chances = np.zeros(self.batch, number), np.zeros(self.batch)
        self.rows, self.width = rows.shape
        self.inputs, self.prior = inputs.ctypes.data, prior.ctypes.data
        self.margins, self.chances = margins.ctypes.data, chances.ctypes.data
        self.result, self.margin_values = chances, margins
        self.kept = (inputs, prior, owners)
        return self


# MARK: the contenders

def fit(training):
    """As compare does at each origin."""
    booster = lightgbm.train(origins.settings(LEAVES), origins.dataset(training), TREES)
    return lightgbm.Booster(model_str=booster.model_to_string())


def plain(booster, rows, prior, batch, step):
    """LightGBM through its C API: for one row, the call that prepares everything beforehand."""
    library, width = lightgbm.basic._LIB, rows.shape[1]
    handle = booster._handle
    function = library.LGBM_BoosterPredictForMat
    if batch == 1:
        function, prepared = library.LGBM_BoosterPredictForMatSingleRowFast, ctypes.c_void_p()
        code = library.LGBM_BoosterPredictForMatSingleRowFastInit(
            handle, RAW_SCORE, 0, ALL_TREES, FLOAT64, width, ctypes.c_char_p(b"num_threads=1"), ctypes.byref(prepared))
        if code:
            raise SpeedError("LightGBM cannot prepare to predict one row", 70)
        handle = prepared
    address = ctypes.cast(function, ctypes.c_void_p)
    contender = Contender(LIGHTGBM, batch=batch, step=step, function=address, handle=handle)
    return contender.attach(rows, prior, booster)


def compile_trees(path):
    """The trees in each form that lleaves has."""
    compiled = {}
    for blocks, double in FORMS:
        print(f"lleaves compiles blocks of {blocks} trees, {'double' if double else 'single'} precision", file=sys.stderr)
        model = compiled[blocks, double] = lleaves.Model(path)
        model.compile(raw_score=True, fblocksize=blocks, use_fp64=double, fcodemodel="small")
    return compiled


def from_lleaves(model, rows, prior, batch, step):
    kind = COMPILED_FLOAT64 if model.use_fp64 else COMPILED_FLOAT32
    address = ctypes.cast(model._c_entry_func, ctypes.c_void_p)
    return Contender(kind, batch=batch, step=step, function=address).attach(rows, prior, model)


def form_name(blocks, double):
    return f"lleaves, blocks of {blocks}, {'double' if double else 'single'}"


def contenders(booster, compiled, rows, prior):
    """All of them by case and name."""
    return {
        case: {"LightGBM": plain(booster, rows, prior, batch, step)}
        | {form_name(*form): from_lleaves(model, rows, prior, batch, step) for form, model in compiled.items()}
        for case, batch, step in CASES
    }


# MARK: checks

def verify(library, case, name, contender, expected):
    """Compares the margins of all rows with LightGBM's."""
    tolerance = TOLERANCE[contender.kind != COMPILED_FLOAT32]
    for first in range(0, contender.rows, contender.batch):
        if library.predict(ctypes.byref(contender), first):
            raise SpeedError(f"{case}: {name} failed at row {first}", 70)
        count = min(contender.batch, contender.rows - first)
        difference = np.abs(contender.margin_values[:count] - expected[first:first + count]).max()
        if not difference <= tolerance:
            raise SpeedError(f"{case}: {name} differs from LightGBM by {difference} near row {first}; nothing was timed", 70)


def skill(probability, test):
    """Of arrivals at all leads but 0, as `bridgecast origins` scores them."""
    counted = np.array([place[2] > 0 for place in test["place"]])
    losses = [origins.log_loss(p[counted], test["blocked"][counted]).sum() for p in (probability, test["climatology"])]
    return 1 - losses[0] / losses[1]


def our_probability(folder, test):
    """The chance of a delay that the validation model gives to the same rows."""
    blocked = np.load(f"{folder}/blocked.npy")
    rows = [pathlib.Path(one, "rows.csv").read_bytes() for one in (folder, test["folder"])]
    if not np.array_equal(blocked, test["blocked"]) or rows[0] != rows[1]:
        raise SpeedError(f"{folder} and {test['folder']} have different rows: export the same days", 65)
    return 1 - np.load(f"{folder}/probabilities.npy")[:, 0].astype(np.float64)


def bench_rows(test):
    """Consecutive rows from the hour of `bridgecast bench` on, in the order of the protocol."""
    with open(f"{test['folder']}/rows.csv") as lines:
        next(lines)
        first = next((k for k, line in enumerate(lines) if BENCH_TIME in line), None)
    if first is None or first + ROWS > len(test["prior"]):
        raise SpeedError(f"{test['folder']} has fewer than {ROWS} rows from {BENCH_TIME} on: export that day", 65)
    return np.asarray(test["features"][first:first + ROWS], np.float64), test["prior"][first:first + ROWS]


# MARK: times

def build(folder):
    path = f"{folder}/lightgbm_speed.so"
    source = pathlib.Path(__file__).with_suffix(".c")
    compiler = os.environ.get("CC", "clang")
    try:
        subprocess.run([compiler, "-O3", "-march=native", "-shared", "-fPIC", source, "-lm", "-o", path], check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise SpeedError(f"cannot compile {source.name} with {compiler}: {error}; set CC to a C compiler", 69) from error
    return ctypes.CDLL(path)


def take_turn(library, contender):
    """Median microseconds of a call, in a turn of about a tenth of a second."""
    def times(calls):
        nanoseconds = np.zeros(calls, np.uint64)
        if library.time_calls(ctypes.byref(contender), ctypes.c_int64(calls), ctypes.c_void_p(nanoseconds.ctypes.data)):
            raise SpeedError("LightGBM failed while it was timed", 70)
        return nanoseconds

    estimate = max(float(np.median(times(5))), 50)
    return float(np.median(times(max(5, min(20_000, int(TURN_NANOSECONDS / estimate)))))) / 1000


def run_ours(program):
    """The machine, and median microseconds of our network by rows of a call."""
    command = [program, "bench", "--parts", "network", "--networks", "shipped", "--formats", "int8", "--units", "simd",
               "--threads", "1", "--batches", "1,1024", "--rounds", "1", "--turn", "200", "--format", "json"]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    report = json.loads(done.stdout)
    return report["machine"], {result["batch"]: result["p50"] for result in report["networks"]}


def time_all(library, program, cases, rounds):
    """Medians of all rounds by case and name, ours among them; the machine."""
    ours, peers = [], {case: {name: [] for name in entries} for case, entries in cases.items()}
    for number in range(rounds):
        print(f"round {number + 1} of {rounds}", file=sys.stderr)
        machine, found = run_ours(program)
        ours.append(found)
        for case, entries in cases.items():
            for name, contender in entries.items():
                peers[case][name].append(take_turn(library, contender))
    return machine, ours, peers


# MARK: the report

def print_report(machine, ours, peers):
    print(f"\n{machine['cpu']}, {machine['family_and_model']}; one thread; microseconds a call, median of {len(ours)} rounds\n"
          "Bridgecast is the shipped network in int8. Ratio: times faster than the peer, median and spread over the rounds.\n")
    print(f"{'case':26}  {'engine':34}  {'p50':>9}  {'ratio':>6}  spread")
    for case, batch, _ in CASES:
        own = [found[batch] for found in ours]
        print(f"{case:26}  {'Bridgecast':34}  {statistics.median(own):9.3f}")
        compiled = [name for name in peers[case] if name != "LightGBM"]
        best = min(compiled, key=lambda name: statistics.median(peers[case][name]))
        for name, times in peers[case].items():
            ratios = sorted(peer / us for peer, us in zip(times, own))
            mark = " (fastest)" if name == best else ""
            print(f"{case:26}  {name + mark:34}  {statistics.median(times):9.3f}  {statistics.median(ratios):6.2f}  "
                  f"{ratios[0]:.2f} .. {ratios[-1]:.2f}")


def compare(arguments):
    folder = tempfile.TemporaryDirectory()
    library = build(folder.name)
    training, test = origins.load(arguments.training), origins.load(arguments.test)
    test["folder"] = arguments.test
    mine = our_probability(arguments.ours, test)
    rows, prior = bench_rows(test)
    print(f"fitting {TREES} trees of {LEAVES} leaves to {len(training['blocked'])} rows", file=sys.stderr)
    booster = fit(training)
    path = f"{folder.name}/trees.txt"
    booster.save_model(path)
    compiled = compile_trees(path)
    cases = contenders(booster, compiled, rows, prior)
    expected = booster.predict(rows, raw_score=True)
    for case, entries in cases.items():
        for name, contender in entries.items():
            verify(library, case, name, contender, expected)
    print(f"all give LightGBM's margins on {ROWS} rows, within {TOLERANCE[True]:g}, or {TOLERANCE[False]:g} in single precision")
    # All rows, by the compiled trees themselves.
    margin = compiled[FORMS[-2]].predict(test["features"], n_jobs=1)
    theirs = 1 / (1 + np.exp(-margin - test["prior"]))
    counted = sum(place[2] > 0 for place in test["place"])
    print(f"skill on {counted} rows, all leads but 0: Bridgecast {skill(mine, test):.4f} (validation model), "
          f"LightGBM {skill(theirs, test):.4f}")
    print_report(*time_all(library, arguments.program, cases, arguments.rounds))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("training", "test", "ours", "program"):
        parser.add_argument(name)
    parser.add_argument("--rounds", type=int, default=7)
    try:
        compare(parser.parse_args())
    except SpeedError as error:
        print(f"lightgbm_speed: {error}", file=sys.stderr)
        return error.code
    return 0


if __name__ == "__main__":
    sys.exit(main())

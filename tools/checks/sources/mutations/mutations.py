#!/usr/bin/env python3
"""Mutation testing of the core; tools/checks/mutations starts it.

Every mutation is one small change (mutants.py). `x < y` becomes `(mutant == 17 ? (x <= y) : (x < y))`, so that one
build holds them all.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys

from mutants import AREAS, candidates, choose

# Targets whose tests need the network stack, processes or the wall clock are not built here.
TEST_TARGETS = ("CLITests", "FeedsTests", "LiveTests", "ObservationTests")
QUICK = ["--filter", "BridgecastCoreTests|BridgecastEngineTests|BridgecastRoutingTests|BridgecastDataTests"
         "|BridgecastStoreTests|BridgecastTests", "--skip", "FuzzTests"]
SLOW = ["--filter", "BridgecastTrainingTests|FuzzTests", "--skip", "TrainerTests|ColdStartTests"]


def switch(name):
    return "bck_mutant" if name.endswith((".c", ".h")) else "mutant"


def write(copy, root, mutants):
    """Writes the sources with a switch for each mutant; removed ones are None."""
    by_line = {}
    for number, mutant in enumerate(mutants, 1):
        if mutant:
            by_line.setdefault(mutant[1], {})[mutant[2]] = (number, mutant)
    for name, places in by_line.items():
        lines = (root / name).read_text().split("\n")
        for index, (number, (_, _, _, span, changed)) in places.items():
            line, is_on = lines[index], f"{switch(name)} == {number}"
            if span is None:
                body = line.strip()
                lines[index] = f"if ({switch(name)} != {number}) {{ {body} }}"
            else:
                text = line[slice(*span)]
                lines[index] = f"{line[:span[0]]} ({is_on} ? ({changed}) : ({text})){line[span[1]:]}"
        (copy / name).write_text("\n".join(lines))


SWIFT_SWITCH = """// The mutation that is on.
private import Glibc
let mutant: Int = unsafe getenv("BRIDGECAST_MUTANT").map { unsafe atol($0) } ?? 0
"""
C_SWITCH = """
#include <stdlib.h>
int bck_mutant;
__attribute__((constructor)) static void bck_read_mutant(void) {
    const char *text = getenv("BRIDGECAST_MUTANT");
    bck_mutant = text ? atoi(text) : 0;
}
"""


def prepare(root, copy):
    """A fresh copy without what is built, with the switches and without the tests that are not run."""
    scratch = copy.parent / "scratch"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(root, copy, ignore=shutil.ignore_patterns(".build", ".git", "__pycache__"))
    manifest = (copy / "Package.swift").read_text()
    for target in TEST_TARGETS:
        pattern = r"        \.testTarget\(\n\s+name: \"Bridgecast" + target + r"\".*?swiftSettings: \w+\),\n"
        manifest, count = re.subn(pattern, "", manifest, flags=re.S)
        if count != 1:
            sys.exit(f"Package.swift: the test target Bridgecast{target} was not found")
    (copy / "Package.swift").write_text(manifest)
    for target in ("BridgecastCore", "BridgecastEngine", "BridgecastRouting", "BridgecastData", "BridgecastStore"):
        (copy / "Sources" / target / "Mutant.swift").write_text(SWIFT_SWITCH)
    dispatch = copy / "Sources/CBridgecastKernels/dispatch.c"
    dispatch.write_text(dispatch.read_text() + C_SWITCH)
    header = copy / "Sources/CBridgecastKernels/kernels.h"
    header.write_text(header.read_text() + "\nextern int bck_mutant;\n")
    return scratch


def build(root, copy, scratch, mutants):
    """Builds; mutants that do not compile are removed until the others do."""
    while True:
        write(copy, root, mutants)
        result = subprocess.run(
            ["swift", "build", "--package-path", copy, "--scratch-path", scratch, "-c", "release", "-Xswiftc",
             "-enable-testing", "--product", "bridgecastPackageTests"], capture_output=True, text=True)
        if result.returncode == 0:
            return
        output = result.stdout + result.stderr
        bad = faulty(copy, mutants, output)
        if not bad:
            sys.exit("the copy does not build:\n" + output[-3000:])
        print(f"{len(bad)} do not compile and are removed", flush=True)
        for index in bad:
            mutants[index] = None
        restore(root, copy)


def faulty(copy, mutants, output):
    """Indices of the mutants that the compiler's errors are about."""
    reported = re.findall(r"^(?:%s/)?(Sources/\S+?):(\d+):\d+: error" % re.escape(str(copy)), output, re.M)
    errors = {(os.path.normpath(name), line) for name, line in reported}
    # The line of an error may be that of the statement around a mutant.
    for reach in (0, 12):
        bad = [index for index, mutant in enumerate(mutants) if mutant and any(
            mutant[1] == name and abs(mutant[2] + 1 - int(line)) <= reach for name, line in errors)]
        if bad:
            return bad
    return []


def restore(root, copy):
    """Undoes the changes of all mutants; those that are left are written again."""
    for source in (root / "Sources").rglob("*"):
        target = copy / source.relative_to(root)
        if source.suffix in (".swift", ".c", ".h") and source.name not in ("dispatch.c", "kernels.h"):
            if target.read_text() != source.read_text():
                target.write_text(source.read_text())


def tests_notice(copy, scratch, number, selection, seconds):
    """Why the tests notice a mutant, or None."""
    environment = dict(os.environ, BRIDGECAST_MUTANT=str(number), BRIDGECAST_HOME=str(copy))
    program = scratch / "release/bridgecastPackageTests.xctest"
    try:
        result = subprocess.run([program, "--testing-library", "swift-testing", *selection], env=environment,
                                cwd=copy, capture_output=True, text=True, timeout=seconds, errors="replace")
    except subprocess.TimeoutExpired:
        return "they do not end"
    if result.returncode == 0:
        return None
    failed = re.search(r"✘\S* Test (?!run|case)(\w+)", re.sub(r"\x1b\[\d*m", "", result.stdout))
    return failed[1] if failed else f"exit {result.returncode}"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=pathlib.Path, required=True)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="only files whose path has this text")
    parser.add_argument("--numbers", type=lambda text: {int(number) for number in text.split(",")},
                        help="only these, by the numbers that an earlier run gave them")
    parser.add_argument("--list", action="store_true", help="only print how many there are")
    return parser.parse_args()


def attempt_all(root, mutants, numbers, notice):
    """Runs the tests on each mutant and prints whether they notice it."""
    tally = {area: [0, 0] for area in AREAS}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for number, why in zip(numbers, pool.map(notice, numbers)):
            area, name, line, span, changed = mutants[number - 1]
            tally[area][0] += why is not None
            tally[area][1] += 1
            text = (root / name).read_text().split("\n")[line]
            was = text[slice(*span)] if span else text.strip()
            print(
                f"{number:3} {'caught  ' if why else 'SURVIVED'} {name}:{line + 1}: {was}  =>  {changed or 'left out'}"
                + (f"  [{why}]" if why else ""),
                flush=True,
            )
    for area, (caught, tried) in tally.items():
        print(f"{area}: {caught} of {tried}")
    caught = sum(area[0] for area in tally.values())
    print(f"in all: {caught} of {len(numbers)} caught, {100 * caught / max(1, len(numbers)):.0f} %")


def main():
    options = arguments()
    root = options.root.resolve()
    found = list(candidates(root, options.only))
    print(f"{len(found)} mutations can be made", flush=True)
    if options.list:
        return 0
    mutants = choose(found, options.count, options.seed)
    copy = root / ".build/mutations/tree"
    scratch = prepare(root, copy)
    build(root, copy, scratch, mutants)
    for selection in (QUICK, SLOW):
        if why := tests_notice(copy, scratch, 0, selection, 600):
            sys.exit(f"the tests fail without a mutation: {why}")
    numbers = [number for number, mutant in enumerate(mutants, 1)
               if mutant and number in (options.numbers or range(len(mutants) + 1))]
    print(f"{len(numbers)} mutations are tried", flush=True)

    def notice(number):
        return tests_notice(copy, scratch, number, QUICK, 120) or tests_notice(copy, scratch, number, SLOW, 240)

    attempt_all(root, mutants, numbers, notice)
    return 0


if __name__ == "__main__":
    sys.exit(main())

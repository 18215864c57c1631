#!/usr/bin/env python3
"""Mutation testing of the core: see tools/checks/mutations, which starts it.

Every mutation is one small change of an expression: a comparison, an operator, a bound, a sign, a constant, or a
statement left out. `x < y` becomes `(mutant == 17 ? (x <= y) : (x < y))`, so that one build holds them all.
"""
import argparse
import concurrent.futures
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys

# What forecasts, ranks, reads and keeps: the parts that must not go wrong unnoticed.
AREAS = {
    "delay": ["BridgecastCore/Delay"],
    "features": ["BridgecastCore/Features"],
    "climatology": ["BridgecastCore/Climatology"],
    "openings": ["BridgecastCore/Openings"],
    "rules": ["BridgecastCore/Bridges", "BridgecastCore/Time"],
    "scoring": ["BridgecastEngine/Routes", "BridgecastCore/Scoring"],
    "store": ["BridgecastData/Store"],
    "model reader": ["BridgecastEngine/ModelFile"],
    "kernels": ["CBridgecastKernels"],
}
# Not part of the program's work: writing model files is training's, texts are for people.
LEFT_OUT = ("ModelFileWriter", "Quantisation", "neon/", "Error.swift", "ForecastReason")
# Targets whose tests need the network stack, processes or the wall clock are not built here.
TEST_TARGETS = ("CLITests", "FeedsTests", "LiveTests", "ObservationTests")
QUICK = ["--filter", "BridgecastCoreTests|BridgecastEngineTests|BridgecastDataTests|BridgecastTests", "--skip", "FuzzTests"]
SLOW = ["--filter", "BridgecastTrainingTests|FuzzTests", "--skip", "TrainerTests|RefitTests"]

SWAPS = [(" < ", " <= "), (" <= ", " < "), (" > ", " >= "), (" >= ", " > "), (" == ", " != "), (" != ", " == "),
         (" && ", " || "), (" || ", " && "), (" + ", " - "), (" - ", " + "), (" * ", " / "), (" / ", " * "),
         ("..<", "..."), ("min(", "max("), ("max(", "min("), (" &+ ", " &- "), ("true", "false"), ("false", "true"),
         ("_add_", "_sub_"), ("_max_", "_min_"), ("_min_", "_max_"), ("fmadd", "fnmadd")]
NUMBER = re.compile(r"(?<![\w.$])(\d+)(?![\w.]|\.\d)")


def masked(text):
    """The text with what strings and comments hold blanked out, at the same length."""
    text = re.sub(r'"(?:\\.|[^"\\])*"', lambda m: '"' + "_" * (len(m[0]) - 2) + '"', text)
    return re.sub(r"//.*|/\*.*?\*/", lambda m: " " * len(m[0]), text)


def balanced(text):
    depth = 0
    for character in text:
        depth += (character in "([{") - (character in ")]}")
        if depth < 0:
            return False
    return depth == 0


def parts(text):
    """Spans between commas that stand in no bracket."""
    depth, start, spans = 0, 0, []
    for index, character in enumerate(text):
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            spans.append((start, index))
            start = index + 1
    return spans + [(start, len(text))]


def expressions(line, following):
    """Spans of a line's whole expressions: what it returns, assigns or asks."""
    bare = masked(line)
    goes_on = re.match(r"\s*([.?:&|+*/<>=-]|\)|\])", following)
    for pattern in (r"^\s*return (.+?);?$", r"^\s*(?:const )?(?:let|var|[\w ]+?\**) ?[\w, ()]+(?:: [\w.\[\]]+)? = (.+?);?$",
                    r"^\s*[\w.\[\]() +*>-]+ [-+*|&]?= (.+?);?$"):
        found = re.match(pattern, bare)
        if found and not goes_on and len(parts(found[1])) == 1:
            return [found.span(1)]
    found = re.match(r"^\s*(?:\} else )?(?:if|guard|while) (.+?) (?:else )?\{.*$", bare) or re.match(
        r"^\s*(?:if|while) \((.+)\)(?: \{| .*;)$", bare)
    if found:
        base = found.start(1)
        spans = [(base + a, base + b) for a, b in parts(found[1])]
        return [span for span in spans if not re.match(r"\s*(let|var|case|try|#|unsafe let)\b", bare[slice(*span)])]
    found = re.match(r"^\s*(?:[\w ]+ )?(?:var|func|init|static|private|package|public).*? \{ (.+) \}$", bare)
    return [found.span(1)] if found and "get" not in found[1] else []


def changes(expression):
    """Other forms of an expression, each different in one place."""
    bare = masked(expression)
    for old, new in SWAPS:
        for place in re.finditer(re.escape(old), bare):
            yield expression[:place.start()] + new + expression[place.end():]
    for place in NUMBER.finditer(bare):
        yield expression[:place.start()] + str(int(place[1]) + 1) + expression[place.end():]


def candidates(root, only):
    """(area, file, line number, span, changed expression or None for a statement left out)."""
    for area, folders in AREAS.items():
        files = [path for folder in folders for path in sorted((root / "Sources" / folder).rglob("*"))
                 if path.suffix in (".swift", ".c") or path.name in ("routes.h", "int8_layers.h", "tiles_int8.h")]
        for path in files:
            name = str(path.relative_to(root))
            if any(word in name for word in LEFT_OUT) or only not in name:
                continue
            lines = path.read_text().split("\n")
            for number, line in enumerate(lines[:-1]):
                if re.match(r"\s*(//|#|precondition|case |\*)", line) or "precondition" in line or "static const" in line:
                    continue
                for span in expressions(line, lines[number + 1]):
                    expression = line[slice(*span)]
                    if balanced(masked(expression)) and not expression.startswith("{") and "{" not in masked(expression):
                        for changed in changes(expression):
                            yield area, name, number, span, changed
                if re.match(r"^\s+\w[\w.\[\]]* [-+*]= [^{]+$", line) and balanced(masked(line)):
                    if not re.match(r"\s*[.?:&|+*/-]", lines[number + 1]):
                        yield area, name, number, None, None


def choose(found, count, seed):
    """As many of each area, in no more than one place of a line."""
    generator = random.Random(seed)
    chosen, lines = [], set()
    for area in AREAS:
        pool = [item for item in found if item[0] == area]
        generator.shuffle(pool)
        room = -(-count // len(AREAS))
        for item in pool:
            if room and (item[1], item[2]) not in lines:
                lines.add((item[1], item[2]))
                chosen.append(item)
                room -= 1
    return chosen


def switch(name):
    return "bck_mutant" if name.endswith((".c", ".h")) else "mutant"


def write(copy, root, mutants):
    """The sources with all mutants behind their switches; those by number that are not to be there are None."""
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
        manifest = re.sub(pattern, "", manifest, flags=re.S)
    (copy / "Package.swift").write_text(manifest)
    for target in ("BridgecastCore", "BridgecastEngine", "BridgecastData"):
        (copy / "Sources" / target / "Mutant.swift").write_text(SWIFT_SWITCH)
    dispatch = copy / "Sources/CBridgecastKernels/dispatch.c"
    dispatch.write_text(dispatch.read_text() + C_SWITCH)
    header = copy / "Sources/CBridgecastKernels/kernels.h"
    header.write_text(header.read_text() + "\nextern int bck_mutant;\n")
    return scratch


def build(root, copy, scratch, mutants):
    """Builds; mutants that do not compile are taken out until the rest does."""
    while True:
        write(copy, root, mutants)
        result = subprocess.run(
            ["swift", "build", "--package-path", copy, "--scratch-path", scratch, "-c", "release", "-Xswiftc",
             "-enable-testing", "--product", "bridgecastPackageTests"], capture_output=True, text=True)
        if result.returncode == 0:
            return
        told = re.findall(r"^(?:%s/)?(Sources/\S+?):(\d+):\d+: error" % re.escape(str(copy)),
                          result.stdout + result.stderr, re.M)
        errors = {(os.path.normpath(name), line) for name, line in told}
        # The place that a compiler names may be the statement around a mutant.
        for reach in (0, 12):
            bad = [index for index, mutant in enumerate(mutants) if mutant and any(
                mutant[1] == name and abs(mutant[2] + 1 - int(line)) <= reach for name, line in errors)]
            if bad:
                break
        if not bad:
            sys.exit("the copy does not build:\n" + (result.stdout + result.stderr)[-3000:])
        print(f"{len(bad)} do not compile and are taken out", flush=True)
        for index in bad:
            mutants[index] = None
        # What a mutant had changed is as it was, for files that hold none any more.
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
    failed = re.search(r"✘\S* Test (?!run)(\w+)", result.stdout)
    return failed[1] if failed else f"exit {result.returncode}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=pathlib.Path, required=True)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="only files whose path has this text")
    parser.add_argument("--list", action="store_true", help="only say how many there are")
    arguments = parser.parse_args()
    root = arguments.root.resolve()
    found = list(candidates(root, arguments.only))
    print(f"{len(found)} mutations can be made", flush=True)
    if arguments.list:
        return 0
    mutants = choose(found, arguments.count, arguments.seed)
    folder = root / ".build/mutations"
    copy = folder / "tree"
    scratch = prepare(root, copy)
    build(root, copy, scratch, mutants)
    for selection in (QUICK, SLOW):
        if why := tests_notice(copy, scratch, 0, selection, 600):
            sys.exit(f"the tests fail without a mutation: {why}")
    numbers = [number for number, mutant in enumerate(mutants, 1) if mutant]
    print(f"{len(numbers)} mutations are tried", flush=True)

    def attempt(number):
        return number, tests_notice(copy, scratch, number, QUICK, 120) or tests_notice(copy, scratch, number, SLOW, 240)

    tally = {area: [0, 0] for area in AREAS}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for number, why in pool.map(attempt, numbers):
            area, name, line, span, changed = mutants[number - 1]
            tally[area][0] += why is not None
            tally[area][1] += 1
            text = (root / name).read_text().split("\n")[line]
            was = text[slice(*span)] if span else text.strip()
            print(f"{'caught  ' if why else 'SURVIVED'} {name}:{line + 1}: {was}  =>  {changed or 'left out'}"
                  + (f"  [{why}]" if why else ""), flush=True)
    for area, (caught, tried) in tally.items():
        print(f"{area}: {caught} of {tried}")
    caught = sum(area[0] for area in tally.values())
    print(f"in all: {caught} of {len(numbers)} caught, {100 * caught / max(1, len(numbers)):.0f} %")
    return 0


if __name__ == "__main__":
    sys.exit(main())

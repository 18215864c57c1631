"""Finds the places where one small change of the core's sources is a mistake; used by mutations.py.

A change is of one expression: a comparison, an operator, a bound, a sign, a constant; or a statement is left out.
"""
import random
import re

# Folders and files that forecast, rank, read and store: mistakes there must be noticed.
AREAS = {
    "delay": ["BridgecastCore/Delays"],
    "features": ["BridgecastCore/Features"],
    "climatology": ["BridgecastCore/Climatology"],
    "openings": ["BridgecastCore/Openings"],
    "rules": ["BridgecastCore/Bridges", "BridgecastCore/Time"],
    "scoring": ["BridgecastRouting/Ranking", "BridgecastCore/Forecasts", "BridgecastCore/RouteRanking.swift"],
    "store": ["BridgecastStore"],
    "model reader": ["BridgecastEngine/ModelFile"],
    "kernels": ["CBridgecastKernels"],
}
# Texts for people, and kernels of another machine.
LEFT_OUT = ("neon/", "Error.swift", "ForecastReason")
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
    """Spans between commas outside of brackets."""
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
    for pattern in (r"^\s*return (.+?);?$",
                    r"^\s*(?:const )?(?:let|var|[\w ]+?\**) ?[\w, ()]+(?:: [\w.\[\]]+)? = (.+?);?$",
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


# Headers with code of the kernels.
HEADERS = ("routes.h", "route_travel.h", "route_delays.h", "int8_layers.h", "tiles_int8.h")


def files_of(root, area):
    for name in AREAS[area]:
        place = root / "Sources" / name
        if not place.exists():
            raise SystemExit(f"Sources/{name}, of {area}, does not exist: correct AREAS in mutants.py")
        for path in [place] if place.is_file() else sorted(place.rglob("*")):
            if path.suffix in (".swift", ".c") or path.name in HEADERS:
                yield path


def candidates(root, only):
    """(area, file, line number, span, changed expression or None for a statement left out)."""
    for area in AREAS:
        for path in files_of(root, area):
            name = str(path.relative_to(root))
            if any(word in name for word in LEFT_OUT) or only not in name:
                continue
            lines = path.read_text().split("\n")
            for number, (line, following) in enumerate(zip(lines, lines[1:])):
                for span, changed in changes_of_line(line, following):
                    yield area, name, number, span, changed


def changes_of_line(line, following):
    if re.match(r"\s*(//|#|precondition|case |\*)", line) or "precondition" in line or "static const" in line:
        return
    for span in expressions(line, following):
        expression = line[slice(*span)]
        if balanced(masked(expression)) and not expression.startswith("{") and "{" not in masked(expression):
            for changed in changes(expression):
                yield span, changed
    if re.match(r"^\s+\w[\w.\[\]]* [-+*]= [^{]+$", line) and balanced(masked(line)):
        if not re.match(r"\s*[.?:&|+*/-]", following):
            yield None, None


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

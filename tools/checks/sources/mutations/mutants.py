"""Finds the places where one small change of the core's sources is a mistake; used by mutations.py.

A change is of one expression: a comparison, an operator, a bound, a sign, a constant; or a statement is left out.
"""
import random
import re

# What forecasts, ranks, reads and keeps: the parts that must not go wrong unnoticed.
AREAS = {
    "delay": ["BridgecastCore/Delay"],
    "features": ["BridgecastCore/Features"],
    "climatology": ["BridgecastCore/Climatology"],
    "openings": ["BridgecastCore/Openings"],
    "rules": ["BridgecastCore/Bridges", "BridgecastCore/Time"],
    "scoring": ["BridgecastEngine/RouteScoring", "BridgecastCore/Forecasts", "BridgecastCore/Routes"],
    "store": ["BridgecastStore"],
    "model reader": ["BridgecastEngine/ModelFile"],
    "kernels": ["CBridgecastKernels"],
}
# Not part of the program's work: texts are for people, and another machine runs those kernels.
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
        for folder in folders:
            if not (root / "Sources" / folder).is_dir():
                raise SystemExit(f"Sources/{folder}, of {area}, is not there: tell mutants.py where it has gone")
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

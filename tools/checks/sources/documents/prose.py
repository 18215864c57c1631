"""Names of types, names of documents that are not here, and the length of sentences."""
import functools
import pathlib
import re
import statistics
import subprocess

from texts import README, ROOT, blocks, counts, fail

# A type or a test suite as a text writes it: `TrafficInference`, ``Route/Mode``; not `README` or `HEAD`.
NAME = re.compile(r"`{1,2}([A-Z][a-z]+(?:[A-Z]+[a-z0-9]*)+)\b[^`]*`{1,2}")
# Names of others: kinds of geometry of GeoJSON (RFC 7946), the city's interface, browsers' events, fields of HTTP.
OTHERS = {"LineString", "MultiLineString", "FeatureCollection", "GetBridgeData", "EventSource", "RateLimit"}


@functools.cache
def declared():
    """Names of targets and traits, and of the types and cases that Sources and Tests declare."""
    names = {folder.name for folder in (ROOT / "Sources").iterdir()}
    names.update(re.findall(r"\.trait\(\s*name: \"(\w+)\"", (ROOT / "Package.swift").read_text()))
    for path in [*(ROOT / "Sources").rglob("*.swift"), *(ROOT / "Tests").rglob("*.swift")]:
        text = path.read_text(encoding="utf-8")
        names.update(re.findall(r"\b(?:struct|class|enum|actor|protocol|typealias|case)\s+`?(\w+)", text))
    return names


def check_names(path):
    for block in blocks(path):
        if block.kind == "code":
            continue
        for name in NAME.findall(block.text):
            counts["names"] += 1
            if name not in declared() and name not in OTHERS:
                fail(path, block.line, f"{name}: nothing in Sources or Tests has that name")


OUTSIDE = [
    (re.compile(r"\b(?:DESIGN|PAGE|STYLE|ENGINE|PRODUCT)\.md\b"), "a document that is not here"),
    (re.compile(r"\bissue\s+#?\d+\b", re.IGNORECASE), "a numbered issue"),
    (re.compile(r"\bshared/data\b"), "a folder that is not here"),
]
# The folder of other people's files that tests read is named once; without it they are skipped.
ALLOWED = {ROOT / "tools/shared/setup.sh"}
SHARED = re.compile(r"(?:\.\./)+shared\b")


def check_outside():
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True)
    if listed.returncode:
        print("NOT CHECKED: names of documents that are not here (this is no git checkout)")
        return
    for name in filter(None, listed.stdout.decode().split("\0")):
        path = ROOT / name
        if not path.is_file() or path in ALLOWED or path.resolve() == pathlib.Path(__file__).resolve():
            continue
        data = path.read_bytes()
        if b"\0" in data:
            continue
        counts["files"] += 1
        for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1):
            for pattern, what in OUTSIDE:
                if match := pattern.search(line):
                    fail(path, number, f"{match[0]}: {what}")
            for match in SHARED.findall(line):
                if (path.parent / match).resolve() != ROOT / "tools/shared":
                    fail(path, number, f"{match}: a folder that is not here")


MAX_LINES, MAX_LINE_LENGTH, MEDIAN_WORDS, LONG_WORDS, MAX_LONG_SHARE = 165, 160, 16, 28, 0.1


def sentences(path):
    for block in blocks(path):
        if block.kind == "prose" and not block.text.startswith(("<doc:", "``", "@", "![")):
            text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", block.text.replace("\n", " ")).replace("**", "")
            for sentence in re.split(r"(?<=[^\s.][.!?])[\"')*]*\s+(?=[\"'`(*]*[A-Z0-9`])", text):
                words = [word for word in sentence.split() if re.search(r"\w", word)]
                if words:
                    yield block.line, len(words), sentence


def check_sentences(path):
    lengths = sorted(length for _, length, _ in sentences(path))
    if not lengths:
        return
    median, long = statistics.median(lengths), sum(length >= LONG_WORDS for length in lengths)
    lines = len(path.read_text(encoding="utf-8").splitlines())
    print(f"{str(path.relative_to(ROOT)):62} {lines:4} lines, {len(lengths):3} sentences, words: median {median:4.1f}, "
          f"nine in ten up to {lengths[-(-9 * len(lengths) // 10) - 1]:2}, longest {lengths[-1]}")
    if path != README:
        return
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if len(line) > MAX_LINE_LENGTH:
            fail(path, number, f"a line of {len(line)} characters; at most {MAX_LINE_LENGTH}")
    if lines > MAX_LINES:
        fail(path, lines, f"{lines} lines; at most {MAX_LINES}: the rest belongs in an article")
    if median >= MEDIAN_WORDS:
        fail(path, 1, f"the median sentence has {median} words; under {MEDIAN_WORDS} is wanted")
    if long > MAX_LONG_SHARE * len(lengths):
        for line, length, sentence in sentences(path):
            if length >= LONG_WORDS:
                fail(path, line, f"{long} of {len(lengths)} sentences are too long, this one with {length} words: "
                                 f"{sentence[:60]}")

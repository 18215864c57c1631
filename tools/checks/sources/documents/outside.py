"""Words that lead out of the repository: names of documents and folders that nobody who has it can open."""
import pathlib
import re
import subprocess

from findings import ROOT, counts, fail

OUTSIDE = [
    (re.compile(r"\b(?:DESIGN|PAGE|STYLE|ENGINE|PRODUCT)\.md\b"), "a document that is not here"),
    (re.compile(r"\bissue\s+#?\d+\b", re.IGNORECASE), "a numbered issue"),
    (re.compile(r"\bshared/data\b"), "a folder that is not here"),
]
# Where other people's files may lie that tests read; named once, and without them they are skipped.
ALLOWED = {ROOT / "tools/shared/setup.sh"}
SHARED = re.compile(r"(?:\.\./)+shared\b")


def check_outside():
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True)
    if listed.returncode:
        print("NOT CHECKED: words that lead out of the repository (this is no git checkout)")
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

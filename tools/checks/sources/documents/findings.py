"""What the checks of documents share: where things are, what is wrong, and how much was looked at."""
import collections
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[4]
CATALOGUE = ROOT / "Sources/Bridgecast/Bridgecast.docc"
README = ROOT / "README.md"

failures = []
counts = collections.Counter()


def fail(path, line, what):
    failures.append(f"FAIL {path.relative_to(ROOT)}:{line}: {what}")

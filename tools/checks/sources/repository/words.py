"""The words that CONTRIBUTING's table lists are not used in names, comments, texts and documents."""
import re

from functions import sources

# What a row of the table forbids: a whole word or phrase, or with an ellipsis the beginning of a name.
CELL = re.compile(r"`([^`]+)`")
# Not a phrase but code, such as a loop `in words.indices`; and names of Swift's own, such as `leastNonzeroMagnitude`.
CODE, SWIFTS_OWN = r"(?![.\[]\w)", r"(?!N\w+Magnitude)"


def forbidden(root):
    """Patterns and what to write instead, from CONTRIBUTING's table of words."""
    rows = (root / "CONTRIBUTING.md").read_text(encoding="utf-8").split("## Words", 1)[1].splitlines()
    for row in rows:
        cells = row.strip("|").split("|")
        if row.startswith("| `") and len(cells) == 2:
            for text in CELL.findall(cells[0]):
                begins = text.endswith("…")
                pattern = rf"\b{re.escape(text[:-1])}(?=[A-Z]){SWIFTS_OWN}" if begins else rf"\b{re.escape(text)}\b{CODE}"
                yield re.compile(pattern, 0 if begins else re.I), text, cells[1].strip()


def texts(root):
    own = root / "tools/checks/sources/repository"
    names = ("README.md", "CHANGELOG.md", "SECURITY.md", "Sources/BridgecastService/Resources/openapi.json")
    documents = [root / name for name in names]
    for folder in ("Sources", "models", "training-data"):
        documents += (root / folder).rglob("*.md")
    return [path for path in [*sources(root), *documents] if own not in path.parents and "vendor" not in path.parts]


def check_words(root, fail):
    patterns = list(forbidden(root))
    if len(patterns) < 20:
        fail("CONTRIBUTING.md: the table of words has gone")
    for path in texts(root):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for pattern, text, instead in patterns:
                if pattern.search(line):
                    fail(f"{path.relative_to(root)}:{number}: '{text}': write {instead}")
    print(f"{len(patterns)} words that are not used")

"""Where the documents are, their Markdown in blocks, and what is wrong."""
import collections
import functools
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[4]
CATALOGUE = ROOT / "Sources/Bridgecast/Bridgecast.docc"
README = ROOT / "README.md"

failures = []
counts = collections.Counter()


def fail(path, line, what):
    failures.append(f"FAIL {path.relative_to(ROOT)}:{line}: {what}")


class Block:
    """A paragraph, list item, heading, table row or line of code, from its first line on."""

    def __init__(self, kind, line, text):
        self.kind, self.line, self.text = kind, line, text


@functools.cache
def blocks(path):
    """A Markdown file's blocks. Lines of a paragraph are joined, and commands that end in a backslash."""
    found, fence, previous, in_list = [], False, "", False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        last = found[-1] if found else None
        if line.lstrip().startswith("```"):
            fence = not fence
            found.append(Block("fence", number, line))
        elif fence or (line.startswith("    ") and not in_list and (previous == "" or last and last.kind == "code")):
            if last and last.kind == "code" and last.text.endswith("\\") and last.line < number:
                last.text = last.text[:-1] + " " + line.strip()
            else:
                found.append(Block("code", number, line))
        elif line.strip() == "":
            in_list = False
        elif line.startswith("#"):
            found.append(Block("heading", number, line.lstrip("#").strip()))
        elif line.startswith("|"):
            found.append(Block("row", number, line))
        elif re.match(r"\s*(?:[-*]|\d+\.)\s", line):
            in_list = True
            found.append(Block("prose", number, re.sub(r"^\s*(?:[-*]|\d+\.)\s+", "", line)))
        elif last and last.kind == "prose" and previous != "":
            last.text += "\n" + line.strip()
        else:
            found.append(Block("prose", number, line.strip()))
        previous = line.strip()
    return found


def spans(block):
    """The code in a block: a line of code, or the text between backticks; each with its line."""
    if block.kind == "code":
        yield block.line, block.text
    elif block.kind in ("prose", "row", "heading"):
        for match in re.finditer(r"(`+)(.+?)\1", block.text, re.DOTALL):
            text = match[2].replace("\n", " ").replace("\\|", "|")
            yield block.line + block.text.count("\n", 0, match.start()), text


def uncoded(text):
    return re.sub(r"(`+)(.+?)\1", lambda match: re.sub(r"[^\n]", "x", match[0]), text, flags=re.DOTALL)

#!/usr/bin/env python3
"""Checks what is written for people; tools/checks/documents starts it. Other modules of the folder have the checks.

    documents.py [--program PATH/TO/bridgecast] [--mend]

Reads README.md and its neighbours, the articles of the documentation, and the texts of models, roads and records. A line
for each thing that is wrong, FILE:LINE and what; exit code 1 if there is one.
"""
import argparse
import pathlib
import sys

from commands import UNLISTED, Programs, check_code, check_spans, check_table
from links import check_links, check_paths, check_reach
from outputs import check_outputs
from prose import check_names, check_outside, check_sentences
from texts import CATALOGUE, README, ROOT, blocks, counts, failures


def tool_texts():
    """The text of all tools but this one, where options of programs are looked for."""
    own = {ROOT / "tools/checks/documents", *pathlib.Path(__file__).resolve().parent.iterdir()}
    return "\n".join(
        one.read_text(encoding="utf-8", errors="replace") for one in (ROOT / "tools").rglob("*")
        if one.is_file() and one.resolve() not in own and one.suffix in ("", ".py", ".sh"))


def check_text(path, programs, options, tools, mends):
    """All checks of one text; the files that it links to."""
    check_paths(path)
    check_outputs(path, programs, mends)
    check_names(path)
    for block in blocks(path):
        if block.kind == "code":
            check_code(path, block, programs)
        else:
            check_spans(path, block, programs, options, tools)
    check_sentences(path)
    return check_links(path)


def main():
    parser = argparse.ArgumentParser(prog="documents", description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / ".build/release/bridgecast")
    parser.add_argument("--mend", action="store_true", help="quote what the programs print now where that differs")
    given = parser.parse_args()
    programs = Programs(given.program.absolute())
    articles = sorted(CATALOGUE.glob("*.md"))
    texts = [README, *(ROOT / f"{name}.md" for name in ("CONTRIBUTING", "CHANGELOG", "SECURITY")), *articles,
             *sorted((ROOT / "models").rglob("*.md")), *sorted((ROOT / "training-data").glob("*.md")), *sorted((ROOT / "Sources").rglob("README.md"))]
    options, tools = programs.everything() | UNLISTED, tool_texts()
    reached = {path: check_text(path, programs, options, tools, given.mend) for path in texts}
    check_reach(articles, reached)
    check_table(programs)
    check_outside()
    print(*failures, sep="\n", end="\n" if failures else "")
    print(f"{len(texts)} documents: {counts['links']} links, {counts['paths']} paths, {counts['commands']} commands, "
          f"{counts['options']} options, {counts['names']} names, {counts['outputs']} outputs; {counts['files']} files "
          f"searched for names of documents that are not here: {len(failures) or 'nothing'} wrong")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Checks what is written for people: tools/checks/documents starts it. The checks are in the modules beside, by topic.

    documents.py [--program PATH/TO/bridgecast]

Reads README.md, the articles of the documentation, and the texts beside models, roads and records. A line
for each thing that is wrong, FILE:LINE and what; exit code 1 if there is one.
"""
import argparse
import pathlib
import sys

from blocks import blocks
from commands import check_code, check_outputs, check_spans, check_table
from findings import CATALOGUE, README, ROOT, counts, failures
from links import check_links, check_paths, check_reach
from names import check_names
from outside import check_outside
from programs import UNLISTED, Programs
from sentences import check_sentences


def main():
    parser = argparse.ArgumentParser(prog="documents", description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / ".build/release/bridgecast")
    programs = Programs(parser.parse_args().program.absolute())
    articles = sorted(CATALOGUE.glob("*.md"))
    texts = [README, *articles, *sorted((ROOT / "models").rglob("*.md")), *sorted((ROOT / "training-data").glob("*.md")),
             *sorted((ROOT / "Sources").rglob("README.md"))]
    everything = programs.everything() | UNLISTED
    own = {ROOT / "tools/checks/documents", *pathlib.Path(__file__).resolve().parent.iterdir()}
    tools = "\n".join(
        one.read_text(encoding="utf-8", errors="replace") for one in (ROOT / "tools").rglob("*")
        if one.is_file() and one.resolve() not in own and one.suffix in ("", ".py", ".sh"))
    reached = {}
    for path in texts:
        reached[path] = check_links(path)
        check_paths(path)
        check_outputs(path, programs)
        check_names(path)
        for block in blocks(path):
            if block.kind == "code":
                check_code(path, block, programs)
            else:
                check_spans(path, block, programs, everything, tools)
        check_sentences(path)
    check_reach(articles, reached)
    check_table(programs)
    check_outside()
    print(*failures, sep="\n", end="\n" if failures else "")
    print(f"{len(texts)} documents: {counts['links']} links, {counts['paths']} paths, {counts['commands']} commands, "
          f"{counts['options']} options, {counts['names']} names, {counts['outputs']} outputs; {counts['files']} files for words that lead elsewhere: "
          f"{len(failures) or 'nothing'} wrong")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

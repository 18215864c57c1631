"""Quoted outputs: what a text shows after a command is what the program prints, and the service answers, now.

A line after `$ tools/bridgecast` is a line that the command prints, and they stand in its order. JSON after `$ curl` is the
answer of the service that the last `$ tools/bridgecast serve` of the text started, value for value; `...` leaves something
out, such as an id that differs every time. Both run on a machine without a store. What differs can be mended.
"""
import difflib
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

from texts import ROOT, blocks, counts, fail

sys.path.insert(0, str(ROOT / "tools/checks/service"))

from server import Service

# Commands whose output is quoted.
QUOTED = {"predict", "depart", "bridge", "inspect", "board", "trip", "replay", "vehicles", "feed", "roads", "evaluate"}
# Below this a printed line is another one, not a changed one.
MIN_SIMILARITY = 0.5
SERVE = ["tools/bridgecast", "serve"]
ADDRESS = "localhost:8080"
# Parts of quoted JSON: an omission, a name of a field, a text, punctuation, blanks, a number or a literal.
PARTS = re.compile(r'(?P<omission>\.\.\.)|(?P<name>"(?:[^"\\]|\\.)*"\s*:)|(?P<text>"(?:[^"\\]|\\.)*")'
                   r"|(?P<mark>[{}\[\],])|(?P<blank>\s+)|(?P<value>[^\s{}\[\],.][^\s{}\[\],]*)")


def check_outputs(path, programs, mends=False):
    """All quoted outputs of a text."""
    mended = {}
    with tempfile.TemporaryDirectory() as folder:
        services = Services(pathlib.Path(folder), programs)
        try:
            for command, quoted in examples(path):
                if command[:2] == SERVE:
                    services.options = command[2:]
                    continue
                counts["outputs"] += 1
                if command[0] == "curl":
                    mended.update(check_answer(path, services.answer(command), quoted, mends))
                else:
                    mended.update(check_printed(path, programs.output(command[1:]), quoted, mends))
        finally:
            services.end()
    if mended:
        lines = path.read_text(encoding="utf-8").splitlines()
        path.write_text("".join(mended.get(number, line) + "\n" for number, line in enumerate(lines, 1)), encoding="utf-8")
        print(f"{path.relative_to(ROOT)}: {len(mended)} quoted lines mended")


def examples(path):
    """Commands after a `$`, as words, with the lines of code that follow them in their block."""
    command, quoted = "", []
    for block in [*blocks(path), None]:
        is_code = block is not None and block.kind == "code"
        begins = is_code and block.text.lstrip().startswith("$ ")
        if command and (begins or not is_code):
            words = shlex.split(command, comments=True)
            if words[:2] == SERVE or quoted and is_quoted(words):
                yield words, quoted
            command = ""
        if begins:
            command, quoted = block.text.lstrip()[2:], []
        elif command and is_open(command):
            command += "\n" + block.text
        elif command:
            quoted.append(block)


def is_quoted(words):
    return words[0] == "curl" or words[0] == "tools/bridgecast" and words[1] in QUOTED


def is_open(command):
    """Whether a quotation of the shell goes on in the next line."""
    try:
        shlex.split(command, comments=True)
        return False
    except ValueError:
        return True


def check_printed(path, printed, quoted, mends):
    """Each quoted line is printed, in this order; to mend is to quote the lines that are. New texts by their lines."""
    mended, printed = {}, [line.strip() for line in printed.splitlines()]
    for block, line in zip(quoted, aligned([block.text.strip() for block in quoted], printed), strict=True):
        if line == block.text.strip():
            continue
        if mends and line is not None:
            mended[block.line] = re.match(r"\s*", block.text)[0] + line
        else:
            fail(path, block.line, f"the program does not print this here: {block.text.strip()[:80]}")
    return mended


def aligned(quoted, printed):
    """For each quoted line the printed line that stands for it: in the printed order, and as similar as possible."""
    def similarity(text, line):
        ratio = 2 if text == line else difflib.SequenceMatcher(None, text, line, autojunk=False).ratio()
        return ratio if ratio >= MIN_SIMILARITY else 0

    # By how many printed lines are used: the similarity so far, and the lines that the quoted ones stand for.
    best = [(0, [])] * (len(printed) + 1)
    for text in quoted:
        following = [(best[0][0], [*best[0][1], None])]
        for count, line in enumerate(printed, 1):
            alike = similarity(text, line)
            choices = [following[-1], (best[count][0], [*best[count][1], None])]
            if alike:
                choices.append((best[count - 1][0] + alike, [*best[count - 1][1], line]))
            following.append(max(choices, key=lambda choice: choice[0]))
        best = following
    return best[-1][1]


def check_answer(path, answer, quoted, mends):
    """The quoted JSON has the values of the answer; to mend is to quote those. New texts by their lines."""
    text = "\n".join(block.text for block in quoted)
    actual = with_values(text, answer)
    if actual == text:
        return {}
    if actual is None:
        fail(path, quoted[0].line, f"the service's answer has another form: {answer[:200]}")
        return {}
    changed = {block.line: line for block, line in zip(quoted, actual.split("\n"), strict=True) if line != block.text}
    if mends:
        return changed
    for line, now in changed.items():
        fail(path, line, f"the service answers {now.strip()[:160]}")
    return {}


def with_values(quoted, answer):
    """The quoted JSON with the values of an answer; None if it has another form."""
    parts, patterns = list(PARTS.finditer(quoted)), [""]
    for part in parts:
        if part.lastgroup == "omission":
            patterns.append("")
        elif part.lastgroup in ("text", "value"):
            patterns[-1] += r'("(?:[^"\\]|\\.)*"|[^"\s{}\[\],]+)'
        elif part.lastgroup != "blank":
            patterns[-1] += re.escape(re.sub(r"\s+(?=:$)", "", part[0]))
    patterns[0], patterns[-1] = r"\A" + patterns[0], patterns[-1] + r"\s*\Z"
    values, position = [], 0
    for pattern in patterns:
        found = re.compile(pattern).search(answer, position)
        if found is None:
            return None
        values += found.groups()
        position = found.end()
    return "".join(values.pop(0) if part.lastgroup in ("text", "value") else part[0] for part in parts)


class Services:
    """The service that a text started last; it begins to run when something is asked of it."""

    def __init__(self, folder, programs):
        self.folder, self.programs, self.service, self.options = folder, programs, None, None

    def answer(self, command):
        """What curl prints."""
        if self.options is not None:
            self.start(self.options)
            self.options = None
        if self.service is None:
            sys.exit(f"documents: no service has been started for {shlex.join(command)}")
        own = self.service.address.removeprefix("http://")
        run = subprocess.run([part.replace(ADDRESS, own) for part in command], capture_output=True, text=True, timeout=60)
        return run.stdout

    def start(self, options):
        self.end()
        self.service = Service([*options, "--no-store"], self.folder, self.programs.server)
        self.service.wait_until_ready()

    def end(self):
        if self.service:
            self.service.stop()
            self.service = None

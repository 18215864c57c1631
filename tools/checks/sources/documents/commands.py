"""Commands and options, in code, text and README's table: compared with the programs."""
import functools
import os
import re
import shlex
import subprocess
import sys
import tempfile

from texts import README, ROOT, blocks, counts, fail, spans

# What bridgecast-server is asked about: commands, and one that is its own where it has this option.
SERVER = {"serve", "sync", "watch", "board", "vehicles", "trip", "feed"}
ASKS = ("replay", "--bridges-url")
# Options that every program of Swift Argument Parser has and none lists.
UNLISTED = {"--generate-completion-script", "--help", "--version"}


class Programs:
    """The help of both programs."""

    def __init__(self, program):
        self.program, self.server = program, program.parent / "bridgecast-server"
        for one in (self.program, self.server):
            if not os.access(one, os.X_OK):
                print(f"documents: there is no {one}: run tools/test first, or give --program", file=sys.stderr)
                sys.exit(66)
        self.commands = {}
        for name in self.subcommands(()):
            inner = self.subcommands((name,))
            self.commands.update({(name, one): None for one in inner} if inner else {(name,): None})

    @functools.cache
    def help(self, command, asks=False):
        program = self.server if asks or command and command[0] in SERVER else self.program
        run = subprocess.run(
            [program, "help", *command], capture_output=True, text=True,
            env={**os.environ, "BRIDGECAST_HOME": str(ROOT), "COLUMNS": "80"})
        if run.returncode:
            sys.exit(f"documents: {program} help {' '.join(command)}: {run.stderr.strip()}")
        return run.stdout

    def subcommands(self, command):
        _, _, text = self.help(command).partition("\nSUBCOMMANDS:\n")
        return re.findall(r"^  ([a-z]+)(?: |$)", text.split("\n\n")[0], re.MULTILINE)

    @functools.cache
    def options(self, command, asks=False):
        heads = re.findall(r"^  (-.*?)(?:  |$)", self.help(command, asks), re.MULTILINE)
        return {option for head in heads for option in re.findall(r"(?<![\w-])--?[a-z][a-z-]*", head)}

    def split(self, words):
        """The command that words begin with, or None, and the rest."""
        if not words or words[0].startswith("-"):
            return ("predict",), words
        for length in (2, 1):
            if tuple(words[:length]) in self.commands:
                return tuple(words[:length]), words[length:]
        return None, words

    def named(self, texts):
        """The commands that a cell's texts name, by text; a command's name means all its subcommands."""
        found, before = {}, None
        for text in texts:
            words = text.split()
            command = self.split(words)[0] if words and not text.startswith("-") else None
            if command is None and len(words) == 1:
                command = (before, words[0]) if (before, words[0]) in self.commands else None
            inner = [one for one in self.commands if len(one) == 2 and words[:1] == [one[0]]]
            found[text] = [command] if command else inner if len(words) == 1 else []
            before = command[0] if command else before
        return found

    def output(self, words):
        """What a command prints on a machine without a store."""
        with tempfile.TemporaryDirectory() as empty:
            run = subprocess.run([self.program, *words], capture_output=True, text=True,
                                 env={**os.environ, "BRIDGECAST_HOME": str(ROOT), "XDG_DATA_HOME": empty})
        return run.stdout

    def everything(self):
        return set().union(*(self.options(command) for command in self.commands))


def options_of(arguments):
    return [match[0] for word in arguments if (match := re.match(r"--?[a-z][a-z-]*", word))]


@functools.cache
def script_text(name):
    """The text of a tool and of the files next to it whose names begin the same: a script and its Python."""
    script = ROOT / name
    files = [one for one in script.parent.glob(script.stem + "*") if one.is_file()] if script.parent.is_dir() else []
    return "\n".join(one.read_text(encoding="utf-8", errors="replace") for one in files)


def check_words(path, line, words, programs):
    """Checks a command line: the program's, or a tool's, whose options its own text names."""
    if words[0] in ("tools/bridgecast", "bridgecast", "bridgecast-server"):
        counts["commands"] += 1
        rest = words[1:]
        if rest[:1] == ["help"]:
            if rest[1:] and rest[1] != "COMMAND" and rest[1] not in {command[0] for command in programs.commands}:
                fail(path, line, f"there is no command {rest[1]}")
            return
        if rest and rest[0] in UNLISTED:
            return
        command, rest = programs.split(rest)
        if command is None:
            return fail(path, line, f"there is no command {rest[0]}")
        check_options(path, line, options_of(rest), [command], programs)
    elif words[0].startswith("tools/") and (ROOT / words[0]).is_file():
        counts["commands"] += 1
        known = programs.options(("bench",)) if "bridgecast bench" in script_text(words[0]) else set()
        for option in options_of(words[1:]):
            if option not in known and not re.search(re.escape(option) + r"(?![\w-])", script_text(words[0])):
                fail(path, line, f"{words[0]} knows no {option}")


def check_options(path, line, options, commands, programs):
    asks = ASKS[1] in options
    known = set().union(UNLISTED, *(programs.options(one, asks and one == ASKS[:1]) for one in commands))
    for option in options:
        if option not in known:
            fail(path, line, f"{' or '.join(' '.join(command) for command in commands)} has no {option}")


def words_of(text):
    try:
        return shlex.split(text, comments=True)
    except ValueError:
        return text.split()


def check_code(path, block, programs):
    text = re.sub(r"^\s*(?:\$ )?", "", block.text).split(" # ")[0]
    for part in re.split(r"&&|;", text):
        words = words_of(part)
        if words and re.match(r"(?:tools/|bridgecast(?:-server)?$)", words[0]):
            check_words(path, block.line, words, programs)


def check_spans(path, block, programs, everything, tools):
    """Options in the text, each with its command where that is clear."""
    cells = re.split(r"(?<!\\)\|", block.text) if block.kind == "row" else []
    subjects = []
    if cells:
        subjects = [one for found in programs.named(re.findall(r"`([^`]+)`", cells[1])).values() for one in found]
    for line, text in spans(block):
        words = text.split()
        if not words:
            continue
        command = None if words[0].startswith("-") else programs.split(words)[0]
        if re.match(r"tools/|bridgecast(-server)? ", text):
            check_words(path, line, words_of(text), programs)
        elif command and len(words) > 1:
            counts["commands"] += 1
            check_options(path, line, options_of(words[len(command):]), [command], programs)
        elif words[0].startswith("--"):
            counts["options"] += 1
            option = options_of(words)[0] if options_of(words) else None
            if option and subjects:
                check_options(path, line, options_of(words), subjects, programs)
            elif option and option not in everything and not re.search(re.escape(option) + r"(?![\w-])", tools):
                fail(path, line, f"no command and no tool has {option}")


def check_table(programs):
    """README's table has the commands that there are, and no others."""
    rows = [block for block in blocks(README) if block.kind == "row"]
    start = next((index for index, row in enumerate(rows) if re.match(r"\|\s*command\s*\|", row.text)), None)
    if start is None:
        return fail(README, 1, "there is no table of commands")
    listed = set()
    for row in rows[start + 2:]:
        if row.line - rows[start].line != rows.index(row) - start:
            break
        for text, found in programs.named(re.findall(r"`([^`]+)`", row.text.split("|")[1])).items():
            if not found:
                fail(README, row.line, f"there is no command {text}")
            listed.update(found)
    for command in sorted(set(programs.commands) - listed):
        fail(README, rows[start].line, f"the table lacks the command {' '.join(command)}")

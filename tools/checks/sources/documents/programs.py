"""What the programs say of themselves: the commands and options that there are."""
import functools
import os
import re
import subprocess
import sys

from findings import ROOT

# What bridgecast-server is asked about: commands, and one that is its own where it has this option.
SERVER = {"serve", "sync", "watch", "board", "vehicles", "trip", "feed"}
ASKS = ("replay", "--bridges-url")
# Options that every program of Swift Argument Parser has and none lists.
UNLISTED = {"--generate-completion-script", "--help", "--version"}


class Programs:
    """What the programs say of themselves."""

    def __init__(self, program):
        self.program, self.server = program, program.parent / "bridgecast-server"
        for one in (self.program, self.server):
            if not os.access(one, os.X_OK):
                print(f"documents: there is no {one}: run tools/test first, or say --program", file=sys.stderr)
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
        """The command that words begin with, and the rest; None for the command if there is no such one."""
        if not words or words[0].startswith("-"):
            return ("predict",), words
        for length in (2, 1):
            if tuple(words[:length]) in self.commands:
                return tuple(words[:length]), words[length:]
        return None, words

    def everything(self):
        return set().union(*(self.options(command) for command in self.commands))

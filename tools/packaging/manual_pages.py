#!/usr/bin/env python3
"""Makes man pages from what a program says of its commands; tools/release starts it.

    bridgecast-server --experimental-dump-help | manual_pages.py FOLDER

One page for the program and one for each command, such as bridgecast-roads-import.1. The date is that of
SOURCE_DATE_EPOCH.
"""
import datetime
import json
import os
import pathlib
import re
import sys

PROGRAM = "bridgecast"
EXIT_CODES = [
    ("0", "The command has done what it was asked."), ("64", "The command line is wrong."),
    ("65", "The data is refused."), ("66", "A named file or place is missing."),
    ("69", "A service or program that is needed cannot be reached."), ("74", "Reading or writing failed.")]
FILES = [
    ("/usr/lib/bridgecast", "The models, the roads and the records of the Debian package."),
    ("/etc/bridgecast/serve.json", "The settings of the system service."),
    ("/var/lib/bridgecast/history.sqlite", "The history store of the system service."),
    ("$XDG_DATA_HOME/bridgecast/history.sqlite", "The history store of a user, by default in ~/.local/share.")]
VARIABLES = [
    ("BRIDGECAST_HOME", "The folder that has the models, the roads and the records, in place of the program's own."),
    ("OPENBLAS_NUM_THREADS", "The threads of OpenBLAS. By default 1: the engine splits work itself.")]


def escaped(text):
    """Text as roff shows it unchanged: no escapes, no control line, hyphens that can be copied."""
    text = text.replace("\\", r"\e").replace("-", r"\-").replace("`", r"\(ga").replace("'", r"\(aq")
    return re.sub(r"^\.", r"\\&.", text, flags=re.M)


def paragraphs(text):
    """Sentences on lines of their own, as roff wants them."""
    for number, paragraph in enumerate(part for part in text.split("\n\n") if part.strip()):
        if number:
            yield ".PP"
        yield from (escaped(line) for line in re.split(r"(?<=[.!?:])\s+|\n", paragraph.strip()))


def spelling(argument):
    """An argument as it is typed: `-o, --output output`."""
    value = argument.get("valueName", "value")
    if argument["kind"] == "positional":
        return rf"\fI{escaped(value)}\fR"
    dashes = {"short": "-", "long": "--", "longWithSingleDash": "-"}
    names = ", ".join(rf"\fB{escaped(dashes[name['kind']] + name['name'])}\fR" for name in argument["names"])
    return names if argument["kind"] == "flag" else rf"{names} \fI{escaped(value)}\fR"


def synopsis(command, path):
    """The command with its arguments: options in brackets as one, what is needed by name."""
    parts = [rf"\fB{escaped(' '.join(path))}\fR"]
    if command.get("subcommands"):
        return parts[0] + r" \fIcommand\fR [\fIoptions\fR]"
    shown = [one for one in command.get("arguments", []) if one["shouldDisplay"]]
    parts += [spelling(one) for one in shown if one["kind"] == "option" and not one["isOptional"]]
    if any(one["kind"] != "positional" and one["isOptional"] for one in shown):
        parts.append(r"[\fIoptions\fR]")
    for one in (one for one in shown if one["kind"] == "positional"):
        text = spelling(one) + (r" ..." if one["isRepeating"] else "")
        parts.append(f"[{text}]" if one["isOptional"] else text)
    return " ".join(parts)


def described(argument):
    """What help says of an argument, with its values and its default where the text has not got them."""
    text = argument.get("abstract", "") or "No description."
    values = argument.get("allValues", [])
    if values and not all(value in text for value in values):
        text += f" One of {', '.join(values)}."
    default = argument.get("defaultValue")
    if default and "Default" not in text:
        text = text.rstrip(".") + f". Default: {default}."
    return text


def tagged(items):
    for name, text in items:
        yield from (".TP", name, *paragraphs(text))


def subcommands(command, path):
    for one in command.get("subcommands", []):
        if one["commandName"] != "help" and one.get("shouldDisplay", True):
            yield one, [*path, one["commandName"]]


def page(command, path, date):
    """The page of a command, as roff."""
    name = "-".join(path)
    yield f'.TH {name.upper()} 1 "{date}" "bridgecast" "User commands"'
    yield from (".SH NAME", escaped(name) + r" \- " + escaped(command["abstract"].rstrip(".")))
    yield from (".SH SYNOPSIS", synopsis(command, path))
    yield ".SH DESCRIPTION"
    yield from paragraphs(command["abstract"])
    if command.get("discussion"):
        yield from (".PP", *paragraphs(command["discussion"]))
    below = list(subcommands(command, path))
    if below:
        yield from (".SH COMMANDS", *tagged((rf"\fB{escaped(one['commandName'])}\fR", one["abstract"]) for one, _ in below))
    shown = [one for one in command.get("arguments", []) if one["shouldDisplay"]]
    for title, kinds in (("ARGUMENTS", ("positional",)), ("OPTIONS", ("option", "flag"))):
        found = [(spelling(one), described(one)) for one in shown if one["kind"] in kinds]
        if found:
            yield from (f".SH {title}", *tagged(found))
    yield from endings(path, below)


def endings(path, below):
    """What every page closes with."""
    bold = [(".SH FILES", FILES), (".SH ENVIRONMENT", VARIABLES), (".SH EXIT STATUS", EXIT_CODES)]
    for heading, items in bold if len(path) == 1 else bold[2:]:
        yield from (heading, *tagged((rf"\fB{escaped(name)}\fR", text) for name, text in items))
    near = [one for _, one in below] or [path[:-1]]
    yield from (".SH SEE ALSO", ",\n".join(f".BR {escaped('-'.join(one))} (1)" for one in near if one)
                .replace(" (1),", " (1),"))


def write(command, path, folder, date):
    text = "\n".join(page(command, path, date)) + "\n"
    (folder / ("-".join(path) + ".1")).write_text(text, encoding="utf-8")
    for one, longer in subcommands(command, path):
        write(one, longer, folder, date)


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 64
    folder = pathlib.Path(sys.argv[1])
    seconds = int(os.environ["SOURCE_DATE_EPOCH"])
    date = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).date().isoformat()
    command = json.load(sys.stdin)["command"]
    write(command, [PROGRAM], folder, date)
    return 0


if __name__ == "__main__":
    sys.exit(main())

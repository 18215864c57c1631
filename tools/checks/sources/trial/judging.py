"""What is wrong with what a program did: its end, what it said, and what it left."""
import unicodedata

LONGEST_LINE = 2_000
# Words of Swift and its library, which say nothing to a person.
INTERNALS = ["DecodingError", "EncodingError", "NSCocoaErrorDomain", "NSPOSIXErrorDomain", "Dictionary<", "Array<",
             "Swift.", "Fatal error", "Optional(", "unexpected: "]


def wrong_text(name, text):
    """What no text for people may hold."""
    try:
        text = text.decode()
    except UnicodeDecodeError as error:
        return ["%s is not UTF-8: %s" % (name, error)]
    controls = {ascii(letter) for letter in text if unicodedata.category(letter) == "Cc" and letter not in "\n\t"}
    found = ["control characters: " + ", ".join(sorted(controls))] if controls else []
    return ["%s holds %s" % (name, what) for what in found + [word for word in INTERNALS if word in text]]


def said_lines(errors):
    """Lines of standard error, without what the command line's parser adds about usage."""
    lines = [line for line in errors.split("\n") if line]
    ends = [number for number, line in enumerate(lines) if line.startswith(("Help: ", "Usage: "))]
    return lines[:min(ends, default=len(lines))]


def judge(row, run, codes, output, errors):
    """What is wrong with what a program did."""
    wrong = [*filter(None, [run.wrong_end(codes)]), *wrong_text("standard output", output),
             *wrong_text("standard error", errors)]
    output, errors = output.decode(errors="replace"), errors.decode(errors="replace")
    wrong += ["it does not show %r" % text for text in row.shown if text not in output]
    if any(len(line) > LONGEST_LINE for line in errors.split("\n")):
        wrong.append("a line of standard error has more than %d characters" % LONGEST_LINE)
    lines = said_lines(errors)
    if len(codes) == 1:
        expected = row.lines if row.lines is not None else 1 if row.said else 0
        if len(lines) != expected:
            wrong.append("it says %d lines, not %d" % (len(lines), expected))
        if row.said not in (lines or [""])[-1]:
            wrong.append("it does not say %r" % row.said)
    if run.process.returncode > 0 and lines and not any("error: " in line.lower()[:20] for line in lines):
        wrong.append("it does not say that this is an error")
    if " & " in row.command and "damaged" in output + errors:
        wrong.append("it takes for damaged what another program is writing")
    return wrong


def changes(before, after):
    for name in sorted(before.keys() | after.keys()):
        if name not in before:
            yield name + " has come"
        elif name not in after:
            yield name + " is gone"
        elif before[name] != after[name]:
            yield name + " was changed"

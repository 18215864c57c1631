"""Programs under strace: every byte that they write to files and sockets, by where it went, and every call of the network."""
import base64
import collections
import os
import pathlib
import re
import stat
import subprocess
import time

CALLS = "%network,write,writev,pwrite64,pwritev,pwritev2,sendfile,splice,copy_file_range,io_uring_setup"
OPTIONS = ["-f", "-q", "-yy", "-s", "4000000", "-e", "signal=none", "-e", "trace=" + CALLS]
# What moves bytes from one descriptor to another without showing them.
HIDDEN = {"sendfile", "splice", "copy_file_range", "io_uring_setup"}
WRITES = {"write", "writev", "pwrite64", "pwritev", "pwritev2"}
SENDS = {"sendto", "sendmsg", "sendmmsg"}
LINE = re.compile(rb"^\d+ +(\w+)\((?:\d+<(.*?)>[,)])?")
TEXT = re.compile(rb'"((?:[^"\\]|\\.)*)"')
ESCAPE = re.compile(rb"\\([0-7]{1,3}|x[0-9a-fA-F]{2}|.)", re.DOTALL)
LETTERS = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"v": b"\v", b"f": b"\f"}


def unescaped(found):
    """A byte that strace has written with a backslash."""
    code = found[1]
    if code in LETTERS:
        return LETTERS[code]
    return bytes([int(code, 8)]) if code[:1].isdigit() else code


class Trace:
    """What a program wrote: bytes by target, in their order, so that a text in two pieces is one."""

    def __init__(self, path):
        self.network, self.hidden, self.written = [], [], collections.defaultdict(bytearray)
        for line in pathlib.Path(path).read_bytes().splitlines():
            found = LINE.match(line)
            if not found:
                continue
            name, target = found[1].decode(), (found[2] or b"").decode(errors="replace")
            if name in HIDDEN:
                self.hidden.append(line[:200].decode(errors="replace"))
            elif name in WRITES | SENDS:
                for text in TEXT.findall(line[found.end():]):
                    self.written[target] += ESCAPE.sub(unescaped, text)
            if name not in WRITES | HIDDEN:
                self.network.append(line[:200].decode(errors="replace"))


def forms(mark):
    """A text as it could be found in bytes: plain, folded, in hexadecimal and in Base64 at any position."""
    plain = mark.encode()
    found = {plain, plain.lower(), plain.upper(), plain.hex().encode(), plain.hex().upper().encode()}
    for shift in range(3):
        # The first and last characters depend on what is around it.
        found.add(base64.b64encode(b"x" * shift + plain)[4 if shift else 0:(shift + len(plain)) // 3 * 4])
    return found


def marks_in(content, marks):
    """Those of some texts that are in bytes, in any form."""
    return [mark for mark in marks if any(form in content for form in forms(mark))]


def run(arguments, path, **more):
    """Runs a command to its end; its result and its trace."""
    done = subprocess.run(["strace", *OPTIONS, "-o", str(path), *map(str, arguments)], capture_output=True, **more)
    return done, Trace(path)


def wrapper(program, path):
    """A program that runs another one under strace as the same process, so that it gets its signals."""
    script = path.with_suffix(".sh")
    script.write_text("#!/bin/sh\nexec strace -D %s -o '%s' '%s' \"$@\"\n" % (" ".join("'%s'" % one for one in OPTIONS), path, program))
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    return script


def ended(path, pid, seconds=20):
    """The trace of a process that has ended, once strace has written all of it."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with open(path, "rb") as file:
            file.seek(max(0, os.path.getsize(path) - 4000))
            if re.search(rb"(?m)^%d +\+\+\+ " % pid, file.read()):
                return Trace(path)
        time.sleep(0.05)
    raise SystemExit("FAIL: strace has not ended")

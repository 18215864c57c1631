"""Where rows are run, and how: each in a folder of its own, whose files are made when a row names them."""
import fnmatch
import hashlib
import json
import os
import pathlib
import re
import shlex
import signal
import stat
import subprocess
import tempfile
import threading

from cases import CONTENT, MAKERS, SERVERS, VALUES
from rows import ROOT


class Trial:
    """The programs, and what rows share."""

    def __init__(self, programs):
        self.programs = programs
        with tempfile.TemporaryDirectory(prefix="bridgecast-trial-") as folder:
            records, store = folder + "/whole.csv", folder + "/store"
            pathlib.Path(records).write_text(CONTENT["whole.csv"])
            subprocess.run([programs / "bridgecast", "ingest", records, "--store", store], check=True,
                           env=self.environment(folder), stdout=subprocess.DEVNULL)
            self.store = pathlib.Path(store).read_bytes()

    @staticmethod
    def environment(home):
        foreign = ("XDG_", "BRIDGECAST", "OPENBLAS")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
        # The signal says that it crashed; a backtrace would take half a second.
        return dict(kept, HOME=home, BRIDGECAST_HOME=str(ROOT), OPENBLAS_NUM_THREADS="1", SWIFT_BACKTRACE="enable=no")


class Place:
    """The folder of a run; files are made when they are first named."""

    def __init__(self, trial, path):
        self.trial, self.path, self.holders, self.addresses = trial, path, [], {}
        os.mkdir(path + "/home")

    def word(self, word):
        return re.sub(r"\{([\w.-]+)\}", lambda found: self.value(found.group(1)), word)

    def value(self, name):
        path = "%s/%s" % (self.path, name)
        if name in VALUES:
            return VALUES[name]
        if name in SERVERS:
            self.addresses[name] = self.addresses.get(name) or SERVERS[name](self)
            return self.addresses[name]
        if not name.startswith("new.") and not os.path.lexists(path):
            self.make(name, path)
        return path

    def make(self, name, path):
        if name in MAKERS:
            return MAKERS[name](self, path)
        content = CONTENT[name]
        if not isinstance(content, (bytes, str)):
            content = json.dumps(content)
        pathlib.Path(path).write_bytes(content if isinstance(content, bytes) else content.encode())

    def look(self, but):
        """Kind and digest of everything in the folder, by name."""
        found = {}
        for folder, folders, files in os.walk(self.path):
            for path in [pathlib.Path(folder, name) for name in folders + files]:
                name, kind = str(path.relative_to(self.path)), path.lstat().st_mode
                if not any(fnmatch.fnmatch(name, pattern) for pattern in but):
                    found[name] = kind, hashlib.sha256(path.read_bytes()).digest() if stat.S_ISREG(kind) else None
        return found

    def close(self):
        for holder in self.holders:
            holder.kill()
            holder.communicate()


class Run:
    """A program that has been started."""

    def __init__(self, place, command, row):
        words = [place.word(word) for word in shlex.split(command)]
        environment = dict(place.trial.environment(place.path + "/home"), **row.env)
        environment = {name: value for name, value in environment.items() if value is not None}
        program, output = place.trial.programs / "bridgecast", subprocess.PIPE
        self.reader_goes = words[-3:] == ["|", "head", "-1"]
        if self.reader_goes:
            words = words[:-3]
        elif words[-2:-1] == [">"]:
            words, output = words[:-2], open(words[-1], "wb")
        if words[0].startswith("/"):
            program, *words = words
        self.late, self.seconds = False, row.seconds
        self.process = subprocess.Popen([program, *words], env=environment, cwd=place.path, stdin=subprocess.DEVNULL,
                                        stdout=output, stderr=subprocess.PIPE)
        if output is not subprocess.PIPE:
            output.close()

    def end(self):
        """Waits for the end; standard output and standard error."""
        clock = threading.Timer(self.seconds, self.stop)
        clock.start()
        if self.reader_goes:
            output = self.process.stdout.readline()
            self.process.stdout.close()
            errors = self.process.stderr.read()
            self.process.wait()
        else:
            output, errors = self.process.communicate()
        clock.cancel()
        return output or b"", errors

    def stop(self):
        self.late = True
        self.process.kill()

    def wrong_end(self, codes):
        code = self.process.returncode
        if self.late:
            return "it did not end in %d s" % self.seconds
        if code in codes or (code == -signal.SIGPIPE and self.reader_goes):
            return None
        expected = " or ".join(map(str, sorted(codes)))
        return "it crashed: %s" % signal.Signals(-code).name if code < 0 else "exit code %d, not %s" % (code, expected)

"""A Debian without a compiler in a folder, entered by chroot; and packages made of another one to try dpkg with."""
import os
import pathlib
import re
import shutil
import subprocess
import time
import urllib.error
import urllib.request

ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}


class CleanRoot:
    """The folder with what programs expect: /proc, /dev, the resolver's settings, and apt's downloads of earlier runs."""

    def __init__(self, folder, archives):
        self.folder = pathlib.Path(folder)
        for kind, source, target in (("proc", "proc", "proc"), (None, "/dev", "dev"), (None, archives, "var/cache/apt/archives")):
            self.mount(kind, source, self.folder / target)
        shutil.copy("/etc/resolv.conf", self.folder / "etc/resolv.conf")

    @staticmethod
    def mount(kind, source, target):
        options = ["-t", kind] if kind else ["--bind"]
        subprocess.run(["mount", *options, source, target], check=True)

    def path(self, name):
        return self.folder / str(name).lstrip("/")

    def run(self, *command, as_root=True, **variables):
        """What a command in it printed, on both streams, and its exit code; as root or as a user without any rights."""
        switch = [] if as_root else ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        done = subprocess.run(
            ["chroot", self.folder, *switch, *command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, env={**ENVIRONMENT, **variables})
        return done.stdout, done.returncode

    def state(self, package):
        """What dpkg says of a package: its state and version."""
        return self.run("dpkg-query", "-W", "-f", "${db:Status-Status} ${Version}", package)[0]

    def leftovers(self, *parts):
        """Paths with one of the texts in them, but for what dpkg, apt and the test keep for themselves."""
        kept = ("proc", "dev", "sys", "tmp", "var/lib/dpkg", "var/cache/apt", "var/log", "var/lib/apt")
        prune = [part for one in kept for part in ("-path", self.path(one), "-prune", "-o")]
        found = subprocess.run(["find", self.folder, *prune, "-print"], capture_output=True, text=True).stdout
        names = (line.removeprefix(str(self.folder)) for line in found.splitlines())
        return sorted(name for name in names if any(part in name for part in parts))


class InstalledService:
    """The service as its unit starts it: the same command, variables and user, without systemd."""

    def __init__(self, root, *options):
        unit = root.path("/lib/systemd/system/bridgecast.service").read_text()
        command = re.search(r"^ExecStart=(.*)$", unit, re.M)[1].split()
        variables = dict(pair.split("=", 1) for line in re.findall(r"^Environment=(.*)$", unit, re.M) for pair in line.split())
        variables = {name: value.replace("%S", "/var/lib") for name, value in variables.items()}
        user = re.search(r"^User=(.*)$", unit, re.M)[1]
        self.process = subprocess.Popen(
            ["chroot", root.folder, "setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups", *command, *options],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            env={**ENVIRONMENT, "HOME": "/nonexistent", **variables})
        line = self.process.stdout.readline()
        found = re.search(r"listening on (http://\S+)", line)
        if not found:
            self.process.kill()
            raise SystemExit(f"FAIL: the installed service does not start: {line}")
        self.address = found[1].rstrip("/")

    def get(self, path):
        """Status and body of a GET."""
        try:
            with urllib.request.urlopen(self.address + path, timeout=10) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, b""

    def wait_until_ready(self, seconds=30):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.get("/readyz")[0] == 200:
                return True
            time.sleep(0.1)
        return False

    def stop(self):
        """Its exit code after SIGTERM."""
        self.process.terminate()
        return self.process.wait(timeout=15)


def changed_package(package, made, *, version, settings=None, preinst=None):
    """A package that differs from another in its version, and in its settings or with a script if these are given."""
    folder = made.with_suffix("")
    subprocess.run(["dpkg-deb", "--raw-extract", package, folder], check=True)
    control = folder / "DEBIAN/control"
    control.write_text(re.sub(r"^Version: .*$", f"Version: {version}", control.read_text(), flags=re.M))
    if settings is not None:
        (folder / "etc/bridgecast/serve.json").write_text(settings)
    if preinst is not None:
        (folder / "DEBIAN/preinst").write_text(preinst)
        os.chmod(folder / "DEBIAN/preinst", 0o755)
    subprocess.run(["dpkg-deb", "--root-owner-group", "-Znone", "--build", folder, made], check=True, stdout=subprocess.DEVNULL)
    shutil.rmtree(folder)
    return made

"""What a trial of the page works with: services, browsers, faults, expectations. check.py makes one for each trial."""
import argparse, pathlib, re, subprocess, sys, tempfile, urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "service"))

from browser import Page
from faults import Faults
from server import PROGRAM, Service

from checks import free_port

TOKEN = "a-token-for-trials-of-the-page"
# On this evening Ballard Bridge goes up at 18:00, and at 18:06 Fremont does.
EVENING = "2026-02-20T17:57/2026-02-20T21:00"


class Trial:
    """One trial: what it started is ended with it."""

    def __init__(self, name, folder, options):
        self.name, self.options = name, options
        self.folder = folder / name
        self.folder.mkdir(parents=True)
        self.wrong, self.figures, self.count = [], [], 0
        self.open = []

    def close(self):
        for end in reversed(self.open):
            try:
                end()
            except Exception:
                pass

    def expect(self, holds, words):
        """Counts an expectation, and keeps what does not hold."""
        self.count += 1
        if not holds:
            self.wrong.append("%s: %s" % (self.name, words))
        return holds

    def figure(self, words):
        """A figure for the report."""
        self.figures.append(words)

    def serve(self, replay=EVENING, speed=10, port=0, admin=False, page=None, people=None, alerts=None):
        """A service that replays records; with a file of alerts, it sends them to this machine too."""
        options = ["--replay", replay, "--speed", str(speed), "--no-store"]
        if page:
            options += ["--page", str(page)]
        if people:
            options += ["--people", str(people)]
        if alerts:
            options += ["--alerts", str(alerts), "--alerts-private"]
        if admin:
            token = self.folder / "token"
            token.write_text(TOKEN)
            self.admin_port = free_port()
            options += ["--admin-port", str(self.admin_port), "--admin-token-file", str(token)]
        service = Service(options, self.folder, port=port)
        service.wait_until_ready()
        self.open.append(service.kill)
        return service

    def add_person(self, people, name):
        """Adds a person to the folder of a service's people; their token."""
        program = PROGRAM.with_name("bridgecast")
        made = subprocess.run([str(program), "token", "add", name, "--people", str(people)], check=True, capture_output=True, text=True)
        return re.search(r"bcp_\w+", made.stdout)[0]

    def administer(self, path):
        """Has the administration do something: feed/pause, feed/resume."""
        request = urllib.request.Request("http://127.0.0.1:%d/admin/%s" % (self.admin_port, path), method="POST",
                                         headers={"Authorization": "Bearer " + TOKEN})
        urllib.request.urlopen(request, timeout=10).read()

    def faults(self, service):
        """Something between browser and service that spoils answers."""
        faults = Faults(service.host, service.port)
        self.open.append(faults.close)
        return faults

    def browse(self, address, **how):
        """A browser."""
        page = Page(address, **how)
        self.open.append(page.driver.quit)
        return page


def for_an_hour(name, description, run):
    """The program of a trial that takes an hour: run(trial, minutes, every); exit code 1 if something is wrong."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60.0, help="how long")
    parser.add_argument("--every", type=int, default=10, help="which of the answers fail")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bridgecast-%s-" % name) as folder:
        trial = Trial(name, pathlib.Path(folder), options)
        try:
            run(trial, options.minutes, options.every)
        finally:
            trial.close()
    print("\n".join(trial.figures + ["WRONG " + wrong for wrong in trial.wrong]))
    sys.exit(1 if trial.wrong else 0)

#!/usr/bin/env python3
"""Tries the real programs on a real PostgreSQL server, and compares with a store of SQLite that got the same;
tools/checks/postgresql starts it.

    postgresql.py --bridgecast-server BINARY [--kills 200] [--records 1000000] [--seed 1]

The commands do on a database what they do on a file. Then come mistakes in the URL, passwords, foreign and newer schemas,
users that may only read, TLS, a full disk; a million records; and kills of clients and of the server: nothing that was
committed before a kill is lost, nothing is stored twice, and at the end both kinds of stores are equal.
"""
import collections
import os
import pathlib
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

FOLDER = pathlib.Path(__file__).resolve()
sys.path.insert(0, str(FOLDER.parents[3] / "shared"))
sys.path.insert(0, str(FOLDER.parents[2] / "feeds"))

from checks import RECORDS, ROOT, finish, free_port, parser, serve
from postgresql_server import NAME, Server
from stand_in import start_server

# Tables, and what identifies a row of each.
TABLES = {"opening": "bridge, start, coalesce(\"end\", -1)", "syncedRow": "feed, \"row\"",
          "observedOpening": "bridge, start", "file": "sha256", "coverage": "bridge, start, \"end\", file"}
# The longest that each command may run before something is killed, seconds.
MAX_RUN = {"sync": 0.8, "ingest": 0.5, "watch": 1.2}
FILES = sorted(str(path) for path in ROOT.glob("training-data/openings-*.csv"))


class Check:
    def __init__(self, options):
        self.options, self.dice = options, random.Random(options.seed)
        self.folder = tempfile.mkdtemp(prefix="bridgecast-postgresql-")
        self.server = Server()
        self.feeds, self.address = start_server(str(RECORDS))
        self.wrong, self.count = [], 0

    # Programs

    def run(self, *arguments, environment=None, limit=300):
        values = {**os.environ, "XDG_DATA_HOME": self.folder, "BRIDGECAST_HOME": str(ROOT), **(environment or {})}
        return subprocess.run([self.options.bridgecast_server, *arguments], capture_output=True, text=True, env=values,
                              timeout=limit)

    def command(self, kind, store):
        return {"sync": ["sync", "--host", self.address + "/ok", "--page-rows", "40"],
                "ingest": ["ingest", *FILES],
                "watch": ["replay", "--from", "2026-02-18T08:00", "--to", "2026-02-24", "--speed", "40000",
                          "--format", "lines", "--bridges-url", self.address + "/ok/bridges"]}[kind] + ["--store", store]

    def schema(self):
        self.count += 1
        return "check_%d" % self.count

    def expect(self, what, run, code, *texts, output=False):
        text = run.stdout if output else run.stderr
        if run.returncode != code or any(wanted not in text for wanted in texts):
            self.wrong.append("%s: exit %d, %s" % (what, run.returncode, (run.stdout + run.stderr).strip()[-400:]))
        if "hunter2" in run.stdout + run.stderr:
            self.wrong.append("%s: the password is shown" % what)
        print("%-40s exit %d  %s" % (what, run.returncode, run.stderr.strip().split("\n")[-1][:150]))

    # What commands do

    def same_commands(self):
        """Everything on both kinds of stores, with the same results."""
        stores = [self.folder + "/same.sqlite", self.server.url(self.schema())]
        outputs = collections.defaultdict(list)
        for store in stores:
            replay = ["replay", "--from", "2026-02-20", "--to", "2026-02-21", "--speed", "max", "--format", "lines",
                      "--store", store]
            for command in (self.command("ingest", store), self.command("sync", store), self.command("sync", store), replay):
                run = self.run(*command)
                outputs[command[0]].append(run.stdout.replace(store, "STORE"))
                if run.returncode:
                    self.wrong.append("%s: exit %d, %s" % (command[0], run.returncode, run.stderr[-300:]))
            for command in (["history", "export"], ["history", "export", "--format", "ndjson", "--merge-gap", "0"],
                          ["history", "prune", "--before", "2017-01-01", "--of", "all", "--dry-run"],
                          ["history", "prune", "--before", "2016-06-01", "--of", "all"], ["history", "export"],
                          ["predict", "--at", "2026-02-22T12:00", "--format", "json"]):
                run = self.run(*command, "--store", store)
                outputs[" ".join(command)].append((run.returncode, "" if command[-1] == "json" else run.stdout))
            intact = "every table is there" if store.startswith("postgres") else "every page and index is intact"
            self.expect("doctor", self.run("doctor", "--store", store), 0, intact, output=True)
        for name, found in outputs.items():
            if found[:len(found) // 2] != found[len(found) // 2:]:
                self.wrong.append("%s: other results on the two kinds of stores" % name)
        records = [self.run("evaluate", "--records", store, "--from", "2026-02-20", "--to", "2026-02-21") for store in stores]
        if records[0].returncode or records[0].stdout != records[1].stdout:
            self.wrong.append("evaluate: other results on the two kinds of stores: %s" % records[1].stderr[-300:])
        serve_check = self.run("serve", "--check", "--no-page", "--store", stores[1])
        self.expect("serve --check", serve_check, 0, "store: postgres://", output=True)

    # Mistakes

    def mistakes(self):
        server, schema = self.server, self.schema()
        good = server.url(schema)
        self.expect("create", self.run("ingest", FILES[0], "--store", good), 0)
        cases = [
            ("a password in the URL", server.tcp().replace("@", ":hunter2@"), 64, ["--store-password-file"]),
            ("a password as a parameter", good + "&password=hunter2", 64, ["--store-password-file"]),
            ("an unknown parameter", good + "&ssl=on", 64, ["unknown parameter 'ssl'"]),
            ("no database", "postgres://localhost", 64, ["names no database"]),
            ("an unknown database", server.url(database="elsewhere"), 64, ["3D000"]),
            ("an unknown user", server.url(user="stranger"), 64, ["28000"]),
            ("no server", "postgres://127.0.0.1:%d/a" % free_port(), 74, ["cannot be reached"]),
            ("no password", server.tcp(), 64, ["password"]),
            ("no store", server.url(self.schema()), 65, ["nothing is in it yet"]),
            ("another cluster", good + "&cluster=other", 65, ["belongs to the cluster 'bridgecast'"]),
        ]
        for what, url, code, texts in cases:
            self.expect(what, self.run("history", "export", "--store", url), code, *texts)
        wrong = {"PGPASSWORD": "hunter2"}
        self.expect("a wrong password", self.run("history", "export", "--store", server.tcp(), environment=wrong), 64, "28P01")
        self.passwords(schema)
        self.foreign_schemas(schema)
        self.rights(schema)
        self.strange_servers()

    def passwords(self, schema):
        """From the environment and from files; with TLS, and with certificates that are checked."""
        export, server = ["history", "export", "--store"], self.server
        own = "?schema=" + schema
        right = {"PGPASSWORD": "right"}
        self.expect("PGPASSWORD", self.run(*export, server.tcp(own), environment=right), 0)
        file = self.folder + "/password"
        pathlib.Path(file).write_text("right\n")
        self.expect("a password's file", self.run(*export, server.tcp(own), "--store-password-file", file), 0)
        pathlib.Path(file).write_text("hunter2\n")
        self.expect("a wrong one", self.run(*export, server.tcp(own), "--store-password-file", file), 64, "28P01")
        self.expect("none", self.run(*export, server.tcp(own), "--store-password-file", file + "2"), 64, "password's file")
        self.expect("needless", self.run(*export, "a.sqlite", "--store-password-file", file), 64, "postgres://")
        certificate = server.folder + "/certificate"
        self.expect("TLS", self.run("doctor", "--store", server.tcp(own + "&sslmode=require"), environment=right), 0,
                    "by TLS", output=True)
        full = own + "&sslmode=verify-full&sslrootcert="
        self.expect("verify-full", self.run(*export, server.tcp(full + certificate, host="localhost"), environment=right), 0)
        self.expect("another name", self.run(*export, server.tcp(full + certificate), environment=right), 64, "certificate")
        self.expect("no root", self.run(*export, server.tcp(full + "/nonexistent", host="localhost"), environment=right), 64,
                    "certificate")

    def foreign_schemas(self, schema):
        server = self.server
        foreign = self.schema()
        server.psql("CREATE SCHEMA %s; CREATE TABLE %s.opening (a int)" % (foreign, foreign))
        for command in (["history", "export"], ["ingest", FILES[0]]):
            self.expect("a foreign schema: " + command[0], self.run(*command, "--store", server.url(foreign)), 65,
                        "another program")
        server.psql("UPDATE %s.store SET version = version + 1" % schema)
        for command in (["history", "export"], ["ingest", FILES[0]], ["doctor"]):
            run = self.run(*command, "--store", server.url(schema))
            self.expect("a newer schema: " + command[0], run, 65, "newer version", output=command[0] == "doctor")
        server.psql("UPDATE %s.store SET version = version - 1" % schema)
        self.expect("as before", self.run("history", "export", "--store", server.url(schema)), 0)

    def rights(self, schema):
        server = self.server
        server.psql("CREATE ROLE reader LOGIN; GRANT USAGE ON SCHEMA %s TO reader; "
                    "GRANT SELECT ON ALL TABLES IN SCHEMA %s TO reader" % (schema, schema))
        url = server.url(schema, user="reader")
        self.expect("a reader reads", self.run("history", "export", "--store", url), 0)
        self.expect("a reader ingests", self.run("ingest", FILES[0], "--store", url), 74, "may not write")
        self.expect("a reader asks the doctor", self.run("doctor", "--store", url), 0, "cannot store: the user may not", output=True)
        self.expect("a reader creates", self.run("ingest", FILES[0], "--store", server.url(self.schema(), user="reader")), 74,
                    "42501")

    def strange_servers(self):
        """Servers that are none, are too old, or say nothing."""
        web = serve(lambda: b"no database")
        self.expect("a web server", self.run("history", "export", "--store", "postgres://127.0.0.1:%d/a" % web.server_port), 74)
        for what, greeting, code, text in (
                ("an old server", b"R\0\0\0\x08\0\0\0\0" + status("server_version", "9.4.1") + status("client_encoding", "UTF8")
                 + b"Z\0\0\0\x05I", 64, "12 or newer"), ("a silent server", b"", 74, "timeout expired")):
            listener = socket.create_server(("127.0.0.1", 0))
            threading.Thread(target=answer, args=(listener, greeting), daemon=True).start()
            url = "postgres://127.0.0.1:%d/a?sslmode=disable&gssencmode=disable&connect_timeout=2" % listener.getsockname()[1]
            self.expect(what, self.run("history", "export", "--store", url, limit=60), code, text)

    def full_disk(self):
        """A disk of the server that fills up: what was stored stays, and with room the rest follows."""
        disk = self.folder + "/disk"
        os.mkdir(disk)
        os.chmod(self.folder, 0o755)
        mount = ["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", disk]
        if subprocess.run(mount, stderr=subprocess.DEVNULL).returncode:
            print("NOT CHECKED: a full disk of the server (this user may not mount)")
            return
        try:
            os.mkdir(disk + "/space")
            self.server.give(disk + "/space")
            self.server.psql("CREATE TABLESPACE small LOCATION '%s/space'" % disk)
            self.server.psql("CREATE DATABASE full_disk TABLESPACE small")
            url = self.server.url(database="full_disk")
            self.expect("before the disk is full", self.run("ingest", FILES[0], "--store", url), 0)
            before = self.run("history", "export", "--store", url).stdout
            many = self.many_records(200_000)
            self.expect("a full disk", self.run("ingest", many, "--store", url), 74, "disk is full")
            if self.run("history", "export", "--store", url).stdout != before or before.count("\n") < 1000:
                self.wrong.append("a full disk: the store has changed")
            subprocess.run(["mount", "-o", "remount,size=400m", disk], check=True)
            self.expect("with room", self.run("ingest", many, "--store", url), 0)
            self.server.psql("DROP DATABASE full_disk", database="postgres")
            self.server.psql("DROP TABLESPACE small")
        finally:
            subprocess.run(["umount", disk])

    # Many records

    def many_records(self, count):
        """A file of so many openings, of all bridges in turn."""
        path = self.folder + "/many-%d.csv" % count
        with open(path, "w") as file:
            file.write("entityid,opendatetime,closedatetime\n")
            for number in range(count):
                stamp = time.strftime("%Y-%m-%dT%H:%M:", time.gmtime(1_010_000_000 + number // 6 * 600))
                file.write("%s,%s00,%s59\n" % ([1, 2, 3, 4, 6, 21][number % 6], stamp, stamp))
        return path

    def many(self):
        count = self.options.records
        path = self.many_records(count)
        times, exports = [], []
        for store in (self.server.url(self.schema()), self.folder + "/many.sqlite"):
            for command in (["ingest", path], ["ingest", path], ["history", "export"]):
                began = time.time()
                run = self.run(*command, "--store", store, limit=1200)
                times.append("%s %.1f s" % (command[0], time.time() - began))
                if run.returncode:
                    self.wrong.append("%d records: %s: %s" % (count, command[0], run.stderr[-300:]))
            exports.append(run.stdout)
        if exports[0] != exports[1] or exports[0].count("\n") < count // 10:
            self.wrong.append("%d records: the exports differ" % count)
        print("%d records: PostgreSQL %s; SQLite %s; load %.1f" % (
            count, ", ".join(times[:3]), ", ".join(times[3:]), os.getloadavg()[0]))

    # Kills

    def rows(self, schema):
        """Identities of everything that is committed in a schema; nothing before it has tables."""
        if not int(self.server.psql("SELECT count(*) FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace "
                                    "WHERE nspname = '%s' AND relname = 'observedperiod'" % schema)):
            return {table: set() for table in TABLES}
        return {table: set(self.server.psql("SELECT %s FROM %s.%s" % (key, schema, table)).split("\n")) - {""}
                for table, key in TABLES.items()}

    def kill(self, kind, schema):
        """Kills a command, or the server below it; returns what was killed."""
        at_start = self.rows(schema)
        process = subprocess.Popen([self.options.bridgecast_server, *self.command(kind, self.server.url(schema))],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   env={**os.environ, "XDG_DATA_HOME": self.folder, "BRIDGECAST_HOME": str(ROOT)})
        time.sleep(self.dice.random() * MAX_RUN[kind])
        before = self.rows(schema)
        what = self.dice.choice(["client", "client", "server", "process"])
        if what == "client":
            process.send_signal(signal.SIGKILL)
        elif what == "server":
            self.server.kill()
        elif not self.server.kill_one():
            what = "nothing"
        if what != "client" and kind == "watch":
            # It connects again and goes on.
            time.sleep(self.dice.random())
            process.send_signal(signal.SIGKILL)
        process.wait()
        after = self.rows(schema)
        for look in (at_start, before):
            for table in TABLES:
                lost = look[table] - after[table]
                if lost:
                    self.wrong.append("kill of %s during %s: lost %d of %s" % (what, kind, len(lost), table))
        return what

    def kills(self):
        killed, began = collections.Counter(), time.time()
        schemas = {kind: self.schema() for kind in MAX_RUN}
        while sum(killed.values()) < self.options.kills:
            kind = self.dice.choice(list(MAX_RUN))
            if self.dice.random() < 0.05:
                self.finish_kind(kind, schemas[kind])
                schemas[kind] = self.schema()
            what = self.kill(kind, schemas[kind])
            if what != "nothing":
                killed[what, kind] += 1
        for kind, schema in schemas.items():
            self.finish_kind(kind, schema)
        print("killed %s in %.0f s" % (", ".join("%s of %s: %d" % (what, kind, count)
                                               for (what, kind), count in sorted(killed.items())), time.time() - began))

    def finish_kind(self, kind, schema):
        """What was interrupted is finished, and is then what a store of SQLite has without kills."""
        if kind == "watch":
            return
        url, file = self.server.url(schema), "%s/%s.sqlite" % (self.folder, kind)
        for store in (url, file):
            run = self.run(*self.command(kind, store))
            if run.returncode:
                self.wrong.append("%s does not finish: %s" % (kind, run.stderr[-300:]))
        one, other = (self.run("history", "export", "--store", store).stdout for store in (url, file))
        if one != other or one.count("\n") < 1000:
            self.wrong.append("%s, killed and finished, gives another history than without kills" % kind)
        if self.run("doctor", "--store", url).returncode:
            self.wrong.append("doctor finds %s damaged" % schema)


def status(name, value):
    """A message of the protocol that reports a setting."""
    body = name.encode() + b"\0" + value.encode() + b"\0"
    return b"S" + (4 + len(body)).to_bytes(4, "big") + body


def answer(listener, greeting):
    connections = []
    while True:
        connection = listener.accept()[0]
        connections.append(connection)
        connection.recv(1000)
        connection.sendall(greeting)


def main():
    line = parser(__doc__)
    line.add_argument("--bridgecast-server", required=True)
    line.add_argument("--kills", type=int, default=200)
    line.add_argument("--records", type=int, default=1_000_000)
    line.add_argument("--seed", type=int, default=1)
    line.add_argument("--only", default="same_commands,mistakes,full_disk,many,kills")
    options = line.parse_args()
    check = Check(options)
    try:
        for part in options.only.split(","):
            getattr(check, part)()
    finally:
        check.feeds.kill()
        check.server.stop()
    if not check.wrong:
        subprocess.run(["rm", "-rf", check.folder])
    finish(check.wrong)


if __name__ == "__main__":
    main()

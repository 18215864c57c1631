"""A PostgreSQL server of one's own: it runs as another user where this one is root, and its files go with it."""
import glob
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from checks import free_port

NAME = "bridgecast"


def programs():
    """The folder of the newest version that Debian has installed."""
    folders = glob.glob("/usr/lib/postgresql/*/bin/postgres")
    if not folders:
        sys.exit("no PostgreSQL server: apt-get install postgresql")
    return os.path.dirname(max(folders, key=lambda path: int(path.split("/")[4])))


class Server:
    """A server on a socket in its folder, and on a port of 127.0.0.1 by password or TLS."""

    def __init__(self, *settings):
        self.programs = programs()
        self.user = "postgres" if os.geteuid() == 0 else None
        self.folder = tempfile.mkdtemp(prefix="bridgecast-pg-", dir="/tmp")
        self.port = free_port()
        self.give(self.folder)
        self.run(self.programs + "/initdb", "--pgdata", self.folder + "/data", "--username", NAME, "--auth-local=trust",
                 "--auth-host=scram-sha-256", "--encoding=UTF8", "--locale=C")
        self.make_certificate()
        with open(self.folder + "/data/postgresql.conf", "a") as file:
            file.write("\n".join([
                "listen_addresses = '127.0.0.1'", "port = %d" % self.port, "shared_buffers = 64MB",
                "unix_socket_directories = '%s'" % self.folder, "restart_after_crash = on", "ssl = on",
                "ssl_cert_file = '%s/certificate'" % self.folder, "ssl_key_file = '%s/key'" % self.folder, *settings, ""]))
        self.process = None
        self.start()
        self.psql("CREATE DATABASE %s" % NAME, database="postgres")
        self.psql("ALTER ROLE %s PASSWORD 'right'" % NAME)

    def make_certificate(self):
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                        "-addext", "subjectAltName=DNS:localhost", "-keyout", self.folder + "/key",
                        "-out", self.folder + "/certificate"], check=True, stderr=subprocess.DEVNULL)
        os.chmod(self.folder + "/key", 0o600)
        self.give(self.folder + "/key")
        os.chmod(self.folder, 0o755)

    def give(self, path):
        if self.user:
            shutil.chown(path, self.user, self.user)

    def as_server(self, words):
        if not self.user:
            return list(words)
        return ["setpriv", "--reuid", self.user, "--regid", self.user, "--clear-groups", *words]

    def run(self, *words):
        run = subprocess.run(self.as_server(words), cwd="/tmp", capture_output=True, text=True)
        if run.returncode:
            raise RuntimeError("%s: %s" % (" ".join(words), run.stderr))
        return run.stdout

    def start(self):
        self.process = None
        until = time.time() + 60
        while self.process is None or subprocess.run(
                [self.programs + "/pg_isready", "-q", "-h", self.folder, "-p", str(self.port)]).returncode:
            if self.process is None or self.process.poll() is not None:
                # After a kill the memory of the last one may still be in use.
                with open(self.folder + "/log", "ab") as log:
                    self.process = subprocess.Popen(
                        self.as_server([self.programs + "/postgres", "-D", self.folder + "/data"]),
                        cwd="/tmp", stdout=log, stderr=log, start_new_session=True)
            if time.time() > until:
                raise RuntimeError("the server does not start: %s/log" % self.folder)
            time.sleep(0.05)

    def end(self, number=signal.SIGINT):
        """Ends it, by default at once and in order; ``start`` starts it again."""
        self.process.send_signal(number)
        self.process.wait()

    def kill(self):
        """Ends all of its processes at once, as a crash does, and starts it again."""
        # It starts no more of them meanwhile.
        self.process.send_signal(signal.SIGSTOP)
        children = subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True).stdout.split()
        self.process.send_signal(signal.SIGKILL)
        for pid in children:
            try:
                os.kill(int(pid), signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.process.wait()
        self.start()

    def kill_one(self):
        """Ends one of the processes that serve a client, which makes the server end all the others and recover."""
        found = self.psql("SELECT pid FROM pg_stat_activity WHERE application_name = 'bridgecast'").split()
        for pid in found[:1]:
            os.kill(int(pid), signal.SIGKILL)
        return bool(found)

    def psql(self, sql, database=NAME):
        """What a command prints, without headings; tried again while the server recovers."""
        until = time.time() + 60
        while True:
            run = subprocess.run(["psql", "-X", "-h", self.folder, "-p", str(self.port), "-U", NAME, "-d", database,
                                  "-v", "ON_ERROR_STOP=1", "-Atc", sql], capture_output=True, text=True)
            if run.returncode == 0:
                return run.stdout.strip()
            if time.time() > until or run.returncode != 2:
                raise RuntimeError("%s: %s" % (sql, run.stderr))
            time.sleep(0.05)

    def url(self, schema=None, database=NAME, user=NAME):
        """By the socket, without a password."""
        text = "postgres://%s@/%s?host=%s&port=%d" % (user, database, self.folder, self.port)
        return text + ("&schema=" + schema if schema else "")

    def tcp(self, parameters="", host="127.0.0.1", user=NAME, database=NAME):
        """By TCP, with a password."""
        return "postgres://%s@%s:%d/%s%s" % (user, host, self.port, database, parameters)

    def stop(self):
        """Ends it and removes its files."""
        self.end(signal.SIGQUIT)
        shutil.rmtree(self.folder)

#!/usr/bin/env python3
"""Restarts under load: busy clients of a service that is stopped lose no request, alone and behind nginx.

    restarts.py [--rounds 10] [--program PATH]

Alone: each answer after SIGTERM says `Connection: close`, and no connection ends without having said so. Behind nginx
with two services: one is stopped and started again, and clients see nothing but 200. check.py runs two rounds of each.
"""
import http.client
import pathlib
import subprocess
import tempfile
import threading
import time

from server import PROGRAM, REPLAY, UNLIMITED, Service

from checks import finish, free_port, parser

CLIENTS = 24
MAX_SECONDS = 10
PATHS = ["/api/v1/bridges", "/api/v1/forecast?bridge=Fremont", "/api/v1/routes?from=Ballard&to=Downtown",
         "/api/v1/depart?from=Ballard&to=Downtown"]
# What a Debian nginx needs to pass requests on to two services over connections that stay open.
NGINX = """
daemon off; pid {folder}/nginx.pid; error_log {folder}/nginx.log;
events {{ worker_connections 512; }}
http {{
    access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    upstream bridgecast {{ server 127.0.0.1:{first} fail_timeout=1s; server 127.0.0.1:{second} fail_timeout=1s; keepalive 16; }}
    server {{
        listen 127.0.0.1:{port}; keepalive_requests 1000000;
        location / {{ proxy_pass http://bridgecast; proxy_http_version 1.1; proxy_set_header Connection ""; }}
    }}
}}
"""


class Client(threading.Thread):
    """Requests one after the other on a connection, until an answer says that the connection ends."""

    def __init__(self, port, index):
        super().__init__(daemon=True)
        self.port, self.path = port, PATHS[index % len(PATHS)]
        self.count, self.lost, self.is_last, self.is_over = 0, None, False, False

    def run(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=15)
        try:
            while not self.is_over and not self.is_last:
                connection.request("GET", self.path)
                answer = connection.getresponse()
                answer.read()
                self.count += 1
                self.is_last = answer.headers["Connection"] == "close"
                if answer.status != 200:
                    self.lost = "status %d" % answer.status
                    return
        except (OSError, http.client.HTTPException) as error:
            self.lost = repr(error)
        finally:
            connection.close()


def begin(port):
    clients = [Client(port, index) for index in range(CLIENTS)]
    for client in clients:
        client.start()
    time.sleep(1)
    return clients


def end(clients):
    for client in clients:
        client.is_over = True
    for client in clients:
        client.join(20)


def alone(folder, program):
    """What is wrong with a stop under load; the number of answers."""
    service = Service(REPLAY + UNLIMITED, folder, program)
    service.wait_until_ready()
    clients = begin(service.port)
    code, _ = service.stop(20)
    end(clients)
    wrong = ["a client of a service that is stopped lost a request: %s" % c.lost for c in clients if c.lost]
    wrong += ["a connection ended without a word" for c in clients if not c.lost and not c.is_last]
    return wrong + (["exit code %s" % code] if code else []), sum(c.count for c in clients)


def behind_nginx(folder, program):
    """What is wrong with a restart of one of two services behind nginx; the number of answers."""
    services = [Service(REPLAY + UNLIMITED, folder, program) for _ in range(2)]
    for service in services:
        service.wait_until_ready()
    port = free_port()
    settings = folder / "nginx.conf"
    settings.write_text(NGINX.format(folder=folder, first=services[0].port, second=services[1].port, port=port))
    nginx = subprocess.Popen(["nginx", "-c", settings, "-p", folder], stderr=subprocess.DEVNULL)
    try:
        time.sleep(0.5)
        clients = begin(port)
        code, seconds = services[0].stop(20)
        services[0] = Service(REPLAY + UNLIMITED, folder, program, port=services[0].port)
        services[0].wait_until_ready()
        time.sleep(0.5)
        end(clients)
    finally:
        nginx.terminate()
        for service in services:
            service.kill()
    wrong = ["behind nginx a client lost a request: %s" % c.lost for c in clients if c.lost]
    if code or seconds > MAX_SECONDS:
        wrong.append("behind nginx a service ended with %s after %.1f s" % (code, seconds))
    return wrong, sum(c.count for c in clients)


def check(rounds, program=PROGRAM):
    """What is wrong, and a summary."""
    wrong, answers = [], []
    for way in (alone, behind_nginx):
        for _ in range(rounds):
            with tempfile.TemporaryDirectory(prefix="bridgecast-restarts-") as name:
                found, count = way(pathlib.Path(name), program)
            wrong += found
            answers.append(count)
    return wrong, "restarts: %d alone and %d behind nginx with %d busy clients each, %d answers, %d lost" % (
        rounds, rounds, CLIENTS, sum(answers), len(wrong))


def main():
    line = parser(__doc__)
    line.add_argument("--rounds", type=int, default=10)
    line.add_argument("--program", default=PROGRAM)
    options = line.parse_args()
    wrong, summary = check(options.rounds, options.program)
    print(summary)
    finish(wrong)


if __name__ == "__main__":
    main()

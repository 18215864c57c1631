#!/usr/bin/env python3
"""Checks a running service against its description; tools/checks/serve starts it.

    check.py [--examples 25] [--seed 1] [--seconds 600] [--schemathesis PATH] [--program PATH]

Five parts: every endpoint fuzzed from the OpenAPI file (schemathesis: no 5xx, no status, form or document that the
file does not name), requests by hand (tags, packing, methods, forms, sizes, streams), a stop while requests and
streams are open, restarts under busy clients, and a full disk of people's journals. A line for each thing that is wrong; exit code 1 if there is one.
"""
import subprocess
import time

import full_disk
import restarts
import stopping
from probes import Probes
from server import PROGRAM, REPLAY, UNLIMITED, serving
from stand_ins import write_timetable

from checks import finish, parser

CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"


# With two threads, Python 3.11's own parser fails so now and then: that is no answer of the service.
INTERPRETER_FAULT = "SystemError: AST constructor recursion depth mismatch"


def attempt(command, options, folder):
    """The exit code of schemathesis, and what it printed."""
    with open(folder / "schemathesis.log", "w") as log:
        try:
            code = subprocess.run(command, stdout=log, stderr=subprocess.STDOUT, cwd=folder,
                                  timeout=options.seconds).returncode
        except subprocess.TimeoutExpired:
            code = "none: not done after %d s" % options.seconds
    return code, (folder / "schemathesis.log").read_text(errors="replace")


def fuzz(service, options, folder):
    """Runs schemathesis; what it found, and a summary."""
    began = time.monotonic()
    # A stream of events has no end; probes.py and stopping.py listen to it.
    command = [options.schemathesis, "run", service.address + "/openapi.json", "--url", service.address,
               "--checks", CHECKS, "--seed", str(options.seed), "--generation-deterministic",
               "--max-examples", str(options.examples), "--phases", "examples,coverage,fuzzing", "--workers", "2",
               "--request-timeout", "20", "--exclude-path-regex", "/events$", "--no-color", "--warnings", "off",
               "--continue-on-failure", "--suppress-health-check", "all"]
    code, text = attempt(command, options, folder)
    if INTERPRETER_FAULT in text:
        code, text = attempt(command, options, folder)
    if code == 0:
        return [], "schemathesis: %d examples an operation in %.0f s; %s" % (
            options.examples, time.monotonic() - began, " ".join(text.split("Test cases:")[-1].split()[:4]))
    print(text[-20_000:])
    return ["schemathesis ended with %s; its output is above" % code], "schemathesis: FAILED"


def check(service, options, folder):
    """All four parts; what is wrong."""
    print("ready in %.2f s at %s" % (service.wait_until_ready(), service.address), flush=True)
    count, wrong = Probes(service).all()
    print("probes: %d expectations, %d wrong" % (count, len(wrong)), flush=True)
    for part in (lambda: fuzz(service, options, folder), lambda: stopping.check(service),
                 lambda: restarts.check(rounds=2, program=options.program), lambda: full_disk.check(options.program)):
        found, summary = part()
        print(summary, flush=True)
        wrong += found
    return wrong


def main():
    line = parser(__doc__)
    line.add_argument("--schemathesis", default="schemathesis")
    line.add_argument("--examples", type=int, default=25)
    line.add_argument("--seconds", type=float, default=600, help="time limit of schemathesis")
    line.add_argument("--seed", type=int, default=1)
    line.add_argument("--program", default=PROGRAM)
    options = line.parse_args()
    with serving(REPLAY + UNLIMITED, options.program, write_timetable) as (service, folder):
        wrong = check(service, options, folder)
    finish(wrong)


if __name__ == "__main__":
    main()

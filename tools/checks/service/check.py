#!/usr/bin/env python3
"""Holds a running service against its description; tools/checks/serve starts it.

    check.py [--examples 25] [--seed 1] [--seconds 600] [--schemathesis PATH]

Three parts: every endpoint fuzzed from the OpenAPI file (schemathesis: no 5xx, no status, form or document that the file does
not name), questions by hand (tags, packing, methods, forms, sizes, streams), and a stop while requests and streams are
under way. A line for each thing that is wrong; exit code 1 if there is one.
"""
import argparse, os, pathlib, subprocess, sys, tempfile, time

import page
import stopping
import timetable
from probes import Probes
from server import REPLAY, UNLIMITED, Service

CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"


def fuzz(service, options, folder):
    """Runs schemathesis; what it found, and a line that says how much it asked."""
    began = time.monotonic()
    # A stream of events has no end; probes.py and stopping.py listen to it.
    command = [options.schemathesis, "run", service.address + "/openapi.json", "--url", service.address, "--checks", CHECKS,
               "--seed", str(options.seed), "--generation-deterministic",
               "--max-examples", str(options.examples), "--phases", "examples,coverage,fuzzing", "--workers", "2",
               "--request-timeout", "20", "--exclude-path", "/api/v1/events", "--no-color", "--warnings", "off",
               "--continue-on-failure", "--suppress-health-check", "all"]
    with open(folder / "schemathesis.log", "w") as log:
        try:
            code = subprocess.run(command, stdout=log, stderr=subprocess.STDOUT, cwd=folder, timeout=options.seconds).returncode
        except subprocess.TimeoutExpired:
            code = "none: not done after %d s" % options.seconds
    text = (folder / "schemathesis.log").read_text(errors="replace")
    if code == 0:
        return [], "schemathesis: %d examples an operation in %.0f s; %s" % (
            options.examples, time.monotonic() - began, " ".join(text.split("Test cases:")[-1].split()[:4]))
    print(text[-20_000:])
    return ["schemathesis ended with %s; what it said is above" % code], "schemathesis: FAILED"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--schemathesis", default="schemathesis")
    parser.add_argument("--examples", type=int, default=25)
    parser.add_argument("--seconds", type=float, default=600, help="the longest that schemathesis may take")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    wrong = []
    with tempfile.TemporaryDirectory(prefix="bridgecast-serve-") as name:
        folder = pathlib.Path(name)
        service = Service(REPLAY + UNLIMITED + timetable.write(folder), folder)
        try:
            print("ready in %.2f s at %s" % (service.wait_until_ready(), service.address), flush=True)
            probes = Probes(service)
            page.look_at(probes)
            count, found = probes.all()
            print("probes: %d expectations, %d wrong" % (count, len(found)), flush=True)
            wrong += found
            found, words = fuzz(service, options, folder)
            print(words, flush=True)
            wrong += found
            found, words = stopping.check(service)
            print(words, flush=True)
            wrong += found
        finally:
            if service.process.poll() is None:
                service.kill()
    for text in wrong:
        print("FAIL " + text)
    print("%d wrong" % len(wrong))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()

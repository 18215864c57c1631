"""Loads the servers by turns with wrk and prints medians and ratios; tools/comparisons/service/load runs it."""
import argparse
import json
import os
import statistics
import subprocess

import servers

LUA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "requests.lua")
FORECAST, BRIDGES = "GET /forecast, one bridge", "GET /bridges"
BRIDGE_NAMES = ["Ballard", "Fremont", "University", "Montlake", "1st Ave South"]


def candidates(count):
    """`count` routes of three steps, as a route service would send them."""
    return {"routes": [
        {"id": f"route-{number}", "name": f"Candidate {number}", "origin": "Ballard", "destination": "Downtown",
         "mode": "car", "steps": [
             {"minutes": 4 + number % 97 / 8, "spread": 1.2}, {"bridge": BRIDGE_NAMES[number % 5]},
             {"minutes": 7 + number % 89 / 16, "spread": 1.75}]} for number in range(count)]}


def wrk(server, connections, seconds, script, pause_ms=0):
    """One run of wrk."""
    command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "10s", "-s", LUA, server.url, "--",
               *script, str(pause_ms)]
    output = subprocess.run(command, capture_output=True, text=True)
    lines = [line for line in output.stdout.splitlines() if line.startswith("{")]
    if not lines:
        raise SystemExit(f"wrk: {output.stderr or output.stdout}")
    result = json.loads(lines[-1])
    if result["failed"]:
        print(f"!! {server.name}: {result['failed']} of {result['requests']} requests failed: {' '.join(script)}")
    return {"rate": result["requests"] / result["seconds"], **result}


def measure(server, rows, seconds, found):
    """All rows of one server, once: at full load, and some also at half of that rate."""
    for name, script, connections, halves in rows:
        wrk(server, connections, 1, script)
        full = wrk(server, connections, seconds, script)
        found.setdefault((name, server.name), []).append(full)
        if halves:
            many = 128
            half = wrk(server, many, seconds, script, pause_ms=many / (full["rate"] / 2) * 1000)
            found.setdefault((f"{name}, half load", server.name), []).append(half)


def row_text(name, server, runs, base, memory):
    def median(key):
        return statistics.median(run[key] for run in runs)
    rates = sorted(run["rate"] for run in runs)
    ratio = f"{median('rate') / base:6.2f}" if base else "      "
    return (f"{name:44} {server:10} {median('rate'):10,.0f} ({rates[0]:,.0f}-{rates[-1]:,.0f})".ljust(86)
            + f"{median('p50_ms'):9.3f} {median('p99_ms'):9.3f}  {ratio}  {memory / 1e6:8.1f}")


def write_candidates(folder):
    """Files of candidates, by their number."""
    files = {}
    for count in (100, 10_000):
        files[count] = f"{folder}/candidates-{count}.json"
        with open(files[count], "w") as file:
            json.dump(candidates(count), file, separators=(",", ":"))
    return files


def record_answers(root, answer):
    """Writes the answers that the other servers give, and prints their sizes."""
    with servers.bridgecast(root) as server:
        for path, name in [("/api/v1/forecast?bridge=Fremont&lead_min=10", answer),
                           ("/api/v1/bridges", answer + ".bridges")]:
            with open(name, "wb") as file:
                file.write(server.get(path))
    sizes = [os.path.getsize(name) for name in (answer, answer + ".bridges")]
    print(f"answers of {sizes[0]} and {sizes[1]} bytes; {os.cpu_count()} processors, shared with wrk")


def report(found, memory, wanted):
    print(f"\n{'':44} {'':10} {'requests/s':>10} {'(range)':29}{'p50 ms':>9} {'p99 ms':>9}  to bare  peak MB")
    for name in dict.fromkeys(key[0] for key in found):
        for server in wanted:
            runs = found.get((name, server))
            if not runs:
                continue
            peers = found.get((name, "bare"))
            base = statistics.median(run["rate"] for run in peers) if peers and "half" not in name else None
            print(row_text(name, server, runs, base, memory[server]))
    if {"bridgecast", "fastapi"} <= set(wanted):
        ours, theirs = (statistics.median(run["rate"] for run in found[FORECAST, server])
                        for server in ("bridgecast", "fastapi"))
        print(f"\n{FORECAST}: Bridgecast to FastAPI {ours / theirs:.1f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--only", default="bridgecast,bare,fastapi")
    options = parser.parse_args()
    root, wanted = options.root, options.only.split(",")
    answer = f"{root}/.build/service/answer.json"
    files = write_candidates(f"{root}/.build/service")
    record_answers(root, answer)
    print(f"medians of {options.rounds} rounds of {options.seconds} s")
    common = [(FORECAST, ["forecast"], 64, True), (BRIDGES, ["get", "/api/v1/bridges"], 64, True)]
    own = common + [
        ("POST /routes/rank, 100 candidates", ["rank", files[100]], 8, False),
        ("POST /routes/rank, 10,000 candidates", ["rank", files[10_000]], 1, False),
        ("GET /routes Ballard to Downtown", ["get", "/api/v1/routes?from=Ballard&to=Downtown"], 16, True)]
    kinds = {
        "bridgecast": (lambda: servers.bridgecast(root), own),
        "bare": (lambda: servers.bare(root, answer), common),
        "fastapi": (lambda: servers.fastapi(root, answer), common[:1]),
    }
    found, memory = {}, {}
    for _ in range(options.rounds):
        for name in wanted:
            start, rows = kinds[name]
            with start() as server:
                measure(server, rows, options.seconds, found)
                memory[name] = max(memory.get(name, 0), server.peak_memory())
    report(found, memory, wanted)


main()

#!/usr/bin/env python3
"""Tables and a picture from the JSON of `bridgecast bench` with onnxruntime; tools/bench_onnxruntime runs it."""
import argparse
import json
import statistics

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

FP32 = ["onnxruntime fp32"]
INT8 = ["onnxruntime int8-u8", "onnxruntime int8-s8"]
# Ratios to reach: network, format, batch, threads, against the best of what, floor, aim.
TARGETS = [
    ("A", "int8", 1, 1, FP32, 25, 38),
    ("A", "int8", 1, 1, INT8, 45, 70),
    ("A", "int8", 7, 1, FP32 + INT8, 8, 11),
    ("A", "int8", 64, 1, FP32 + INT8, 3, 3.8),
    ("A", "int8", 1024, 1, INT8, 1.9, 2.2),
    ("B", "int8", 1024, 1, INT8, 1.4, 1.6),
    ("A", "int8", 262144, 1, INT8, 2.6, 3),
    ("A", "int8", 262144, 1, [f"{form} in 1024s" for form in INT8], 1.6, 2),
    ("A", "fp32", 1, 1, FP32, 6, 6.8),
    ("A", "fp32", 7, 1, FP32, 3.2, 3.5),
    ("A", "fp32", 1024, 1, FP32, 1.1, 1.2),
    ("A", "fp32", 262144, 1, FP32, 1.7, 2.1),
    ("shipped", "int8", 1, 1, FP32 + INT8, 18, 25),
    ("shipped", "int8", 64, 1, FP32 + INT8, 4, 6),
    ("shipped", "int8", 1024, 1, FP32 + INT8, 4, 6),
]


def table(header, rows):
    widths = [max(len(str(row[i])) for row in [header] + rows) for i in range(len(header))]
    for row in [header, ["-" * width for width in widths]] + rows:
        print("  ".join(str(cell).rjust(width) for cell, width in zip(row, widths)))


def marked(name, entry):
    """With an asterisk where onnxruntime saturates; see print_saturation."""
    return f"{name} *" if "saturated_by" in entry else name


def print_saturation(results):
    """What the asterisks mean, if there are any."""
    largest = {}
    for result in results:
        if "saturated_by" in result:
            largest[result["network"]] = max(largest.get(result["network"], 0), result["saturated_by"])
    if largest:
        errors = ", ".join(f"{network} {error:.4f}" for network, error in sorted(largest.items()))
        print("\n* onnxruntime's kernels for s8 weights saturate on this CPU; largest error of an output: " + errors)


def ours(results, **wanted):
    for result in results:
        if result["engine"] == "bridgecast" and all(result[key] == value for key, value in wanted.items()):
            return result
    return None


def print_ratios(report):
    rows = []
    for ratio in report["ratios"]:
        rows.append([ratio["network"], ratio["format"], ratio["threads"], ratio["batch"],
                     marked(ratio["against"], ratio),
                     f"{ratio['median']:.2f}", f"{ratio['low']:.2f} .. {ratio['high']:.2f}"])
    print("Times faster than onnxruntime, median and spread over the rounds")
    table(["network", "ours", "threads", "batch", "against", "ratio", "spread"], rows)
    print("\nTo be reached, against the best that onnxruntime has")
    rows = []
    for network, form, batch, threads, against, floor, aim in TARGETS:
        found = [r for r in report["ratios"] if (r["network"], r["format"], r["batch"], r["threads"]) ==
                 (network, form, batch, threads) and r["against"] in against]
        if found:
            worst = min(found, key=lambda r: r["median"])
            rows.append([network, form, batch, marked(worst["against"], worst), f"{worst['median']:.2f}",
                         f"{worst['low']:.2f} .. {worst['high']:.2f}", floor, aim,
                         "yes" if worst["median"] >= floor else "NO"])
    table(["network", "ours", "batch", "against", "ratio", "spread", "floor", "aim", "reached"], rows)


def print_threads(results):
    rows = []
    for one in results:
        if one["engine"] != "bridgecast" or one["threads"] != 1 or one["batch"] < 1024 or one["path"] != "simd":
            continue
        two = ours(results, network=one["network"], format=one["format"], path="simd", batch=one["batch"], threads=2)
        if two:
            rows.append([one["network"], one["format"], one["batch"], f"{one['p50'] / two['p50']:.2f}"])
    if rows:
        print("\nTwo threads, times faster than one")
        table(["network", "format", "batch", "ratio"], rows)


def print_load(loads):
    first = statistics.median(load["load"]["parts"][0]["p50"] for load in loads)
    memory = statistics.median(load["load"]["parts"][0]["resident_kb"] for load in loads)
    print(f"\nCold file to first forecast, each in a process of its own: {first:.0f} us, {memory:.0f} kB of memory "
          f"(median of {len(loads)})")
    for index in range(len(loads[0]["onnxruntime_load"])):
        parts = [load["onnxruntime_load"][index] for load in loads]
        if "resident_kb" not in parts[0]:
            continue
        grown = statistics.median(part["resident_kb"] for part in parts)
        peer = statistics.median(part["p50"] for part in parts)
        print(f"{parts[0]['part']}: {peer:.0f} us, {peer / first:.1f} times as long; {grown:.0f} kB")


def plot(report, path):
    results = report["networks"]
    networks = sorted({result["network"] for result in results})
    figure, axes = plt.subplots(2, len(networks), figsize=(4.6 * len(networks), 7.4), squeeze=False)
    styles = {
        ("bridgecast", "int8"): ("#0b6e4f", "-", "o"), ("bridgecast", "fp32"): ("#0b6e4f", "--", "s"),
        ("onnxruntime", "int8-s8"): ("#c1440e", "-", "o"), ("onnxruntime", "int8-u8"): ("#c1440e", ":", "^"),
        ("onnxruntime", "fp32"): ("#c1440e", "--", "s"),
    }
    for column, network in enumerate(networks):
        for (engine, form), (colour, line, marker) in styles.items():
            path_name = "simd" if engine == "bridgecast" else "whole"
            found = [r for r in results if (r["network"], r["engine"], r["format"], r["path"], r["threads"]) ==
                     (network, engine, form, path_name, 1)]
            points = sorted((r["batch"], r["p50"], r["rows_per_second"] / 1e6) for r in found)
            if not points:
                continue
            batches, times, rates = zip(*points)
            small = [(b, t) for b, t in zip(batches, times) if b <= 256]
            saturates = any("saturated_by" in r for r in found)
            label = f"{engine} {form}" + (" (saturates)" if saturates else "")
            axes[0][column].plot(*zip(*small), line, color=colour, marker=marker, label=label)
            axes[1][column].plot(batches, rates, line, color=colour, marker=marker, label=label)
        top, bottom = axes[0][column], axes[1][column]
        top.set_title(f"network {network}, one thread")
        for axis, name in ((top, "microseconds a call, p50"), (bottom, "million rows a second")):
            axis.set(xscale="log", yscale="log", xlabel="rows of a call", ylabel=name)
            axis.grid(True, alpha=0.3)
        top.legend(frameon=False, fontsize=8)
    machine = report["machine"]
    figure.suptitle(f"{machine['cpu']} ({machine['family_and_model']}), {machine['instruction_set']}, "
                    f"onnxruntime {report.get('onnxruntime')}")
    figure.tight_layout()
    figure.savefig(path, dpi=90)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bench", help="JSON of the networks")
    parser.add_argument("loads", nargs="*", help="JSON of loading, one file a process")
    parser.add_argument("--plot", help="picture to draw (.png or .svg)")
    arguments = parser.parse_args()
    with open(arguments.bench) as file:
        report = json.load(file)
    machine = report["machine"]
    print(f"{machine['cpu']}, {machine['family_and_model']}, kernels {machine['instruction_set']}, OpenBLAS "
          f"{machine['open_blas_core']}, onnxruntime {report.get('onnxruntime')}; one reading of the clock takes "
          f"{machine['clock_read_nanoseconds']:.0f} ns and is part of every call\n")
    rows = [[r["network"], r["engine"], marked(r["format"], r), r["path"], r["threads"], r["batch"], f"{r['p50']:.3f}",
             f"{r['p90']:.3f}", f"{r['p99']:.3f}", f"{r['p999']:.3f}", f"{r['looped']:.3f}",
             f"{r['rows_per_second'] / 1e6:.2f}"] for r in report["networks"]]
    print("Microseconds a call")
    table(["network", "engine", "format", "path", "threads", "batch", "p50", "p90", "p99", "p99.9", "in a loop",
           "M rows/s"], rows)
    print()
    print_ratios(report)
    print_saturation(report["networks"])
    print_threads(report["networks"])
    if report["pipeline"]:
        print("\nParts of a forecast with the shipped model, microseconds")
        table(["part", "count", "p50", "p90", "p99"],
              [[part["part"], part["count"], *(f"{part[name]:.3f}" for name in ("p50", "p90", "p99"))]
               for part in report["pipeline"]])
    if arguments.loads:
        loads = []
        for path in arguments.loads:
            with open(path) as file:
                loads.append(json.load(file))
        print_load(loads)
    if arguments.plot:
        plot(report, arguments.plot)


if __name__ == "__main__":
    main()

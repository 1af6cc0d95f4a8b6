#!/usr/bin/python3
"""Profiles the encores, and the solutions from lab 15 on, by `lab profile --limits` on this machine's GPU, each at the
size that takes longest in the record NAME and at those of its goals, and keeps what limits them as
report/results/NAME_limits.json.

Every profile is written at once; of one that fails the old row stays. Exit codes: 0 all went well, 1 some failed, 2 the
record is damaged or missing.
"""

import argparse
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys

import record
from data.goals import load_goals
from data.load import load

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIRST_SOLUTION = 15  # below, a lab's solution is not meant to be at a limit
PIPE = re.compile(r"sm__(?:inst_executed_)?pipe_(\w+?)(?:_cycles_active)?\.avg\.pct_of_peak_sustained_active")
STALL = re.compile(r"smsp__average_warps_issue_stalled_(\w+)(?<!_not_issued)_per_issue_active\.ratio")
PIPES = {"FMA units": "fma", "ALUs": "alu", "tensor cores": "tensor"}
UNITS = {
    "memory": ("dram__throughput.avg.pct_of_peak_sustained_elapsed",),
    "L2": ("lts__t_sectors.avg.pct_of_peak_sustained_elapsed",),
    "L1 and shared memory": ("l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_elapsed",),
    "issue slots": ("smsp__issue_active.avg.pct_of_peak_sustained_active",
                    "sm__inst_issued.avg.pct_of_peak_sustained_active"),
}


def main(arguments=None):
    options = _options(arguments)
    results = load([], options.recorded)
    timed = [row for row in results.bench if row.source.recorded and row.source.backend == "cuda"]
    goals, complaints = load_goals(options.solutions)
    rows = wanted(timed, options.solutions, goals)
    rows = [row for row in rows if not options.only or row[0][:2] in options.only]
    nothing = [] if rows else [f"{options.recorded} records nothing to profile"]
    if problems := [*results.problems, *complaints] or nothing:
        print("record_limits:", *problems, file=sys.stderr)
        return 2
    failed = []
    for lab, variant, cases in rows:
        try:
            found = profiled(options.lab, lab, variant, cases)
        except (OSError, ValueError, KeyError, subprocess.SubprocessError) as error:
            failed.append(f"{lab} {variant}")
            print(f"record_limits: {lab} {variant}: {error}", file=sys.stderr)
            continue
        keep(options.recorded / f"{options.name}_limits.json", found)
        for row in found:
            print(f"{row['lab']} {row['variant']} {row['launcher']} {row['size']}: {row['ms']:.3g} ms", flush=True)
    return 1 if failed else 0


def wanted(bench, solutions, goals):
    """(lab, variant, [(launcher, size)]) of what to profile: of each launcher the size that takes longest, then those
    of goals."""
    longest = {}
    for row in sorted(bench, key=lambda row: row.kernel.median if row.kernel else 0):
        if not row.launcher.endswith("_host"):
            longest.setdefault((row.lab, row.variant), {})[row.launcher] = row.size
    for path in solutions.glob("*/encore.cu"):  # one that was never timed has its solution's sizes
        lab = path.parent.name
        if sizes := longest.get((lab, "solution")):
            longest.setdefault((lab, "encore"), sizes)
    lowest = {"encore": 0, "solution": FIRST_SOLUTION}
    chosen = [key for key in sorted(longest) if int(key[0][:2]) >= lowest.get(key[1], 100)]
    cases = {key: list(longest[key].items()) for key in chosen}
    for goal in goals:
        if (goal.lab, goal.variant) in cases:
            cases[goal.lab, goal.variant].append((goal.launcher, goal.size))
    return [(lab, variant, list(dict.fromkeys(cases[lab, variant]))) for lab, variant in chosen]


def profiled(command, lab, variant, cases):
    """A row for each launcher and size: its longest kernel."""
    command = [*command, "profile", lab, f"--{variant}", "--limits", "--json", "--timeout", "30"]
    for size in dict.fromkeys(size for _, size in cases):
        command += ["--size", size]
    done = subprocess.run(command, capture_output=True, text=True, timeout=150 * len(cases))
    if done.returncode:
        raise ValueError((done.stderr + done.stdout)[-600:].strip())
    launches = json.loads(done.stdout)["launches"]
    rows = []
    for launcher, size in cases:
        mine = [one for one in launches if (one["launcher"], one["size"]) == (launcher, size)]
        if not mine:
            raise ValueError(f"no launch of {launcher} at {size}")
        rows.append({"lab": lab, "variant": variant, "launcher": launcher, "size": size, **summary(mine)})
    return rows


def summary(launches):
    """What limits the longest of the launches; units in per cent of their peak, stalls in shares of the warps' time."""
    total = sum(one["metrics"]["gpu__time_duration.sum"] for one in launches)
    longest = max(launches, key=lambda one: one["metrics"]["gpu__time_duration.sum"])
    metrics = longest["metrics"]
    stalls = {found[1]: value for name, value in metrics.items() if (found := STALL.fullmatch(name))}
    waiting = sum(stalls.values()) or 1
    return {
        "kernel": longest["kernel"],
        "ms": metrics["gpu__time_duration.sum"] / 1e6,
        "share": metrics["gpu__time_duration.sum"] / total if total else 1,
        "read_bytes": metrics.get("dram__bytes_read.sum", 0),
        "written_bytes": metrics.get("dram__bytes_write.sum", 0),
        "units": _units(metrics),
        "registers": metrics.get("launch__registers_per_thread", 0),
        "occupancy": metrics.get("sm__warps_active.avg.pct_of_peak_sustained_active", 0),
        "eligible_warps": metrics.get("smsp__warps_eligible.avg.per_cycle_active", 0),
        "stalls": {name: value / waiting for name, value in stalls.items() if value > 0.005 * waiting},
    }


def _units(metrics):
    """The profiler has several counts of a pipe and of its parts; the largest of the pipe is the one that limits."""
    units = {}
    for unit, names in UNITS.items():
        if known := [metrics[name] for name in names if name in metrics]:
            units[unit] = known[0]
    pipes = [(found[1], value) for name, value in metrics.items() if (found := PIPE.fullmatch(name))]
    for unit, pipe in PIPES.items():
        whole = [value for name, value in pipes if f"{name}_".startswith(f"{pipe}_")]
        if known := whole or [value for name, value in pipes if name.startswith(pipe)]:  # fmaheavy, fmalite
            units[unit] = max(known)
    return units


def keep(target, rows):
    before = json.loads(target.read_text(encoding="utf-8")) if target.exists() else {"limits": []}
    again = {(row["lab"], row["variant"]) for row in rows}
    kept = [row for row in before["limits"] if (row["lab"], row["variant"]) not in again]
    kept = record.with_days(kept, before)
    now = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    recorded = {"date": now[:10], "device": record.gpu("name"), "driver": record.gpu("driver_version")}
    rows = [{**row, "date": now[:10]} for row in rows]
    document = {"schema": 1, "date": now, "backend": "cuda", "recorded": recorded}
    document["limits"] = sorted([*kept, *rows], key=_order)
    target.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def _order(row):
    return (row["lab"], row["variant"], row["launcher"], [int(extent) for extent in row["size"].split("x")])


def _options(arguments):
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("name", help="of the record, such as h200")
    parser.add_argument("--only", nargs="+", metavar="NN", help="these labs, by blanks or commas")
    parser.add_argument("--lab", nargs="+", default=[os.environ.get("LAB", str(ROOT / "lab"))], help="the command")
    parser.add_argument("--solutions", type=pathlib.Path, default=ROOT / "solutions")
    parser.add_argument("--recorded", type=pathlib.Path, default=ROOT / "report/results", help="where records are kept")
    options = parser.parse_args(arguments)
    options.only = [number for word in options.only or [] for number in word.split(",")]
    return options


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/python3
"""Keeps what `lab bench` measured in report/out/results/ as a recorded measurement, report/results/NAME.json.

Rows that the record has and that were not measured again stay, and so do the same CPU's times of rows that were
measured again without the CPU. Exit codes: 0 written, 1 there is nothing to record, 2 a file is damaged.
"""

import argparse
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent


def main(arguments=None):
    options = _options(arguments)
    try:
        documents = [_read(path) for path in sorted(options.results.glob(f"bench-*-{options.backend}.json"))]
        target = options.recorded / f"{options.name}.json"
        before = _read(target) if target.exists() else {"results": []}
        kept = with_days(before["results"], before)
    except ValueError as error:
        print(f"record: {error}", file=sys.stderr)
        return 2
    if not documents:
        print(f"record: {options.results} holds no results of back end {options.backend}", file=sys.stderr)
        return 1
    clock = before.get("recorded", {}).get("sm_clock_mhz")
    cpus = {document.get("device", {}).get("cpu") for document in [before, *documents]}
    driver = options.driver or gpu("driver_version")
    record = merge(documents, kept, driver, clock, same_cpu=len(cpus) == 1)
    target.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    print(f"{target}: {len(record['results'])} rows")
    return 0


def with_days(rows, document):
    """The rows, each with its day; one without has that of its document."""
    day = document.get("recorded", {}).get("date", "")
    return [{"date": day, **row} for row in rows]


def merge(documents, kept, driver="", clock=None, same_cpu=False):
    """All rows in one document, each with its day; of two of the same lab, variant, launcher and size the later one."""
    newest = max(documents, key=lambda document: document["date"])
    rows = {_key(row): row for row in kept}
    cpu_times = {key: _cpu_times(row) for key, row in rows.items()} if same_cpu else {}
    for document in sorted(documents, key=lambda document: document["date"]):
        for row in document["results"]:
            if row["verdict"] == "pass":
                times = {**cpu_times.get(_key(row), {}), **_cpu_times(row)}
                rows[_key(row)] = {**row, **times, "date": document["date"][:10]}
    device = newest["device"]
    recorded = {"date": newest["date"][:10], "device": device.get("name", "unknown device"), "driver": driver}
    recorded["toolkit"] = f"CUDA {device['cuda']}" if "cuda" in device else ""
    if clock:
        recorded["sm_clock_mhz"] = clock
    return {**newest, "recorded": recorded, "results": [rows[key] for key in sorted(rows)]}


def _cpu_times(row):
    return {key: ms for key, ms in row.items() if key.startswith("cpu_") and ms}


def _key(row):
    return (row["lab"], row["variant"], row["launcher"], row["size"])


def _read(path):
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        for row in document["results"]:
            _key(row), row["verdict"]
        return document
    except (OSError, UnicodeDecodeError, json.JSONDecodeError, KeyError, TypeError) as error:
        raise ValueError(f"{path} is no document of lab bench: {error!r}") from error


def gpu(what):
    """Such as name or driver_version, or nothing where there is no GPU."""
    command = ["nvidia-smi", f"--query-gpu={what}", "--format=csv,noheader"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=True)
        return done.stdout.splitlines()[0].strip()
    except (OSError, subprocess.SubprocessError, IndexError):
        return ""


def _options(arguments):
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("name", help="of the record, such as h200")
    parser.add_argument("--backend", default="cuda", choices=["cuda", "sim"])
    parser.add_argument("--driver", help="its version; asked of nvidia-smi if it is not given")
    parser.add_argument("--results", type=pathlib.Path, default=ROOT / "out/results", help="what lab bench left")
    parser.add_argument("--recorded", type=pathlib.Path, default=ROOT / "results", help="where records are kept")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())

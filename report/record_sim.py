#!/usr/bin/python3
"""Profiles on the simulator what the READMEs' references name (`<!--sim 04/solution 2000x5000 load_sectors-->`), and
keeps the counts as report/results/sim.json. It needs no GPU. The same kernels give the same counts on every machine.

With --check it writes nothing and profiles again what the record holds. Exit codes: 0 written or equal, 1 a profile
failed or differs, 2 the record is damaged.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys

from data.documents import DamagedDocument, read, require
from readmes import expression, references
from update_readmes import ROOT, readmes

NAME = "sim"
SEED = "1"  # counts of a histogram depend on its samples
COUNTS = ("requests", "sectors", "sectors_ideal", "wavefronts", "wavefronts_ideal")


def main(arguments=None):
    options = _options(arguments)
    target = options.recorded / f"{NAME}.json"
    try:
        before = recorded(target)
    except DamagedDocument as error:
        print(f"record_sim: {error}", file=sys.stderr)
        return 2
    named = list(before) if options.check else wanted(options.labs, options.solutions)
    chosen = [case for case in named if _is_chosen(case, before.get(case), options)]
    counts, failed = {case: before[case] for case in named if case in before}, False
    for case in chosen:
        try:
            found = profiled(options.lab, *case)
        except (OSError, ValueError, KeyError, subprocess.SubprocessError) as error:
            failed = _complain(case, error)
            continue
        print(*case, f"{requests(found)} requests", flush=True)
        if options.check and found != before[case]:
            failed = _complain(case, f"the simulator counts {found}, the record holds {before[case]}")
        counts[case] = found
    if not options.check:
        rows = [row for case in sorted(counts) for row in counts[case]]
        target.write_text(json.dumps({"schema": 1, "counts": rows}, indent=1) + "\n", encoding="utf-8")
    return 1 if failed else 0


def wanted(labs, solutions):
    """(lab, kernel, size) of every reference to this record."""
    found = set()
    for path in readmes(labs, solutions):
        for match in references.REFERENCE.finditer(path.read_text(encoding="utf-8")):
            words = match["text"].split()
            if NAME not in words:
                continue
            for one in expression.operands(match["text"], {NAME}):
                number, kernel = one.subject.split("/")
                found |= {(lab.name, kernel, one.size) for lab in labs.glob(f"{number}_*")}
    return sorted(found)


def recorded(path):
    """The rows of the record by (lab, kernel, size); none if there is no such file yet."""
    if not path.exists():
        return {}
    document = read(path)
    require(path, document, "counts")
    cases = {}
    for row in document["counts"]:
        cases.setdefault((row["lab"], row["variant"], row["size"]), []).append(row)
    return cases


def requests(rows):
    """How many requests to global, shared and constant memory they made: what a profile's time depends on."""
    counts = [launch["counts"] for row in rows for launch in row["launches"]]
    return sum(count for one in counts for name, count in one.items() if name.endswith("_requests"))


def profiled(command, lab, kernel, size):
    """A row for each launcher."""
    chosen = [*command, "profile", lab, *kernel_option(lab, kernel), "--size", size, "--seed", SEED]
    done = subprocess.run([*chosen, "--backend", "sim", "--timeout", "600", "--json"], capture_output=True, text=True)
    if done.returncode:
        raise ValueError((done.stderr + done.stdout)[-600:].strip())
    rows = {}
    for launch in json.loads(done.stdout)["launches"]:
        name = {"lab": lab, "variant": kernel, "launcher": launch["launcher"], "size": launch["size"]}
        rows.setdefault(launch["launcher"], {**name, "launches": []})["launches"].append(counted(launch))
    if not rows:
        raise ValueError("nothing was launched")
    return [rows[launcher] for launcher in sorted(rows)]


def kernel_option(lab, kernel):
    """The option of `lab` that chooses solution, encore, a file of the solution's peers or a mutant of it."""
    if kernel in ("solution", "encore"):
        return [f"--{kernel}"]
    peer = ROOT / "solutions" / lab / "peers" / f"{kernel}.cu"
    return ["--kernel", str(peer if peer.exists() else ROOT / "tests/mutants" / lab / f"{kernel}.patch")]


def counted(launch):
    """The sums over the lines of a launch, by memory and operation: `load_sectors`, `shared_store_wavefronts`."""
    counts = {"bank_conflicts": sum(line["bank_conflicts"] for line in launch["lines"])}
    for line in launch["lines"]:
        space = "" if line["space"] == "global" else f"{line['space']}_"
        for what in COUNTS:
            name = f"{space}{line['op']}_{what}"
            counts[name] = counts.get(name, 0) + line[what]
    counts = {name: counts[name] for name in sorted(counts) if counts[name]}
    return {"kernel": launch["kernel"], "grid": launch["grid"], "block": launch["block"], "counts": counts}


def _is_chosen(case, rows, options):
    if options.only and not any(case[0].startswith(number) for number in options.only):
        return False
    return rows is None or options.at_most is None or requests(rows) <= options.at_most


def _complain(case, about):
    print("record_sim:", *case, f"- {about}", file=sys.stderr)
    return True


def _options(arguments):
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--check", action="store_true", help="only compare")
    parser.add_argument("--only", nargs="+", metavar="NN", help="profile these labs and keep the rows of the others")
    parser.add_argument("--at-most", type=int, metavar="N", help="leave out what made more than N requests before")
    parser.add_argument("--lab", nargs="+", default=[os.environ.get("LAB", str(ROOT / "lab"))], help="the command")
    parser.add_argument("--labs", type=pathlib.Path, default=ROOT / "labs")
    parser.add_argument("--solutions", type=pathlib.Path, default=ROOT / "solutions")
    parser.add_argument("--recorded", type=pathlib.Path, default=ROOT / "report/results", help="where records are kept")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())

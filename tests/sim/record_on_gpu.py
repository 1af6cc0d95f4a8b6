#!/usr/bin/python3
"""Records on a machine with a GPU, Nsight Compute and compute-sanitizer what recorded_test.py compares: one call.

record_on_gpu.py             every lab's solution at a small size under ncu, beside the simulator's count, and the whole
                             corpus under the tools of compute-sanitizer
record_on_gpu.py new LAB ... only the labs named and the programs of `not_run`; the rest of the record stays
LAB_BUILD names the build. Both write tests/sim/data/h200_recorded.json:
lines that the device counts otherwise go to `not_claimed`, programs with a hazard of which no tool spoke to `silent`.
Whatever was there before keeps its reason; give each new one its own before you commit it, recorded.py has the list.
If a solution changes after its record, keep its old text as tests/sim/data/recorded_kernels/LAB.cu; the next record
removes it.
All that compute-sanitizer printed is kept in LAB_BUILD/compute-sanitizer.
"""

import concurrent.futures
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

import recorded

# Sizes that are not the gate's.
SMALL = {"01": "5000", "02": "64x96", "03": "64x96", "04": "64x96", "05": "65x67x64", "07": "65x67x64"}


def numbers():
    return [folder.name[:2] for folder in sorted(recorded.ROOT.glob("solutions/[0-9][0-9]_*"))]


def key_of(entry):
    return entry["lab"], entry["text"], entry["op"], entry["space"]


def record_lab(number, record, reasons):
    size = ["--size", SMALL[number]] if number in SMALL else []
    options = ["--solution", "--compare", "--timeout", "60", "--seed", "1", "--json", *size]
    both = recorded.run_lab("profile", number, *options, seconds=150)
    if not both["cuda"]["launches"]:
        return print(f"{number}: no launch was seen on the GPU, left out")
    name = both["cuda"]["lab"]
    (recorded.KEPT / f"{name}.cu").unlink(missing_ok=True)
    source = recorded.ROOT / "solutions" / name / "kernel.cu"
    sizes = recorded.sizes_of(both["cuda"])
    measured, simulated = (recorded.lines_of(both[backend], source, sizes) for backend in ("cuda", "sim"))
    entry = {"lab": name, "sizes": sizes, "lines": []}
    for key in sorted(measured.keys() | simulated.keys()):
        text, op, space = key
        requests, moved = measured.get(key, (0, 0))
        entry["lines"].append({"text": text, "op": op, "space": space, "requests": requests, "moved": moved})
        if measured.get(key) != simulated.get(key):
            line = {"lab": name, "text": text, "op": op, "space": space}
            record["not_claimed"].append({**line, "why": reasons.get(key_of(line), recorded.UNKNOWN)})
    record["profiles"].append(entry)


def output_of(command, seconds):
    """What a command printed, or None if it had to be stopped, with all that it started."""
    output = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    process = subprocess.Popen(command, start_new_session=True, **output)
    try:
        return process.communicate(timeout=seconds)[0]
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return None


def findings_of(source, folder, kept):
    """What each tool says of a program; its whole text goes to the folder kept, what is left out to the terminal."""
    program, found = folder / source.stem, []
    output_of(["nvcc", "-std=c++20", "-lineinfo", "-arch=native", source, "-o", program], 120)
    if not program.exists():
        print(f"{source.name}: nvcc refuses it, left out")
        return found
    for tool in recorded.TOOLS:
        said = output_of(["compute-sanitizer", "--tool", tool, program], 20)
        if said is None:
            print(f"{source.name}: stopped under {tool} after 20 s, left out")
            break
        (kept / f"{source.stem}.{tool}.txt").write_text(said)
        if "SUMMARY" not in said:
            print(f"{source.name}: {tool} came to no end, see what it printed")
        for kind, lines in recorded.sanitizer_findings(said):
            found.append({"program": source.name, "tool": tool, "kind": kind, "lines": lines})
    return found


def in_parallel(work, things, at_once):
    """Calls of work, at_once at a time; those that cannot be recorded are named and left out."""

    def one(thing):
        try:
            return work(thing)
        except (RuntimeError, json.JSONDecodeError, KeyError, subprocess.TimeoutExpired) as problem:
            print(f"{thing}: {problem}, left out", flush=True)

    with concurrent.futures.ThreadPoolExecutor(at_once) as workers:
        return list(workers.map(one, things))


def silent_programs(record, reasons):
    """The programs with a hazard that no finding is like."""
    spoken = {f["program"] for f in record["sanitizer"] if recorded.is_expected(f)}
    names = [p.name for p in sorted(recorded.CORPUS.glob("*.cu")) if recorded.expected_hazards(p)]
    return [{"program": n, "why": reasons.get(n, recorded.UNKNOWN)} for n in names if n not in spoken]


def write(record):
    record["profiles"].sort(key=lambda entry: entry["lab"])
    record["not_claimed"].sort(key=lambda line: line["lab"])
    recorded.RECORD.write_text(json.dumps(record, indent=1) + "\n")


def record_profiles(record, labs):
    """Nsight Compute's counts of these labs, in place of the ones there."""
    reasons = {key_of(line): line["why"] for line in record["not_claimed"]}
    for part in ("profiles", "not_claimed"):
        record[part] = [entry for entry in record[part] if entry["lab"][:2] not in labs]
    in_parallel(lambda number: record_lab(number, record, reasons), labs, 4)  # ncu itself takes turns


def with_reason(finding, before):
    """The finding, with the reason that the same one had before, if it had any."""
    known = (one for one in before if {**one, "why": ""} == {**finding, "lines": list(finding["lines"]), "why": ""})
    return {**finding, **next(known, {})}


def record_programs(record, programs):
    """What compute-sanitizer says of these programs of the corpus, in place of what is there."""
    kept = pathlib.Path(os.environ["LAB_BUILD"]) / "compute-sanitizer"
    kept.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        found = in_parallel(lambda source: findings_of(source, pathlib.Path(folder), kept), programs, os.cpu_count())
    names = {source.name for source in programs}
    others = [finding for finding in record["sanitizer"] if finding["program"] not in names]
    new = sum((findings for findings in found if findings), [])
    record["sanitizer"] = others + [with_reason(finding, record["sanitizer"]) for finding in new]
    record["silent"] = silent_programs(record, {p["program"]: p["why"] for p in record["silent"]})
    record["not_run"] = [p for p in record["not_run"] if p["program"] not in names]


def main():
    arguments = sys.argv[1:]
    if arguments and arguments[0] != "new":
        sys.exit(__doc__)
    os.environ.setdefault("LAB_BUILD", str(recorded.ROOT / "build/cuda"))
    device = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], capture_output=True, text=True)
    record = {**json.loads(recorded.RECORD.read_text()), "device": device.stdout.split("\n")[0]}
    programs = sorted(recorded.CORPUS.glob("*.cu"))
    if arguments:
        programs = [recorded.CORPUS / p["program"] for p in record["not_run"]]
    record_profiles(record, arguments[1:] if arguments else numbers())
    write(record)  # here too: the corpus takes longer, and may be stopped
    record_programs(record, programs)
    write(record)
    print(
        f"{len(record['profiles'])} labs, {len(record['not_claimed'])} lines not claimed, "
        f"{len(record['sanitizer'])} findings of compute-sanitizer: {recorded.RECORD}"
    )


if __name__ == "__main__":
    main()

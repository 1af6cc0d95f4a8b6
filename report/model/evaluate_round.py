#!/usr/bin/python3
"""Evaluates a blind round: python3 evaluate_round.py ROUND FOLDER RESULTS

FOLDER is what third_round.py wrote, RESULTS what came from the GPU: GPU_variants_ROUND.json, and ncu.csv.gz if Nsight
Compute ran. Predicts each row that has no prediction yet with `lab model`, prints the errors, and writes the table
of the round in docs/design/time-model.md between the comments <!-- round ROUND --> and <!-- end -->.
"""

import argparse
import csv
import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess

import limiters
import validate
import variants

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
DOCS = ROOT / "docs/design/time-model.md"
SECONDS = 60
COLUMNS = {
    "dram": "dram__throughput.avg.pct_of_peak_sustained_elapsed",
    "l2": "lts__throughput.avg.pct_of_peak_sustained_elapsed",
    "l1": "l1tex__throughput.avg.pct_of_peak_sustained_active",
    "issue": "sm__inst_issued.avg.pct_of_peak_sustained_elapsed",
    "sm": "sm__throughput.avg.pct_of_peak_sustained_elapsed",
}


def modelled(one, size, folder, gpu):
    """One row of `lab model`, or the reason why there is none."""
    build = pathlib.Path(os.environ.get("LAB_BUILD", ROOT / "build/cuda"))
    kernel = folder / f"v{one['number']:03}" / "kernel.cu"
    words = [build / "bin/lab", "model", one["lab"][:2], "--kernel", kernel, "--launcher", one["launcher"]]
    row = {key: one[key] for key in ("lab", "launcher", "name")} | {"size": size, "variant": str(one["number"])}
    root = variants.course_of(one["lab"])
    environment = {**os.environ, "LAB_HOME": str(ROOT), "LAB_ROOT": str(root), "LAB_BUILD": str(build)}
    try:
        run = subprocess.run(
            [*words, "--size", size, "--gpu", gpu],
            env=environment,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return row | {"problem": f"its prediction takes longer than {SECONDS} s"}
    lines = run.stdout.splitlines()
    return json.loads(lines[-1]) | row if lines else row | {"problem": run.stderr.strip()}


def predict_all(folder, out, gpu):
    known = [json.loads(line) for line in out.read_text().splitlines()] if out.exists() else []
    done = {(row["variant"], row["launcher"], row["size"]) for row in known}
    with out.open("a") as file:
        for one in json.loads((folder / "manifest.json").read_text()):
            for size in one["sizes"]:
                if (str(one["number"]), one["launcher"], size) not in done:
                    print(json.dumps(modelled(one, size, folder, gpu)), file=file, flush=True)


def read_ncu(path):
    """(number of the variant, kernel, throughputs) of each launch, in order."""
    with gzip.open(path, "rt") as file:
        lines = [line for line in file if line.startswith('"')]
    for row in csv.DictReader(lines):
        found = re.search(r"v(\d+)::(\w+)", row["Kernel Name"])
        if found:
            values = {name: float(row[column].replace(",", "")) for name, column in COLUMNS.items()}
            yield int(found[1]), found[2], values


def single_launches(launches, rows):
    """The rows whose call is one launch. Two neighboring rows of one variant cannot be told apart."""
    at = 0
    for place, row in enumerate(rows):
        begin = at
        while at < len(launches) and launches[at][0] == row[0]:
            at += 1
        beside = [rows[i][0] for i in (place - 1, place + 1) if 0 <= i < len(rows)]
        if at - begin == 1 and row[0] not in beside:
            yield {
                "number": row[0],
                "launcher": row[1],
                "size": row[2],
                "kernel": launches[begin][1],
                **launches[begin][2],
            }


def write_limiters(results, name, out, device):
    timed = json.loads((results / f"{name}.json").read_text())["rows"]
    rows = [(row["number"], row["launcher"], row["size"]) for row in timed]  # Nsight Compute saw the first of them
    found = list(single_launches(list(read_ncu(results / "ncu.csv.gz")), rows))
    tool = "Nsight Compute: average throughputs in per cent of peak, one launch each, of rows with a single kernel"
    out.write_text(json.dumps({"device": device, "tool": tool, "rows": found}, indent=0) + "\n")


def table(rows, declined):
    groups = {"all": rows}
    for name, low, high in (("shorter than 10 µs", 0, 10), ("10 to 100 µs", 10, 100), ("longer than 100 µs", 100, 1e9)):
        groups[name] = [row for row in rows if low <= row[3] < high]
    for limiter in sorted({row[1] for row in rows}):
        groups[f"limited by {limiter}"] = [row for row in rows if row[1] == limiter]
    lines = ["| | rows | median | p90 | over 30% |", "|---|---|---|---|---|"]
    lines += [f"| {name} | {' | '.join(validate.figures(some))} |" for name, some in groups.items() if len(some) >= 5]
    return "\n".join([*lines, "", f"Declined: {declined} rows. {validate.pairs(rows).capitalize()}."])


def write_docs(number, text):
    docs = DOCS.read_text()
    mark = re.compile(rf"(<!-- round {number} -->\n).*?(<!-- end -->)", re.DOTALL)
    if not mark.search(docs):
        raise SystemExit(f"{DOCS}: no <!-- round {number} -->")
    DOCS.write_text(mark.sub(lambda found: f"{found[1]}\n{text}\n\n{found[2]}", docs))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("round", type=int)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("--gpu", default="h200", help="the column of gpus.md that was timed")
    given = parser.parse_args()
    name = f"{given.gpu}_variants_{given.round}"
    predictions, throughputs = HERE / f"{name}_modelled.jsonl", HERE / f"{name}_limiters.json"
    predict_all(given.folder, predictions, given.gpu)
    shutil.copyfile(given.results / f"{name}.json", HERE / f"{name}.json")
    rows = list(validate.compared(predictions, validate.measured(HERE / f"{name}.json")))
    declined = sum("problem" in json.loads(line) for line in predictions.read_text().splitlines())
    text = table(rows, declined)
    if (given.results / "ncu.csv.gz").exists():
        device = json.loads((HERE / f"{name}.json").read_text())["device"]
        write_limiters(given.results, name, throughputs, device)
        text += f"\nL{limiters.agreement(predictions, throughputs)[0][1:]}."
    print(text)
    write_docs(given.round, text)


if __name__ == "__main__":
    main()

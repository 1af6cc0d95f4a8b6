#!/usr/bin/python3
"""Measures the latency and bandwidth of this machine's GPU memories with measure/memory_levels.cu, and keeps them as
report/results/NAME_memory.json. Takes seconds. Exit codes: 0 kept, 3 no nvcc or no GPU.
"""

import argparse
import datetime
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

import record

HERE = pathlib.Path(__file__).resolve().parent


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("name", help="of the record, such as h200")
    parser.add_argument("--recorded", type=pathlib.Path, default=HERE / "results", help="where records are kept")
    options = parser.parse_args(arguments)
    nvcc = shutil.which("nvcc", path="/usr/local/cuda/bin") or shutil.which("nvcc")
    if not nvcc:
        print("record_memory: nvcc is not installed", file=sys.stderr)
        return 3
    try:
        found = measured(nvcc)
    except subprocess.CalledProcessError as error:
        print(f"record_memory: {error.stderr or error}", file=sys.stderr)
        return 3
    now = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    recorded = {"date": now[:10], "device": record.gpu("name"), "driver": record.gpu("driver_version")}
    document = {"schema": 1, "date": now, "backend": "cuda", "recorded": recorded, **found}
    (options.recorded / f"{options.name}_memory.json").write_text(json.dumps(document, indent=1) + "\n")
    return 0


def measured(nvcc):
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "memory_levels"
        source = HERE / "measure/memory_levels.cu"
        subprocess.run([nvcc, "-O3", "-std=c++20", "-arch=native", source, "-o", program], check=True,
                       capture_output=True, text=True)  # fmt: skip
        return json.loads(subprocess.run([program], check=True, capture_output=True, text=True).stdout)


if __name__ == "__main__":
    sys.exit(main())

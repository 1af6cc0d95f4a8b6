#!/usr/bin/python3
"""Builds and runs the programs of a benchmark suite on the simulator, and prints a table. Fetches nothing.

    lab cc --as-nvcc /tmp/toolkit
    tests/external/build_suite.py /tmp/toolkit ../cuda-samples --folders 'Samples/*/*' --include Common
    tests/external/build_suite.py /tmp/toolkit ../PolyBench-ACC --folders 'CUDA/*/*' --folders 'CUDA/*/*/*' --run

A program is a folder with CUDA sources. Its makefile builds it, else one call of nvcc with all of its sources. With
--run, each program runs without arguments: it passes if it exits with 0 and prints no word of failure.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HOMES = ("CUDA_PATH", "CUDA_HOME", "CUDA_DIR", "CUDA_ROOT", "CUDA_INSTALL_PATH")  # makefiles name the toolkit by one
SOURCES = {".cu", ".cpp", ".cc", ".c"}
FAILURE = re.compile(r"\b(FAILED|FAIL|mismatch|incorrect)\b|Non-Matching.*: [1-9]", re.IGNORECASE)
ERROR = re.compile(r"(?:fatal )?error:? .*|undefined reference.*|cannot find -l.*|No such file.*", re.IGNORECASE)


def environment(toolkit: Path) -> dict[str, str]:
    """The variables that the toolkit's env.sh sets."""
    shown = subprocess.run(["sh", "-c", f". '{toolkit}/env.sh'; env -0"], capture_output=True, check=True)
    return dict(pair.split("=", 1) for pair in shown.stdout.decode().split("\0") if "=" in pair)


def programs(suite: Path, patterns: list[str]) -> list[Path]:
    folders = {folder for pattern in patterns for folder in suite.glob(pattern) if folder.is_dir()}
    return sorted(folder for folder in folders if any(folder.glob("*.cu")))


def limited(command: list[str], folder: Path, variables: dict[str, str], seconds: int) -> tuple[int, str]:
    try:
        done = subprocess.run(
            command, cwd=folder, env=variables, timeout=seconds, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        return done.returncode, done.stdout.decode(errors="replace")
    except subprocess.TimeoutExpired:
        return 124, f"error: more than {seconds} s"


def build(
    folder: Path, include: list[Path], libraries: list[str], variables: dict[str, str], seconds: int
) -> tuple[int, str]:
    if any((folder / name).exists() for name in ("Makefile", "makefile")):
        homes = [f"{name}={variables['CUDA_PATH']}" for name in HOMES]
        return limited(["make", "-B", *homes], folder, variables, seconds)
    sources = sorted(file.name for file in folder.iterdir() if file.suffix in SOURCES)
    flags = [f"-I{each}" for each in include]
    return limited(
        ["nvcc", "-I.", *flags, *sources, *libraries, "-o", f"{folder.name}.exe"], folder, variables, seconds
    )


def executables(folder: Path, older: set[Path]) -> list[Path]:
    files = [file for file in folder.rglob("*") if file.is_file() and file not in older]
    return sorted(f for f in files if os.access(f, os.X_OK) and f.read_bytes()[:4] == b"\x7fELF" and f.suffix != ".o")


def result_of(folder: Path, options: argparse.Namespace, variables: dict[str, str]) -> tuple[str, str]:
    include = [options.working / each for each in options.include]
    older = {file for file in folder.rglob("*") if file.is_file()}
    status, output = build(folder, include, [f"-l{each}" for each in options.library], variables, options.seconds)
    if status != 0:
        found = ERROR.search(output)
        return "does not build", found[0] if found else output.strip()[-100:]
    made = executables(folder, older)
    if not options.run or not made:
        return "builds", ""
    status, output = limited([str(made[0])], folder, variables, options.seconds)
    if status == 0 and not FAILURE.search(output):
        return "passes", ""
    return "fails", (FAILURE.search(output) or ERROR.search(output) or [f"status {status}"])[0]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("toolkit", type=Path, help="the folder that `lab cc --as-nvcc` made")
    parser.add_argument("suite", type=Path, help="a checkout of the suite; it is copied and not changed")
    parser.add_argument("--folders", action="append", default=[], help="pattern of the programs' folders")
    parser.add_argument("--include", action="append", default=[], help="folder of the suite to search for headers")
    parser.add_argument("--library", action="append", default=[], help="library to link with, such as glut")
    parser.add_argument("--run", action="store_true", help="also run each program")
    parser.add_argument("--seconds", type=int, default=120, help="limit of each build and run (default 120)")
    options = parser.parse_args()
    variables = environment(options.toolkit.resolve())
    counts: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as scratch:
        options.working = Path(scratch) / options.suite.name
        shutil.copytree(options.suite, options.working, ignore=shutil.ignore_patterns(".git"))
        for folder in programs(options.working, options.folders or ["*"]):
            word, why = result_of(folder, options, variables)
            counts[word] = counts.get(word, 0) + 1
            print(f"{folder.relative_to(options.working)!s:60} {word:15} {' '.join(why.split())[:120]}", flush=True)
    print(", ".join(f"{count} {word}" for word, count in sorted(counts.items())) or "no folder has a .cu file")
    return 0 if counts else 1


if __name__ == "__main__":
    sys.exit(main())

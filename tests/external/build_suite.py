#!/usr/bin/python3
"""Builds and runs the programs of a benchmark suite on the simulator, and prints a table. Fetches nothing.

    lab cc --as-nvcc /tmp/toolkit
    tests/external/build_suite.py /tmp/toolkit ../cuda-samples --suite cuda-samples --run
    tests/external/build_suite.py /tmp/toolkit ../gpu-rodinia --suite rodinia --run --traced
    tests/external/build_suite.py /tmp/toolkit ../PolyBench-ACC --suite polybench --run
    tests/external/build_suite.py /tmp/toolkit ../compute-sanitizer-samples --suite sanitizer --run --traced

A program is a folder with CUDA sources. Its CMakeLists.txt or makefile builds it, else one call of nvcc with all of its
sources. With --run, each program runs: it passes if it exits with 0 and prints no word of failure, or if it prints what
the description of its suite says. A description may also have commands that make a program's inputs and that check its
output. With --traced, a program must report the hazards that the description lists, and no others. The descriptions are
the JSON files beside this one.
"""

import argparse
import concurrent.futures
import json
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import programs


def environment(toolkit: Path, flags: list[str]) -> dict[str, str]:
    """The variables that the toolkit's env.sh sets, and the flags of every compilation, which contain no blanks."""
    shown = subprocess.run(["sh", "-c", f". '{toolkit}/env.sh'; env -0"], capture_output=True, check=True)
    variables = dict(pair.split("=", 1) for pair in shown.stdout.decode().split("\0") if "=" in pair)
    return {**variables, "LABCC_FLAGS": " ".join([*flags, variables.get("LABCC_FLAGS", "")]).strip()}


def folders_of(suite: Path, patterns: list[str]) -> list[Path]:
    folders = {folder for pattern in patterns for folder in suite.glob(pattern) if folder.is_dir()}
    own_build = ("Makefile", "makefile", "CMakeLists.txt")
    builds = [f for f in folders if any((f / name).exists() for name in own_build) and any(f.rglob("*.cu"))]
    return sorted({*builds, *(folder for folder in folders if any(folder.glob("*.cu")))})


def arguments_of(file: Path | None) -> dict[str, list[str]]:
    """Each program's command lines; in the form of cuda-samples' test_args.json, or a list of them."""
    given = json.loads(file.read_text()) if file else {}
    lines = {}
    for name, entry in given.items():
        if isinstance(entry, dict):
            entry = [" ".join(run["args"]) for run in entry.get("runs", [entry]) if "args" in run]
        if entry:
            lines[name] = entry
    return lines


def description_of(name: str | None) -> dict:
    """What is known about a suite. Options add to it."""
    if not name:
        return {}
    own = Path(__file__).parent / f"{name}.json"
    return json.loads((own if own.exists() else Path(name)).read_text())


def options_of() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("toolkit", type=Path, help="the folder that `lab cc --as-nvcc` made")
    parser.add_argument("suite", type=Path, help="a checkout of the suite; it is copied and not changed")
    parser.add_argument(
        "--suite", dest="suite_name", help="name of a description of the suite, such as rodinia, or a JSON file"
    )
    parser.add_argument("--folders", action="append", default=[], help="pattern of the programs' folders")
    parser.add_argument("--include", action="append", default=[], help="folder of headers, here or in the suite")
    parser.add_argument("--home", help="name by which makefiles look for the suite in the user's home: ~/NAME")
    parser.add_argument("--library", action="append", default=[], help="library to link with, such as glut")
    parser.add_argument("--without", help="leave out programs whose build files or sources match this expression")
    parser.add_argument("--arguments", help="JSON file with each program's command lines, here or in the suite")
    parser.add_argument("--run", action="store_true", help="also run each program")
    parser.add_argument(
        "--flags", default="", help="flags of every compilation by the simulator's nvcc, such as --flags=-DSIZE=64"
    )
    parser.add_argument("--traced", action="store_true", help="compile with --trace and compare the hazards")
    parser.add_argument("--prefix", default="", help="command that starts each build and run: `prlimit --cpu=60:70`")
    parser.add_argument("--jobs", type=int, default=1, help="programs that run at a time (default 1); builds do not")
    parser.add_argument("--seconds", type=int, default=120, help="limit of each build and run (default 120)")
    parser.add_argument("--keep", type=Path, help="use this folder for the copy and leave it there")
    return parser.parse_args()


def print_table(folders: list[Path], context: programs.Context, options: argparse.Namespace) -> dict[str, int]:
    left_out = re.compile(options.without) if options.without else None
    chosen = [folder for folder in folders if not (left_out and left_out.search(programs.text_of(folder)))]
    if failed := programs.configure(chosen, context):
        print(failed)
    counts: dict[str, int] = {"left out": len(folders) - len(chosen)}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as runs:
        pending = [runs.submit(programs.run, programs.built(each, context), context, options.run) for each in chosen]
        for folder, one in zip(chosen, pending, strict=True):
            word, why, spent = one.result()
            counts[word] = counts.get(word, 0) + 1
            name = str(folder.relative_to(context.working))
            print(f"{name:60} {word:15} {spent:5.0f} s  {' '.join(why.split())[:120]}", flush=True)
    return counts


def variables_of(options: argparse.Namespace, about: dict, working: Path, include: list[Path]) -> dict[str, str]:
    flags = [*(["--trace"] if options.traced else []), *shlex.split(options.flags)]
    variables = {**environment(options.toolkit.resolve(), flags), **about.get("variables", {})}
    variables["CPLUS_INCLUDE_PATH"] = ":".join([*map(str, include), variables["CPLUS_INCLUDE_PATH"]])
    if name := options.home or about.get("home"):
        home = working.parent / "home"
        variables["HOME"] = str(home)
        home.mkdir(exist_ok=True)
        if not (home / name).exists():
            (home / name).symlink_to(working)
    return variables


def context_of(options: argparse.Namespace, about: dict, working: Path) -> programs.Context:
    include = [Path(each) if Path(each).is_dir() else working / each for each in options.include]
    include = [folder.resolve() for folder in include]
    places = [Path(options.arguments), working / options.arguments] if options.arguments else []
    places += [working / about["arguments_file"]] if "arguments_file" in about else []
    file = next((place for place in places if place.exists()), None)
    return programs.Context(
        working=working,
        include=include,
        libraries=options.library,
        variables=variables_of(options, about, working, include),
        seconds=options.seconds,
        prefix=shlex.split(options.prefix),
        traced=options.traced,
        arguments=arguments_of(file) | about.get("arguments", {}),
        needs_arguments=about.get("needs_arguments", False),
        prints=about.get("prints", {}),
        hazards=about.get("hazards", {}),
        original=options.suite.resolve(),
        environments=about.get("environments", {}),
        prepare=about.get("prepare", {}),
        check=about.get("check", {}),
    )


def main() -> int:
    options = options_of()
    about = description_of(options.suite_name)
    options.folders = options.folders or about.get("folders", ["*"])
    options.without = options.without or about.get("without")
    with tempfile.TemporaryDirectory() as scratch:
        working = (options.keep or Path(scratch)).resolve() / options.suite.resolve().name
        if not working.exists():
            shutil.copytree(options.suite, working, ignore=shutil.ignore_patterns(".git"))
        context = context_of(options, about, working)
        counts = print_table(folders_of(working, options.folders), context, options)
    print(", ".join(f"{count} {word}" for word, count in sorted(counts.items()) if count) or "no folder has a .cu file")
    return 0 if counts else 1


if __name__ == "__main__":
    sys.exit(main())

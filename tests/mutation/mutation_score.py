"""Measures how many small mistakes in the harness its tests detect.

The script draws a random sample of mutants of the given files, makes one at a time in the working tree, builds it and
runs the tests. It needs the program `mutate` of the Python package universalmutator. Files must have no uncommitted
changes; the script restores them at its end.

    tests/mutation/mutation_score.py --sample 30 --seed 1 \\
        --build 'ninja -C build/sim lab.sim' --artifact build/sim/lib/liblab-sim.so \\
        --test 'ctest --test-dir build/sim -R ^sim.trace --stop-on-failure' common/sim/runtime/tracer/*.cpp
"""

import argparse
import hashlib
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from difflib import unified_diff


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=pathlib.Path, metavar="FILE", help="C++ file to make mistakes in")
    parser.add_argument("--build", required=True, help="shell command that builds what the tests need")
    parser.add_argument("--test", required=True, help="shell command that runs the tests; stop at the first failure")
    parser.add_argument("--artifact", type=pathlib.Path, help="file of the build; a mutant that leaves it unchanged is "
                        "equivalent to the original and does not count")  # fmt: skip
    parser.add_argument("--sample", type=int, default=30, help="mutants that compile and differ (default 30)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the random choice (default 1)")
    parser.add_argument("--timeout", type=float, default=600, help="seconds; a slower test run detects the mutant")
    return parser.parse_args()


def refuse_changed_files(files):
    changed = subprocess.run(["git", "status", "--porcelain", "--", *files], capture_output=True, text=True, check=True)
    if changed.stdout:
        sys.exit(f"mutation_score: commit or stash these files first:\n{changed.stdout}")


def code(text):
    """The lines without comments and blanks: two files with the same code are one program."""
    return [line.split("//")[0].split() for line in text.splitlines() if line.split("//")[0].split()]


def mutants_of(path):
    """Every text that `mutate` makes of a file and that is another program."""
    with tempfile.TemporaryDirectory() as folder:
        made = subprocess.run(["mutate", path, "cpp", "--noCheck", "--mutantDir", folder], capture_output=True)
        if made.returncode != 0:
            sys.exit(f"mutation_score: mutate fails on {path}: {made.stderr.decode(errors='replace')}")
        texts = [one.read_text() for one in sorted(pathlib.Path(folder).iterdir(), key=lambda one: one.name)]
    return [text for text in texts if code(text) != code(path.read_text())]


def succeeds(command, timeout=None):
    try:
        return subprocess.run(command, shell=True, capture_output=True, timeout=timeout).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def content(artifact):
    return artifact and hashlib.sha256(artifact.read_bytes()).digest()


def verdict(options, original):
    if not succeeds(options.build):
        return "does not compile"
    if original and content(options.artifact) == original:
        return "equivalent"
    return "survived" if succeeds(options.test, options.timeout) else "detected"


def judge(options, path, text, original):
    """The verdict of one mutant. The file is itself again afterwards, also after an exception."""
    before = path.read_text()
    try:
        path.write_text(text)
        result = verdict(options, original)
    finally:
        path.write_text(before)
    _, _, place, *change = unified_diff(before.splitlines(), text.splitlines(), n=0, lineterm="")
    line = place.split()[1].lstrip("-").split(",")[0]  # of "@@ -12,3 +12,3 @@"
    print(f"{result}: {path}:{line}\n    " + "\n    ".join(change), flush=True)
    return result


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("mutation_score: terminated"))  # the file is restored
    options = arguments()
    if not shutil.which("mutate"):
        sys.exit("mutation_score: the program mutate is missing: pip install universalmutator")
    refuse_changed_files(options.files)
    if not (succeeds(options.build) and succeeds(options.test)):
        sys.exit("mutation_score: the tests fail without a mutant")
    original = content(options.artifact)
    mutants = [(path, text) for path in options.files for text in mutants_of(path)]
    random.Random(options.seed).shuffle(mutants)
    counts = Counter()
    for path, text in mutants:
        if counts["detected"] + counts["survived"] == options.sample:
            break
        counts[judge(options, path, text, original)] += 1
    succeeds(options.build)  # the build is the original's again
    judged = counts["detected"] + counts["survived"]
    print(f"{counts['detected']} of {judged} mutants detected; {counts['does not compile']} do not compile, "
          f"{counts['equivalent']} are equivalent; {len(mutants)} mutants in all")  # fmt: skip


if __name__ == "__main__":
    main()

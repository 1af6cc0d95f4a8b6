"""Runs CTest for `./lab test` and lists the skipped tests before CTest's own summary.

run_suite.py BUILD [--quick] [--minutes N] [arguments of ctest]
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as xml
from collections import defaultdict

SUMMARY = re.compile(r"\d+% tests passed\b")
SKIPPED = re.compile(r"^SKIPPED(?: (\d+ of \d+))?: (.*)$", re.MULTILINE)


def excluded(quick):
    """The labels that are left out: `student` judges the kernels in labs/, which are still to be written."""
    return "^(student|slow)$" if quick else "^student$"


def jobs():
    """One more than the cores: a test that waits for a program or a time limit leaves its core idle."""
    return len(os.sched_getaffinity(0)) + 1


def ctest_command(build, quick, results, more):
    return [
        "ctest", "--test-dir", build, "-LE", excluded(quick), "--no-tests=error", "--output-on-failure",
        "-j", str(jobs()), "--output-junit", results,
        "--test-output-size-passed", "1000000", "--test-output-size-failed", "1000000", *more,
    ]  # fmt: skip


def skips(results):
    """{reason: [test]} from CTest's JUnit file."""
    found = defaultdict(list)
    for case in xml.parse(results).iter("testcase"):
        skipped = case.find("skipped")
        lines = SKIPPED.findall(case.findtext("system-out") or "")
        if skipped is None:
            lines = [(part, reason) for part, reason in lines if part]
        for part, reason in lines or ([("", skipped.get("message"))] if skipped is not None else []):
            found[reason].append(f"{case.get('name')} ({part})" if part else case.get("name"))
    return found


def table(found):
    lines = [f"Skipped: {sum(map(len, found.values()))} tests" if found else "No test was skipped."]
    for reason, tests in sorted(found.items()):
        lines += [f"  {len(tests):4} because {reason}", *(f"         {test}" for test in tests)]
    return "\n".join(lines)


def run(command, results):
    """CTest's exit status. Its summary is held back until the table has been printed."""
    held = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, errors="replace") as ctest:
        for line in ctest.stdout:
            if held or SUMMARY.match(line):
                held.append(line)
            else:
                print(line, end="", flush=True)
    if pathlib.Path(results).exists():
        print(table(skips(results)) + "\n")
    print("".join(held), end="", flush=True)
    return ctest.returncode


def main():
    parser = argparse.ArgumentParser(allow_abbrev=False, add_help=False)
    parser.add_argument("build")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--minutes", type=float)
    known, more = parser.parse_known_args()
    if known.minutes is not None:
        os.environ["LAB_TESTS_UNTIL"] = str(time.time() + 60 * known.minutes)
    with tempfile.TemporaryDirectory() as folder:
        results = os.path.join(folder, "junit.xml")
        return run(ctest_command(known.build, known.quick, results, more), results)


if __name__ == "__main__":
    sys.exit(main())

"""From save to verdict in `lab watch`, measured; not a test, for a timing is never asserted.

    LAB_BUILD=build/sim /usr/bin/python3 tests/cli/watch_latency.py [NN ...] [--edits 20]

For each lab the solution's kernel is saved again and again, each time with another comment, so that it is compiled
anew. "first" is when the values are known (correct, or FAILED), "all" when hazards and gates are decided as well;
"cpu" is what one edit costs in seconds of all cores, which hardly depends on what else the machine does.
"""

import argparse
import os
import pathlib
import statistics
import tempfile
import time

from conftest import BUILD, checkout
from watching import watching


def cpu_seconds(process):
    """Of a process and of all its descendants that have ended."""
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(") ")[1].split()
    return sum(int(fields[i]) for i in (11, 12, 13, 14)) / os.sysconf("SC_CLK_TCK")


def measure(lab, name, edits):
    kernel = lab.root / "labs" / name / "kernel.cu"
    source = (lab.root / "solutions" / name / "kernel.cu").read_text()
    first, everything = [], []
    with watching(lab.root, BUILD, name) as watch:
        watch.until("q quit", 300)
        begun = cpu_seconds(watch.process.pid)
        for edit in range(edits):
            kernel.write_text(f"{source}// edit {edit} at {time.time_ns()}\n")
            saved = time.monotonic()
            said = watch.until("cases", 300)
            first.append(time.monotonic() - saved)
            said += watch.until("from save to verdict", 300)
            everything.append(time.monotonic() - saved)
            assert "passed" in said, said
            watch.until("q quit")
        spent = (cpu_seconds(watch.process.pid) - begun) / edits
    return statistics.median(first), statistics.median(everything), max(everything), spent


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("labs", nargs="*", help="numbers; without any, all that the simulator runs")
    arguments.add_argument("--edits", type=int, default=20)
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        lab = checkout(pathlib.Path(folder))
        names = sorted(p.name for p in lab.root.glob("labs/[0-9][0-9]_*"))
        print(f"{'seconds, median of ' + str(given.edits):<28}{'first':>8}{'all':>8}{'slowest':>9}{'cpu':>7}")
        for name in names:
            backends = (lab.root / "labs" / name / "lab.cpp").read_text()
            if (given.labs and name[:2] not in given.labs) or '.backends = {"cuda"}' in backends:
                continue
            print(f"{name:<28}" + "{:8.2f}{:8.2f}{:9.2f}{:7.2f}".format(*measure(lab, name, given.edits)), flush=True)


if __name__ == "__main__":
    main()

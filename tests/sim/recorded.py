"""What Nsight Compute and compute-sanitizer said on a GPU, beside what the simulator says of the same programs."""

import json
import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
CORPUS = ROOT / "tests/sim/corpus"
RECORD = ROOT / "tests/sim/data/h200_recorded.json"
TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")

# The words of compute-sanitizer for what the simulator calls a hazard.
KINDS = (
    (re.compile(r"Invalid __(global|shared|local)__ \w+ of size"), "out_of_bounds"),
    (re.compile(r"[Rr]ace reported between"), "race"),
    (re.compile(r"Uninitialized __global__ memory read"), "uninitialized_read"),
    (re.compile(r"Barrier error detected"), "divergent_barrier"),
)
PLACE = re.compile(r" in \S*?([\w.]+\.cuh?):(\d+)")


def run_lab(*arguments, seconds=600):
    """The JSON document of a command; a command that says that something is wrong is no error here."""
    build = pathlib.Path(os.environ.get("LAB_BUILD", ROOT / "build/sim"))
    environment = {**os.environ, "LAB_ROOT": str(ROOT), "LAB_BUILD": str(build)}
    done = subprocess.run([build / "bin/lab", *arguments], env=environment, capture_output=True, text=True, timeout=seconds)
    if not done.stdout:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout)


def lines_of(profile, source):
    """{(text of the line, op, space): (requests, sectors or wavefronts)}, summed over all launches."""
    text = source.read_text().split("\n")
    counts = {}
    for launch in profile["launches"]:
        for line in launch["lines"]:
            if line["file"] != source.name or line["space"] not in ("global", "shared"):
                continue
            key = (text[line["line"] - 1].strip(), line["op"], line["space"])
            moved = line["sectors" if line["space"] == "global" else "wavefronts"]
            requests, before = counts.get(key, (0, 0))
            counts[key] = (requests + line["requests"], before + moved)
    return counts


def sanitizer_findings(output):
    """[(kind, lines)] of what compute-sanitizer printed for one tool; sorted, each once."""
    found, kind, lines = set(), None, set()
    for line in output.split("\n") + ["========="]:
        starts = next((word for pattern, word in KINDS if pattern.search(line)), None)
        if starts or line.strip("= ") == "":
            if kind and lines:
                found.add((kind, tuple(sorted(lines))))
            kind, lines = starts, set()
        # Below the place itself follow the host's calls, and for a race nothing else.
        if kind and "Host Frame" not in line and (place := PLACE.search(line)):
            lines.add(int(place[2]))
    return sorted(found)


def expected_hazards(source):
    """[(kind, lines)] that a program of the corpus says that it has."""
    hazards = re.findall(r"^// hazard: \w+ (\w+) (\d+) (\d+)$", source.read_text(), re.M)
    return [(kind, {int(a), int(b)} - {0}) for kind, a, b in hazards]

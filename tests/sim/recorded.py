"""What Nsight Compute and compute-sanitizer said on a GPU, beside what the simulator says of the same programs."""

import json
import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
CORPUS = ROOT / "tests/sim/corpus"
RECORD = ROOT / "tests/sim/data/h200_recorded.json"
KEPT = ROOT / "tests/sim/data/recorded_kernels"
TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")

# Why Nsight Compute and the simulator count a line differently, and what must then hold for what was measured and for
# what is simulated, each (requests, sectors or wavefronts). Which one it is, nvcc's machine code tells: nvdisasm -g -c.
REASONS = {
    "also executed where no lane is active": lambda measured, ours: measured[0] > ours[0] and measured[1] == ours[1],
    "merged into accesses of 16 bytes": lambda measured, ours: measured[0] < ours[0] and measured[1] < ours[1],
    "kept in registers": lambda measured, ours: measured == (0, 0) < ours,
    "counted at a line of CUDA's header": lambda measured, ours: measured == (0, 0) < ours,
    "a barrier in shared memory, which the simulator does not count": lambda measured, ours: measured > ours == (0, 0),
}
UNKNOWN = "not looked at yet"

# Why compute-sanitizer's record lacks a hazard of the corpus.
SILENCE = (
    "a race in global memory: racecheck looks at shared memory only",
    "a thread that has exited: synccheck counts it as arrived",
    "synccheck said nothing of two barriers on one line",
    "memcheck said nothing of an access just before dynamic shared memory",
    "a race between streams: racecheck looks at shared memory only",
    "shared memory without a value: initcheck looks at global memory only",
    "a constant without a value: initcheck looks at global memory only",
    "nvcc keeps the local array in registers",
    "nvcc leaves out the shuffle of a constant",
    "what the host does, which no tool looks at",
    "a texture's or surface's memory without a value, freed, or in a race: no tool looks at it",
    "an error of a launch, which the tools show and the record does not hold",
    "racecheck said nothing; unlike those it spoke of, the recorded program did not wait for its kernel",
    "nvcc refuses the program",
    "the program hangs on a GPU, and was stopped",
    "an arrival at the barrier of a block that may have ended: no tool looks at it",
    "a cluster's barrier: synccheck only says that the program failed",
    "racecheck said nothing of a race after a cluster's barrier",
)

# Why the simulator does not report what compute-sanitizer found.
FOLLOWS = "a kernel that failed before left this memory without a value, and the simulator reports causes only"

# The words of compute-sanitizer for what the simulator calls a hazard.
KINDS = (
    (re.compile(r"Invalid __(global|shared|remote_shared|local)__ \w+ of size"), "out_of_bounds"),
    (re.compile(r"Potential invalid __shared__ \w+ of size"), "race"),  # of a block that has ended, or not begun
    (re.compile(r"Out-of-range shared or local address"), "out_of_bounds"),  # its words for a surface
    (re.compile(r"Misaligned shared or local address"), "misaligned"),
    (re.compile(r"[Rr]ace reported between"), "race"),
    (re.compile(r"Uninitialized __global__ memory read"), "uninitialized_read"),
    (re.compile(r"Barrier error detected"), "divergent_barrier"),
)
MISALIGNED = re.compile(r"0x\w+ is misaligned")  # a line below: its heading is that of an access out of bounds
# What the simulator may call what compute-sanitizer calls so. To the tool, freed memory and the host's are no memory;
# and who reads what another thread writes without order may come first.
ALIKE = {
    "out_of_bounds": ("out_of_bounds", "use_after_free", "host_pointer"),
    "uninitialized_read": ("uninitialized_read", "race"),
    "race": ("race", "out_of_bounds"),  # to racecheck, a block that the cluster does not have may have ended
}
PLACE = re.compile(r" in \S*?([\w.]+\.cuh?):(\d+)")


class NotHere(RuntimeError):
    """The lab does not run on this back end."""


def run_lab(*arguments, seconds=600):
    """The JSON document of a command; a command that says that something is wrong is no error here."""
    build = pathlib.Path(os.environ.get("LAB_BUILD", ROOT / "build/sim"))
    environment = {**os.environ, "LAB_ROOT": str(ROOT), "LAB_BUILD": str(build)}
    command = [build / "bin/lab", *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=seconds)
    if not done.stdout:
        raise (NotHere if done.returncode == 3 else RuntimeError)(done.stderr)
    return json.loads(done.stdout)


def kernel_of(lab):
    """The source that was recorded: the lab's solution, or what it was then, if it has changed since."""
    kept = KEPT / f"{lab}.cu"
    return kept if kept.exists() else ROOT / "solutions" / lab / "kernel.cu"


def sizes_of(profile):
    """{launcher: size} of a profile that ran each launcher at one size."""
    return {launch["launcher"]: launch["size"] for launch in profile["launches"]}


def lines_of(profile, source, sizes):
    """{(text of the line, op, space): (requests, sectors or wavefronts)}, summed over the launches at these sizes."""
    text = source.read_text().split("\n")
    counts = {}
    for launch in profile["launches"]:
        if sizes.get(launch["launcher"]) != launch["size"]:
            continue
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
        if kind == "out_of_bounds" and MISALIGNED.search(line):
            kind = "misaligned"
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


def is_expected(finding):
    """Whether the program says that it has what compute-sanitizer found, by one of its names, on these lines."""
    if finding.get("why") == FOLLOWS:
        return True
    names = ALIKE.get(finding["kind"], (finding["kind"],))
    expected = expected_hazards(CORPUS / finding["program"])
    return any(kind in names and set(finding["lines"]) <= lines for kind, lines in expected)

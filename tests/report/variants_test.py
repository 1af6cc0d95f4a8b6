"""Each kernel that a README compares with another is a program of the repository, so that its race can be repeated."""

import re

import pytest

from conftest import ROOT

READMES = sorted([*ROOT.glob("labs/*/README.md"), *ROOT.glob("solutions/*/README.md")])
COMMENT = re.compile(r"<!--(.*?)-->", re.DOTALL)
MUTANT = re.compile(r"gate_costs\s+(\d\d)/(\w+)")
RIVAL = re.compile(r"(\w+):(?:time|ratio|bandwidth|throughput)\b")
OPERAND = re.compile(r"(?<!\d)(?<!gate_costs\s)(?<!published\s)(\d\d)/([a-z]\w*)((?:(?!\s/\s).)*)", re.DOTALL)


def exists(*patterns):
    return any(any(ROOT.glob(pattern)) for pattern in patterns)


def without_kernel(lab, name, rest):
    """The kernel of a row, and the rivals that were timed beside it."""
    peers = f"solutions/{lab}_*/peers"
    kernel = f"solutions/{lab}_*/{'kernel' if name == 'solution' else name}.cu"
    if not exists(kernel, f"{peers}/{name}.cu", f"tests/mutants/{lab}_*/{name}.patch"):
        yield f"{lab}/{name}"
    for rival in RIVAL.findall(rest):
        if not exists(f"labs/{rival}", f"{peers}/{rival}.cu"):
            yield f"{lab}: {rival}"


def without_program(text):
    """What the comments of a README compare although no program of the repository runs it."""
    missing = []
    for comment in COMMENT.findall(text):
        for lab, name in MUTANT.findall(comment):
            if not exists(f"tests/mutants/{lab}_*/{name}.patch", f"tests/labs/faster/{lab}_*/{name}.patch"):
                missing.append(f"{lab}/{name}")
        for operand in OPERAND.findall(comment):
            missing += without_kernel(*operand)
    return missing


@pytest.mark.parametrize("readme", READMES, ids=lambda path: "/".join(path.parts[-3:-1]))
def test_what_a_readme_compares_is_a_program(readme):
    assert without_program(readme.read_text()) == []


def test_a_comparison_without_its_program_is_found():
    assert without_program("2.1 times<!--gate_costs 03/tile_of_17 4096x4096 ratio-->") == ["03/tile_of_17"]
    assert without_program("3 µs<!--h200 04/tuned 16384x16384 time-->") == ["04/tuned"]
    assert without_program("3 times<!--h200 04/solution 16384x16384 cutlass:ratio-->") == ["04: cutlass"]
    assert without_program("1.1 times<!--h200 08/encore 16384x16384 cublas:ratio-->") == []

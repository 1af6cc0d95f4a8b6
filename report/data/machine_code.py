"""Reads what `lab report` kept of each kernel's machine code: registers, spills, the lines with most instructions."""

import collections
import dataclasses

LINES = 3  # that the page shows of a kernel
KINDS = 4  # of instructions that it names of a line


@dataclasses.dataclass(frozen=True)
class Line:
    """How many instructions the compiler made of a source line, by kind, and how many of them are spills."""

    number: int
    instructions: int
    kinds: tuple
    spills: int


@dataclasses.dataclass(frozen=True)
class Listed:
    """A source line with its instructions, (text, whether it is a spill) each; line 0 has those of no line here."""

    number: int
    instructions: tuple


@dataclasses.dataclass(frozen=True)
class Kernel:
    name: str
    instructions: int
    registers: int
    shared_bytes: int
    spilled_bytes: int
    lines: tuple  # those of most instructions
    listing: tuple  # every line


@dataclasses.dataclass(frozen=True)
class MachineCode:
    """One kernel file, compiled by nvcc for one architecture."""

    lab: str
    variant: str
    language: str  # SASS, or PTX where the toolkit cannot list SASS
    architecture: str
    kernels: tuple


def read_machine_code(document):
    kernels = tuple(_kernel(one) for one in document["kernels"] if one["resources"])
    language = document["code"].upper()
    return MachineCode(document["lab"], document["variant"], language, document["architecture"], kernels)


def _kernel(one):
    needs = one["resources"]
    by_line = _by_line(one["instructions"])
    return Kernel(
        name=one["name"],
        instructions=len(one["instructions"]),
        registers=needs["registers"],
        shared_bytes=needs["shared_bytes"],
        spilled_bytes=needs["spill_store_bytes"] + needs["spill_load_bytes"],
        lines=_costly_lines(by_line),
        listing=_listing(by_line),
    )


def _by_line(instructions):
    """What comes from headers has the line where it was inlined, or 0 for none."""
    by_line = collections.defaultdict(list)
    for one in instructions:
        by_line[one["line"]].append(one)
    return by_line


def _costly_lines(by_line):
    known = ((number, found) for number, found in by_line.items() if number > 0)
    most = sorted(known, key=lambda item: (-len(item[1]), item[0]))[:LINES]
    return tuple(_line(number, found) for number, found in most)


def _listing(by_line):
    """In the order of the source; what belongs to no line of it comes last."""
    ordered = sorted(by_line.items(), key=lambda item: (item[0] == 0, item[0]))
    return tuple(Listed(number, tuple((one["text"], bool(one["spill"])) for one in found)) for number, found in ordered)


def _line(number, found):
    kinds = collections.Counter(_kind(one["text"]) for one in found)
    named = sorted(kinds.items(), key=lambda item: (-item[1], item[0]))[:KINDS]
    return Line(number, len(found), tuple(named), sum(bool(one["spill"]) for one in found))


def _kind(text):
    """FFMA of "@!P0 FFMA R1, R2, R3, R4", fma of "fma.rn.f32 ..."; the modifiers after a dot are left out."""
    words = [word for word in text.split() if not word.startswith("@")]
    return words[0].split(".")[0].rstrip(";") if words else "?"

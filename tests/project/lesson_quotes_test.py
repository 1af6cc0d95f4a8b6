"""A lesson quotes the messages of gates as the judge prints them."""

import pathlib
import re

import pytest

LABS = pathlib.Path(__file__).resolve().parents[2] / "labs"
NAMES = sorted(path.name for path in LABS.glob("[0-9][0-9]_*"))
# Indented lines: the counted value, perhaps a line of code, then the sentence of the gate.
QUOTE = re.compile(r"^    (.+ pass the gate)\n(?:      [\w.]+:\d+ .*\n)*((?:      \S.*\n)*)", re.MULTILINE)


def quotes(lesson):
    return [(value, " ".join(sentence.split())) for value, sentence in QUOTE.findall(lesson)]


def sentences(name):
    """The string literals of a lab's definition and of what definitions share; neighbours are one literal in C++."""
    sources = [LABS / name / "lab.cpp", *LABS.glob("families/*.hpp")]
    text = "\n".join(path.read_text() for path in sources)
    return re.findall(r'"((?:[^"\\\n]|\\.)*)"', re.sub(r'"\s*\n\s*"', "", text))


def test_there_are_quotes():
    assert sum(len(quotes((LABS / name / "README.md").read_text())) for name in NAMES) >= 4


@pytest.mark.parametrize("name", NAMES)
def test_a_quoted_gate_has_the_sentence_of_its_definition(name):
    for value, sentence in quotes((LABS / name / "README.md").read_text()):
        assert not sentence or sentence in sentences(name), f"{value}: {sentence}"
        assert not re.match(r"1 \w+s\b", value), f"one is no plural: {value}"

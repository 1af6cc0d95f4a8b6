"""`lab explain`: every word that a report may hold is explained; the enumerations are read from the sources."""

import json
import re

import pytest
from conftest import ROOT, needs_patch


def source(path):
    return (ROOT / path).read_text()


def verdicts():
    body = re.search(r"enum class verdict \{(.*?)\};", source("common/judge/verdict.hpp"), re.DOTALL)[1]
    return re.findall(r"^\s+(\w+),", body, re.MULTILINE)


def hazards():
    """The kinds that hazards.md explains; `sim.hazards` holds them against the enumeration."""
    return set(re.findall(r"^## (\w+)", source("common/sim/hazards.md"), re.MULTILINE))


def diagnoses():
    text = "".join(source(f"common/judge/diagnosis{part}.cpp") for part in ("", "_places", "_values"))
    made = re.findall(r'(?:diagnosis|return|push_back\()?\s*\{\s*"([a-z_]+)",', text)
    documented = re.findall(r"^///     (\w+) ", source("common/judge/diagnosis.hpp"), re.MULTILINE)
    assert len(made) > 15 and len(documented) > 25
    return set(made) | set(documented)


def metrics():
    body = re.search(r"enum class traffic \{(.*?)\};", source("common/lab/gate.hpp"), re.DOTALL)[1]
    return re.findall(r"^\s+(\w+),", body, re.MULTILINE)


WORDS = {"verdict": verdicts, "hazard": hazards, "diagnosis": diagnoses, "metric": metrics}


@pytest.mark.parametrize("kind", WORDS)
def test_every_word_of_a_kind_is_explained(lab, kind):
    words = set(WORDS[kind]())
    rows = json.loads(lab.run("explain", "--json").stdout)["explanations"]
    assert len(words) >= 5 and words <= {row["word"] for row in rows}, words - {row["word"] for row in rows}


def test_every_explanation_is_short_and_has_a_next_step(lab):
    rows = json.loads(lab.run("explain", "--json").stdout)["explanations"]
    for row in rows:
        assert all(row[part].strip().endswith((".", "?", ")")) for part in ("meaning", "cause", "next")), row
        assert len(re.findall(r"[.?!](?: |$)", row["meaning"])) <= 3, row["meaning"]
    places = [(row["word"], row["about"]) for row in rows]
    assert len(set(places)) == len(places)


def test_every_word_that_is_listed_can_be_asked_for(lab):
    listed = re.findall(r"^  (\w+)  ", lab.run("explain").stdout, re.MULTILINE)
    assert len(listed) > 50 and len(set(listed)) == len(listed)
    race = lab.run("explain", "race").stdout
    assert "shared memory" in race and "__syncthreads()" in race and "atomic" in race


def test_an_unknown_word_is_wrong_usage(lab):
    result = lab.run("explain", "rcae")
    assert result.returncode == 2 and '"rcae"' in result.stderr and "./lab explain" in result.stderr


@needs_patch
@pytest.mark.parametrize(
    "number, mutant, words",
    [
        ("01", "01_vector_add/no_guard.patch", "./lab explain missing_guard"),
        ("04", "04_transpose_padded/unpadded.patch", "./lab explain bank_conflicts"),
        ("03", "03_transpose_shared/missing_barrier.patch", "./lab explain missing_barrier"),
        ("04", "04_transpose_padded/too_much_shared.patch", "./lab explain compile_error"),
    ],
)
def test_a_failed_check_ends_with_a_next_step_and_the_word_to_ask_for(lab, number, mutant, words):
    said = lab.run("check", number, "--kernel", f"tests/mutants/{mutant}", "--backend", "sim").stdout
    assert "Next: " in said and words in said, said

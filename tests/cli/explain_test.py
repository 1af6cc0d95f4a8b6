"""`lab explain` prints what the words of the reports mean; glossary_test.cpp shows that each has an explanation."""

import json
import re

import pytest

from conftest import needs_patch


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

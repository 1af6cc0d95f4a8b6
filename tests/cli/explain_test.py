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


def test_a_term_of_the_lessons_is_explained(lab):
    warp = lab.run("explain", "warp").stdout
    assert warp.startswith("warp (term)\n") and "32 threads" in warp and "\n  see    lab 01 and lab 02." in warp
    assert "term: streaming multiprocessor" in lab.run("explain", "sm").stdout
    for words in (("bank", "conflict"), ("bank conflict",), ("bank_conflict",)):
        assert lab.run("explain", *words).stdout.startswith("bank conflict (term)\n"), words


def test_a_word_of_the_messages_that_is_a_term_as_well_gets_both(lab):
    race = lab.run("explain", "race").stdout
    assert race.startswith("race (term: data race)\n") and "race (hazard in shared memory)\n" in race


def test_all_words_are_listed_with_the_terms_by_group(lab):
    listed = " ".join(lab.run("explain").stdout.split("terms of the lessons\n")[1].split())
    assert "Threads: thread, warp, lane," in listed and "Memory: global memory, DRAM," in listed
    for row in json.loads(lab.run("explain", "--json").stdout)["terms"]:
        assert row["names"][0] in listed


def test_a_mistyped_term_gets_a_suggestion(lab):
    result = lab.run("explain", "coalesing")
    assert result.returncode == 2 and 'did you mean "coalescing"?' in result.stderr


BOLD = re.compile(r"(?<!^)(?<!^- )\*\*([^*\n`\[]+)\*\*", re.MULTILINE)  # a paragraph's heading begins its line


def terms_in(lesson):
    """What the lesson has in bold as a term: up to three words that are not the heading of a paragraph."""
    return {text for text in BOLD.findall(lesson) if len(text.split()) <= 3 and not text.endswith((".", "?", ":"))}


def test_every_term_that_a_lesson_has_in_bold_is_in_the_glossary(lab):
    known = json.loads(lab.run("explain", "--json").stdout)["terms"]
    names = {name.lower() for row in known for name in row["names"]}
    lessons = sorted(lab.root.glob("labs/[0-9][0-9]_*/README.md"))
    used = {(path.parent.name, text.lower()) for path in lessons for text in terms_in(path.read_text())}
    assert len(used) > 20
    assert [one for one in sorted(used) if not {one[1], one[1].removesuffix("s")} & names] == []


def test_every_link_of_the_glossary_and_to_it_leads_somewhere(lab):
    glossary = lab.root / "labs/glossary.md"
    headings = re.findall(r"^#+ (.+)$", glossary.read_text(), re.MULTILINE)
    anchors = {re.sub(r"[^a-z0-9 -]", "", heading.lower()).replace(" ", "-") for heading in headings}
    for path in re.findall(r"\]\(([^)#]+)\)", glossary.read_text()):
        assert (glossary.parent / path).exists(), path
    linked = [(page, anchor) for page in lab.root.glob("labs/**/*.md")
              for anchor in re.findall(r"glossary\.md#([^)]+)\)", page.read_text())]  # fmt: skip
    assert len(linked) > 10 and [one for one in linked if one[1] not in anchors] == []


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

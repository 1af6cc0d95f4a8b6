"""What the checks of prose take for a sentence, and what they find."""

import pathlib
import re
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from prose import broken_rules, comments_with_bad_words, too_hard  # noqa: E402
from prose_text import only_prose, sentences  # noqa: E402
from reading_grade import reading_grade, syllables  # noqa: E402

LONG = " ".join(["word"] * 26)


def found(markdown):
    return [(s.line, s.text) for s in sentences(markdown)]


def test_sentences_have_the_lines_where_they_begin():
    assert found("# A head\n\nOne here. Two\ngoes on: three.\n\n- Four.\n") == [
        (1, "A head"),
        (3, "One here."),
        (3, "Two goes on:"),
        (4, "three."),
        (6, "Four."),
    ]


@pytest.mark.parametrize(
    "no_prose",
    ["    nobody();", "```\nnobody\n```", "| nobody | 1 |", "<!-- nobody -->", "`nobody`", "[x](nobody.md)"],
)
def test_code_tables_comments_and_addresses_are_no_prose(no_prose):
    assert list(broken_rules(f"Text.\n\n{no_prose}\n")) == []
    assert [line for line, _ in broken_rules(f"{no_prose}\n\nNobody.\n")] == [no_prose.count("\n") + 3]


def test_code_in_a_list_item_is_prose_again_after_it():
    assert [line for line, _ in broken_rules("- One\n  two.\n\nText:\n\n    code\n\nNobody.\n")] == [8]


def test_code_below_a_list_item_is_no_prose():
    assert list(broken_rules("1. Write:\n\n       nobody();\n\n   Then go on.\n")) == []
    assert [line for line, _ in broken_rules("1. Write:\n\n   Nobody.\n")] == [3]


def test_a_sentence_of_26_words_is_too_long_and_names_and_sizes_count_as_one():
    ((line, wrong),) = broken_rules(f"Short.\n{LONG}.\n")
    assert line == 2 and "26 words" in wrong
    assert list(broken_rules(f"{LONG[5:]}.\n")) == []
    assert list(broken_rules(LONG.replace("word word word", "`a b c` 64 x 64 x 64", 1) + ".\n")) == []


def test_a_forbidden_word_comes_with_the_better_one():
    ((_, wrong),) = broken_rules("The warp walks over the rows.\n")
    assert '"walks"; better: visit' in wrong


@pytest.mark.parametrize(
    ("word", "count"),
    [("thread", 1), ("threads", 1), ("tile", 1), ("tiles", 1), ("table", 2), ("loaded", 2), ("named", 1)]
    + [("accesses", 3), ("element", 3), ("multiprocessor", 5), ("code12", 1), ("4099", 1)],
)
def test_syllables_are_counted_as_they_are_spoken(word, count):
    assert syllables(word) == count


def test_the_reading_grade_is_that_of_the_formula():
    # 6 words and 6 syllables in one sentence: 0.39 * 6 + 11.8 * 1 - 15.59
    assert reading_grade("# A heading of syllables\n\nThe block waits for the threads.\n") == pytest.approx(-1.45)


def test_a_lesson_in_long_words_is_too_hard_and_a_plain_one_is_not():
    hard = "Simultaneous utilisation of heterogeneous computational resources necessitates sophisticated coordination."
    assert "shorten" in too_hard(hard)
    assert too_hard("Each thread loads one element. Then all threads of the block wait at a barrier.") is None


def test_the_name_in_place_of_code_repeats_nothing_of_the_number_behind_it():
    prose = only_prose("\n\n".join(f"`a` {number}" for number in range(200)))
    assert "code101_ 101" in prose and not re.search(r"(\d)[ ]\1", prose)


def test_a_word_is_found_in_a_comment_of_a_kernel_and_not_in_its_code():
    source = "int lies = 0;\n__syncthreads();  // nobody reads the tiles\n// The block reads a tile.\n"
    ((line, wrong),) = comments_with_bad_words(source)
    assert line == 2 and '"nobody"' in wrong

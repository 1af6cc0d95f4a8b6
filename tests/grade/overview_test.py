"""The class page: distribution per lab, the most frequent causes, who is stuck where."""

import html.parser
import json
import re
import subprocess

import pytest

import browser
from conftest import ROOT, SOLUTIONS, solution

PAGES = ROOT / "common/grade/report/pages/pages.py"
EVIL = "</table><script>alert(1)</script><img src=x onerror=alert(1)>'\" {{ 7*7 }}"


EXITS = "#include <cstdio>\n#include <cstdlib>\n" + solution(SOLUTIONS[0].name)
EXITS += 'static const struct early {\n  early() { std::exit(!std::puts("PASS")); }\n} at_once;\n'


def row(student, lab="01_vector_add", verdict="pass", points=10, diagnosis="none", **more):
    folder = "".join(filter(str.isalnum, student))
    return {
        "student": student, "page": f"students/{folder}/index.html", "lab": lab, "verdict": verdict,
        "points": points, "max_points": 10, "message": "", "file": "", "stages": [], "cases": [], "advice": [],
        "speed": [], "diagnosis": diagnosis, "extra": 0, "max_extra": 0, "gates_passed": 0, "gates_total": 0,
        "gates_count": "points", "hidden_passed": 0, "hidden_total": 0, "late_days": 0, "penalty": 0, **more,
    }  # fmt: skip


def page(folder, rows):
    (folder / "grades.json").write_text(json.dumps({"schema": 1, "rows": rows}))
    done = subprocess.run(["/usr/bin/python3", "-I", PAGES, folder], text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    return (folder / "index.html").read_text(encoding="utf-8")


class plain(html.parser.HTMLParser):
    """The text of each section, by its heading."""

    def __init__(self, text):
        super().__init__()
        self.sections, self.now, self.heading = {}, None, False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.heading = tag == "h2"
        if tag == "h2":
            self.now = ""

    def handle_data(self, data):
        if self.heading:
            self.now, self.heading = data, False
        elif self.now:
            self.sections[self.now] = " ".join((self.sections.get(self.now, "") + " " + data).split())


def small_class():
    return [
        row("ada"), row("bob", points=5, verdict="gate", diagnosis="uncoalesced"),
        row("eve", points=0, verdict="wrong_answer", diagnosis="uncoalesced"),
        row("dan", points=0, verdict="compile_error"), row("fay", points=0, verdict="collect_error"),
        row("ada", "02_transpose_naive"), row("bob", "02_transpose_naive", "wrong_answer", 2, "missing_guard"),
    ]  # fmt: skip


def test_each_lab_shows_its_distribution(tmp_path):
    text = page(tmp_path, small_class())
    labs = plain(text).sections["Labs"]
    assert "01_vector_add passed: 1 of 5 median: 0 of 10 1 1 2 1" in labs
    assert "02_transpose_naive passed: 1 of 2 median: 6 of 10 1 1" in labs
    assert re.findall(r'part(\d)" style="width: ([\d.]+)%', text) == [
        ("0", "20.00"), ("1", "20.00"), ("3", "40.00"), ("4", "20.00"), ("0", "50.00"), ("2", "50.00")]  # fmt: skip


def test_the_most_frequent_causes_come_first(tmp_path):
    causes = plain(page(tmp_path, small_class())).sections["Most frequent causes"]
    assert causes.startswith("cause kernels labs uncoalesced 2 01 compile_error 1 01 missing_guard 1 02")


def test_students_are_listed_where_they_are_stuck(tmp_path):
    stuck = plain(page(tmp_path, small_class())).sections["Who is stuck where"]
    assert stuck == (
        "01_vector_add uncoalesced (2): bob , eve compile_error (1): dan Nothing to grade: 1 "
        "02_transpose_naive missing_guard (1): bob"
    )


def test_what_cannot_be_read_is_nothing_to_grade_and_a_cause_of_its_own(tmp_path):
    text = page(tmp_path, [row("ada"), row("kim", points=0, verdict="unreadable")])
    assert re.findall(r'part(\d)" style="width: ([\d.]+)%', text) == [("0", "50.00"), ("4", "50.00")]
    assert plain(text).sections["Who is stuck where"] == "01_vector_add unreadable (1): kim"


def test_a_kernel_that_never_ran_is_listed_by_its_verdict(room):
    room.hand_in("dan", _01="#error no")
    room.hand_in("leo", _01=EXITS)
    assert room.grade("--labs", "01").returncode == 0
    assert [room.row(student)["diagnosis"] for student in ("dan", "leo")] == ["none", "none"]
    sections = plain((room.out / "index.html").read_text()).sections
    assert "compile_error 1 01 exited_early 1 01" in sections["Most frequent causes"]
    assert "compile_error (1): dan exited_early (1): leo" in sections["Who is stuck where"]
    assert "the program ended with exit code 0" in room.row("leo")["message"]


def test_a_class_without_failures_has_empty_lists(tmp_path):
    text = page(tmp_path, [row("ada", max_points=0, points=0)])
    assert "Every kernel that was handed in passes." in text and "Every kernel passes." in text


def test_hostile_names_and_causes_are_text(tmp_path):
    text = page(tmp_path, [row(EVIL, EVIL, EVIL, diagnosis=EVIL), row(EVIL, EVIL, "wrong_answer", 1, EVIL)])
    text = text[text.index("<body>") :]
    assert "<script" not in text and "<img" not in text and "49" not in text
    assert text.count("&lt;script&gt;") >= 6 and "{{ 7*7 }}" in text


@pytest.mark.skipif(bool(browser.MISSING), reason=browser.MISSING)
@pytest.mark.parametrize("width", [400, 1400])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_page_fits_narrow_and_wide_windows_in_both_themes(tmp_path, width, theme):
    rows = [row(f"student_with_a_long_name_{i}", f"{lab:02}_matmul_work_per_thread", *kind)
            for i in range(30) for lab in range(1, 18)
            for kind in [(("pass", 10), ("gate", 5, "uncoalesced"), ("collect_error", 0))[(i * lab) % 3]]]  # fmt: skip
    page(tmp_path, [*rows, row(EVIL * 3, verdict="wrong_answer", points=1)])
    with browser.browser(tmp_path / "profile") as tab:
        tab.size(width, 900)
        tab.media(theme=theme)
        tab.open(f"file://{tmp_path}/index.html")
        assert tab.value("document.documentElement.scrollWidth") <= width
        assert not tab.errors
        dark = tab.value("getComputedStyle(document.body).backgroundColor") == "rgb(24, 26, 27)"
        assert dark == (theme == "dark")
        tab.picture(tmp_path / f"{width}-{theme}.png")

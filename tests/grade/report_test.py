"""Reports contain untrusted text. They must still parse, and the text must have no effect."""
# ctest: slow

import html.parser
import json
import subprocess
import sys
import xml.etree.ElementTree

import pytest

from conftest import HOSTILE, ROOT, SOLUTIONS, classroom, solution

sys.path.insert(0, str(ROOT / "report"))
from data import documents  # noqa: E402

PAGES = ROOT / "common/grade/report/pages/pages.py"
LAB_01 = SOLUTIONS[0].name
FORBIDDEN = [chr(c) for c in (*range(9), *range(11, 13), *range(14, 32), *range(0x7F, 0xA0), 0x202E)]


class tags(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.found, self.open, self.text = [], [], ""

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))
        if tag not in ("meta",):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


@pytest.fixture(scope="module")
def room(class_folder):
    """A class that is graded once; the tests only read its reports."""
    room = classroom(class_folder)
    room.hand_in("=cmd|' calc'!A0", _01=solution(LAB_01))
    room.hand_in("<script>alert(1)<script>", _01=(HOSTILE / "report_inject.cu").read_text())
    room.hand_in("ann\x1b[31m\u202ey", _01=(HOSTILE / "report_inject_output.cu").read_text())
    room.hand_in("::error::x", _01="no")
    room.printed = room.grade("--labs", "01")
    assert room.printed.returncode == 0, room.printed.stderr
    return room


def every_report(room):
    return [p for p in room.out.rglob("*") if p.is_file() and ".grade" not in p.parts]


def test_no_report_contains_control_characters_or_terminal_escapes(room):
    for file in every_report(room):
        text = file.read_text(encoding="utf-8")
        assert not [c for c in FORBIDDEN if c in text], file
        assert not [c for c in FORBIDDEN if c in str(file.relative_to(room.out))], file
    assert "\x1b" not in room.printed.stdout + room.printed.stderr
    assert "::error::" not in room.printed.stdout + room.printed.stderr


def test_no_cell_of_grades_csv_is_a_formula(room):
    rows = room.table()
    assert len(rows) == 4
    for cell in (cell for row in rows for cell in row.values()):
        assert not cell.strip().startswith(("=", "+", "@", "|", "%")), cell
    assert sorted(row["verdict"] for row in rows) == ["compile_error", "compile_error", "pass", "wrong_answer"]


def test_junit_parses_and_counts(room):
    suite = xml.etree.ElementTree.parse(room.out / "junit.xml").getroot().find("testsuite")
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("4", "3", "0")
    assert len(suite.findall("testcase/failure")) == 3
    assert "::" not in (room.out / "junit.xml").read_text()


def test_pages_have_no_scripts_or_outside_links_and_close_every_tag(room):
    pages = list(room.out.rglob("index.html"))
    assert len(pages) == 5
    for file in pages:
        page = tags()
        page.feed(file.read_text(encoding="utf-8"))
        assert not page.open, file
        assert {tag for tag, _ in page.found} <= {
            "html", "head", "meta", "title", "style", "body", "h1", "h2", "p", "table", "tr", "td", "th", "span", "a",
            "pre", "details", "summary", "code",
        }  # fmt: skip
        for _, attributes in page.found:
            assert not [name for name in attributes if name.startswith("on") or name == "src"]
            assert "://" not in attributes.get("href", "") and ".." not in attributes.get("href", "")


def test_hostile_messages_stay_readable(room):
    texts = "".join(file.read_text(encoding="utf-8") for file in (room.out / "students").rglob("index.html"))
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in texts and "HYPERLINK" in texts


def pages_for(folder, rows):
    """The pages for these rows, by path."""
    (folder / "grades.json").write_text(json.dumps({"schema": 1, "rows": rows}))
    done = subprocess.run(["/usr/bin/python3", PAGES, folder], text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    return {str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in folder.rglob("index.html")}


def row(student, page, **more):
    return {
        "student": student, "page": f"students/{page}/index.html", "lab": "01_vector_add", "verdict": "pass",
        "points": 1.0, "max_points": 2, "message": "", "file": "", "stages": [], "cases": [], "advice": [],
        "speed": [],
        "diagnosis": "none", "extra": 0, "max_extra": 0, "gates_passed": 0, "gates_total": 0, "gates_count": "points",
        "hidden_passed": 0,
        "hidden_total": 0, "late_days": 0, "penalty": 0, **more,
    }  # fmt: skip


def test_every_text_of_a_row_is_escaped(tmp_path):
    evil = "</pre></title></style><script>alert(1)</script><img src=x onerror=alert(1)>\"' {{ 7*7 }} {% raw %} &amp;"
    case = {"name": evil, "verdict": evil, "message": evil}
    speed = {"size": evil, "clock": evil, "too_short": False, "ms": 1, "solution_ms": 1, "ratio": 1, "points": 1,
             "max_points": 1}  # fmt: skip
    stage = {"stage": evil, "title": evil, "verdict": evil}
    lists = {"stages": [stage], "cases": [case], "advice": [case], "speed": [speed]}
    hostile = row(evil, "x", lab=evil, verdict=evil, message=evil, file=evil, **lists)
    pages = pages_for(tmp_path, [hostile])
    assert set(pages) == {"index.html", "students/x/index.html"}
    for name, text in pages.items():
        page = tags()
        page.feed(text)
        assert not page.open and not {"script", "img"} & {tag for tag, _ in page.found}, name
        assert evil[:30] in page.text and "{{ 7*7 }}" in page.text and "49" not in page.text
    page = tags()
    page.feed(pages["students/x/index.html"])
    assert page.text.count(evil) >= 8


def test_two_students_with_equal_names_have_a_page_each(tmp_path):
    pages = pages_for(
        tmp_path, [row("ann", "ann~1"), row("ann", "ann~2"), row("ann", "ann~1", lab="02_transpose_naive")]
    )
    assert len(pages) == 3 and pages["students/ann~1/index.html"].count("<h2>") == 2
    assert pages["index.html"].count('href="students/ann') == 2 and "2 of 4" in pages["index.html"]


def test_a_large_class_gets_all_pages(tmp_path):
    case = {"name": "vector_add 1000", "verdict": "wrong_answer", "message": "x" * 4096}
    rows = [row(f"s{i}", f"s{i}", verdict="wrong_answer", cases=[case]) for i in range(600) for _ in range(5)]
    assert len(pages_for(tmp_path, rows)) == 601


def test_json_documents_match_their_schemas(room):
    for path in (room.out / "grades.json", *room.out.rglob("results.json")):
        documents.require(path, json.loads(path.read_text()), "grades" if path.name == "grades.json" else "gradescope")


def test_gradescope_gets_plain_text_and_hides_the_output_of_kernels(room):
    for file in room.out.rglob("results.json"):
        document = json.loads(file.read_text(encoding="utf-8"))
        assert document["stdout_visibility"] == "hidden"
        assert document["score"] == sum(test["score"] for test in document["tests"])
        assert all(test["output_format"] == "text" for test in document["tests"])

"""Reports hold text from strangers: it must parse, and do nothing."""
# ctest: slow

import html.parser
import json
import subprocess
import xml.etree.ElementTree
import zipfile

from conftest import HOSTILE, SOLUTIONS, solution

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


def graded(room):
    room.hand_in("=cmd|' calc'!A0", _01=solution(LAB_01))
    room.hand_in("<script>alert(1)<script>", _01=(HOSTILE / "report_inject.cu").read_text())
    room.hand_in("ann\x1b[31m\u202ey", _01=(HOSTILE / "report_inject_output.cu").read_text())
    room.hand_in("::error::x", _01="no")
    result = room.grade("--labs", "01")
    assert result.returncode == 0, result.stderr
    return result


def every_report(room):
    return [p for p in room.out.rglob("*") if p.is_file() and ".grade" not in p.parts]


def test_no_report_holds_a_control_character_or_a_terminal_escape(room):
    result = graded(room)
    for file in every_report(room):
        text = file.read_text(encoding="utf-8")
        assert not [c for c in FORBIDDEN if c in text], file
        assert not [c for c in FORBIDDEN if c in str(file.relative_to(room.out))], file
    assert "\x1b" not in result.stdout + result.stderr
    assert "::error::" not in result.stdout + result.stderr


def test_no_cell_of_the_table_is_a_formula(room):
    graded(room)
    rows = room.table()
    assert len(rows) == 4
    for cell in (cell for row in rows for cell in row.values()):
        assert not cell.strip().startswith(("=", "+", "@", "|", "%")), cell
    assert sorted(row["verdict"] for row in rows) == ["compile_error", "compile_error", "pass", "wrong_answer"]


def test_junit_parses_and_counts(room):
    graded(room)
    suite = xml.etree.ElementTree.parse(room.out / "junit.xml").getroot().find("testsuite")
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("4", "3", "0")
    assert len(suite.findall("testcase/failure")) == 3
    assert "::" not in (room.out / "junit.xml").read_text()


def test_pages_hold_no_script_no_link_elsewhere_and_close_every_tag(room):
    graded(room)
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


def test_the_text_of_a_hostile_message_is_still_there_to_read(room):
    graded(room)
    texts = "".join(file.read_text(encoding="utf-8") for file in (room.out / "students").rglob("index.html"))
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in texts and "HYPERLINK" in texts


def test_gradescope_gets_plain_text_and_hides_the_output_of_kernels(room):
    graded(room)
    for file in room.out.rglob("results.json"):
        document = json.loads(file.read_text(encoding="utf-8"))
        assert document["stdout_visibility"] == "hidden"
        assert document["score"] == sum(test["score"] for test in document["tests"])
        assert all(test["output_format"] == "text" for test in document["tests"])


def test_the_autograder_for_gradescope_holds_scripts_policy_and_project_but_nothing_built(room):
    policy = room.policy({"default": {"points": 5}})
    folder = room.out.with_name("gradescope")
    result = room.grade("--make-gradescope", folder, *policy)
    assert result.returncode == 0, result.stderr
    with zipfile.ZipFile(folder / "autograder.zip") as archive:
        names = archive.namelist()
        assert {"setup.sh", "run_autograder", "policy.json", "kernel-lab/lab"} <= set(names)
        assert f"kernel-lab/solutions/{LAB_01}/kernel.cu" in names
        assert not [n for n in names if "/build/" in n or "/.git/" in n]
        assert json.loads(archive.read("policy.json")) == {"default": {"points": 5}}
        for script in ("setup.sh", "run_autograder", "kernel-lab/lab"):
            assert archive.getinfo(script).external_attr >> 16 & 0o111, script
        for script in ("setup.sh", "run_autograder"):
            subprocess.run(["sh", "-n"], input=archive.read(script), check=True)

"""The commands around the kernels: list, next, hint, reset, doctor, cc, report, new."""
# ctest: slow

import json
import subprocess

import pytest

from conftest import ROOT


def test_list_names_every_lab_in_order(lab):
    document = json.loads(lab.run("list", "--json").stdout)
    assert document["schema"] == 1
    names = [row["lab"] for row in document["labs"]]
    assert names == sorted(p.name for p in ROOT.glob("labs/[0-9][0-9]_*"))
    assert all({"lab", "title", "backends", "state"} <= row.keys() for row in document["labs"])


def test_next_points_at_the_first_lab_that_is_not_passed(lab):
    assert "labs/01_vector_add/README.md" in lab.run("next").stdout


def test_hints_come_one_by_one_and_the_last_stays(lab):
    shown = [lab.run("hint", "03").stdout for _ in range(4)]
    assert "(1 of 3" in shown[0] and "(2 of 3" in shown[1] and "(3 of 3" in shown[2]
    assert shown[2] == shown[3] and "<!--" not in "".join(shown)
    assert lab.run("hint", "03", "1").stdout == shown[0]


def test_a_damaged_state_file_is_set_aside(lab):
    (lab.root / ".lab").mkdir()
    (lab.root / ".lab/state.json").write_text("{ not json")
    result = lab.run("list")
    assert result.returncode == 0 and "was damaged" in result.stderr
    assert [p.read_text() for p in (lab.root / ".lab").glob("*.damaged")] == ["{ not json"]


def test_reset_brings_the_starter_back_without_git_and_keeps_the_students_version(lab):
    assert not (lab.root / ".git").exists()
    kernel = lab.root / "labs/03_transpose_shared/kernel.cu"
    kernel.write_text("// mine, first\n")
    assert lab.run("reset", "03").returncode == 0
    kernel.write_text("// mine, second\n")
    assert lab.run("reset", "03").returncode == 0
    assert kernel.read_text() == (lab.root / "solutions/03_transpose_shared/starter.cu").read_text()
    kept = {p.read_text() for p in (lab.root / ".lab/kept/03_transpose_shared").glob("*.cu")}
    assert kept == {"// mine, first\n", "// mine, second\n"}
    assert "already" in lab.run("reset", "03").stdout


def test_doctor_says_what_can_run(lab):
    document = json.loads(lab.run("doctor", "--json").stdout)
    assert document["usable"] is True
    assert {"back end sim", "back end cuda", "C++ compiler"} <= {f["what"] for f in document["findings"]}
    for finding in document["findings"]:
        assert finding["good"] or finding["cure"], finding


def test_cc_compiles_a_program_of_ones_own(lab, tmp_path):
    source = tmp_path / "hello.cu"
    source.write_text(
        '#include <cstdio>\n__global__ void hello() { printf("thread %d\\n", threadIdx.x); }\n'
        "int main() { hello<<<1, 3>>>(); return cudaDeviceSynchronize(); }\n"
    )
    assert lab.run("cc", str(source), "-o", str(tmp_path / "hello")).returncode == 0
    said = subprocess.run([tmp_path / "hello"], capture_output=True, text=True)
    assert said.returncode == 0 and said.stdout.split("\n")[:3] == ["thread 0", "thread 1", "thread 2"]
    assert lab.run("cc").returncode == 2


def test_report_makes_a_page_of_the_course(lab):
    result = lab.run("report")
    assert result.returncode == 0, result.stderr
    page = (lab.root / "report/out/course.html").read_text()
    assert "02_transpose_naive" in page and "<svg" in page


def test_every_command_has_help_with_an_example(lab):
    overview = lab.run("--help").stdout
    commands = "list next watch check bench profile predict run hint explain reset report app demo doctor test cc"
    for command in [*commands.split(), "new", "editor"]:
        assert command in overview
        if command != "cc":  # its arguments are the compiler's
            assert "Example: ./lab " + command in lab.run(command, "--help").stdout


def test_a_new_lab_is_made_of_the_template_with_its_own_name(lab):
    assert lab.run("new", "98_prefix_sum").returncode == 0
    trees = ("labs", "solutions", "tests/mutants")
    made = [p for tree in trees for p in (lab.root / tree / "98_prefix_sum").iterdir()]
    assert len(made) == 5 + 3 + 6
    for file in made:
        assert not any(place in file.read_text() for place in ("NN", "TITLE")), file
    assert (lab.root / "labs/98_prefix_sum/README.md").read_text().startswith("# 98 · prefix sum\n")


TAKEN_OR_ODD = [
    ("04_again", "labs/04_transpose_padded uses the number 04"),
    ("scan", "two digits"),
    ("98_../x", "two digits"),
]


@pytest.mark.parametrize("name, words", TAKEN_OR_ODD)
def test_a_new_lab_needs_a_free_number_and_a_plain_name(lab, name, words):
    result = lab.run("new", name)
    assert result.returncode == 2 and words in result.stderr
    assert not list(lab.root.glob("**/04_again")) and not list(lab.root.glob("labs/98*"))

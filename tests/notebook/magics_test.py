"""What %%lab, %%cuda and %lab show, with the real commands."""

import json
import pathlib
import re
import tempfile

import pytest

from conftest import ROOT, interrupt_when, processes_with
from waiting import wait_until

pytest.importorskip("IPython", reason="python3-ipykernel is not installed")
from IPython.core.displaypub import CapturingDisplayPublisher  # noqa: E402
from IPython.core.interactiveshell import InteractiveShell  # noqa: E402

TRANSPOSE = "03_transpose_shared"
OVERRUN = """\
#include <cstdio>
__global__ void fill(int* a) {
  a[threadIdx.x] = 1;
}
int main(int argc, char** argv) {
  int* a;
  cudaMalloc(&a, 16);
  fill<<<1, 32>>>(a);
  cudaDeviceSynchronize();
  printf("<script>alert(%s)</script>\\n", argc > 1 ? argv[1] : "1");
  return 3;
}
"""
LOOP = "__global__ void f(volatile int* a) { while (a[0] == 0) {} }\nint main() { %s }\n"
RUNS_ON = LOOP % "int* a; cudaMallocManaged(&a, 4); a[0] = 0; f<<<1, 1>>>(a); cudaDeviceSynchronize();"


class Cells:
    """Runs cells; keeps what they displayed and printed."""

    def __init__(self, capture):
        InteractiveShell.clear_instance()  # display() asks for the instance
        self.shell = InteractiveShell.instance()
        self.shell.display_pub = self.shown = CapturingDisplayPublisher()
        self._capture = capture
        self.shell.run_line_magic("load_ext", "kernel_lab")

    def run(self, text):
        """(MIME bundle of the last display, stdout, stderr)"""
        self.shown.outputs.clear()
        self._capture.readouterr()
        assert self.shell.run_cell(text).success
        said = self._capture.readouterr()
        return self.shown.outputs[-1]["data"] if self.shown.outputs else {}, said.out, said.err


@pytest.fixture
def cells(course, capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    return Cells(capsys)


def kernel(lab, name="kernel.cu"):
    return (ROOT / "solutions" / lab / name).read_text()


def verdict(shown):
    return shown["application/vnd.kernel-lab.check+json"]["verdict"]


def test_the_starter_fails_with_a_picture_and_a_hint(cells):
    shown, _, error = cells.run(f"%%lab 03 --backend sim\n{kernel(TRANSPOSE, 'starter.cu')}")
    assert verdict(shown) == "wrong_answer" and not error
    assert "FAILED" in shown["text/html"] and "FAILED" in shown["text/plain"]
    assert "is never written; the reference has" in shown["text/plain"]
    assert "./lab hint 03" in shown["text/plain"]
    assert "aria-label='map of out'" in shown["text/html"] and "never written" in shown["text/html"]


def test_the_solution_passes_with_counts_and_an_access_drawing(cells):
    shown, _, _ = cells.run(f"%%lab 03 --backend sim\n{kernel(TRANSPOSE)}")
    assert verdict(shown) == "pass"
    assert "shared load: 32 wavefronts a request, 1 is enough" in shown["text/plain"]
    assert "1 of 32 banks, at most 32 words from one" in shown["text/html"]
    assert "load_sectors_per_request" in shown["text/html"]
    assert shown["text/html"].count("<svg") == 4  # each kind of access of the kernel


def test_a_cell_leaves_the_students_file_and_progress_alone(cells, course):
    own = course.root / "labs" / TRANSPOSE / "kernel.cu"
    own.write_text("mine")
    cells.run(f"%%lab 03 --backend sim --no-profile\n{kernel(TRANSPOSE)}")
    assert own.read_text() == "mine"
    assert '"passed"' not in json.dumps([one for one in progress(course) if one["lab"] == TRANSPOSE])


def progress(course):
    return json.loads(course.run("list", "--json").stdout)["labs"]


def test_save_writes_the_file_keeps_the_earlier_one_and_counts(cells, course):
    own = course.root / "labs" / TRANSPOSE / "kernel.cu"
    own.write_text("mine")
    shown, said, _ = cells.run(f"%%lab 03 --backend sim --no-profile --save\n{kernel(TRANSPOSE)}")
    assert verdict(shown) == "pass" and own.read_text() == kernel(TRANSPOSE)
    (kept,) = (course.root / ".lab/kept" / TRANSPOSE).iterdir()
    assert kept.read_text() == "mine" and str(kept) in said
    assert [one["state"] for one in progress(course) if one["lab"] == TRANSPOSE] == ["passed"]


def test_one_stage_at_one_size(cells):
    source = kernel("01_vector_add")
    shown, _, _ = cells.run(f"%%lab 01 --stage 1 --size 255 257 --backend sim --no-profile\n{source}")
    result = shown["application/vnd.kernel-lab.check+json"]
    assert result["stage"] == 1 and {case["size"] for case in result["cases"]} == {"255", "257"}
    assert shown["text/plain"].startswith("passed 01_vector_add.1 on sim")


def test_a_hazard_stands_at_its_line(cells):
    source = kernel(TRANSPOSE).replace("__syncthreads();", "")
    shown, _, _ = cells.run(f"%%lab 03 --backend sim\n{source}")
    assert verdict(shown) in ("race", "nondeterministic", "wrong_answer")
    lines = shown["text/plain"].splitlines()
    at = next(i for i, line in enumerate(lines) if "error: race in transpose_kernel" in line)
    assert any("shared[j][threadIdx.x] = in[" in line for line in lines[at - 3 : at])
    assert "error: the other access of the race" in shown["text/html"]


def test_a_kernel_that_does_not_compile_shows_the_compilers_words(cells):
    shown, _, _ = cells.run("%%lab 03 --backend sim\nint x = \"<img src=x onerror='f()'>\";")
    assert verdict(shown) == "compile_error"
    assert "&lt;img src=x" in shown["text/html"] and "<img" not in shown["text/html"]


def test_a_lab_that_needs_another_device_is_skipped_with_the_reason(cells, monkeypatch):
    monkeypatch.setenv("LAB_SIM_DEVICE", "a100")
    shown, _, _ = cells.run(f"%%lab 17 --backend sim\n{kernel('17_matmul_hopper')}")
    said = " ".join(shown["text/plain"].split())
    assert verdict(shown) == "skipped" and "needs a GPU of compute capability 9.0" in said


def test_line_commands_use_the_last_cell(cells):
    cells.run(f"%%lab 03 --backend sim --no-profile\n{kernel(TRANSPOSE)}")
    _, said, _ = cells.run("%lab check 03 --backend sim   # the cell")
    assert said.startswith("passed") or "\npassed" in said
    _, said, _ = cells.run(f"%lab check 03 --backend sim --kernel labs/{TRANSPOSE}/kernel.cu")
    assert "FAILED" in said
    _, said, error = cells.run("%lab gen 03 --size 4x4 -o case.npz")  # has no option --kernel
    assert "case.npz" in said + error and "--help" not in error


@pytest.mark.parametrize(
    "cell, message",
    [
        ("%%lab 99\nint x;", 'no lab matches "99"'),
        ("%%lab 03 --sizes 3\nint x;", "unrecognized arguments: --sizes 3"),
        ("%%lab 03 --timeout -1\nint x;", "-1 is not a positive number"),
        ("%%lab 'x\nint x;", "No closing quotation"),
        ("%lab nope", 'there is no command "nope"'),
        ("%%lab 03 --backend sim --size 0x1\nint x;", "0x1"),
        ("%%lab 77 --save\nint x;", "77 is none"),
    ],
)
def test_wrong_usage_is_a_message_and_no_traceback(cells, cell, message):
    shown, said, error = cells.run(cell)
    assert message in error and "Traceback" not in error + said and not shown


@pytest.mark.parametrize("magic", ["%%lab", "%%cuda"])
def test_help(cells, magic):
    _, said, _ = cells.run(f"{magic} --help\n ")
    assert said.startswith(f"usage: {magic}") and "--backend" in said


def test_a_program_runs_and_its_hazard_stands_at_its_line(cells):
    shown, said, error = cells.run(f"%%cuda --args '7'\n{OVERRUN}")
    assert said == "<script>alert(7)</script>\n" and "the program returned 3" in error
    lines = shown["text/plain"].splitlines()
    at = next(i for i, line in enumerate(lines) if "error: out_of_bounds in fill" in line)
    assert any(line.startswith("   3  ") for line in lines[at - 2 : at])
    assert "<script>" not in shown["text/html"] and "&lt;script&gt;" in shown["text/html"]


def test_a_program_without_hazards_says_so(cells):
    shown, _, error = cells.run(f"%%cuda\n{OVERRUN.replace('16', '128').replace('return 3', 'return 0')}")
    assert "no hazards in 1 launch" in shown["text/plain"] and not error


def test_a_fast_run_has_no_trace(cells):
    shown, said, _ = cells.run(f"%%cuda --fast --flags '-O1'\n{OVERRUN.replace('16', '128')}")
    assert not shown and "<script>" in said


def test_a_program_that_does_not_compile_names_the_line(cells):
    shown, _, error = cells.run("%%cuda\nint main() {\n  return y;\n}")
    assert not shown and re.search(r"^program\.cu:2:10: error: ", error, re.MULTILINE)


def test_a_program_is_stopped_at_its_time_limit(cells):
    _, _, error = cells.run(f"%%cuda --fast --timeout 0.5\n{RUNS_ON}")
    assert "stopped after 0.5 s" in error


@pytest.mark.parametrize(
    "cell, process",
    [
        (f"%%cuda --fast\n{RUNS_ON}", "/program"),
        (f"%%cuda\n{RUNS_ON}", "/program"),
        ("%%lab 01 --backend sim --timeout 300\nSTUCK", "lab-runner"),
    ],
    ids=["program", "traced program", "check"],
)
def test_an_interrupt_leaves_nothing_behind(cells, cell, process):
    stuck = re.sub(r"(__global__ void vector_add_kernel[^{]*\{)", r"\1 while (n != -1) {}", kernel("01_vector_add"))
    assert "while (n != -1)" in stuck
    temporary = tempfile.gettempdir()
    with interrupt_when(lambda: any(process in one.split()[0] for one in processes_with(temporary) if one.strip())):
        _, _, error = cells.run(cell.replace("STUCK", stuck))
    assert "interrupted" in error
    wait_until(lambda: not processes_with(temporary))
    assert {path.name for path in pathlib.Path(temporary).glob("*/*")} <= {"cuda", "01"}  # the cells
    assert not [path for path in pathlib.Path(temporary).iterdir() if not path.name.startswith("kernel-lab-")]

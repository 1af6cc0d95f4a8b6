"""What a student sees on terminals of several widths, in a pipe, and after a kernel printed a lot."""

import re
import shutil

import pytest

from conftest import BUILD, needs_patch
from screen import run_on_terminal, screen
from watching import watching

SIM = ("--backend", "sim")
QUOTED = re.compile(r" {4}|\s*\d* \||.*\S {2,}\S")  # code, pictures and tables


def on_terminal(lab, columns, *arguments):
    environment = {k: v for k, v in lab.environment().items() if k != "COLUMNS"}
    return run_on_terminal([BUILD / "bin/lab", *arguments], columns, env=environment, cwd=lab.root)


def too_long(text, columns):
    plain = re.sub(r"\033\[[0-9;]*[A-Za-z]", "", text)
    lines = [line.rsplit("\r", 1)[-1] for line in plain.split("\n")]
    return [x for x in lines if len(x) > columns and not QUOTED.match(x) and " " in x.strip()]


def words(text):
    return " ".join(re.sub(r"\033\[[0-9;]*[A-Za-z]", "", text).split())


@pytest.mark.parametrize("columns", [40, 80, 110])
def test_prose_breaks_at_words_of_the_terminals_width(lab, columns):
    for arguments in (
        ("hint", "01", "1"),
        ("hint", "03", "2"),
        ("explain", "race"),
        ("next",),
        ("check", "99"),
        ("list",),
    ):
        text, _ = on_terminal(lab, columns, *arguments)
        assert not too_long(text, columns), (arguments, text)
        wide, _ = on_terminal(lab, 1000, *arguments)
        if arguments[0] in ("hint", "explain", "check"):
            assert words(text) == words(wide)
    assert max(map(len, on_terminal(lab, columns, "hint", "03", "2")[0].split("\n"))) > columns * 0.6


@needs_patch
def test_a_failed_check_fits_a_narrow_terminal(lab):
    kernel = lab.mutant("03_transpose_shared/missing_barrier")
    text, code = on_terminal(lab, 40, "check", "03", "--kernel", str(kernel), *SIM)
    assert code == 1 and "Why:" in text and not too_long(text, 40), text


def test_profile_and_bench_fit_80_columns(lab):
    text, _ = on_terminal(lab, 80, "profile", "02", "--solution", *SIM)
    source = (lab.root / "solutions/02_transpose_naive/kernel.cu").read_text()
    widest = max(len(line) for line in source.split("\n"))
    assert max(len(line) for line in text.split("\r")[-1].split("\n")) <= max(80, widest + 6), text
    assert "    > store global: 192 requests, 32.0 sectors/request" in text
    wide, _ = on_terminal(lab, 140, "profile", "02", "--solution", *SIM)
    assert "sectors/request  wavefronts" in wide
    for width in (80, 40):
        text, _ = on_terminal(lab, width, "bench", "03", "--solution", *SIM)
        rows = screen(width).show(text)
        assert not [line for line in text.split("\n") if len(line.rsplit("\x1b[K", 1)[-1].rstrip()) > width], rows
        assert "  sectors stored" in text and "wavefronts of shared memory" in text
    text, _ = on_terminal(lab, 80, "bench", "01", "--solution", "--size", "1000", "--simulator-time", *SIM)
    assert not [line for line in text.split("\n") if len(line.rsplit("\x1b[K", 1)[-1].rstrip()) > 80], text
    assert all(words in text for words in ("fast CPU", "GFLOP/s", "vector_add_host 1000"))


def test_a_pipe_has_80_columns_unless_COLUMNS_says_otherwise(lab):
    def widest(**environment):
        settings = {k: v for k, v in lab.environment().items() if k != "COLUMNS"}
        command = [BUILD / "bin/lab", "explain", "race"]
        text = lab.execute(command, {**settings, **environment}).stdout
        return max(len(line) for line in text.split("\n"))

    assert 60 < widest() <= 80
    assert 40 < widest(COLUMNS="50") <= 50
    assert 150 < widest(COLUMNS="200") <= 200
    assert 60 < widest(COLUMNS="nonsense") <= 80


def test_no_progress_stays_on_a_narrow_screen(lab):
    text, _ = on_terminal(lab, 40, "check", "02", "--solution", *SIM)
    assert "[1/1]" in text and "tracing" in text
    rows = screen(40).show(text)
    assert not [row for row in rows if "[1/1]" in row or "building" in row], rows


def test_watch_fits_a_narrow_terminal_and_leaves_nothing_stale(lab):
    with watching(lab.root, BUILD, "02", terminal=True, columns=40, NO_COLOR="1") as watch:
        text = watch.until(" quit")
        watch.press("q")
        watch.code()
    rows = screen(40).show(text)
    assert not too_long(text, 40) and not [row for row in rows if "[1/1]" in row], rows


def flood(lab, lines):
    """A wrong kernel that prints."""
    kernel = lab.root / "flood.cu"
    solution = (lab.root / "solutions/02_transpose_naive/kernel.cu").read_text()
    wrong = solution.replace("out[col * rows + row]", "out[row * cols + col]")
    wrong = wrong.replace("if (row < rows &&", f'printf("{lines}"); if (row < rows &&')
    kernel.write_text("#include <cstdio>\n" + wrong)
    assert "printf" in kernel.read_text()
    return str(kernel)


def test_a_flood_is_cut_at_line_starts_and_the_verdict_comes_after(lab):
    said = lab.run("check", "02", "--kernel", flood(lab, r"one line of many\n"), "--size", "40x50", *SIM).stdout
    printed = said[said.index("It printed ") :]
    first, *shown = printed.split("\n")
    assert re.fullmatch(r"It printed (more than )?\d+ lines; \d+ are left out here:", first), first
    assert shown[:8] == ["    one line of many"] * 8 and "one line" not in shown[8]
    assert "the reference has" in printed and "Why" in printed and "Next: " in printed
    assert len(said.split("\n")) < 50


def test_short_lines_do_not_push_the_verdict_away(lab):
    said = lab.run("check", "02", "--kernel", flood(lab, r"x\n"), "--size", "40x50", *SIM).stdout
    assert len(said.split("\n")) < 40 and "wrong_answer" in said


def test_where_every_element_is_wrong_one_line_replaces_the_picture(lab):
    said = lab.run("check", "02", "--size", "32x32", *SIM).stdout
    assert "out: ? never written at every element" in said and "????" not in said


BROKEN = (
    '#include "lab.hpp"\nvoid transpose(const int* in, int* out, int rows, int cols) {\n  int x = nope;\n  f(x);\n}\n'
)


def test_the_path_of_a_kernel_is_said_at_most_once(lab):
    kernel = lab.root / "labs/02_transpose_naive/kernel.cu"
    kernel.write_text(BROKEN)
    elsewhere = lab.root.parent / "elsewhere.cu"
    shutil.copy(kernel, elsewhere)
    for command in ("check", "profile", "predict", "bench"):
        said = lab.run(command, "02", *SIM).stdout
        assert str(lab.root) not in said and "kernel.cu:3:11" in said, said
        assert said.split("\nNext: edit")[0].count("labs/02_transpose_naive/kernel.cu") <= 1, said
        said = lab.run(command, "02", "--kernel", str(elsewhere), *SIM).stdout
        assert said.count(str(elsewhere)) <= 1 and "elsewhere.cu:3:11" in said, said


def test_one_case_is_no_plural(lab):
    said = lab.run("check", "02.1", "--solution", "--size", "4x5", *SIM).stdout
    assert "1 case," in said and "1 cases" not in said, said


def test_output_that_cannot_be_printed_is_an_error_of_the_machine(lab):
    with open("/dev/full", "w") as full:
        result = lab.execute([BUILD / "bin/lab", "list"], lab.environment(), stdout=full)
    assert result.returncode == 3 and "cannot write the output" in result.stderr

"""`lab pack` makes archives from which `lab grade` collects the same kernels."""
# ctest: slow

import sys
import tarfile
import zipfile

import pytest

from conftest import ROOT, SOLUTIONS, solution

sys.path.insert(0, str(ROOT / "tests"))
from checkout import checkout  # noqa: E402

LAB_01, LAB_03 = (p.name for p in SOLUTIONS if p.name[:2] in ("01", "03"))


@pytest.fixture
def lab(tmp_path):
    return checkout(tmp_path)


def solve(lab, *names):
    for name in names:
        (lab.root / "labs" / name / "kernel.cu").write_text(solution(name))


@pytest.mark.parametrize("ending", ["tar.gz", "zip"])
def test_the_grader_collects_what_was_packed(lab, room, ending):
    solve(lab, LAB_01)
    archive = room.submissions / f"ada.{ending}"
    packed = lab.run("pack", "-o", str(archive))
    assert packed.returncode == 0, packed.stderr
    assert f"labs/{LAB_01}/kernel.cu" in packed.stdout and LAB_03 not in packed.stdout
    graded = room.grade("--labs", "01,03")
    assert graded.returncode == 0, graded.stderr
    row = room.row("ada")
    assert row["verdict"] == "pass" and row["file"] == f"labs/{LAB_01}/kernel.cu"
    assert "no file for this lab" in room.row("ada", "03")["message"]


def names_in(path):
    with tarfile.open(path) as archive:
        return archive.getnames()


def test_only_changed_kernels_are_packed_unless_all_are_wanted(lab):
    solve(lab, LAB_01)
    assert lab.run("pack").returncode == 0
    assert names_in(lab.root / "kernels.tar.gz") == [f"labs/{LAB_01}/kernel.cu"]
    everything = lab.run("pack", "--all", "-o", "all.zip")
    assert everything.returncode == 0 and "the unchanged starter" in everything.stdout
    with zipfile.ZipFile(lab.root / "all.zip") as archive:
        assert sorted(archive.namelist()) == [f"labs/{p.name}/kernel.cu" for p in SOLUTIONS]


def test_a_starter_that_was_named_is_left_out_with_a_note(lab):
    solve(lab, LAB_01)
    packed = lab.run("pack", "01", "03", "-o", "two.tgz")
    assert packed.returncode == 0
    assert f"labs/{LAB_03}/kernel.cu is the unchanged starter and is left out; --all" in packed.stdout
    assert names_in(lab.root / "two.tgz") == [f"labs/{LAB_01}/kernel.cu"]


def test_nothing_to_pack_writes_nothing(lab):
    packed = lab.run("pack")
    assert packed.returncode == 2 and "--all" in packed.stderr
    assert not list(lab.root.glob("kernels.*"))


@pytest.mark.parametrize("name", ["ada", "ada.rar", ".zip"])
def test_an_archive_that_the_grader_would_not_open_is_refused(lab, name):
    solve(lab, LAB_01)
    packed = lab.run("pack", "-o", name)
    assert packed.returncode == 2 and ".tar.gz" in packed.stderr and not (lab.root / name).exists()


def test_a_kernel_that_the_grader_would_refuse_is_refused(lab):
    (lab.root / "labs" / LAB_01 / "kernel.cu").write_text("// " + "x" * (1 << 20))
    packed = lab.run("pack")
    assert packed.returncode == 2 and "1 MiB" in packed.stderr and not list(lab.root.glob("kernels.*"))


def test_a_header_that_labs_share_is_not_missing(lab):
    kernel = lab.root / "labs" / LAB_01 / "kernel.cu"
    kernel.write_text('#include "../device/whole_vectors.hpp"\n' + kernel.read_text())
    packed = lab.run("pack", "01")
    assert packed.returncode == 0 and "not packed" not in packed.stdout


def test_a_header_of_ones_own_is_named(lab):
    kernel = lab.root / "labs" / LAB_01 / "kernel.cu"
    (kernel.parent / "mine.hpp").write_text("")
    kernel.write_text('#include "mine.hpp"\n' + solution(LAB_01))
    assert "includes mine.hpp, which is not packed" in lab.run("pack").stdout


def test_an_unwritable_place_is_an_error_of_the_machine(lab):
    solve(lab, LAB_01)
    packed = lab.run("pack", "-o", "nowhere/ada.zip")
    assert packed.returncode == 3 and "cannot write nowhere/ada.zip" in packed.stderr

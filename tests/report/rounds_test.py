"""A blind round of the time model measures kernels and sizes that no round before it has."""

import gzip
import importlib
import os
import pathlib
import sys

import pytest

from conftest import ROOT

MODEL = ROOT / "report/model"
NUMBERS = ["second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"]
ROUNDS = ["variants", *(f"{number}_round" for number in NUMBERS)]
NEW_TASKS = {"seventh_round": "52_column_sums", "eighth_round": "53_nearest"}


def rows_of(name):
    """(lab, launcher, size, code) of each row."""
    variants = importlib.import_module("variants")
    for one in importlib.import_module(name).all_variants():
        code = variants.source_of(one)
        for size in one["sizes"]:
            yield one["lab"], one["launcher"], size, code


@pytest.fixture(scope="module", autouse=True)
def programs():
    sys.path.insert(0, str(MODEL))
    yield
    sys.path.remove(str(MODEL))


@pytest.fixture(scope="module")
def rounds(programs):
    return {name: list(rows_of(name)) for name in ROUNDS}


def earlier(rounds, name):
    return [row for one in ROUNDS[: ROUNDS.index(name)] for row in rounds[one]]


@pytest.mark.parametrize("name", NEW_TASKS)
def test_a_round_has_no_row_twice_and_none_of_an_earlier_round(rounds, name):
    new = rounds[name]
    assert len(set(new)) == len(new) > 100
    assert set(new) & set(earlier(rounds, name)) == set()


@pytest.mark.parametrize("name", NEW_TASKS)
def test_a_round_has_a_task_that_no_earlier_round_has(rounds, name):
    assert {row[0] for row in rounds[name]} - {row[0] for row in earlier(rounds, name)} == {NEW_TASKS[name]}


NVCC = """#!/bin/sh
case "$*" in *v001.cu*) exit 1 ;; esac
while [ "$1" != -o ]; do echo "$1" >>"$0.log"; shift; done
touch "$2"
"""


def test_a_variant_that_does_not_compile_is_left_out(tmp_path, monkeypatch):
    """The program names its rows all the same, so its output says which variant is not linked."""
    (tmp_path / "nvcc").write_text(NVCC)
    (tmp_path / "nvcc").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    gpu = tmp_path / "gpu"
    gpu.mkdir()
    for name in ("v000.cu", "v001.cu", "unchanged01.cu"):
        (gpu / name).touch()
    (gpu / "rows.txt").write_text("0 matmul 8x8x8 -1\n1 matmul 8x8x8 -1\n")
    words = importlib.import_module("measure_round").build(tmp_path)
    assert words == [gpu / "time_variants", *"0 matmul 8x8x8 -1 1 matmul 8x8x8 -1".split()]
    linked = [pathlib.Path(word).name for word in (tmp_path / "nvcc.log").read_text().split() if word.endswith(".o")]
    assert sorted(linked) == ["time_variants.o", "unchanged01.o", "v000.o"]


NCU = """#!/bin/sh
while [ "$1" != --kernel-name ]; do shift; done
grep -E "${2#regex:}" "$0.kernels"
"""


def test_only_kernels_of_variants_are_profiled(tmp_path, monkeypatch):
    """Programs also fill memory and wait: a profile of those would take most of the time."""
    kernels = ["_ZN2v54findEPKfi", "_ZN3v1218vectors_kernelILb1EEEvPKfPfi", "_ZN4v101L6squareEPf"]
    others = ["_Z4fillPfmjb", "_ZN3dev4fillEPf", "_Z4waitx", "_ZN12_GLOBAL__N_14fillEPf", "_ZN10unchanged14findEPKfi"]
    (tmp_path / "ncu").write_text(NCU)
    (tmp_path / "ncu").chmod(0o755)
    (tmp_path / "ncu.kernels").write_text("\n".join(others + kernels))
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    importlib.import_module("measure_round").profile(["time_variants"], tmp_path / "out.gz")
    assert gzip.decompress((tmp_path / "out.gz").read_bytes()).decode().split() == kernels

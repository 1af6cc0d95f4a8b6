"""The product in interpreted Python is right, and its program reports what it measured."""

import re
import subprocess

import pytest

from conftest import ROOT

PROGRAM = ROOT / "report/interpreted_product.py"


def run(*arguments):
    return subprocess.run(["/usr/bin/python3", PROGRAM, *arguments], capture_output=True, text=True)


def test_the_product_is_that_of_the_definition():
    import interpreted_product

    assert interpreted_product.product([[1, 2, 3]], [[1, 4], [2, 5], [3, 6]]) == [[14, 32]]
    assert interpreted_product.product([[1], [2]], [[3, 4]]) == [[3, 4], [6, 8]]


def test_the_row_names_size_time_and_interpreter():
    said = run("8x16x4").stdout
    assert re.fullmatch(r"8x16x4: \S+ s, \S+ MFLOP/s, CPython \S+\n", said)
    seconds, rate = (float(said.split()[i]) for i in (1, 3))
    assert seconds * rate * 1e6 == pytest.approx(2 * 8 * 16 * 4, rel=0.02)


@pytest.mark.parametrize("wrong", [("8x16",), ("0x1x1",), ("8x16x4", "2x2x2")])
def test_another_size_is_refused(wrong):
    done = run(*wrong)
    assert done.returncode == 1 and "is no size" in done.stderr

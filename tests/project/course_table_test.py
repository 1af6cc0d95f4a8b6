"""The table of the course, labs/README.md, says what the labs' definitions, their lessons and `bench` say."""
# ctest: slow

import json
import os
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LABS = ROOT / "labs"
BUILD = pathlib.Path(os.environ.get("LAB_BUILD", ROOT / "build/sim"))
NAMES = {path.name[:2]: path.name for path in sorted(LABS.glob("[0-9][0-9]_*"))}
COLUMNS = ("lab", "idea", "needs", "beside", "time")


def table():
    """The rows by the lab's number."""
    lines = re.findall(r"^\| (\[\d\d .+) \|$", (LABS / "README.md").read_text(), re.MULTILINE)
    rows = [dict(zip(COLUMNS, re.split(r"\s*\|\s*", line), strict=True)) for line in lines]
    return {row["lab"][1:3]: row for row in rows}


ROWS = table()
every_lab = pytest.mark.parametrize("number", NAMES)


def definition(number):
    return (LABS / NAMES[number] / "lab.cpp").read_text()


def baselines(number):
    return set(re.findall(r'\.baseline = "(\d\d)_', definition(number)))


def needed(number):
    """What a lab needs, and what these labs need."""
    own = re.findall(r"\d\d", ROWS[number]["needs"])
    return set(own).union(*map(needed, own))


def test_every_lab_has_a_row_with_a_link_in_order():
    assert list(ROWS) == list(NAMES)
    for number, name in NAMES.items():
        assert f"({name}/README.md)" in ROWS[number]["lab"]


@every_lab
def test_a_lab_needs_earlier_labs_and_names_none_that_another_implies(number):
    own = re.findall(r"\d\d", ROWS[number]["needs"])
    assert all(one < number for one in own) and (own or number == "01")
    assert not set(own) & set().union(*map(needed, own))


@every_lab
def test_a_lab_needs_the_lab_that_it_improves_on(number):
    assert baselines(number) <= needed(number)


@every_lab
def test_a_lab_needs_the_labs_whose_ideas_its_lesson_uses(number):
    lesson = (LABS / NAMES[number] / "README.md").read_text()
    new = re.search(r"^## What is new\n(.+?)^## (?!What to write)", lesson, re.MULTILINE | re.DOTALL)[1]
    named = {one for one in re.findall(r"\b[Ll]abs? (\d\d)\b", re.sub(r"<!--.*?-->", "", new, flags=re.DOTALL))}
    assert {one for one in named if one < number} <= needed(number)


def words(peer):
    return f"lab {peer[:2]}" if peer in NAMES.values() else f"`{peer}`"


def test_what_stands_beside_a_lab_is_what_bench_shows():
    command = [BUILD / "bin/lab", "bench", "all", "--solution", "--backend", "sim", "--json"]
    done = subprocess.run(command, capture_output=True, check=True)
    shown = {number: set() for number in NAMES}
    for row in json.loads(done.stdout)["results"]:
        shown[row["lab"][:2]] |= {words(peer["name"]) for peer in row.get("peers", [])}
    for number in NAMES:
        if 'backends = {"cuda"}' in definition(number):
            shown[number] = {f"lab {one}" for one in baselines(number)}
    said = {number: set(filter(None, row["beside"].split(", "))) for number, row in ROWS.items()}
    assert said == shown
    assert all(f"lab {one}" in said[number] for number in NAMES for one in baselines(number))


@every_lab
def test_the_compute_capability_is_the_least_of_the_definition(number):
    least = re.findall(r"\.least_capability = (\d)(\d)", definition(number))
    assert re.findall(r"compute capability (\d)\.(\d)", ROWS[number]["idea"]) == least

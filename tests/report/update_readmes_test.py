"""The figures in the solutions' READMEs are those of the record."""

import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def measured(*arguments):
    command = [sys.executable, ROOT / "report/update_readmes.py", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def test_every_readme_holds_what_was_recorded():
    done = measured("--check")
    assert done.returncode == 0, done.stderr
    readmes = list(ROOT.glob("solutions/*/README.md"))
    assert len(readmes) >= 17 and all("<!-- measured -->" in p.read_text() for p in readmes)


def test_another_figure_is_found_and_put_right(tmp_path):
    solutions = tmp_path / "solutions"
    readme = solutions / "04_transpose_padded/README.md"
    readme.parent.mkdir(parents=True)
    shutil.copy(ROOT / "solutions/04_transpose_padded/README.md", readme)
    true = readme.read_text()
    figure = re.search(r"\| \d+ % \|", true)[0]
    readme.write_text(true.replace(figure, "| 100.5 % |"))
    done = measured("--check", "--solutions", solutions)
    assert done.returncode == 1 and "04_transpose_padded" in done.stderr
    assert measured("--solutions", solutions).returncode == 0
    assert readme.read_text() == true

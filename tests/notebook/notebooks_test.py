"""Every notebook runs from the first cell to the last: with the starter, and with the solution in the kernel's cell."""
# ctest: slow

import json
import os
import pathlib

import pytest

from conftest import BUILD, ROOT, checkout
from kernel_lab import notebook

nbformat = pytest.importorskip("nbformat", reason="python3-nbformat is not installed")
nbclient = pytest.importorskip("nbclient", reason="python3-nbclient is not installed")
pytest.importorskip("ipykernel", reason="python3-ipykernel is not installed")

LABS = notebook.labs(ROOT)
CHECK = "application/vnd.kernel-lab.check+json"
NEED_GPU = ()
SECONDS = 300  # for a cell


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    return checkout(tmp_path_factory.mktemp("course"))


def executed(course, lab, monkeypatch, *words):
    """The notebook that `lab notebook` wrote, after all its cells ran."""
    monkeypatch.setenv("LAB_ROOT", str(course.root))
    monkeypatch.setenv("LAB_BUILD", str(BUILD))
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")  # the expected verdicts are those of the simulator
    monkeypatch.setenv("MPLBACKEND", "module://matplotlib_inline.backend_inline")
    monkeypatch.delenv("PYTHONPATH", raising=False)
    folder = course.root / "notebooks"
    path, written = notebook.write(course.root, lab, folder, solution="--solution" in words, force=True)
    assert written
    made = nbformat.read(path, as_version=4)
    nbformat.validate(made)
    client = nbclient.NotebookClient(made, timeout=SECONDS, resources={"metadata": {"path": str(folder)}})
    return client.execute()


def displayed(made, mime):
    return [
        output["data"][mime]
        for cell in made.cells
        for output in cell.get("outputs", ())
        if mime in output.get("data", {})
    ]


def verdict_of_command(course, lab):
    """What `lab check` says of the starter; labs_test holds it against what the lab expects."""
    return json.loads(course.run("check", lab, "--backend", "sim", "--json").stdout)["results"][0]["verdict"]


def usage_errors(made):
    """What %lab commands said of wrong options."""
    texts = (
        output["text"] for cell in made.cells for output in cell.get("outputs", ()) if output.get("name") == "stderr"
    )
    return [text for text in texts if "--help" in text]


@pytest.mark.parametrize("lab", LABS)
def test_the_starters_notebook_runs_and_fails_its_check(course, lab, monkeypatch):
    made = executed(course, lab, monkeypatch)
    (result,) = displayed(made, CHECK)
    assert result["lab"] == lab and not usage_errors(made)
    assert result["verdict"] == verdict_of_command(course, lab)
    assert result["verdict"] == "skipped" if lab in NEED_GPU else result["verdict"] not in ("pass", "skipped")


@pytest.mark.parametrize("lab", LABS)
def test_the_solutions_notebook_passes(course, lab, monkeypatch):
    made = executed(course, lab, monkeypatch, "--solution")
    (result,) = displayed(made, CHECK)
    assert not usage_errors(made)
    assert result["verdict"] == ("skipped" if lab in NEED_GPU else "pass"), result
    if lab not in NEED_GPU:
        assert any("<svg" in page for page in displayed(made, "text/html"))


def test_the_notebooks_have_no_paths_of_this_machine(course, monkeypatch):
    monkeypatch.chdir(course.root)
    command = course.run("notebook", "03", "-o", str(course.root / "notebooks"))
    assert command.returncode == 0, command.stderr
    text = pathlib.Path(course.root, "notebooks", f"{LABS[2]}.ipynb").read_text()
    assert str(course.root) not in text and os.path.expanduser("~") + "/" not in text

"""Every notebook runs from the first cell to the last: with the starter, and with the solution in the kernel's cell."""
# ctest: long

import json
import os
import pathlib
import re

import pytest

from conftest import BUILD, ROOT, checkout
from kernel_lab import notebook

nbformat = pytest.importorskip("nbformat", reason="python3-nbformat is not installed")
nbclient = pytest.importorskip("nbclient", reason="python3-nbclient is not installed")
jupyter_client = pytest.importorskip("jupyter_client", reason="python3-jupyter-client is not installed")
pytest.importorskip("ipykernel", reason="python3-ipykernel is not installed")

LABS = notebook.labs(ROOT)
CHECK = "application/vnd.kernel-lab.check+json"
NEED_GPU = ()
SECONDS = 300  # for a cell


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    return checkout(tmp_path_factory.mktemp("course"))


@pytest.fixture(scope="module")
def kernel(course):
    """One process for all notebooks, because its start takes longer than most cells."""
    folder = course.root / "notebooks"
    folder.mkdir()
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    ours = {
        "LAB_ROOT": str(course.root),
        "LAB_BUILD": str(BUILD),
        "CUDA_VISIBLE_DEVICES": "",  # the expected verdicts are those of the simulator
        "MPLBACKEND": "module://matplotlib_inline.backend_inline",
    }
    manager, client = jupyter_client.manager.start_new_kernel(env={**kept, **ours}, cwd=str(folder))
    client.stop_channels()
    yield manager
    manager.shutdown_kernel(now=True)


# Forgets the names, the magics and the package of the notebook before.
FORGET = """\
import sys
sys.path[:] = [path for path in sys.path if not path.endswith("python")]
for name in [name for name in sys.modules if name.split(".")[0] == "kernel_lab"]:
    del sys.modules[name]
get_ipython().extension_manager.loaded.discard("kernel_lab")
for kind in get_ipython().magics_manager.magics.values():
    for magic in ("lab", "cuda"):
        kind.pop(magic, None)
%reset -f
"""


def executed(course, kernel, lab, *words):
    """The notebook that `lab notebook` wrote, after all its cells ran. With the starter those cells are left out that
    use the solution all the same: they run with the other notebook."""
    path, written = notebook.write(
        course.root, lab, course.root / "notebooks", solution="--solution" in words, force=True
    )
    assert written
    made = nbformat.read(path, as_version=4)
    nbformat.validate(made)
    if "--solution" not in words:
        made.cells = [cell for cell in made.cells if not re.search("^%lab .*--solution", cell.source, re.MULTILINE)]
    nbclient.NotebookClient(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(FORGET)]), km=kernel).execute()
    return nbclient.NotebookClient(made, km=kernel, timeout=SECONDS).execute()


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
def test_the_starters_notebook_runs_and_fails_its_check(course, kernel, lab):
    made = executed(course, kernel, lab)
    (result,) = displayed(made, CHECK)
    assert result["lab"] == lab and not usage_errors(made)
    assert result["verdict"] == verdict_of_command(course, lab)
    assert result["verdict"] == "skipped" if lab in NEED_GPU else result["verdict"] not in ("pass", "skipped")


@pytest.mark.parametrize("lab", LABS)
def test_the_solutions_notebook_passes(course, kernel, lab):
    made = executed(course, kernel, lab, "--solution")
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

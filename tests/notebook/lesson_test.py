"""A lesson's Markdown becomes the cells of a notebook, and nothing of it is lost."""

import base64
import json
import re
import subprocess

import pytest

from conftest import ROOT
from kernel_lab import lesson, notebook

LABS = notebook.labs(ROOT)
MARKDOWN = """\
# 40 · A scan

It moves 5 GB/s<!--h200 40/solution
time-->. See the [**term**](../glossary.md#term) and [NVIDIA](https://example.org/a).

![A figure
of two lines.](figures/one.svg)

## What to write

One line:

    out[i] = 0;

    more();

## What to expect, and why

    ./lab check 40        # all
    ./lab predict 40
    ./lab profile 40 --size 4x4

It prints:

    ./lab check 40
    and what it prints

```python
print(1)

print(2)
```

## A question

Why?

Why not?

## Where to read on

- a book
"""


@pytest.fixture
def cells(tmp_path):
    (tmp_path / "figures").mkdir()
    (tmp_path / "figures/one.svg").write_text("<svg/>")
    return lesson.cells(MARKDOWN, tmp_path, "40", "#include <x>\nint k;\n")


def test_the_cells_of_a_lesson(cells):
    figure = base64.b64encode(b"<svg/>").decode()
    assert cells == [
        ("markdown", "# 40 · A scan\n\nIt moves 5 GB/s. See the **term** and [NVIDIA](https://example.org/a)."),
        ("markdown", f"![A figure of two lines.](data:image/svg+xml;base64,{figure})"),
        ("markdown", "## What to write\n\nOne line:\n\n    out[i] = 0;\n\n    more();"),
        ("code", "%%lab 40\n#include <x>\nint k;"),
        ("markdown", "## What to expect, and why"),
        ("code", "# all\n%lab check 40"),
        ("code", "# needs a terminal: ./lab predict 40"),
        ("code", "%lab profile 40 --size 4x4"),
        ("markdown", "It prints:\n\n    ./lab check 40\n    and what it prints"),
        ("code", "print(1)\n\nprint(2)"),
        ("markdown", "## A question\n\nWhy?\n\nWhy not?"),
        ("markdown", "**Your answer:**"),
        ("markdown", "## Where to read on\n\n- a book"),
    ]


def test_a_kernel_stands_before_the_commands_that_use_it(tmp_path):
    text = "# T\n\n## What to write\n\nIt.\n\n    ./lab check 40\n\nMore.\n"
    assert [source for _, source in lesson.cells(text, tmp_path, "40", "int k;")] == [
        "# T", "## What to write\n\nIt.", "%%lab 40\nint k;", "%lab check 40", "More."]  # fmt: skip


def words_of(text):
    return re.findall(r"\w+", re.sub(r"\]\([^)]*\)", "]", text))


@pytest.mark.parametrize("lab", LABS)
def test_a_notebook_has_the_words_of_its_lesson_and_one_kernel(lab):
    text = lesson.COMMENT.sub("", (ROOT / "labs" / lab / "README.md").read_text("utf-8"))
    starter = notebook.kernel_of(ROOT, lab)
    made = notebook.document(ROOT, lab, starter, "python")["cells"]
    sources = ["".join(cell["source"]) for cell in made]
    kernels = [source for source in sources if source.startswith("%%lab")]
    assert kernels == [f"%%lab {lab[:2]}\n{starter.rstrip()}"]
    added = {1, 2, *(i for i, source in enumerate(sources) if source in (*kernels, "**Your answer:**"))}
    rest = "\n".join(source for i, source in enumerate(sources) if i not in added)
    shown = rest.replace("# needs a terminal: ./lab ", "./lab ").replace("%lab ", "./lab ")
    assert sorted(words_of(shown)) == sorted(words_of(text.replace("```python", "")))
    assert rest.count("data:image/svg+xml") == len(re.findall(r"!\[", text))
    assert "<!--" not in rest and "](../" not in rest
    assert len({cell["id"] for cell in made}) == len(made)


def generate(folder, *words):
    command = ["/usr/bin/python3", "-B", ROOT / "python/kernel_lab", *words, "--output", folder, "--course", ROOT]
    return subprocess.run(command, text=True, capture_output=True)


def test_a_notebook_that_exists_is_kept(tmp_path):
    first = generate(tmp_path, "3")
    path = tmp_path / "03_transpose_shared.ipynb"
    assert (first.returncode, first.stdout) == (0, f"{path}\n")
    path.write_text("mine")
    assert "stays as it is" in generate(tmp_path, "03").stdout
    assert path.read_text() == "mine"
    generate(tmp_path, "03", "--force", "--solution")
    solution = (ROOT / "solutions/03_transpose_shared/kernel.cu").read_text().splitlines()
    sources = ["".join(cell["source"]) for cell in json.loads(path.read_text())["cells"]]
    assert any(source.splitlines()[1:] == solution for source in sources if source.startswith("%%lab"))


def test_all_writes_a_notebook_for_each_lab(tmp_path):
    assert generate(tmp_path, "all").returncode == 0
    assert sorted(path.stem for path in tmp_path.iterdir()) == LABS


def test_an_unknown_lab_is_named(tmp_path):
    done = generate(tmp_path, "99")
    assert done.returncode == 2 and "no lab is called 99" in done.stderr

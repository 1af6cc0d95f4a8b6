"""The figures of the lessons are what their descriptions draw, each is shown, and their texts can be read."""
# ctest: slow

import itertools
import pathlib
import re
import shutil
import subprocess
import xml.etree.ElementTree

import pytest

from browser import MISSING, browser
from lessons.canvas import Canvas

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIGURES = sorted(ROOT.glob("labs/**/figures/*.svg"))
PAGES = [path for path in sorted(ROOT.glob("labs/**/*.md"))]
NARROW = 400  # pixels of a phone
LEAST_TEXT = 7.4  # pixels at that width


def drawn(*arguments):
    command = ["/usr/bin/python3", ROOT / "report/lesson_figures.py", *arguments]
    return subprocess.run(command, capture_output=True, text=True)


def test_every_figure_is_what_is_drawn():
    done = drawn("--check")
    assert done.returncode == 0, done.stderr
    assert len(FIGURES) >= 20


def test_a_figure_that_differs_is_found_and_put_right(tmp_path):
    labs = tmp_path / "labs"
    shutil.copytree(ROOT / "labs/01_vector_add", labs / "01_vector_add")
    figure, page = labs / "01_vector_add/figures/threads.svg", labs / "01_vector_add/README.md"
    true = figure.read_text(), page.read_text()
    figure.write_text(true[0].replace("no element", "an element"))
    page.write_text(re.sub(r"!\[[^\]]+\]", "![old]", true[1]))
    done = drawn("--check", "--labs", labs)
    assert done.returncode == 1 and "threads.svg" in done.stderr and "README.md" in done.stderr
    assert drawn("--labs", labs).returncode == 0
    assert (figure.read_text(), page.read_text()) == true


def test_every_lesson_shows_a_figure_and_every_figure_is_shown():
    shown = set()
    for page in PAGES:
        found = re.findall(r"!\[([^\]]*)\]\(([^)]+\.svg)\)", page.read_text())
        assert found or not re.fullmatch(r"\d\d_.+", page.parent.name) or page.name != "README.md", page
        for text, path in found:
            assert len(text) > 40, f"{page}: {path} has no alternative text"
            shown.add((page.parent / path).resolve())
    assert shown == set(FIGURES)


def test_a_figure_needs_nothing_from_elsewhere_and_knows_both_themes():
    for path in FIGURES:
        text = path.read_text()
        root = xml.etree.ElementTree.fromstring(text)
        assert root.find("{http://www.w3.org/2000/svg}title").text
        assert "prefers-color-scheme:dark" in text and "<script" not in text
        assert text.count("http") == 1, f"{path}: only the namespace may be an address"
        assert len(text) < 24_000, path


def overlapping(page):
    """Texts of the SVG that lie over each other or run off the drawing, and the size of the smallest."""
    boxes = page.value(
        "[...document.querySelectorAll('text')].map(t => { const b = t.getBBox();"
        " return [t.textContent, b.x, b.y, b.width, b.height, parseFloat(getComputedStyle(t).fontSize)] })"
    )
    _, _, width, height = map(float, page.value("document.documentElement.getAttribute('viewBox')").split())
    wrong = [text for text, x, y, w, h, _ in boxes if x < 4 or y < 0 or x + w > width - 4 or y + h > height]
    for (a, ax, ay, aw, ah, _), (b, bx, by, bw, bh, _) in itertools.combinations(boxes, 2):
        across = min(ax + aw, bx + bw) - max(ax, bx)
        down = min(ay + ah, by + bh) - max(ay, by)
        if across > 0 and down > 0.25 * min(ah, bh):  # a box is higher than its letters
            wrong.append(f"{a} | {b}")
    return wrong, min(size for *_, size in boxes) * NARROW / width


@pytest.mark.skipif(bool(MISSING), reason=MISSING)
def test_texts_can_be_read_and_do_not_overlap(tmp_path):
    bad = Canvas(100, "two texts in one place")
    bad.text(20, 50, "first")
    bad.text(30, 52, "second")
    bad.text(600, 90, "beyond the edge")
    (tmp_path / "bad.svg").write_text(bad.svg())
    with browser(tmp_path / "profile") as page:
        page.open((tmp_path / "bad.svg").as_uri())
        assert overlapping(page)[0] == ["beyond the edge", "first | second"]
        bad_figures = {}
        for path in FIGURES:
            page.open(path.as_uri())
            wrong, least = overlapping(page)
            if wrong or least < LEAST_TEXT:
                bad_figures[str(path)] = (wrong, least)
        assert bad_figures == {}

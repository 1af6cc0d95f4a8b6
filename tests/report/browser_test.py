"""The pages in a real browser: light and dark, wide and narrow, keyboard, print, and no complaint in the console."""
# ctest: slow

import itertools
import json
import shutil

import pytest

from browser import MISSING, Keys, browser
from conftest import ROOT
from modelled_test import ROW, document

pytestmark = pytest.mark.skipif(bool(MISSING), reason=MISSING)


OFF_THE_PAGE = """[...document.querySelectorAll('body *')].filter(e => {
    const box = e.getBoundingClientRect();
    return box.width > 0 && box.right > innerWidth + 1 && !e.closest('svg') && !e.matches('.skip');
}).map(e => e.outerHTML.slice(0, 80))"""
PAGES = ("index", "course")


@pytest.fixture(scope="module")
def site(workspaces, tmp_path_factory):
    """The pages of the fixtures and modelled times, where the record is that of the project; a tab, and what opens a
    page in it."""
    space = workspaces(tmp_path_factory.mktemp("page"))
    for path in (ROOT / "report/results").glob("*.json"):
        shutil.copy(path, space.root / "recorded")
    (space.root / "results/bench-modelled.json").write_text(json.dumps(document(ROW | {"gflops": 900.0})))
    assert space.run().returncode == 0
    with browser(space.root / "profile") as tab:
        tab.show = lambda name="index": tab.open((space.root / f"out/{name}.html").as_uri())
        tab.root = space.root
        tab.show()
        yield tab
        assert tab.errors == []


def paper(page, path):
    import matplotlib.image

    page.picture(path)
    pixels = (matplotlib.image.imread(path)[:, :, :3] * 255).round().astype(int)
    assert len({tuple(p) for p in pixels[::7, ::7].reshape(-1, 3)}) > 20
    return tuple(pixels[5, 5])


def test_light_and_dark_have_a_paper_of_their_own_and_the_same_drawings(site, tmp_path):
    site.show()
    colours = {}
    for theme in ("light", "dark"):
        site.media(theme=theme)
        colours[theme] = paper(site, tmp_path / f"{theme}.png")
        ink = "getComputedStyle(document.querySelector('figure svg text')).fill"
        assert site.value(ink) == {"light": "rgb(27, 30, 35)", "dark": "rgb(232, 234, 238)"}[theme]
    assert colours == {"light": (245, 246, 248), "dark": (16, 19, 23)}


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("width", [1400, 900, 400])
def test_nothing_runs_off_the_page_and_nothing_must_be_scrolled_sideways(site, name, width):
    site.show(name)
    site.size(width, 900)
    site.value("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    assert site.value("document.documentElement.scrollWidth") <= width
    assert site.value(OFF_THE_PAGE) == []
    sideways = "[...document.querySelectorAll('figure, table, pre, ol')].filter(e => e.scrollWidth > e.clientWidth + 1)"
    if width == 400:
        assert site.value(f"{sideways}.map(e => e.outerHTML.slice(0, 80))") == []
    site.size(1280, 900)


def test_on_paper_the_first_and_last_lines_of_a_listing_stay_together(site):
    site.show()
    site.media("print")
    part = "o => [o.start, o.children.length, getComputedStyle(o).breakInside]"
    inside = f"[...one.querySelectorAll('.source')].map({part})"
    listings = site.value(f"[...document.querySelectorAll('details')].map(one => {inside}).filter(one => one.length)")
    site.media()
    assert listings
    for (first, lines, whole), *others in listings:
        assert (first, lines, whole) == (1, 6, "avoid")
        assert [one[2] for one in others] == ["auto", "avoid"] and others[-1][1] == 6
        for start, length, _ in others:
            assert start == first + lines
            first, lines = start, length


def test_on_paper_a_table_of_a_family_stays_whole(site):
    site.show("course")
    site.media("print")
    how = site.value("[...document.querySelectorAll('.family details')].map(e => getComputedStyle(e).breakInside)")
    names = "[...document.querySelectorAll('#goals th code')]"
    torn = site.value(f"{names}.filter(e => e.getClientRects().length > 1).length")
    site.media()
    assert len(how) > 5 and set(how) == {"avoid"} and torn == 0


def test_on_paper_a_message_stays_whole_and_below_its_case(site):
    site.show()
    site.media("print")
    how = site.value("[...document.querySelectorAll('.case + pre')].map(one => [getComputedStyle(one).breakInside,"
                     " getComputedStyle(one.previousElementSibling).breakAfter])")
    site.media()
    assert how and set(map(tuple, how)) == {("avoid", "avoid")}


def test_my_page_grows_with_my_labs_and_not_with_the_course(site):
    site.show()
    labs = site.value("document.querySelectorAll('.lab').length")
    assert labs == 4 and site.value("document.querySelectorAll('tr').length") == 0
    for width, fixed, each in ((1400, 900, 700), (400, 1200, 1500)):
        site.size(width, 900)
        assert site.value("document.documentElement.scrollHeight") < fixed + each * labs
    site.size(1280, 900)


def test_the_course_shows_one_size_of_each_family_until_a_reader_opens_others(site):
    site.show("course")
    assert site.value("document.querySelectorAll('.group').length") > 30
    opened = "[...document.querySelectorAll('.family')].map(one => one.querySelectorAll('.group[open]').length)"
    assert set(site.value(opened)) == {1}
    assert site.value("document.documentElement.scrollHeight") < 11_000


def test_the_same_size_on_two_gpus_has_two_headings(site):
    site.show("course")
    headings = "[...document.querySelectorAll('.family')].map(one => [...one.querySelectorAll('.group > summary')]"
    for family in site.value(f"{headings}.map(e => e.textContent))"):
        assert len(set(family)) == len(family), family


def test_the_course_in_print_has_heads_and_notes_no_larger_than_its_rows_and_text(site):
    site.show("course")
    site.media("print")
    size = "e => parseFloat(getComputedStyle(e).fontSize)"
    heads, rows, notes, body = (
        site.value(f"[...document.querySelectorAll('{some}')].map({size})")
        for some in (".numbers thead th", ".numbers td", ".same", "body")
    )
    site.media()
    assert heads and notes and max(heads) <= min(rows) and max(notes) < body[0]


def choose(site, selector, value):
    site.value(f"""(() => {{ const select = document.querySelector('{selector}'); select.value = '{value}';
        select.dispatchEvent(new Event('change')); }})()""")


def test_a_reader_chooses_lab_and_size(site):
    site.show("course")
    choose(site, "[data-choose]", "transpose")
    families = "[...document.querySelectorAll('.family')].filter(e => !e.hidden).map(e => e.id)"
    assert site.value(families) == ["transpose"]
    choose(site, "[data-choose-size]", "transpose, 2000x5000")
    open_groups = "[...document.querySelectorAll('#transpose .group[open]')].map(e => e.dataset.size)"
    assert set(site.value(open_groups)) == {"transpose, 2000x5000"}
    choose(site, "[data-choose]", "")
    assert site.value("[...document.querySelectorAll('.family')].some(e => e.hidden)") is False
    site.show()
    choose(site, "[data-choose]", "lab-03-transpose-shared")
    shown = "[...document.querySelectorAll('.lab')].filter(e => !e.hidden).map(e => e.id)"
    assert site.value(shown) == ["lab-03-transpose-shared"]


def test_bars_and_marks_say_their_values(site):
    site.show()
    title = site.value("document.querySelector('.line').title")
    assert title == "03_transpose_shared: 12,480 wavefronts of shared memory"
    site.show("course")
    assert "GFLOP/s" in site.value("document.querySelector('#roofline svg g > title').textContent")


@pytest.mark.parametrize("width, shown", [(1280, "at-wide"), (400, "at-narrow")])
def test_names_in_the_roofline_as_the_browser_draws_it_do_not_lie_on_each_other(site, width, shown):
    site.show("course")
    site.size(width, 900)
    boxes = site.value(f"""[...document.querySelectorAll('#roofline .{shown} svg text')]
        .filter(e => /^[0-9][0-9] /.test(e.textContent)).map(e => {{
            const box = e.getBoundingClientRect();
            return [e.textContent, box.left, box.right, box.top, box.bottom];
        }})""")
    assert len(boxes) > 10
    for one, other in itertools.combinations(boxes, 2):
        beside = one[2] - 1 <= other[1] or other[2] - 1 <= one[1]
        assert beside or one[4] - 2 <= other[3] or other[4] - 2 <= one[3], (one, other)
    site.size(1280, 900)


def test_a_keyboard_reaches_the_results_and_opens_what_is_folded(site):
    site.show()
    site.value("scrollTo(0, 0), document.activeElement.blur()")
    site.key(Keys.TAB)
    assert site.value("document.activeElement.className") == "skip"
    site.key(Keys.ENTER)
    assert site.value("location.hash") == "#main"
    for _ in range(60):
        site.key(Keys.TAB)
        if site.value("document.activeElement.matches('.lab summary')"):
            break
    was_open = site.value("document.activeElement.parentElement.open")
    site.key(Keys.ENTER)
    assert site.value("document.activeElement.parentElement.open") != was_open


def test_print_shows_my_source_and_hides_what_only_a_screen_needs(site):
    site.show()
    site.media("print")
    for hidden in (".choose", ".no-print"):
        assert site.value(f"getComputedStyle(document.querySelector('{hidden}')).display") == "none"
    assert site.value("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    site.media()
    pdf = site.pdf()
    assert pdf.startswith(b"%PDF") and 2 <= pdf.count(b"/Type /Page\n") <= 5

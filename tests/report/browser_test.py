"""The page in a real browser: light and dark, keyboard, print, and no complaint in the console."""
# ctest: slow

import pytest

from browser import MISSING, Keys, browser

pytestmark = pytest.mark.skipif(bool(MISSING), reason=MISSING)


@pytest.fixture(scope="module")
def page(workspaces, tmp_path_factory):
    space = workspaces(tmp_path_factory.mktemp("page"))
    assert space.run().returncode == 0
    with browser(space.root / "profile") as opened:
        opened.open((space.root / "out/index.html").as_uri())
        yield opened
        assert opened.errors == []


def paper(page, path):
    import matplotlib.image

    page.picture(path)
    pixels = (matplotlib.image.imread(path)[:, :, :3] * 255).round().astype(int)
    assert len({tuple(p) for p in pixels[::7, ::7].reshape(-1, 3)}) > 20
    return tuple(pixels[5, 5])


def test_light_and_dark_have_a_paper_of_their_own_and_the_same_drawings(page, tmp_path):
    colours = {}
    for theme in ("light", "dark"):
        page.media(theme=theme)
        colours[theme] = paper(page, tmp_path / f"{theme}.png")
        ink = "getComputedStyle(document.querySelector('figure svg text')).fill"
        assert page.value(ink) == {"light": "rgb(89, 96, 107)", "dark": "rgb(163, 171, 183)"}[theme]
    assert colours == {"light": (245, 246, 248), "dark": (16, 19, 23)}


def test_everything_that_was_measured_is_there(page):
    counts = {
        "#progress tbody tr": 7,
        "#transpose figure svg": 3,
        "#roofline figure svg": 1,
        "#memory figure svg": 1,
        "#memory .source tbody tr": 33,
        "#transpose .published tbody tr": 5,
    }
    assert {selector: page.value(f"document.querySelectorAll('{selector}').length") for selector in counts} == counts


def test_no_drawing_and_no_table_runs_off_the_page(page):
    for width in (1280, 900, 400):
        page.size(width, 900)
        assert page.value("document.documentElement.scrollWidth") <= width
    page.size(1280, 900)


def test_a_keyboard_reaches_the_results_and_opens_what_is_folded(page):
    page.value("scrollTo(0, 0), document.activeElement.blur()")
    page.key(Keys.TAB)
    assert page.value("document.activeElement.className") == "skip"
    page.key(Keys.ENTER)
    assert page.value("location.hash") == "#main"
    for _ in range(60):
        page.key(Keys.TAB)
        if page.value("document.activeElement.matches('#progress summary')"):
            break
    was_open = page.value("document.activeElement.parentElement.open")
    page.key(Keys.ENTER)
    assert page.value("document.activeElement.parentElement.open") != was_open


def test_whatever_scrolls_can_be_scrolled_by_keyboard(page):
    page.size(500, 900)
    stuck = """[...document.querySelectorAll('*')].filter(e => e.scrollWidth > e.clientWidth + 1
        && ['auto', 'scroll'].includes(getComputedStyle(e).overflowX) && e.tabIndex < 0
        && !e.querySelector('a, [tabindex]')).map(e => e.outerHTML.slice(0, 80))"""
    assert page.value(stuck) == []
    page.size(1280, 900)


def test_print_shows_what_is_folded_and_hides_the_navigation(page):
    page.media("print")
    assert page.value("getComputedStyle(document.querySelector('nav')).display") == "none"
    assert page.value("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    page.media()
    pdf = page.pdf()
    assert pdf.startswith(b"%PDF") and pdf.count(b"/Type /Page\n") >= 5

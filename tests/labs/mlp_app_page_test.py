"""The page of `lab app 14` in a real browser, with real digits drawn by mouse and by keyboard."""
# ctest: slow

import numpy
import pytest

from browser import MISSING, Keys, browser
from checkout import checkout
from mlp_app_test import digits, server

pytestmark = pytest.mark.skipif(bool(MISSING), reason=MISSING)


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("app")
    one = server(checkout(folder), "--solution")
    with browser(folder / "profile") as opened:
        opened.open(f"http://127.0.0.1:{one.port}/")
        yield opened
    one.stop()


def strokes(image):
    """A digit as a hand would draw it: the ridges of its ink, each pixel joined to the nearest that is left."""
    padded = numpy.pad(image.astype(int), 1)
    middle = padded[1:-1, 1:-1]
    across = (middle >= padded[1:-1, :-2]) & (middle > padded[1:-1, 2:])
    down = (middle >= padded[:-2, 1:-1]) & (middle > padded[2:, 1:-1])
    left = {tuple(p) for p in numpy.argwhere((middle > 100) & (across | down))}
    found = []
    while left:
        nearest = min(left, key=lambda p: _far(p, found[-1][-1])) if found else min(left)
        if found and _far(nearest, found[-1][-1]) <= 8:
            found[-1].append(nearest)
        else:
            found.append([nearest])
        left.remove(nearest)
    return found


def _far(p, q):
    return (p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2


def draw(page, image):
    box = page.value("(b => [b.x, b.y])(document.getElementById('paper').getBoundingClientRect())")
    for stroke in strokes(image):
        page.stroke([(box[0] + 10 * x + 6, box[1] + 10 * y + 6) for y, x in stroke])


def settled(page):
    page.until("!asking && asked === drawn")


def guess(page):
    return page.value("document.getElementById('guess').textContent")


def clear(page):
    page.value("document.getElementById('clear').click()")


def test_digits_drawn_with_the_mouse_are_recognised(page):
    images, labels = digits()
    right = 0
    for image, label in zip(images[:30], labels, strict=False):
        clear(page)
        draw(page, image)
        settled(page)
        right += guess(page) == f"This is a {label}"
    assert right >= 24, right
    assert page.errors == []


def test_the_ten_probabilities_and_what_the_network_sees_are_shown(page):
    clear(page)
    draw(page, digits()[0][0])
    settled(page)
    shares = page.value("[...document.querySelectorAll('#bars tr')].map(r => parseFloat(r.cells[2].textContent))")
    assert len(shares) == 10 and abs(sum(shares) - 100) < 1
    assert page.value("document.querySelectorAll('#bars .best').length") == 1
    seen = "document.getElementById('seen').getContext('2d').getImageData(0, 0, 28, 28).data"
    assert page.value(f"Math.max(...{seen}.filter((_, i) => i % 4 == 0))") == 255
    assert page.value("document.getElementById('trouble').hidden")
    assert "ms from stroke to answer" in page.value("document.getElementById('time').textContent")


@pytest.mark.parametrize("way", ["button", "escape"])
def test_the_keyboard_clears(page, way):
    draw(page, digits()[0][1])
    settled(page)
    assert guess(page).startswith("This is")
    page.value("document.getElementById('clear').focus()")
    page.key(Keys.ESCAPE if way == "escape" else Keys.SPACE)
    assert guess(page) == "Nothing drawn yet"
    assert page.value("ink.getImageData(0, 0, 280, 280).data.every(v => v === 0)")


def test_the_keyboard_draws(page):
    clear(page)
    page.value("document.getElementById('paper').focus()")
    for _ in range(10):
        page.key(Keys.ARROW_UP)
    assert guess(page) == "Nothing drawn yet" and not page.value("document.getElementById('pen').hidden")
    for _ in range(20):
        page.key(Keys.ARROW_DOWN, hold=Keys.SHIFT)
    settled(page)
    assert guess(page) == "This is a 1"


def test_another_sites_page_cannot_use_the_kernels(page, tmp_path):
    address = page.value("location.origin")
    page.open("about:blank")
    tried = f"""fetch('{address}/classify', {{method: 'POST', body: new Uint8Array(112 * 112).fill(1),
        headers: {{'Content-Type': 'application/octet-stream'}}}}).then(() => 'answered', () => 'refused')"""
    assert page.value(tried) == "refused"
    page.open(address)
    page.forget_errors()

"""The page in a real browser."""

import re
import shutil
import subprocess

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.mark.skipif(not CHROMIUM, reason="chromium is not installed")
@pytest.mark.parametrize("theme, paper", [(1, (245, 246, 248)), (0, (16, 19, 23))], ids=["light", "dark"])
def test_headless_chromium_shows_the_page_without_console_errors(workspace, theme, paper):
    import matplotlib.image

    workspace.run()
    picture = workspace.root / "page.png"
    command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={workspace.root / 'profile'}"]
    command += ["--enable-logging=stderr", "--window-size=1280,1600", f"--blink-settings=preferredColorScheme={theme}"]
    command += [f"--screenshot={picture}", (workspace.root / "out/index.html").as_uri()]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert picture.is_file(), result.stderr
    assert not re.findall(r".*CONSOLE.*", result.stderr)
    pixels = (matplotlib.image.imread(picture)[:, :, :3] * 255).round().astype(int)
    assert tuple(pixels[5, 5]) == paper
    assert len({tuple(p) for p in pixels[::7, ::7].reshape(-1, 3)}) > 20

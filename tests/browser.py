"""A headless Chromium, driven by Selenium."""

import base64
import contextlib
import shutil
import subprocess

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.wait import WebDriverWait
except ImportError:
    webdriver = Keys = None


def _works(program):
    """Ubuntu's chromium is a script that asks for a snap."""
    done = subprocess.run([program, "--version"], capture_output=True, stdin=subprocess.DEVNULL)
    return done.returncode == 0


def _program(*names):
    return next(filter(_works, filter(None, map(shutil.which, names))), None)


CHROMIUM, DRIVER = _program("chromium", "chromium-browser"), _program("chromedriver")
PACKAGES = {"python3-selenium": webdriver, "chromium": CHROMIUM, "chromium-driver": DRIVER}
# Why no browser can be started here; empty if one can.
MISSING = ", ".join(f"{package} is not installed" for package, found in PACKAGES.items() if not found)


class Page:
    """One tab. `errors` holds exceptions, console errors and failed requests so far."""

    def __init__(self, driver):
        self._driver, self._errors = driver, []

    @property
    def errors(self):
        log = self._driver.get_log("browser")
        self._errors += [entry for entry in log if entry["level"] in ("SEVERE", "WARNING")]
        return self._errors

    def forget_errors(self):
        self.errors.clear()

    def open(self, url):
        self._driver.get(url)

    def value(self, expression):
        """What JavaScript makes of the expression; a promise is waited for."""
        return self._driver.execute_script(f"return ({expression})")

    def until(self, expression, seconds=900):
        wait = WebDriverWait(self._driver, seconds, poll_frequency=0.02)
        wait.until(lambda _: self.value(expression), f"never true: {expression}")

    def size(self, width, height):
        """Of the viewport; a window cannot be as narrow as a phone."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self._driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def media(self, medium="", theme=""):
        """Shows the page as on "print", or in the "light" or "dark" theme."""
        features = [{"name": "prefers-color-scheme", "value": theme}]
        self._driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": medium, "features": features})

    def key(self, key, hold=None):
        """Presses one of Keys while another is held down."""
        actions = ActionChains(self._driver)
        if hold:
            actions.key_down(hold)
        actions.send_keys(key)
        if hold:
            actions.key_up(hold)
        actions.perform()

    def stroke(self, points):
        """Draws with the mouse from the first (x, y) of the viewport to the last."""
        actions = ActionChains(self._driver, duration=0)
        mouse = actions.w3c_actions.pointer_action
        mouse.move_to_location(*map(round, points[0]))
        mouse.pointer_down()
        for point in points[1:]:
            mouse.move_to_location(*map(round, point))
        mouse.pointer_up()
        actions.perform()

    def picture(self, path):
        """A PNG of what is visible."""
        assert self._driver.save_screenshot(str(path))

    def pdf(self):
        document = self._driver.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})
        return base64.b64decode(document["data"])


@contextlib.contextmanager
def browser(folder):
    """A fresh page in a fresh browser, whose profile lies in the folder; the browser ends with the block."""
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    # Chromium's own sandbox refuses to run as root.
    for option in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(option)
    options.add_argument(f"--user-data-dir={folder}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(service=Service(DRIVER), options=options)
    try:
        page = Page(driver)
        page.size(1280, 900)
        yield page
    finally:
        driver.quit()

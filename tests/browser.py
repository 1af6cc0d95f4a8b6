"""Drives a headless Chromium over its debugging pipe, with nothing but the standard library."""

import base64
import contextlib
import json
import os
import pathlib
import select
import shutil
import subprocess
import time


def _works(program):
    """Ubuntu's package is a script that says to install a snap."""
    return subprocess.run([program, "--version"], capture_output=True, stdin=subprocess.DEVNULL).returncode == 0


CHROMIUM = next(filter(_works, filter(None, map(shutil.which, ("chromium", "chromium-browser")))), None)


class Page:
    """One tab. `errors` collects exceptions, console errors and failed requests."""

    def __init__(self, ask, session):
        self._ask, self._session, self.errors = ask, session, []

    def call(self, method, **parameters):
        return self._ask(method, parameters, self._session)

    def open(self, url):
        self.call("Page.navigate", url=url)
        self.until("document.readyState === 'complete'")

    def value(self, expression):
        """What JavaScript makes of the expression. Raises AssertionError for an exception."""
        done = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in done, done["exceptionDetails"]
        return done["result"].get("value")

    def until(self, expression, seconds=120):
        end = time.monotonic() + seconds
        while not self.value(expression):
            assert time.monotonic() < end, f"never true: {expression}"
            time.sleep(0.02)

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def theme(self, name):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def key(self, key, code=0, modifiers=0):
        about = {"key": key, "code": key, "windowsVirtualKeyCode": code, "modifiers": modifiers}
        text = {"Enter": "\r", " ": " "}.get(key)
        typed = {"type": "keyDown", "text": text} if text else {"type": "rawKeyDown"}
        self.call("Input.dispatchKeyEvent", **about, **typed)
        self.call("Input.dispatchKeyEvent", **about, type="keyUp")

    def mouse(self, kind, x, y):
        """kind is "mousePressed", "mouseMoved" or "mouseReleased"."""
        button = "none" if kind == "mouseMoved" and not self._down else "left"
        self._down = kind == "mousePressed" or kind == "mouseMoved" and self._down
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, clickCount=1, buttons=int(self._down))

    _down = False

    def picture(self, path, selector=None):
        """A PNG of what is visible, or of a whole element."""
        clip = {}
        if selector:
            box = self.value(f"(b => [b.x + scrollX, b.y + scrollY, b.width, b.height])"
                             f"(document.querySelector({selector!r}).getBoundingClientRect())")
            part = dict(zip(("x", "y", "width", "height"), box, strict=True))
            clip = {"clip": {**part, "scale": 1}, "captureBeyondViewport": True}
        data = self.call("Page.captureScreenshot", **clip)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))

    def pdf(self):
        return base64.b64decode(self.call("Page.printToPDF", printBackground=True)["data"])

    def note(self, event):
        method, about = event["method"], event.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.errors.append(about["exceptionDetails"])
        if method == "Runtime.consoleAPICalled" and about["type"] in ("error", "warning", "assert"):
            self.errors.append(about["args"])
        if method == "Log.entryAdded" and about["entry"]["level"] in ("error", "warning"):
            self.errors.append(about["entry"]["text"])


class Pipe:
    """Messages to and from the browser, each ended by a zero byte."""

    def __init__(self, to_browser, from_browser):
        self._to, self._from, self._buffer, self._count, self.page = to_browser, from_browser, b"", 0, None

    def ask(self, method, parameters, session=None):
        self._count += 1
        message = {"id": self._count, "method": method, "params": parameters}
        os.write(self._to, json.dumps(message | ({"sessionId": session} if session else {})).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._count:
                assert "error" not in answer, (method, answer["error"])
                return answer["result"]
            if self.page and "method" in answer:
                self.page.note(answer)

    def _next(self):
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._from], [], [], 60)
            assert ready, "the browser does not answer"
            part = os.read(self._from, 1 << 20)
            assert part, "the browser has ended"
            self._buffer += part
        message, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(message)


@contextlib.contextmanager
def browser(folder):
    """A fresh page in a fresh browser, whose profile lies in the folder; both end with the block."""
    there, to_browser = os.pipe()
    from_browser, here = os.pipe()
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", f"--user-data-dir={folder}"]
    shell = ["bash", "-c", f'exec "$@" 3<&{there} 4>&{here}', "bash", CHROMIUM, *options, "about:blank"]
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(shell, pass_fds=(there, here), stdin=quiet, stdout=quiet, stderr=quiet)
    os.close(there), os.close(here)
    try:
        pipe = Pipe(to_browser, from_browser)
        target = pipe.ask("Target.createTarget", {"url": "about:blank"})["targetId"]
        session = pipe.ask("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        pipe.page = Page(pipe.ask, session)
        for domain in ("Page", "Runtime", "Log"):
            pipe.page.call(f"{domain}.enable")
        pipe.page.size(1280, 900)
        yield pipe.page
    finally:
        process.terminate()
        process.wait(20)
        os.close(to_browser), os.close(from_browser)

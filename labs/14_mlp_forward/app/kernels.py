"""The long-living process in which the kernels run, behind a pipe: one line of JSON each way."""

import json
import subprocess
import threading


class Ended(Exception):
    """The process is gone and a new one would not start either."""


class Kernels:
    """Starts the command when it is first needed, again if it has ended, and asks it one thing at a time."""

    def __init__(self, command: list[str]):
        self._command, self._process, self._lock = command, None, threading.Lock()

    def classify(self, pixels: list[int]) -> dict:
        """The answer of `lab call` for one image of 784 pixels from 0 to 255, with its `probabilities`."""
        request = {"size": "1", "inputs": {"images": [pixel / 255 for pixel in pixels]}}
        answer = self._ask(json.dumps(request))
        return answer | {"probabilities": answer["outputs"].get("probabilities", [])}

    def _ask(self, request: str) -> dict:
        with self._lock:
            for _ in range(2):
                try:
                    return self._answer(request)
                except (OSError, ValueError):
                    self._end()
            raise Ended(f"{self._command[0]} ends at once; try ./lab doctor")

    def close(self):
        """Lets it end by itself, and its runner with it; waits until both are gone."""
        with self._lock:
            self._end()

    def _answer(self, line: str) -> dict:
        if not self._process:
            pipe = subprocess.PIPE
            # A session of its own: Ctrl-C is for the server, which then lets the process end.
            self._process = subprocess.Popen(
                self._command, stdin=pipe, stdout=pipe, text=True, encoding="utf-8", start_new_session=True
            )
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def _end(self):
        if not self._process:
            return
        try:
            self._process.stdin.close()
        except OSError:
            pass
        try:
            self._process.wait(2)
        except subprocess.TimeoutExpired:
            self._process.terminate()  # it kills its runner before it goes
            self._process.wait()
        self._process.stdout.close()
        self._process = None

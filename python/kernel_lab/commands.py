"""Runs the command `lab` and reads its JSON documents."""

import json
import sys

from kernel_lab import child, course


class LabError(Exception):
    """The command could not do its work; the text is its message."""


class Lab:
    def __init__(self, workshop):
        self._workshop = workshop

    def run(self, *words, **options):
        """Ends with the command; see child.run()."""
        with self._workshop.temporary_files() as folder:
            return child.run([*course.command(), *map(str, words)], TMPDIR=folder, **options)

    def document(self, *words):
        """The JSON document that the command prints; LabError with its message if it prints none."""
        said = []

        def progress(text):  # the first command in a checkout builds the program, which takes minutes
            said.append(text)
            print(text, end="", file=sys.stderr, flush=True)

        done = self.run(*words, "--json", on_stderr=progress)
        try:
            return json.loads(done.stdout)
        except ValueError:
            message = "" if said else f"lab {' '.join(map(str, words))} ended with status {done.status}"
            raise LabError(message) from None

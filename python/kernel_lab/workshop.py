"""The temporary folder of one notebook session: cells as files, and room for the commands' own temporary files."""

import atexit
import contextlib
import pathlib
import tempfile


class Workshop:
    def __init__(self):
        self._folder = tempfile.TemporaryDirectory(prefix="kernel-lab-")
        atexit.register(self._folder.cleanup)

    def file(self, *parts, text):
        """Writes a cell to a file of this session."""
        path = pathlib.Path(self._folder.name, *parts)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    @contextlib.contextmanager
    def temporary_files(self):
        """A folder for one command, which is removed even if the command was killed."""
        with tempfile.TemporaryDirectory(dir=self._folder.name, ignore_cleanup_errors=True) as folder:
            yield folder

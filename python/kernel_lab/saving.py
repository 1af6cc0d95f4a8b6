"""Writes a cell to a lab's kernel.cu, and keeps the version that was there."""

import datetime
import os
import tempfile

from kernel_lab import course


def save(lab, text):
    """The path that was written, and where the earlier version is now, or None if there was no other."""
    root = course.folder()
    kernel = root / "labs" / lab / "kernel.cu"
    if not kernel.parent.is_dir():
        raise FileNotFoundError(f"{kernel.parent} is no folder; start the notebook inside your course")
    kept = None
    if kernel.exists() and kernel.read_text(encoding="utf-8", errors="replace") != text:
        kept = _unused(root / ".lab" / "kept" / lab)
        _write(kept, kernel.read_bytes())
    _write(kernel, text.encode())
    return kernel, kept


def _unused(folder):
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")  # noqa: UP017 (Python 3.10)
    names = (folder / f"kernel-{now}{end}.cu" for end in ("", *(f"-{i}" for i in range(2, 10000))))
    return next(path for path in names if not path.exists())


def _write(path, data):
    """All or nothing, because a student may lose work otherwise."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".kernel-")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        os.chmod(name, path.stat().st_mode & 0o777 if path.exists() else 0o644)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise

"""A notebook that does not fit the disk: the path, the reason, and no part of it is left."""

import resource
import subprocess
import sys

from conftest import ROOT


def test_a_notebook_that_cannot_be_written_is_named(tmp_path):
    few = 1000  # bytes: more than that is an error without a file's name, as on a full disk
    result = subprocess.run(
        [sys.executable, ROOT / "python/kernel_lab", "01", "--course", ROOT, "--output", tmp_path],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (few, few)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 3, result.stderr
    assert f"File too large: '{tmp_path}/" in result.stderr and ".ipynb'" in result.stderr, result.stderr
    assert list(tmp_path.iterdir()) == []

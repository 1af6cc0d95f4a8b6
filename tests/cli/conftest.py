import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from checkout import BUILD, ROOT, checkout, needs_patch  # noqa: E402

__all__ = ["BUILD", "ROOT", "checkout", "needs_patch"]


@pytest.fixture
def lab(tmp_path):
    return checkout(tmp_path)

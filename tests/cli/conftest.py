import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from checkout import BUILD, ROOT, checkout, folder_of_many, needs_patch  # noqa: E402

__all__ = ["BUILD", "ROOT", "checkout", "needs_patch"]


@pytest.fixture
def lab():
    with folder_of_many() as folder:
        yield checkout(folder)

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from checkout import checkout  # noqa: E402


@pytest.fixture
def lab(tmp_path):
    return checkout(tmp_path)

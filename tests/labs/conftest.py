import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from checkout import checkout, folder_of_many  # noqa: E402


@pytest.fixture
def lab():
    with folder_of_many() as folder:
        yield checkout(folder)

"""labs/device/wgmma.hpp is what its program writes: nobody edits a list of 128 registers."""

import pathlib
import subprocess

DEVICE = pathlib.Path(__file__).resolve().parent.parent.parent / "labs/device"


def test_the_products_of_hopper_are_what_their_program_writes():
    written = subprocess.run(
        ["/usr/bin/python3", DEVICE / "wgmma.py"], capture_output=True, text=True, check=True
    )
    assert (DEVICE / "wgmma.hpp").read_text() == written.stdout

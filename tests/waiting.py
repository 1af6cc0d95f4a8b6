"""Tests wait for what they need to happen, and not for a time: a busy machine may take long."""

import time


def wait_until(happened, seconds=900):
    """The first true value of happened(). Raises AssertionError after a limit that only a defect exceeds."""
    end = time.monotonic() + seconds
    while not (value := happened()):
        assert time.monotonic() < end, f"not within {seconds} s"
        time.sleep(0.05)
    return value

"""Turns a drawing into what the network was trained on: digits prepared as those of MNIST."""

import numpy as np

SIDE, BOX = 28, 20


def prepared(drawing: np.ndarray) -> np.ndarray | None:
    """28 x 28 values from 0 to 255, the digit scaled into 20 x 20 with its centre of mass in the middle.

    `drawing` is grey, 0 where nothing was drawn; a drawing without any ink gives None.
    """
    ink = np.argwhere(drawing > 0)
    if not len(ink):
        return None
    (top, left), (bottom, right) = ink.min(axis=0), ink.max(axis=0) + 1
    digit = drawing[top:bottom, left:right].astype(float)
    scale = BOX / max(digit.shape)
    rows, cols = (max(1, round(extent * scale)) for extent in digit.shape)
    small = averages(digit.shape[0], rows) @ digit @ averages(digit.shape[1], cols).T
    return centred(small * (255 / small.max()))


def averages(before: int, after: int) -> np.ndarray:
    """The after x before matrix that resamples a line: each new element is the mean of the stretch that it covers."""
    edges = np.arange(after + 1) * (before / after)
    old = np.arange(before)
    overlap = np.minimum(edges[1:, None], old + 1) - np.maximum(edges[:-1, None], old)
    return np.clip(overlap, 0, None) * (after / before)


def centred(digit: np.ndarray) -> np.ndarray:
    """The digit in a field of 28 x 28, moved by whole pixels so that its centre of mass is in the middle."""
    rows, cols = digit.shape
    mass = digit.sum()
    y = (digit.sum(axis=1) @ np.arange(rows)) / mass
    x = (digit.sum(axis=0) @ np.arange(cols)) / mass
    middle = SIDE / 2  # pixel 14 counted from 0, half a pixel off the field's centre, as in MNIST
    top = int(np.clip(round(middle - y), 0, SIDE - rows))
    left = int(np.clip(round(middle - x), 0, SIDE - cols))
    field = np.zeros((SIDE, SIDE))
    field[top : top + rows, left : left + cols] = digit
    return field

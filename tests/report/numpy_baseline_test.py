"""The NumPy baseline computes what the labs compute, and its document is one the report reads."""

import json

import numpy as np

import numpy_baseline


def test_convolution_is_the_valid_correlation():
    random = np.random.default_rng(1)
    image, taps = random.integers(-9, 9, (7, 6)), random.integers(-9, 9, (3, 2))
    out = numpy_baseline.convolve(image, taps)
    assert out.shape == (5, 5)
    assert all(out[i, j] == (image[i : i + 3, j : j + 2] * taps).sum() for i, j in np.ndindex(5, 5))


def test_forward_gives_probabilities_even_for_large_scores():
    layers = [np.full((4, 3), 50.0), np.eye(3, 2) * 100]
    out = numpy_baseline.forward(np.ones((5, 4)), layers)
    assert out.shape == (5, 2) and np.allclose(out.sum(axis=1), 1) and np.isfinite(out).all()


def test_its_document_is_read_back(tmp_path, monkeypatch):
    from data.load import load

    monkeypatch.setattr(numpy_baseline, "operations", lambda random: [("transpose", "2x2", lambda: None, "a note")])
    monkeypatch.setattr(numpy_baseline, "numba", None)
    numpy_baseline.measure_to(tmp_path / "numpy.json")
    assert json.loads((tmp_path / "numpy.json").read_text())["results"][0]["ms"]["samples"] >= 3
    (row,) = load([tmp_path], tmp_path / "nothing").baselines
    assert (row.tool, row.operation, row.size, row.note) == ("numpy", "transpose", "2x2", "a note")
    assert row.source.backend == "cpu" and row.source.device


def test_timing_one_operation_leaves_the_others_inputs_alone():
    found = {name: function for name, _, function, _ in numpy_baseline.operations(np.random.default_rng(1))}
    before = found["histogram"]()[0]
    for _ in range(20):
        found["increment"]()
    assert before.sum() > 990_000 and (found["histogram"]()[0] == before).all()

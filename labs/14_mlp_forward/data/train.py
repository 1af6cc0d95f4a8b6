#!/usr/bin/python3
"""Trains the network of lab 14 on the digits beside this file and writes weights.bin and held_out.bin.

The first 8,000 digits are for training. The last 2,000 are never trained on; they measure the accuracy, and the first
512 of them are the digits from which the lab definition draws its batches.

    weights.bin    w1 (784 x 100), b1, w2 (100 x 100), b2, w3 (100 x 10), b3: float32, little endian, row-major
    held_out.bin   512 images of 784 bytes, one byte a pixel, then their 512 labels, one byte each
"""

import argparse
import gzip
import pathlib

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
SIDE = 28
TRAINED_ON = 8_000
SHIPPED = 512
LAYERS = ((SIDE * SIDE, 100), (100, 100), (100, 10))


def load_digits(folder=HERE):
    """All digits: images as n x 784 bytes, labels as n bytes. An IDX file has 4 bytes of type, then its extents."""
    images = np.frombuffer(gzip.decompress((folder / "images-idx3-ubyte.gz").read_bytes()), np.uint8, offset=16)
    labels = np.frombuffer(gzip.decompress((folder / "labels-idx1-ubyte.gz").read_bytes()), np.uint8, offset=8)
    return images.reshape(len(labels), SIDE * SIDE), labels


def load_weights(path=HERE / "weights.bin"):
    """The six arrays w1, b1, w2, b2, w3, b3."""
    values, arrays = np.fromfile(path, "<f4"), []
    for inputs, outputs in LAYERS:
        for shape in ((inputs, outputs), (outputs,)):
            size = int(np.prod(shape))
            arrays.append(values[:size].reshape(shape))
            values = values[size:]
    if values.size:
        raise ValueError(f"{path}: {values.size} values too many for a 784-100-100-10 network")
    return arrays


def hidden_and_probabilities(images, weights):
    """Both hidden layers and the probabilities; images are floats in [0, 1]."""
    w1, b1, w2, b2, w3, b3 = weights
    h1 = np.maximum(images @ w1 + b1, 0)
    h2 = np.maximum(h1 @ w2 + b2, 0)
    scores = h2 @ w3 + b3
    scores = np.exp(scores - scores.max(axis=1, keepdims=True))
    return h1, h2, scores / scores.sum(axis=1, keepdims=True)


def accuracy(images, labels, weights):
    """The share of images whose most probable class is their label."""
    probabilities = hidden_and_probabilities(images / np.float32(255), weights)[2]
    return float(np.mean(probabilities.argmax(axis=1) == labels))


def gradients(images, labels, weights):
    """Of the mean cross entropy, for each of the six arrays."""
    h1, h2, error = hidden_and_probabilities(images, weights)
    error[np.arange(len(labels)), labels] -= 1
    error /= len(labels)
    error2 = (error @ weights[4].T) * (h2 > 0)
    error1 = (error2 @ weights[2].T) * (h1 > 0)
    pairs = ((images, error1), (h1, error2), (h2, error))
    return [g for x, e in pairs for g in (x.T @ e, e.sum(axis=0))]


def shifted(images, random):
    """Each image moved by up to two pixels, so that the network sees more than 8,000 digits."""
    padded = np.pad(images.reshape(-1, SIDE, SIDE), ((0, 0), (2, 2), (2, 2)))
    rows, cols = random.integers(0, 5, (2, len(images), 1, 1))
    steps = np.arange(SIDE)
    moved = padded[np.arange(len(images))[:, None, None], rows + steps[:, None], cols + steps]
    return moved.reshape(len(images), -1)


def initial_weights(random):
    arrays = []
    for inputs, outputs in LAYERS:
        arrays.append(random.normal(0, np.sqrt(2 / inputs), (inputs, outputs)).astype(np.float32))
        arrays.append(np.zeros(outputs, np.float32))
    return arrays


def train(images, labels, epochs, seed, batch=100, rate=0.1, momentum=0.9):
    """Stochastic gradient descent with momentum; the step shrinks to nothing along a cosine."""
    random = np.random.default_rng(seed)
    weights = initial_weights(random)
    velocity = [np.zeros_like(w) for w in weights]
    steps = epochs * (len(labels) // batch)
    for step in range(steps):
        chosen = random.integers(0, len(labels), batch)
        inputs = shifted(images[chosen], random) / np.float32(255)
        now = rate * (1 + np.cos(np.pi * step / steps)) / 2
        for w, v, g in zip(weights, velocity, gradients(inputs, labels[chosen], weights), strict=True):
            v *= momentum
            v -= now * g
            w += v
    return weights


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--epochs", type=int, default=60)
    parser.add_argument("--seed", type=int, default=14)
    parser.add_argument("--out", type=pathlib.Path, default=HERE, help="folder for the two files")
    options = parser.parse_args()

    images, labels = load_digits()
    seen, held_out = slice(0, TRAINED_ON), slice(TRAINED_ON, None)
    weights = train(images[seen], labels[seen], options.epochs, options.seed)
    shipped = slice(TRAINED_ON, TRAINED_ON + SHIPPED)
    np.concatenate([w.ravel() for w in weights]).astype("<f4").tofile(options.out / "weights.bin")
    (options.out / "held_out.bin").write_bytes(images[shipped].tobytes() + labels[shipped].tobytes())
    print(f"accuracy on the {TRAINED_ON} digits trained on: {accuracy(images[seen], labels[seen], weights):.2%}")
    print(f"accuracy on {len(labels) - TRAINED_ON} digits not trained on: "
          f"{accuracy(images[held_out], labels[held_out], weights):.2%}")


if __name__ == "__main__":
    main()

#!/usr/bin/python3
"""Times a matrix product as three loops of interpreted Python on this machine's CPU, one run. Needs nothing but Python.

report/interpreted_product.py             # 256x512x256, the small product of lab 07
report/interpreted_product.py 64x64x64    # n x m x p
"""

import platform
import random
import re
import sys
import time

SIZE = "256x512x256"


def product(a, b):
    """c = a b for matrices as lists of rows, element by element like the reference of the labs."""
    n, m, p = len(a), len(b), len(b[0])
    c = [[0.0] * p for _ in range(n)]
    for row in range(n):
        for col in range(p):
            total = 0.0
            for k in range(m):
                total += a[row][k] * b[k][col]
            c[row][col] = total
    return c


def matrix(rows, cols, draw):
    return [[draw.random() for _ in range(cols)] for _ in range(rows)]


def timed(n, m, p):
    """Seconds of one product of random matrices."""
    draw = random.Random(1)
    a, b = matrix(n, m, draw), matrix(m, p, draw)
    begin = time.perf_counter()
    product(a, b)
    return time.perf_counter() - begin


def main(arguments):
    if "--help" in arguments:
        return print(__doc__)
    size = arguments[0] if arguments else SIZE
    if len(arguments) > 1 or not re.fullmatch(r"[1-9]\d*x[1-9]\d*x[1-9]\d*", size):
        sys.exit(f"interpreted_product: {' '.join(arguments)} is no size; write n x m x p as {SIZE}")
    n, m, p = map(int, size.split("x"))
    seconds = timed(n, m, p)
    rate = 2 * n * m * p / seconds / 1e6
    print(
        f"{size}: {seconds:.3g} s, {rate:.3g} MFLOP/s, {platform.python_implementation()} {platform.python_version()}"
    )


if __name__ == "__main__":
    main(sys.argv[1:])

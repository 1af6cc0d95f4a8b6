"""The same for numba's CUDA simulator: NUMBA_ENABLE_CUDASIM=1 /usr/bin/python3 tiled_matmul_numba.py N."""

import sys
import time

import numpy
from numba import cuda, float32

TILE = 16


@cuda.jit
def matmul(a, b, c, n):
    a_tile = cuda.shared.array((TILE, TILE), float32)
    b_tile = cuda.shared.array((TILE, TILE), float32)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    row, column = cuda.blockIdx.y * TILE + y, cuda.blockIdx.x * TILE + x
    total = float32(0)
    for t in range(0, n, TILE):
        a_tile[y, x] = a[row, t + x]
        b_tile[y, x] = b[t + y, column]
        cuda.syncthreads()
        for k in range(TILE):
            total += a_tile[y, k] * b_tile[k, x]
        cuda.syncthreads()
    c[row, column] = total


def main():
    n = int(sys.argv[1])
    i = numpy.arange(n * n)
    a = (i % 7).astype(numpy.float32).reshape(n, n)
    b = (i % 5).astype(numpy.float32).reshape(n, n)
    c = numpy.zeros((n, n), numpy.float32)
    begin = time.process_time()
    matmul[(n // TILE, n // TILE), (TILE, TILE)](a, b, c, n)
    print(time.process_time() - begin, c.astype(numpy.float64).sum())


if __name__ == "__main__":
    main()

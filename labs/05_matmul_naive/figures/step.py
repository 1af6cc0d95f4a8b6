"""What one warp loads in step k of the naive product."""

from data import warp_access
from lessons import parts
from lessons.canvas import Canvas

CELL, K, ROW = 18, 5, 3
A, B, C = (56, 236), (252, 62), (252, 236)  # corners of the matrices
M, N, P = 9, 6, 19


def draw():
    from_a = warp_access.Access(4, (4 * K,) * 32)
    from_b = warp_access.Access(4, tuple(4 * lane for lane in range(32)))
    sectors = [len(warp_access.sectors(access)) for access in (from_a, from_b)]
    canvas = Canvas(
        408,
        "Step k of the naive matrix product for one warp. All 32 lanes load the same element of a, which takes "
        f"{sectors[0]} sector, and 32 neighbours in a row of b, which take {sectors[1]} sectors.",
    )
    matrices(canvas)
    canvas.rect(C[0] + CELL, C[1] + ROW * CELL, 16 * CELL, CELL, fill="green", radius=0)
    canvas.rect(B[0] + CELL, B[1] + K * CELL, 16 * CELL, CELL, fill="blue", radius=0)
    canvas.rect(B[0] + CELL, B[1], 16 * CELL, M * CELL, tint="blue", radius=0)
    canvas.rect(A[0], A[1] + ROW * CELL, M * CELL, CELL, tint="orange", radius=0)
    canvas.rect(A[0] + K * CELL, A[1] + ROW * CELL, CELL, CELL, fill="orange", radius=0)
    canvas.note(A[0], A[1] - 28, f"one element: {parts.plural(sectors[0], 'sector')},", colour="orange")
    canvas.note(A[0], A[1] - 10, "broadcast to 32 lanes", colour="orange")
    canvas.note(B[0], B[1] - 12, f"32 neighbours in row k: {parts.plural(sectors[1], 'sector')}", colour="blue")
    canvas.note(C[0] + CELL * P, C[1] + N * CELL + 22, "32 sums, one in each lane", anchor="end", colour="green")
    canvas.text(A[0] + (K + 0.5) * CELL, A[1] + N * CELL + 20, "k", anchor="middle", colour="orange", mono=True)
    canvas.text(B[0] - 14, B[1] + (K + 0.8) * CELL, "k", anchor="end", colour="blue", mono=True)
    canvas.text(320, 392, "c[row][col] += a[row][k] * b[k][col]", anchor="middle", mono=True)
    return canvas


def matrices(canvas):
    for (x, y), columns, rows, name in ((A, M, N, "a"), (B, P, M, "b"), (C, P, N, "c")):
        parts.grid(canvas, x, y, columns, rows, CELL)
        canvas.text(x - 14, y + 14, name, 17, anchor="end", bold=True)

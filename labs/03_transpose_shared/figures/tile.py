"""A tile of `in` goes to shared memory by rows and leaves it by columns."""

from lessons import parts
from lessons.canvas import SMALL, Canvas

TILE = 40  # units; a tile of 8 x 8 stands for one of 32 x 32


def draw():
    canvas = Canvas(
        292,
        "A warp loads a row of the tile from in and stores it as a row of shared memory. After the barrier it loads a "
        "column of the shared tile and stores it as a row of out. Both global accesses take 4 sectors.",
    )
    left, shared, right = (28, 72), (248, 66), (480, 52)
    canvas.text(left[0], 34, "in", bold=True)
    canvas.text(shared[0], 34, "shared memory", bold=True)
    canvas.text(right[0], 34, "out", bold=True)
    parts.grid(canvas, *left, 4, 3, TILE, colour="rule")
    parts.grid(canvas, *right, 3, 4, TILE, colour="rule")
    canvas.rect(left[0] + 2 * TILE, left[1], TILE, TILE, tint="blue", stroke="blue", radius=0)
    canvas.rect(right[0], right[1] + 2 * TILE, TILE, TILE, tint="orange", stroke="orange", radius=0)
    canvas.rect(left[0] + 2 * TILE, left[1] + 10, TILE, 5, fill="blue", radius=0)
    canvas.rect(right[0], right[1] + 2 * TILE + 25, TILE, 5, fill="orange", radius=0)
    parts.grid(canvas, *shared, 8, 8, 16, colour="muted")
    canvas.rect(shared[0], shared[1] + 32, 128, 16, fill="blue", radius=0)
    canvas.rect(shared[0] + 80, shared[1], 16, 128, fill="orange", radius=0)
    canvas.arrow((left[0] + 3 * TILE + 4, left[1] + 12), (shared[0] - 4, shared[1] + 40), colour="blue", thick=2)
    canvas.arrow((shared[0] + 132, shared[1] + 74), (right[0] - 4, right[1] + 2 * TILE + 27), colour="orange", thick=2)
    steps(canvas)
    return canvas


def steps(canvas):
    canvas.note(108, 226, "1  load a row of in,", anchor="middle", colour="blue")
    canvas.note(108, 244, "store a row of the tile", anchor="middle", colour="blue")
    canvas.note(108, 262, "4 sectors a request", anchor="middle")
    canvas.rect(226, 214, 172, 30, tint="purple", stroke="purple", radius=4)
    canvas.centred(226, 214, 172, 30, "2  __syncthreads()", size=SMALL, mono=True)
    canvas.note(312, 262, "all 32 rows are stored", anchor="middle")
    canvas.note(526, 238, "3  load a column of", anchor="middle", colour="orange")
    canvas.note(526, 256, "the tile, store a row", anchor="middle", colour="orange")
    canvas.note(526, 274, "4 sectors a request", anchor="middle")

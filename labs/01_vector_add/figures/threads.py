"""Which thread owns which element: blocks of 8 threads stand for blocks of 256."""

from lessons import parts
from lessons.canvas import Canvas

BLOCK, N = 8, 20
CELL, LEFT = 24.5, 26
COLOURS = ("blue", "green", "purple")
CHOSEN = 13  # the element whose index is computed


def draw():
    blocks = -(-N // BLOCK)
    canvas = Canvas(
        304,
        f"{blocks} blocks of {BLOCK} threads on an array of {N} elements. Thread {CHOSEN % BLOCK} of block "
        f"{CHOSEN // BLOCK} owns element {CHOSEN}. The last {blocks * BLOCK - N} threads have no element.",
    )
    for block in range(blocks):
        left = LEFT + block * BLOCK * CELL
        parts.brace(canvas, left + 2, left + BLOCK * CELL - 2, 58, f"block {block}", False, COLOURS[block])
        parts.cells(canvas, left, 64, CELL, 28, range(BLOCK), lambda place, block=block: look(block * BLOCK + place))
    canvas.note(LEFT, 20, "blocks (blockIdx.x) and their threads (threadIdx.x)")
    middle = [LEFT + (i + 0.5) * CELL for i in range(blocks * BLOCK)]
    canvas.lines([((x, 106), (x, 128)) for x in middle[:N]], colour="muted")
    parts.cells(canvas, LEFT, 130, CELL, 28, range(N), look)
    canvas.note(LEFT, 178, f"array of n = {N} elements")
    canvas.lines([((x - 5, 106), (x + 5, 116)) for x in middle[N:]], colour="orange", thick=2)
    canvas.lines([((x + 5, 106), (x - 5, 116)) for x in middle[N:]], colour="orange", thick=2)
    canvas.note(LEFT + blocks * BLOCK * CELL, 149, "no element", anchor="end", colour="orange")
    canvas.text(320, 218, "i = blockIdx.x * blockDim.x + threadIdx.x", 17, anchor="middle", mono=True)
    block, thread = divmod(CHOSEN, BLOCK)
    canvas.text(320, 244, f"{CHOSEN} = {block} * {BLOCK} + {thread}", 17, anchor="middle", mono=True, colour="green")
    canvas.note(
        320,
        282,
        "The guard, if (i < n), keeps the threads without an element from touching memory.",
        anchor="middle",
        colour="orange",
    )
    return canvas


def look(thread):
    if thread == CHOSEN:
        return {"fill": "green"}
    if thread >= N:
        return {"stroke": "orange", "dashed": True}
    return {"tint": COLOURS[thread // BLOCK]}

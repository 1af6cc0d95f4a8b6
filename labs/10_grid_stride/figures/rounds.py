"""Which thread takes which element: the grid's stride, and a run of neighbours for each thread."""

from data import warp_access
from lessons import parts
from lessons.canvas import Canvas

THREADS, N, CELL, LEFT = 8, 24, 24.5, 26
RUN = N // THREADS
ROUNDS = ("blue", "green", "purple")


def draw():
    strided = [(i % THREADS, i // THREADS) for i in range(N)]  # (thread, round) of each element
    runs = [(i // RUN, i % RUN) for i in range(N)]
    counts = [sectors(owners) for owners in (strided, runs)]
    canvas = Canvas(
        316,
        f"A grid of {THREADS} threads on {N} elements. With the grid as stride the threads touch neighbours in each "
        f"round: {parts.plural(counts[0], 'sector')}. With a run of {RUN} elements each, a round touches {counts[1]} "
        "sectors.",
    )
    panel(canvas, 34, "stride = threads of the grid", strided, counts[0], "blue")
    panel(canvas, 164, f"a run of {RUN} neighbours for each thread", runs, counts[1], "orange")
    canvas.note(LEFT, 298, f"The number is the thread ({THREADS} threads, {N} elements).")
    parts.key(canvas, 386, 298, [(colour, i > 0, f"round {i}") for i, colour in enumerate(ROUNDS)], gap=4)
    return canvas


def sectors(owners):
    """How many sectors the threads touch in round 0."""
    first = tuple(4 * place for place, (_, number) in enumerate(owners) if number == 0)
    return len(warp_access.sectors(warp_access.Access(4, first)))


def panel(canvas, top, title, owners, count, colour):
    canvas.text(LEFT, top, title, bold=True)
    canvas.text(
        LEFT + N * CELL, top, f"round 0: {parts.plural(count, 'sector')}", anchor="end", bold=True, colour=colour
    )
    looks = [{"fill": ROUNDS[number]} if number == 0 else {"tint": ROUNDS[number]} for _, number in owners]
    parts.cells(canvas, LEFT, top + 14, CELL, 28, [thread for thread, _ in owners], lambda place: looks[place])
    size = warp_access.SECTOR // 4
    for start in range(0, N, size):
        x = LEFT + start * CELL
        parts.brace(canvas, x + 2, x + size * CELL - 2, top + 48, f"sector {start // size}")

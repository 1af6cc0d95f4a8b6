"""Draws one warp's access to memory: lanes above, the sectors or banks that they touch below."""

from kernel_lab.page import MUTED, RIGHT, WRONG, escape

LANES, BANKS, SECTOR, WORD = 32, 32, 32, 4
STEP, TOP, BOTTOM, SIDE = 18, 46, 120, 14  # pixels
WIDTH, HEIGHT = LANES * STEP + 8, 156


def title(line):
    """For example "shared load: 32 wavefronts a request, 1 is enough"."""
    unit = _unit(line)
    cost, least = (line[key] / max(line["requests"], 1) for key in (unit, f"{unit}_ideal"))
    enough = "" if cost <= least * 1.005 else f", {least:.4g} {'is' if least <= 1 else 'are'} enough"
    return f"{line['space']} {line['op']}: {cost:.4g} {unit if cost != 1 else unit[:-1]} a request{enough}"


def summary(line):
    """The drawing in words."""
    if line["space"] == "global":
        used = sectors(line["sample"])
        share = 100 * sum(map(len, used.values())) / (SECTOR * max(len(used), 1))
        return f"line {line['line']}: {_many(len(used), 'sector')} of 32 bytes, {share:.0f}% of them used"
    words = words_of_banks(line["sample"])
    busy, most = sum(1 for bank in words if bank), max(map(len, words))
    return f"line {line['line']}: {busy} of 32 banks, at most {_many(most, 'word')} from one"


def sectors(sample):
    """{number of a sector: its bytes that the warp uses}."""
    used = {}
    for _, offset in _active(sample):
        for byte in range(offset, offset + sample["bytes"]):
            used.setdefault(byte // SECTOR, set()).add(byte)
    return dict(sorted(used.items()))


def words_of_banks(sample):
    """For each bank the words that the warp wants from it."""
    banks = [set() for _ in range(BANKS)]
    for _, offset in _active(sample):
        for word in _words(sample, offset):
            banks[word % BANKS].add(word)
    return banks


def svg(line):
    draw = _sectors if line["space"] == "global" else _banks
    wasteful = line[_unit(line)] > 1.05 * line[f"{_unit(line)}_ideal"]
    colour = WRONG if wasteful else RIGHT
    active = {lane for lane, _ in _active(line["sample"])}
    lanes = "".join(_box(lane * STEP + 4, TOP - 14, STEP - 3, SIDE, colour if lane in active else "none")
                    for lane in range(LANES))  # fmt: skip
    names = "".join(_label(lane * STEP + 4 + STEP / 2, TOP - 18, lane, "middle") for lane in (0, 7, 15, 23, 31))
    heading = _label(4, 13, f"line {line['line']}, {title(line)}", "start", 12)
    below = _label(WIDTH / 2, HEIGHT - 8, summary(line), "middle", 11)
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {HEIGHT}' width='{WIDTH}' height='{HEIGHT}' "
        f"role='img' aria-label='{escape(summary(line))}' fill='currentColor' font-family='sans-serif' font-size='9'>"
        f"{heading}{names}{lanes}{draw(line['sample'], colour)}{below}</svg>"
    )


def _sectors(sample, colour):
    touched = sectors(sample)
    place = {number: i for i, number in enumerate(touched)}
    width = LANES * STEP / max(len(touched), 4)
    left = (LANES * STEP - width * len(touched)) / 2 + 4
    ends = {(lane, left + (place[byte // SECTOR] + 0.5) * width) for lane, offset in _active(sample)
            for byte in (offset, offset + sample["bytes"] - 1)}  # fmt: skip
    boxes = ""
    for i, used in enumerate(touched.values()):
        x, inner = left + i * width + 1, width - 2
        boxes += _box(x, BOTTOM, inner, SIDE, "none") + _box(x, BOTTOM, inner * len(used) / SECTOR, SIDE, colour)
    return _links(ends, colour) + boxes


def _banks(sample, colour):
    words = words_of_banks(sample)
    ends = {(lane, word % BANKS * STEP + 4 + STEP / 2) for lane, offset in _active(sample)
            for word in _words(sample, offset)}  # fmt: skip
    boxes = "".join(_box(bank * STEP + 4, BOTTOM, STEP - 3, SIDE, colour if words[bank] else "none")
                    for bank in range(BANKS))  # fmt: skip
    counts = "".join(
        f"<text x='{bank * STEP + 11}' y='{BOTTOM + 11}' text-anchor='middle' fill='#fff'>{len(found)}</text>"
        for bank, found in enumerate(words)
        if len(found) > 1
    )
    return _links(ends, colour) + boxes + counts


def _links(ends, colour):
    path = "".join(f"M{lane * STEP + 4 + STEP / 2:g},{TOP}L{x:g},{BOTTOM}" for lane, x in sorted(ends))
    return f"<path d='{path}' fill='none' stroke='{colour}' stroke-opacity='.6'/>"


def _box(x, y, width, height, fill):
    return f"<rect x='{x:g}' y='{y:g}' width='{width:g}' height='{height:g}' fill='{fill}' stroke='{MUTED}'/>"


def _label(x, y, text, anchor, size=9):
    return f"<text x='{x:g}' y='{y:g}' text-anchor='{anchor}' font-size='{size}'>{escape(text)}</text>"


def _active(sample):
    return [(lane, offset) for lane, offset in enumerate(sample["offsets"]) if offset is not None]


def _words(sample, offset):
    return range(offset // WORD, (offset + sample["bytes"] - 1) // WORD + 1)


def _unit(line):
    return "sectors" if line["space"] == "global" else "wavefronts"


def _many(number, noun):
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"

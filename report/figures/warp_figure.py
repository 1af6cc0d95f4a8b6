"""Draws one warp's accesses: lanes above, the sectors or banks that they touch below."""

import matplotlib.pyplot as plt
from matplotlib.patches import PathPatch
from matplotlib.path import Path

import style
from data import warp_access

LANES = 32
PANEL_INCHES, WIDTH_INCHES = 1.62, 11.0
HALF_INCHES = 4.1  # of a figure on a page, where its text is to be read at 330 pixels
KINDS = (("global", "load"), ("shared", "store"), ("shared", "load"), ("global", "store"), ("shared", "atomic"),
         ("global", "atomic"))  # fmt: skip


def pairs(profile):
    """(before, after) of each kind of access that the profile has a sample of, the most wasteful line of the kind."""
    before = profile.before
    found = [(before and typical(before, *kind), typical(profile, *kind)) for kind in KINDS]
    return [(left, right) for left, right in found if right]


def typical(profile, space, op):
    """The line that says most about this kind of access: the one with the most excess, then the most traffic."""
    lines = [t for t in profile.accesses if (t.space, t.op) == (space, op) and t.access]
    return max(lines, key=lambda t: (t.cost - t.ideal, t.cost), default=None)


def warp_figure(profile, left_name, right_name):
    """A row for each kind of access: before on the left, if there is one, the profile on the right."""
    rows = pairs(profile)
    columns = 2 if profile.before else 1
    height = PANEL_INCHES * len(rows) + 0.45
    with plt.rc_context(style.RC):
        width = WIDTH_INCHES if columns == 2 else WIDTH_INCHES / 2 + 0.3
        figure, axes = plt.subplots(len(rows), columns, figsize=(width, height), squeeze=False)
        for line, (before, after) in zip(axes, rows, strict=False):
            roles = ("cpu", "solution")[-columns:]
            for axis, traffic, role in zip(line[-2:], (before, after)[-columns:], roles, strict=False):
                draw_access(axis, traffic, style.ROLES[role][0])
        for axis, name in zip(axes[0], (left_name, right_name)[-columns:], strict=False):
            axis.text(0, 5.05, name, fontsize=10.5, fontweight="bold", color=style.INK)
        figure.subplots_adjust(
            left=0.012, right=0.988, wspace=0.05, hspace=0.16, top=1 - 0.62 / height, bottom=0.08 / height
        )
    return figure


def telling(profile):
    """The pairs that waste something or differ in cost; the first pair if none does."""
    found = pairs(profile)
    costs = [{(t.per_request, t.waste > 1.05) for t in pair if t} for pair in found]
    chosen = [pair for pair, cost in zip(found, costs, strict=True) if len(cost) > 1 or any(waste for _, waste in cost)]
    return chosen or found[:1]


def half_figure(profile, half):
    """The "before" or the "after" of the telling accesses, for a page that may be narrow; None without any."""
    side = 0 if half == "before" else 1
    found = [(pair[side], pair) for pair in telling(profile)]
    if not any(traffic for traffic, _ in found):
        return None
    height = PANEL_INCHES * len(found)
    with plt.rc_context(style.RC):
        figure, axes = plt.subplots(len(found), 1, figsize=(HALF_INCHES, height), squeeze=False)
        for axis, (traffic, _) in zip(axes[:, 0], found, strict=False):
            draw_access(axis, traffic, style.ROLES["cpu" if half == "before" else "starter"][0])
        figure.subplots_adjust(left=0.005, right=0.995, hspace=0.16, top=1 - 0.04 / height, bottom=0.04 / height)
    return figure


def draw_access(axis, traffic, colour):
    """One panel; nothing but a word where there is no such access."""
    axis.set_xlim(-0.3, LANES + 0.3)
    axis.set_ylim(-1.15, 4.3)
    axis.axis("off")
    if not traffic:
        axis.text(LANES / 2, 1.5, "no such access", ha="center", fontsize=9, color=style.MUTED)
        return
    axis.text(0, 4.05, title(traffic), fontsize=8.5, color=style.INK)
    active = [lane for lane, _ in traffic.access.lanes()]
    _boxes(axis, [(lane + 0.07, 2.85, 0.86, 0.62, lane in active) for lane in range(LANES)], colour)
    axis.text(0, 3.53, "lane 0", fontsize=7.5, color=style.MUTED)
    for lane in (7, 15, 23, 31):
        axis.text(lane + 0.5, 3.53, str(lane), ha="center", fontsize=7.5, color=style.MUTED)
    (_draw_sectors if traffic.space == "global" else _draw_banks)(axis, traffic.access, colour)


def title(traffic):
    """For example "line 21, shared load: 32 wavefronts a request, 1 would do"."""
    ideal = traffic.ideal / traffic.requests if traffic.requests else 0
    need = "as few as possible" if traffic.waste < 1.005 else f"{style.count(ideal)} would do"
    text = f"{style.counted(traffic.per_request, traffic.unit)} a request, {need}"
    return f"line {traffic.line}, {traffic.space} {traffic.op}: {text}"


def _draw_sectors(axis, access, colour):
    touched = warp_access.sectors(access)
    width = LANES / max(len(touched), 4)
    left = (LANES - width * len(touched)) / 2
    _links(axis, [(lane, left + (place + 0.5) * width) for lane, place in warp_access.lanes_to_sectors(access)], colour)
    inset = 0.07 * min(width, 2)
    boxes = [(left + i * width + inset, 0, width - 2 * inset, 0.8, False) for i in range(len(touched))]
    _boxes(axis, boxes, style.MUTED)
    filled = [
        (left + i * width + inset, 0, (width - 2 * inset) * sector.used / warp_access.SECTOR, 0.8, True)
        for i, sector in enumerate(touched)
    ]
    _boxes(axis, filled, colour)
    used = sum(sector.used for sector in touched) / (warp_access.SECTOR * max(len(touched), 1))
    words = f"{style.counted(len(touched), 'sectors')} of 32 bytes, {style.percent(used)} of them used"
    axis.text(LANES / 2, -0.25, words, ha="center", va="top", fontsize=8, color=style.MUTED)


def _draw_banks(axis, access, colour):
    words = warp_access.words_of_banks(access)
    _links(axis, sorted({(lane, bank + 0.5) for lane, bank in warp_access.lanes_to_banks(access)}), colour)
    _boxes(axis, [(bank + 0.07, 0, 0.86, 0.8, words[bank] > 0) for bank in range(warp_access.BANKS)], colour)
    for bank, count in enumerate(words):
        if count > 1:
            axis.text(bank + 0.5, 0.36, str(count), ha="center", va="center", fontsize=7, color=style.PAPER)
    busy, most = sum(count > 0 for count in words), max(words)
    text = f"{busy} of 32 banks, at most {style.counted(most, 'words')} from one"
    axis.text(LANES / 2, -0.25, text, ha="center", va="top", fontsize=8, color=style.MUTED)


def _links(axis, ends, colour):
    points = [point for lane, x in ends for point in ((lane + 0.5, 2.8), (x, 0.85))]
    path = Path(points, [Path.MOVETO, Path.LINETO] * len(ends))  # one for all, which keeps the SVG small
    axis.add_patch(PathPatch(path, facecolor="none", edgecolor=colour, linewidth=0.8, alpha=0.75))


def _boxes(axis, boxes, colour):
    """Rectangles (x, y, width, height, filled) as two paths."""
    for filled in (False, True):
        chosen = [box for box in boxes if box[4] == filled]
        if chosen:
            path = Path.make_compound_path(*(_rectangle(*box[:4]) for box in chosen))
            face, edge = (colour, colour) if filled else ("none", style.MUTED)
            axis.add_patch(PathPatch(path, facecolor=face, edgecolor=edge, linewidth=0.6))


def _rectangle(x, y, width, height):
    return Path([(x, y), (x + width, y), (x + width, y + height), (x, y + height), (x, y)], closed=True)

#!/usr/bin/python3
"""Draws what `lab sweep --json` found: plot_sweep.py DOCUMENT PICTURE, which ends with .svg or .png.

On a GPU one panel shows the times; on the simulator one for each count that differs, and the occupancy.
The last constant is on the horizontal axis; each combination of the others is a line.
"""

import json
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402

import style  # noqa: E402

PANEL_INCHES, HEIGHT_INCHES, MOST_PANELS, PANELS_IN_A_ROW = 3.4, 2.9, 9, 3
COLOURS = [colour for colour, _ in style.ROLES.values()]


def measures(rows):
    """{title: {row index: number}} of what differs between the rows that were measured."""
    found = {}
    for i, row in enumerate(rows):
        if "kernel_ms" in row:
            found.setdefault("time in µs, median", {})[i] = 1e3 * row["kernel_ms"]["median"]
        for name, count in row.get("counts", {}).items():
            if not name.endswith("_ideal"):
                found.setdefault(name.replace("_", " "), {})[i] = count
        if "occupancy" in row:
            found.setdefault("occupancy in %", {})[i] = 100 * row["occupancy"]
    different = {title: numbers for title, numbers in found.items() if len(set(numbers.values())) > 1}
    return different or found


def lines(rows, names, numbers):
    """{label: ([value of the last constant], [number])}"""
    found = {}
    for i, number in sorted(numbers.items(), key=lambda item: list(rows[item[0]]["values"].values())):
        values = rows[i]["values"]
        label = ", ".join(f"{name} = {values[name]}" for name in names[:-1])
        xs, ys = found.setdefault(label, ([], []))
        xs.append(values[names[-1]])
        ys.append(number)
    return found


def draw_panel(axis, title, found, places):
    for k, (label, (xs, ys)) in enumerate(found.items()):
        axis.plot([places[x] for x in xs], ys, "o-", color=COLOURS[k % len(COLOURS)], label=label, markersize=4)
    axis.set_title(title)
    axis.set_xticks(list(places.values()), [str(x) for x in places])
    axis.set_ylim(bottom=0)
    axis.grid(axis="y")


def figure_of(document, launcher, size):
    """The panels of one launcher at one size; the caller closes it."""
    names = [constant["name"] for constant in document["constants"]]
    rows = [row for row in document["results"] if (row["launcher"], row["size"]) == (launcher, size)]
    panels = list(measures(rows).items())[:MOST_PANELS]
    places = {x: i for i, x in enumerate(document["constants"][-1]["values"])}
    across = min(len(panels), PANELS_IN_A_ROW)
    down = -(-len(panels) // across)
    with plt.rc_context(style.RC):
        figure, axes = plt.subplots(
            down, across, figsize=(PANEL_INCHES * across, HEIGHT_INCHES * down + 0.5), squeeze=False
        )
        for axis in axes.flat[len(panels) :]:
            axis.set_visible(False)
        for axis, (title, numbers) in zip(axes.flat, panels, strict=False):
            draw_panel(axis, title, lines(rows, names, numbers), places)
            axis.set_xlabel(names[-1])
        where = document["device"].get("name", document["backend"])
        figure.suptitle(f"{document['lab']}, {launcher} {size}, {where}", x=0.02, ha="left", fontweight="bold")
        if len(names) > 1:
            axes.flat[0].legend(fontsize=7, frameon=False)
        figure.tight_layout()
    return figure


def main():
    document, picture = json.loads(pathlib.Path(sys.argv[1]).read_text()), pathlib.Path(sys.argv[2])
    groups = list(dict.fromkeys((r["launcher"], r["size"]) for r in document["results"] if r["verdict"] == "pass"))
    if not groups:
        sys.exit("no combination gave a right result, so there is nothing to draw")
    for number, (launcher, size) in enumerate(groups):
        # One file for each launcher and size: tiles.svg, tiles-2.svg and so on.
        name = picture if number == 0 else picture.with_stem(f"{picture.stem}-{number + 1}")
        figure = figure_of(document, launcher, size)
        with plt.rc_context(style.RC):
            figure.savefig(name, dpi=150)
        plt.close(figure)


if __name__ == "__main__":
    main()

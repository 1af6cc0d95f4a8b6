"""Modelled times on the student's page and in tables, always marked as modelled."""

import style
from data import families, modelled
from figures import drawings, modelled_figure
from pages import shared


def of_lab(lab, results, drawn):
    """For each GPU that the lab's kernels were modelled for: heading, figure and what the figure does not say."""
    found = []
    for (gpu, validated), rows in modelled.groups(row for row in results.modelled if row.lab == lab):
        heading = modelled.heading(gpu, validated)
        pictures = drawings.of(drawn, "modelled", f"{lab} {gpu}")
        svgs = [shared.svg(one, f"{lab}: times {heading}.") for one in pictures]
        found.append({"heading": heading, "svgs": svgs, "lines": [_line(row, results.bench) for row in rows]})
    return found


def _line(row, bench):
    return {
        "name": modelled_figure.kernel_name(row),
        "call": f"{row.launcher} {row.size}",
        "band": _band(row.time) if row.time else "",
        "problem": "" if row.time else row.problem or "the document has none",
        "limit": _limit(row),
        "comparison": _comparison(row),
        "gain": f"{row.gain[0]} it would be {_rough(row.gain[1])} times as fast" if row.gain else "",
        "measured": [(modelled.measured_words(one), one.kernel.median) for one in modelled.measured(row, bench)],
    }


def _band(band):
    return f"{style.milliseconds(band.low / 1000)} to {style.milliseconds(band.high / 1000)}"


def _limit(row):
    if not row.limit:
        return ""
    return f"balanced, most of it {row.limit}" if row.balanced else f"limited by {row.limit}"


def _comparison(row):
    """The kernel beside its step before, in the words of `lab bench`."""
    if not row.time or not row.before:
        return ""
    ratio, name = row.before.us / row.time.us, row.step_before
    if 1 / modelled.RESOLVABLE < ratio < modelled.RESOLVABLE:
        return f"too close to {name} to say which is faster"
    if ratio > 1:
        return f"{_rough(ratio)} times as fast as {name}"
    return f"{_rough(1 / ratio)} times as slow as {name}"


def _rough(ratio):
    """Two digits, because the model knows no more."""
    return f"{float(f'{ratio:.2g}'):g}"


def rooflines(results, drawn):
    """Each GPU's roofline for a wide and for a narrow screen; a GPU without a record has none."""
    found = []
    for (gpu, validated), _ in modelled.groups(results.modelled):
        heading = modelled.heading(gpu, validated)
        kinds = ("modelled-roofline", "modelled-roofline-narrow")
        svgs = [shared.svg(one, f"Roofline, {heading}.") for kind in kinds for one in drawings.of(drawn, kind, gpu)]
        if svgs:
            found.append({"heading": heading, "wide": svgs[0], "narrow": svgs[1]})
    return found


HEAD = ("modelled time", "low", "high", "step before, modelled", "measured", "limit")


def tables(results):
    """(name, head and rows, caption) of each GPU's modelled times, for a written report."""
    for (gpu, validated), rows in modelled.groups(results.modelled):
        heading = modelled.heading(gpu, validated)
        part = ((heading, *HEAD), [_cells(row, results.bench) for row in rows])
        yield f"modelled {gpu}", [part], f"Times {heading}. Low and high: the band that held most recorded times."


def _cells(row, bench):
    times = (row.time.us, row.time.low, row.time.high) if row.time else (None, None, None)
    times += (row.before.us if row.before else None,)
    measured = [f"{style.milliseconds(one.kernel.median)} {modelled.measured_words(one)}"
                for one in modelled.measured(row, bench)]  # fmt: skip
    return (
        f"{families.label(row)}, {row.launcher} {row.size}",
        *(style.milliseconds(us and us / 1000) for us in times),
        ", ".join(measured) or "–",
        _limit(row) if row.time else f"no time: {row.problem}",
    )

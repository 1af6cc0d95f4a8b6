"""Results as tables: one model, written as Markdown and LaTeX here and as HTML by the page."""

import re

import style
from data import peaks

HEAD = ("", "kernel", "warm", "with copies", "step", "over fast CPU", "rate", "of ceiling")


def cells(point):
    """The texts of one row after its label, in the order of HEAD."""
    return (
        style.milliseconds(point.kernel.median),
        style.milliseconds(point.warm and point.warm.median),
        style.milliseconds(point.with_copies and point.with_copies.median),
        style.times(point.gain),
        style.times(point.speed_up),
        rate(point),
        style.percent(point.of_ceiling),
    )


def rate(point):
    """GFLOP/s where more than ten operations come on each byte, else GB/s."""
    if peaks.counts_operations(point):
        return f"{style.significant(point.gflops)} GFLOP/s"
    return f"{style.significant(point.gbytes_per_s)} GB/s" if point.gbytes_per_s else "–"


def of_groups(groups):
    """(head, rows) of each group."""
    return [((group.title, *HEAD[1:]), [(p.label, *cells(p)) for p in group.points]) for group in groups]


def markdown(parts, caption):
    """One table for each part; a part is a head and rows of texts."""
    lines = [f"**{_markdown(caption)}**", ""]
    for head, rows in parts:
        lines += [_row(map(_markdown, head)), _row(["---"] + ["--:"] * (len(head) - 1))]
        lines += [_row(map(_markdown, row)) for row in rows]
        lines.append("")
    return "\n".join(lines)


def latex(parts, caption):
    """A floating table that needs no package but booktabs; all parts are equally wide."""
    lines = [r"\begin{table}", r"\centering\small", rf"\caption{{{_latex(caption)}}}"]
    lines += [rf"\begin{{tabular}}{{l{'r' * (len(parts[0][0]) - 1)}}}", r"\toprule"]
    for index, (head, rows) in enumerate(parts):
        lines += [r"\midrule"] if index else []
        lines += [_tex_row(head), r"\midrule", *map(_tex_row, rows)]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", r"\end{table}", ""])


def _row(texts):
    return "| " + " | ".join(texts) + " |"


def _tex_row(texts):
    return " & ".join(map(_latex, texts)) + r" \\"


def _markdown(text):
    text = re.sub(r"([\\`*_{}\[\]<>|#$])", r"\\\1", text)
    return " ".join(text.split())


_TEX = {c: "\\" + c for c in "&%$#_{}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "×": r"$\times$",
    "µ": r"$\mu$",
    "–": "--",
}


def _latex(text):
    return " ".join("".join(_TEX.get(c, c) for c in text).split())

"""Figures and tables for written reports."""

import xml.etree.ElementTree as ElementTree

import pytest


@pytest.fixture(scope="module")
def paper(workspaces, tmp_path_factory):
    space = workspaces(tmp_path_factory.mktemp("figures"))
    result = space.run("--figures", str(space.root / "paper"))
    assert result.returncode == 0, result.stderr
    return space.root / "paper"


def test_every_family_and_place_gets_figures_and_tables(paper):
    tables = {f"{name}-recorded-fixture-h200" for name in ("matmul", "transpose")}  # a simulator's time is no GPU's
    drawings = tables | {f"steps-{name}-recorded-fixture-h200" for name in ("matmul", "transpose")}
    drawings |= {"roofline-recorded-fixture-h200", "warp-04-transpose-padded"}
    drawn = {f"{name}.{ending}" for name in drawings for ending in ("png", "svg")}
    assert {path.name for path in (paper.parent / "out/figures").iterdir()} == drawn
    written = {f"{name}.{ending}" for name in (*tables, "published-transpose") for ending in ("md", "tex")}
    assert {path.name for path in paper.iterdir()} == drawn | written


def test_pictures_are_not_blank(paper):
    import matplotlib.image

    import style

    for path in paper.glob("*.png"):
        picture = matplotlib.image.imread(path)
        assert picture.shape[0] > 300 and picture.shape[1] > 1000
        solution = [int(style.ROLES["solution"][0][i : i + 2], 16) / 255 for i in (1, 3, 5)]
        assert (abs(picture[:, :, :3] - solution).max(axis=2) < 0.01).sum() > 100, path.name


def test_svg_files_are_well_formed_and_do_not_depend_on_the_time_of_day(paper):
    for path in paper.glob("*.svg"):
        root = ElementTree.parse(path).getroot()
        assert len(list(root.iter("{http://www.w3.org/2000/svg}path"))) > 5
        assert b"dc:date" not in path.read_bytes()


def test_markdown_and_latex_tables_hold_the_numbers_and_the_place(paper):
    markdown = (paper / "transpose-recorded-fixture-h200.md").read_text()
    assert "Recorded on Fixture H200, 2026-01-01" in markdown
    assert "| 04\\_transpose\\_padded | 31.0 µs | 28.0 µs |" in markdown
    latex = (paper / "transpose-recorded-fixture-h200.tex").read_text()
    assert "Recorded on Fixture H200" in latex
    assert r"04\_transpose\_padded & 31.0 $\mu$s & 28.0 $\mu$s" in latex


def test_latex_and_markdown_escape_what_their_readers_would_interpret():
    from data.families import Group, Point
    from data.load import Timing
    from pages import tables

    evil = r"50% & $x_1$ \input{/etc/passwd} | `#`"
    groups = [Group("", "1", (Point(evil, "solution", Timing(1, 1, 1)),))]
    parts = tables.of_groups(groups)
    assert r"50\% \& \$x\_1\$ \textbackslash{}input\{/etc/passwd\} | `\#`" in tables.latex(parts, "c")
    assert r"50% & \$x\_1\$ \\input\{/etc/passwd\} \| \`\#\`" in tables.markdown(parts, "c")


def test_the_tutorials_table_has_cold_warm_and_copies_of_every_place(paper):
    lines = (paper / "published-transpose.md").read_text().split("\n")
    assert "Fixture H200, cold | Fixture H200, warm | Fixture H200, with copies" in lines[2]
    assert "simulator" not in lines[2]
    naive = next(line for line in lines if line.startswith("| GPU, naive"))
    assert "| 27 ms | P100 | 181 µs | 174 µs | 1.68 ms |" in naive


@pytest.mark.parametrize(
    "ms, text",
    [
        (0.0000003, "0.300 ns"),
        (0.0283, "28.3 µs"),
        (0.9999, "1.00 ms"),
        (33730, "33.7 s"),
        (250, "250 ms"),
        (999.6, "1.00 s"),
    ],
)
def test_durations_are_shown_in_the_unit_that_suits_them(ms, text):
    import style

    assert style.milliseconds(ms) == text


def test_speed_ups_compare_with_the_fast_cpu_program_and_gains_with_the_step_before():
    from data.families import groups
    from data.load import Bench, Source, Timing

    def row(lab, ms, fast):
        cpu = {"one_thread": 700, "all_threads": None, "fast": fast}
        time = Timing(ms, ms, ms)
        return Bench(
            Source("sim", "d"), lab, "solution", "f", "8x8", "pass", "", time, None, None, None, None, None, cpu, ()
        )

    (group,) = groups([row("02_x_a", 2, 10), row("03_x_b", 1, 20)])
    assert [(p.label, p.speed_up, p.gain) for p in group.points] == [
        ("CPU: the tutorials' loop, one thread", 10 / 700, None),
        ("CPU: fast program", 1, None),
        ("02_x_a", 5, None),
        ("03_x_b", 10, 2),
    ]
    (group,) = groups([row("02_x_a", 2, None)])
    assert [p.speed_up for p in group.points] == [None, None]  # a speed-up over a slow loop is none


def test_labs_of_one_stem_are_one_family():
    from data.families import families, title

    found = families(["05_matmul_naive", "02_transpose_naive", "13_matmul_work_per_thread", "01_vector_add"])
    assert found == {
        "vector": ["01_vector_add"],
        "transpose": ["02_transpose_naive"],
        "matmul": ["05_matmul_naive", "13_matmul_work_per_thread"],
    }
    assert title(found["matmul"]) == "Matmul" and title(found["vector"]) == "Vector add"


def test_a_tools_size_may_leave_out_the_labs_last_extents():
    from data.load import Baseline, Source, Timing
    from data.published import Row, Table, ours

    row = Row("NumPy", "8.08 ms", "a CPU", "all of it", "numpy:histogram")
    baselines = [
        Baseline(Source("cpu", "d"), "numpy", "histogram", size, Timing(ms, ms, ms), "")
        for size, ms in (("1000000", 1), ("1000", 2), ("10000000", 3))
    ]
    table = Table("11_a", "t", "", "1000000x150", "s", (row,))
    assert [kernel.median for _, _, kernel, _, _ in ours(row, table, [], baselines)] == [1]

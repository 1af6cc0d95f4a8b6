"""The page: what it says, how it labels what was measured, and that nothing hostile gets through."""

import html.parser
import json
import re


class Tags(html.parser.HTMLParser):
    """Collects tags, attributes, ids and the text of a page."""

    def __init__(self, text):
        super().__init__()
        self.names, self.attributes, self.ids, self.text = set(), [], [], ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.names.add(tag)
        self.attributes += attributes
        self.ids += [value for name, value in attributes if name == "id"]

    def handle_data(self, data):
        self.text += data


def section(page, identifier):
    return re.search(rf'<section id="{identifier}">.*?</section>', page, re.S).group(0)


def change(path, **values):
    document = json.loads(path.read_text())
    document["results"][0].update(values)
    path.write_text(json.dumps(document))


def change_profile(path, **values):
    path.write_text(json.dumps(json.loads(path.read_text()) | values))


def test_the_page_shows_verdicts_numbers_and_messages(workspace):
    assert workspace.run().returncode == 0
    page = workspace.page()
    progress = Tags(section(page, "progress")).text
    assert re.search(r"2\s+of 7 your kernels pass", progress)
    assert re.search(r"6\s+of 7 solutions pass", progress)
    assert "out[row 0][col 64] is never written; the reference has -48317264." in progress
    assert "./lab hint 04" in progress and "see hint 1" in progress
    assert "992, allowed 0" in progress
    assert "Padding the tile" in progress and "09_convolution" in progress
    transpose = Tags(section(page, "transpose")).text
    for number in ("61.0 ms", "1970×", "31.0 µs", "96 %", "cublasSgeam"):
        assert number in transpose
    assert "Not timed, wrong answer" in Tags(section(page, "matmul")).text


def test_each_figure_says_where_and_when_it_was_measured(workspace):
    workspace.run()
    figures = re.findall(r"<figure>.*?</figure>", section(workspace.page(), "transpose"), re.S)
    assert len(figures) == 3 and "Each bar is a step" in figures[2]
    assert "Measured here: simulator wall time on Fixture CPU, 2 threads, 2026-01-02" in figures[0]
    assert "says nothing about the speed of a GPU" in figures[0]
    assert "Ceiling: 21.5 GB/s" in figures[0] and "Simulated fixture GPU" not in workspace.page()
    assert "Recorded on Fixture H200, 2026-01-01" in figures[1]
    assert "CPU baselines: Fixture server CPU, 16 threads" in figures[1] and "driver 000.00" in figures[1]
    assert "simulator" not in figures[1]


def test_a_measurement_on_a_gpu_here_is_not_called_simulated(workspace):
    for path in (workspace.root / "results").glob("bench-*.json"):
        document = json.loads(path.read_text()) | {"backend": "cuda", "device": {"name": "Fixture GPU"}}
        path.write_text(json.dumps(document))
    workspace.run()
    assert "Measured here on Fixture GPU, 2026-01-02" in workspace.page()
    assert "Measured here: simulator wall time" not in workspace.page()


def test_published_figures_stand_beside_ours(workspace):
    workspace.run()
    rows = re.findall(r"<tr>.*?</tr>", section(workspace.page(), "transpose"), re.S)
    naive = next(Tags(row).text for row in rows if "GPU, naive" in row)
    assert "27 ms" in naive and "P100" in naive and "61.0 ms" in naive and "181 µs" in naive
    numpy = next(Tags(row).text for row in rows if "NumPy, for comparison" in row)
    assert "41.0 ms" in numpy


def test_each_kernel_has_its_source_with_counts_and_a_drawing_of_a_warp(workspace):
    workspace.run()
    memory = section(workspace.page(), "memory")
    assert memory.count("<svg") == 1 and "Before: the solution of 03_transpose_shared" in memory
    row = next(row for row in re.findall(r"<tr.*?</tr>", memory, re.S) if "shared[threadIdx.x][" in row)
    texts = [Tags(text).text for text in re.findall(r"(?:<span.*?</span>|<td>[^<]+</td>)", row)]
    kinds, costs = ["global store", "shared load"], ["4 sectors", "32 wavefronts", "4", "1", "192", "192"]
    assert texts == ["25", *kinds, *costs]
    assert 'class="heat5 waste"' in row


def test_a_starter_that_nobody_has_touched_has_not_failed(workspace):
    for folder, name in (("labs", "kernel.cu"), ("solutions", "starter.cu")):
        path = workspace.root / folder / "04_transpose_padded" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("// TODO\n")
    workspace.run()
    progress = section(workspace.page(), "progress")
    row = next(row for row in re.findall(r"<tr>.*?</tr>", progress, re.S) if "04_transpose_padded" in row)
    assert "not begun" in row and "is never written" not in progress


def test_hostile_names_and_messages_are_shown_as_text(workspace):
    evil = "</code><script>alert(1)</script><img src=x onerror=alert(1)>\"' $\\frac{x} \x00\x1b[31m {{ 7*7 }} -->"
    results = workspace.root / "results"
    change(results / "check-04_transpose_padded-starter-sim.json", lab="90_" + evil, variant=evil, verdict=evil)
    profile = results / "profile-04_transpose_padded-starter-sim.json"
    change_profile(profile, lab="04_" + evil, source=evil, message=evil)
    change(
        results / "check-03_transpose_shared-starter-sim.json",
        cases=[{"name": evil, "verdict": "crash", "message": evil}],
    )
    change(
        results / "bench-04_transpose_padded-solution-sim.json", lab="04_transpose_" + evil, size=evil, launcher=evil
    )
    result = workspace.run("--figures", str(workspace.root / "paper"))
    assert result.returncode == 0, result.stderr
    tags = Tags(workspace.page())
    assert not tags.names & {"script", "img", "iframe", "object", "link rel=stylesheet"}
    assert not [name for name, _ in tags.attributes if name.startswith("on")]
    assert "<script>alert(1)</script>" in tags.text and "{{ 7*7 }}" in tags.text
    assert "\x00" not in workspace.page() and "\x1b" not in workspace.page()


def test_the_page_needs_no_network_and_no_script(workspace):
    workspace.run()
    tags = Tags(workspace.page())
    assert "script" not in tags.names
    for name, value in tags.attributes:
        if name in ("src", "href", "xlink:href", "action", "data", "poster"):
            assert value.startswith(("#", "data:")), (name, value)
    assert not re.search(r"@import|url\((?!#)", workspace.page())


def test_ids_are_unique_and_links_within_the_page_lead_somewhere(workspace):
    workspace.run()
    tags = Tags(workspace.page())
    assert len(tags.ids) == len(set(tags.ids))
    targets = {value[1:] for name, value in tags.attributes if name in ("href", "xlink:href") and value.startswith("#")}
    assert {"progress", "transpose", "matmul"} <= targets
    assert targets <= set(tags.ids)


def test_every_figure_uses_the_colours_of_the_theme(workspace):
    import style

    workspace.run()
    drawings = "".join(re.findall(r"<svg.*?</svg>", workspace.page(), re.S))
    assert "var(--ink)" in drawings and "var(--role-solution)" in drawings
    fixed = {style.INK, style.MUTED, style.RULE, style.PAPER, *(colour for colour, _ in style.ROLES.values())}
    assert not [colour for colour in fixed if colour in drawings]


def test_a_course_of_twenty_labs_with_long_messages_stays_under_3_mb(workspace):
    results = workspace.root / "results"
    bench = json.loads((results / "bench-04_transpose_padded-solution-sim.json").read_text())
    check = json.loads((results / "check-04_transpose_padded-starter-sim.json").read_text())
    check["results"][0]["cases"] = [
        {"name": f"case {i}", "verdict": "crash", "message": "x" * 50_000} for i in range(40)
    ]
    for number in range(10, 30):
        for document, kind in ((bench, "bench"), (check, "check")):
            document["results"][0]["lab"] = f"{number}_family{number}_lab"
            (results / f"{kind}-{number}.json").write_text(json.dumps(document))
    assert workspace.run().returncode == 0
    assert (workspace.root / "out/index.html").stat().st_size < 3_000_000
    assert "35 more cases" in workspace.page()

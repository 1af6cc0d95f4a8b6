"""The pages: what they say, how it labels what was measured, and that nothing hostile gets through."""
# ctest: slow

import base64
import hashlib
import html
import html.parser
import json
import os
import re

import pytest

from conftest import FIXTURES, ROOT


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


@pytest.fixture(scope="module")
def made(workspaces, tmp_path_factory):
    """A report of the fixtures as they are."""
    space = workspaces(tmp_path_factory.mktemp("made"))
    assert space.run().returncode == 0
    return space


def section(page, identifier):
    return re.search(rf'<section[^>]* id="{identifier}">.*?</section>', page, re.S).group(0)


def change(path, **values):
    document = json.loads(path.read_text())
    document["results"][0].update(values)
    path.write_text(json.dumps(document))


def change_profile(path, **values):
    path.write_text(json.dumps(json.loads(path.read_text()) | values))


def test_my_page_shows_verdicts_messages_and_what_is_next(made):
    page = made.page()
    text = Tags(page).text
    assert re.search(r"2 of 7\s+labs passed", text)
    shown = Tags(section(page, "lab-04-transpose-padded")).text
    assert "out[row 0][col 64] is never written; the reference has -48317264." in shown
    assert "100x257 wrong answer: ./lab hint 04 1" in " ".join(shown.split()) and "992, allowed 0" in shown
    assert "Padding the tile" in shown and "1/2 cases" in Tags(section(page, "lab-03-transpose-shared")).text
    assert "03_transpose_shared" in Tags(section(page, "next")).text
    assert "solution" not in section(page, "lab-03-transpose-shared")


def test_a_hint_has_the_number_and_stage_that_the_judge_names_and_is_named_once(workspace):
    (path,) = workspace.root.glob("results/check-04_transpose_padded-starter-*.json")
    told = {"verdict": "wrong_answer", "hint": 4, "message": "It is wrong.\n\nNext: ./lab hint 04.2 4 (in general: x)"}
    change(path, cases=[{"name": "first", **told}, {"name": "second", **told}])
    workspace.run()
    shown = " ".join(Tags(section(workspace.page(), "lab-04-transpose-padded")).text.split())
    assert "first wrong answer It is wrong. Next: ./lab hint 04.2 4 (in general: x)" in shown
    assert "second wrong answer: ./lab hint 04.2 4 It is wrong." in shown


def test_a_kernel_that_was_saved_after_its_check_is_named(workspace):
    kernel = workspace.root / "labs/04_transpose_padded/kernel.cu"
    kernel.write_text("// another kernel\n")
    workspace.run()
    shown = " ".join(Tags(section(workspace.page(), "lab-04-transpose-padded")).text.split())
    assert "The kernel was saved after this check. Check it again: ./lab check 04" in shown
    os.utime(kernel, (0, 0))
    workspace.run()
    assert "saved after" not in workspace.page()


def test_my_page_compares_counts_with_the_step_before(made):
    shown = section(made.page(), "lab-04-transpose-padded")
    assert "2 times fewer bank conflicts than 03_transpose_shared" in shown
    bars = re.findall(r'title="([^"]*): ([\d,]+) bank conflicts".*?width:([\d.]+)%', shown, re.S)
    assert bars == [("03_transpose_shared", "12,096", "100.0"), ("this kernel", "5,952", "49.2")]
    assert "The same for both: sectors loaded 768, sectors stored 768" in shown


def test_no_page_shows_a_speed_of_the_simulator(made):
    for page in (made.page(), made.page("course.html")):
        assert not [words for words in ("simulator wall time", "84.0 ms", "81.5 ms") if words in page]
    assert "0.00×" not in made.page() and "Speed-up" not in made.page()


def test_the_course_has_the_recorded_measurements_by_lab(made):
    page = made.page("course.html")
    index = Tags(section(page, "labs")).text
    assert "Padding the tile" in index and "611 µs" in index and "not recorded" in index
    transpose = Tags(section(page, "transpose")).text
    for number in ("31.0 µs", "96 %", "cublasSgeam", "Recorded on Fixture H200, 2026-01-01", "driver 000.00"):
        assert number in transpose
    assert "CPU baselines: Fixture server CPU, 16 threads" in transpose and "simulator" not in transpose
    assert "CPU: the tutorials' loop, one thread" in transpose


def test_a_measurement_on_a_gpu_here_is_on_both_pages(workspace):
    for path in (workspace.root / "results").glob("bench-*.json"):
        document = json.loads(path.read_text()) | {"backend": "cuda", "device": {"name": "Fixture GPU"}}
        if path.name == "bench-04_transpose_padded-starter-sim.json":
            own = {"kernel_ms": {"median": 0.031}, "verdict": "pass", "size": "2000x5000", "launcher": "transpose"}
            document["results"] = [document["results"][0] | own | {"peers": [{"name": "x", "ms": 0.062}]}]
        path.write_text(json.dumps(document))
    workspace.run()
    assert "Measured here on Fixture GPU, 2026-01-02" in workspace.page("course.html")
    shown = Tags(section(workspace.page(), "lab-04-transpose-padded")).text
    assert re.search(r"What I gained on this GPU\s+transpose 2000x5000: 31.0 µs, 2.00× as fast as x", shown)


def test_published_figures_stand_beside_ours(made):
    rows = re.findall(r"<tr>.*?</tr>", section(made.page("course.html"), "transpose"), re.S)
    naive = next(Tags(row).text for row in rows if "GPU, naive" in row)
    assert "27 ms" in naive and "P100" in naive and "181 µs" in naive
    numpy = next(Tags(row).text for row in rows if "NumPy, for comparison" in row)
    assert "41.0 ms" in numpy


def test_my_kernel_has_its_source_with_counts_and_a_drawing_of_each_half(made):
    shown = section(made.page(), "lab-04-transpose-padded")
    assert shown.count("<svg") == 2 and "Before: the solution of 03_transpose_shared" in shown
    assert "After: your kernel" in shown
    lines = re.findall(r"<li.*?</li>", shown, re.S)
    assert len(lines) == 33
    row = next(line for line in lines if "shared[threadIdx.x][" in line)
    assert lines.index(row) + 1 == 25 and 'class="heat5 waste"' in row
    costs = [Tags(text).text for text in re.findall(r"<span.*?</span>", row)]
    assert costs == ["global store: 4 sectors a request", "shared load: 32 wavefronts a request, 1 would do"]


def test_a_drawing_shows_what_differs_or_wastes_and_no_more():
    from data.documents import read
    from data.profiles import read_profile
    from figures import warp_figure

    profile = read_profile(read(FIXTURES / "results/profile-04_transpose_padded-starter-sim.json"))
    assert len(warp_figure.pairs(profile)) == 4
    ((before, after),) = warp_figure.telling(profile)
    assert (before.line, after.line, after.per_request) == (22, 25, 32)


def test_of_two_launchers_in_one_file_only_the_compared_one_is_drawn_and_counted():
    from data.profiles import read_profile
    from data.traced_kernels import names, step_before
    from figures import warp_figure

    def launch(launcher, sectors):
        line = {"file": "kernel.cu", "line": 12, "op": "load", "space": "global", "requests": 10, "sectors": sectors,
                "sectors_ideal": 40, "sample": {"bytes": 4, "offsets": [4 * lane for lane in range(32)]}}  # fmt: skip
        return {"launcher": launcher, "size": "64", "lines": [line]}

    shared = {"lab": "05_x", "source": "", "file": "kernel.cu"}
    before = shared | {"variant": "solution", "launches": [launch("slow", 320)], "compared": "slow"}
    both = [launch("slow", 320), launch("fast", 40)]
    profile = read_profile(shared | {"variant": "starter", "launches": both, "compared": "fast", "before": before})
    assert profile.calls == (("fast", "64"),)
    assert warp_figure.typical(profile, "global", "load").per_request == 4
    assert warp_figure.typical(profile.before, "global", "load").per_request == 32
    assert step_before(profile) == "slow" and names(profile)[0] == "Before: slow of the solution"


def test_a_failed_kernel_explains_its_first_case_and_names_the_others(workspace):
    path = workspace.root / "results/check-04_transpose_padded-starter-sim.json"
    check = json.loads(path.read_text())
    (first, *_) = [case for case in check["results"][0]["cases"] if case["verdict"] != "pass"]
    message = "transpose at 31x33\nout[0][1] is 5; the reference has 7.\n\nWhy: the barrier is missing."
    cases = [first | {"name": f"case {number}", "message": message} for number in range(3)]
    check["results"][0]["cases"] = cases
    path.write_text(json.dumps(check))
    assert workspace.run().returncode == 0
    card = Tags(section(workspace.page(), "lab-04-transpose-padded")).text
    assert card.count("Why: the barrier is missing.") == 1 and card.count("out[0][1] is 5") == 3
    assert all(f"case {number}" in card for number in range(3))


def test_a_starter_that_nobody_has_touched_has_not_failed(workspace):
    for folder, name in (("labs", "kernel.cu"), ("solutions", "starter.cu")):
        path = workspace.root / folder / "04_transpose_padded" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("// TODO\n")
    workspace.run()
    assert 'title="04_transpose_padded: not begun"' in workspace.page()
    assert "is never written" not in workspace.page()


def test_a_student_who_has_done_nothing_is_told_how_to_begin(workspace):
    for path in (workspace.root / "results").glob("*starter*"):
        path.unlink()
    assert workspace.run().returncode == 0
    assert "You have checked no kernel of your own yet" in workspace.page()


def test_a_pdf_is_a4_or_the_missing_program_is_named(workspace):
    result = workspace.run("--pdf", "--author", "Ada Lovelace")
    assert "Ada Lovelace" in workspace.page()
    if result.returncode == 3:
        assert "apt-get install chromium" in result.stderr
        pytest.skip("neither Chromium nor WeasyPrint works here")
    document = (workspace.root / "out/report.pdf").read_bytes()
    sizes = re.findall(rb"/MediaBox ?\[([^]]*)\]", document)
    assert result.returncode == 0 and document.startswith(b"%PDF") and sizes
    for size in sizes:
        width, height = (float(number) for number in size.split()[2:])
        assert abs(width - 595) < 2 and abs(height - 842) < 2


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
        workspace.root / "recorded/bench-04_transpose_padded-solution-cuda.json",
        lab="04_transpose_" + evil,
        size=evil,
        launcher=evil,
    )
    result = workspace.run("--figures", str(workspace.root / "paper"))
    assert result.returncode == 0, result.stderr
    for name in ("index.html", "course.html"):
        page = workspace.page(name)
        tags = Tags(page)
        assert not tags.names & {"img", "iframe", "object", "link rel=stylesheet"} and page.count("<script") == 1
        assert not [key for key, _ in tags.attributes if key.startswith("on")]
        assert "\x00" not in page and "\x1b" not in page
    text = Tags(workspace.page()).text
    assert "<script>alert(1)</script>" in text and "{{ 7*7 }}" in text


def test_the_pages_need_no_network_and_run_only_our_script(made):
    script = (ROOT / "report/pages/page.js").read_text()
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    for file in ("index.html", "course.html"):
        page = made.page(file)
        assert f"script-src 'sha256-{digest}'" in html.unescape(page) and f"<script>{script}</script>" in page
        for name, value in Tags(page).attributes:
            if name in ("src", "href", "xlink:href", "action", "data", "poster"):
                assert value.startswith(("#", "data:")) or value in ("index.html", "course.html"), (name, value)
        assert not re.search(r"@import|url\((?!#)", page)


def test_ids_are_unique_and_links_within_the_page_lead_somewhere(made):
    for file, wanted in (("index.html", {"lab-04-transpose-padded"}), ("course.html", {"transpose", "matmul"})):
        tags = Tags(made.page(file))
        assert len(tags.ids) == len(set(tags.ids))
        links = [value for name, value in tags.attributes if name in ("href", "xlink:href")]
        targets = {value[1:] for value in links if value.startswith("#")}
        assert wanted <= targets <= set(tags.ids)


def test_every_figure_uses_the_colours_of_the_theme(made):
    import style

    pages = made.page() + made.page("course.html")
    drawings = "".join(re.findall(r"<svg.*?</svg>", pages, re.S))
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


def test_my_page_shows_registers_spills_and_the_lines_with_most_instructions(workspaces, tmp_path):
    space = workspaces(tmp_path)
    source = json.loads((space.root / "results/profile-04_transpose_padded-starter-sim.json").read_text())["source"]
    number = next(i for i, line in enumerate(source.split("\n"), 1) if "= in[" in line)
    spilling = {"address": "0000", "label": "", "line": 7, "elsewhere": "", "spill": True, "text": "STL [R1], R2 ;"}
    plain = {**spilling, "spill": False, "text": "@!P0 FFMA.FTZ R1, R2, R3, R4 ;"}
    needs = {"registers": 40, "barriers": 1, "shared_bytes": 4224, "stack_bytes": 8}
    needs |= {"spill_store_bytes": 4, "spill_load_bytes": 8}
    kernel = {"name": "transpose_kernel", "symbol": "x", "kernel": True, "counted": None, "lines": []}
    kernel |= {"resources": needs, "instructions": [spilling, plain, plain, {**plain, "line": number}]}
    kernel["instructions"] += [{**plain, "line": 0, "text": "LDC R1 ;"}, {**plain, "line": number, "text": "LDG R4 ;"}]
    document = {
        "schema": 1,
        "version": "1.1.0",
        "lab": "04_transpose_padded",
        "variant": "starter",
        "file": "kernel.cu",
    }
    document |= {"code": "sass", "architecture": "sm_90", "why_not_counted": "", "kernels": [kernel]}
    (space.root / "results/asm-04_transpose_padded-starter-cuda.json").write_text(json.dumps(document))
    assert space.run().returncode == 0
    shown = " ".join(Tags(section(space.page(), "lab-04-transpose-padded")).text.split())
    assert "SASS for sm_90" in shown and "40 registers a thread, 4,224 bytes of shared memory" in shown
    assert "12 bytes of spills, 6 instructions" in shown
    assert "line 7: 3 instructions: 2 FFMA, 1 STL; 1 of them are spills" in shown
    # Each instruction stands below its line of the source, with the simulator's counts and a mark on spills.
    below = shown[shown.index("Every instruction below its line") :]
    counts = "global load: 4 sectors a request, 192 requests shared store: 1 wavefront a request, 192 requests"
    assert f"in[(first_row + j) * cols + col]; {counts} @!P0 FFMA.FTZ R1, R2, R3, R4 ; LDG R4 ;" in below
    assert re.search(r"7 constexpr int width = tile;.* STL \[R1\], R2 ; spill ?@!P0 FFMA", below), below
    assert "from no line of this file LDC R1 ;" in below

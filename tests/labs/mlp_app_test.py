"""`lab app 14`: what its server answers and refuses, and that nothing is left behind."""
# ctest: slow

import http.client
import json
import os
import re
import shutil
import signal
import socket
import sys
import time

import numpy
import pytest

from checkout import ROOT, checkout

sys.path.insert(0, str(ROOT / "labs/14_mlp_forward/app"))
DRAWING = 112 * 112
BINARY = {"Content-Type": "application/octet-stream"}


def digits():
    """The 512 digits that the network was not trained on, and their labels."""
    raw = numpy.fromfile(ROOT / "labs/14_mlp_forward/data/held_out.bin", numpy.uint8)
    return raw[: 512 * 784].reshape(512, 28, 28), raw[512 * 784 :]


class server:
    def __init__(self, lab, *arguments):
        self.process = lab.start("app", "14", "--port", "0", "--backend", "sim", *arguments)
        line = self.process.stdout.readline()
        self.port = int(re.search(r"http://127\.0\.0\.1:(\d+)/", line).group(1))

    def ask(self, method, path, body=None, headers=(), host=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        own = {"Host": host or f"127.0.0.1:{self.port}"}
        connection.request(method, path, body, own | dict(headers))
        answer = connection.getresponse()
        return answer.status, answer.read(), answer.headers

    def classify(self, drawing):
        origin = {"Origin": f"http://127.0.0.1:{self.port}"}
        status, body, _ = self.ask("POST", "/classify", drawing, BINARY | origin)
        assert status == 200, body
        return json.loads(body)

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(20)


@pytest.fixture
def start(lab):
    servers = []

    def start(*arguments):
        servers.append(server(lab, *arguments))
        return servers[-1]

    yield start
    for one in servers:
        if one.process.poll() is None:
            one.stop()


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    one = server(checkout(tmp_path_factory.mktemp("app")), "--solution")
    yield one
    one.stop()


def enlarged(image):
    return numpy.kron(image, numpy.ones((4, 4), numpy.uint8)).astype(numpy.uint8).tobytes()


def test_digits_that_it_has_never_seen_are_recognised(running):
    images, labels = digits()
    answers = [running.classify(enlarged(image)) for image in images[:40]]
    assert {a["verdict"] for a in answers} == {"pass"}
    assert all(abs(sum(a["probabilities"]) - 1) < 1e-3 and len(a["probabilities"]) == 10 for a in answers)
    right = sum(numpy.argmax(a["probabilities"]) == label for a, label in zip(answers, labels, strict=False))
    assert right >= 36
    assert answers[0]["kernel"] == "solutions/14_mlp_forward/kernel.cu" and answers[0]["backend"] == "sim"


def test_a_small_drawing_in_a_corner_is_the_same_digit(running):
    images, labels = digits()
    field = numpy.zeros((112, 112), numpy.uint8)
    right = 0
    for image, label in zip(images[:20], labels, strict=False):
        field[:] = 0
        field[70:98, 4:32] = image
        right += numpy.argmax(running.classify(field.tobytes())["probabilities"]) == label
    assert right >= 17


@pytest.mark.parametrize(
    "method, path, body, headers, status",
    [
        ("GET", "/", None, {}, 200),
        ("GET", "/page.js", None, {}, 200),
        ("GET", "/../app.py", None, {}, 404),
        ("GET", "/classify", None, {}, 405),
        ("PUT", "/", None, {}, 405),
        ("OPTIONS", "/classify", None, {}, 405),
        ("POST", "/", b"", {}, 405),
        ("POST", "/classify", b"\1" * DRAWING, BINARY | {"Origin": None}, 403),
        ("POST", "/classify", b"\1" * DRAWING, BINARY | {"Origin": "http://evil.example"}, 403),
        ("POST", "/classify", b"\1" * DRAWING, BINARY | {"Origin": "null"}, 403),
        ("GET", "/", None, {"Origin": "http://evil.example"}, 403),
        ("POST", "/classify", b"\1" * DRAWING, {"Content-Type": "text/plain"}, 415),
        ("POST", "/classify", b"\1" * (DRAWING - 1), BINARY, 400),
        ("POST", "/classify", b"\1" * (DRAWING + 1), BINARY, 413),
        ("POST", "/classify", b"\1" * 50_000_000, BINARY, 413),
        ("POST", "/classify", b"\1" * DRAWING, BINARY | {"Content-Length": "9" * 40}, 413),
        ("POST", "/classify", b"\1" * DRAWING, BINARY | {"Content-Length": "-1"}, 400),
        ("POST", "/classify", iter([b"\1" * DRAWING]), BINARY, 411),
        ("POST", "/classify", b"\0" * DRAWING, BINARY, 422),
    ],
)
def test_every_request_gets_the_status_that_it_deserves(running, method, path, body, headers, status):
    if method == "POST" and "Origin" not in headers:
        headers = headers | {"Origin": f"http://127.0.0.1:{running.port}"}
    try:
        got, text, answer = running.ask(method, path, body, {k: v for k, v in headers.items() if v is not None})
    except (BrokenPipeError, ConnectionResetError):
        assert status == 413 and body and len(body) > 1_000_000  # it did not wait for all of that
        return
    assert got == status, text
    assert answer["X-Content-Type-Options"] == "nosniff" and "Access-Control-Allow-Origin" not in answer
    assert status != 405 or answer["Allow"] in ("GET", "POST")
    assert status == 200 or json.loads(text)["error"]


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1", "127.0.0.1:1"])
def test_another_name_for_this_machine_is_refused(running, host):
    status, text, _ = running.ask("GET", "/", host=host)
    assert status == 421 and b"this server is called" in text


def test_only_this_machine_can_connect(running):
    own = {line.split()[1] for line in open("/proc/net/tcp") if f":{running.port:04X} " in line.split()[1] + " "}
    assert own == {f"0100007F:{running.port:04X}"}


def test_a_silent_client_does_not_keep_others_waiting(running):
    with socket.create_connection(("127.0.0.1", running.port)):
        begin = time.monotonic()
        assert running.ask("GET", "/")[0] == 200
        assert time.monotonic() - begin < 5


def test_an_unfinished_kernel_says_so_and_a_saved_cure_counts_at_once(lab, start):
    one = start()
    drawing = enlarged(digits()[0][0])
    answer = one.classify(drawing)
    assert answer["verdict"] == "wrong_answer" and "never written" in answer["message"]
    assert answer["kernel"] == "labs/14_mlp_forward/kernel.cu"
    kernel = lab.root / "labs/14_mlp_forward/kernel.cu"
    kernel.write_text("this is no kernel\n")
    answer = one.classify(drawing)
    assert answer["verdict"] == "compile_error" and "kernel.cu:1" in answer["message"]
    shutil.copy(lab.root / "solutions/14_mlp_forward/kernel.cu", kernel)
    assert one.classify(drawing)["verdict"] == "pass"


def test_a_kernel_that_crashes_or_hangs_takes_nobody_along(lab, start):
    kernel = lab.root / "labs/14_mlp_forward/kernel.cu"
    solution = (lab.root / "solutions/14_mlp_forward/kernel.cu").read_text()
    one, drawing = start(), enlarged(digits()[0][0])
    for code, verdict in (("*(volatile int*)8 = 1;", "crash"), ("for (volatile int i = 1; i;) {}", "timeout")):
        kernel.write_text(re.sub(r"(\nvoid forward\([^{]*\{)", rf"\1 {code}", solution))
        assert one.classify(drawing)["verdict"] == verdict
    kernel.write_text(solution)
    assert one.classify(drawing)["verdict"] == "pass"


def family(process):
    """The ids of a process and all that it started."""
    found = {process}
    for path in (p for p in os.listdir("/proc") if p.isdigit()):
        try:
            parent = int(open(f"/proc/{path}/stat").read().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue
        if parent == process:
            found |= family(int(path))
    return found


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_ending_it_leaves_no_process_behind(start, ending):
    one = start("--solution")
    one.classify(enlarged(digits()[0][0]))
    processes = family(one.process.pid)
    assert len(processes) == 3  # the server, `lab call` and the runner
    one.process.send_signal(ending)
    assert one.process.wait(20) == 0
    assert "Traceback" not in one.process.stderr.read()
    assert not [p for p in processes if os.path.exists(f"/proc/{p}")]


def test_a_port_that_is_taken_is_named(lab, running):
    result = lab.run("app", "14", "--port", str(running.port), "--backend", "sim")
    assert result.returncode == 3 and f"port {running.port}" in result.stderr and "--port 0" in result.stderr


@pytest.mark.parametrize(
    "arguments, code, says",
    [
        (["--port", "70000"], 2, "--port"),
        (["--launcher", "backward"], 2, "forward_naive, forward_tiled, forward"),
        (["--kernel", "nothing.cu"], 2, "nothing.cu does not exist"),
        (["--backend", "cuda"], 3, "cuda cannot be used here"),
    ],
)
def test_wrong_usage_is_an_error_before_anything_is_served(lab, arguments, code, says):
    if "cuda" in arguments and shutil.which("nvcc"):
        pytest.skip("there may be a GPU")
    result = lab.run("app", "14", *arguments)
    assert result.returncode == code and says in result.stderr, result.stderr


def test_drawings_are_prepared_as_mnist_is():
    import digits as preparation

    images, _ = digits()
    assert preparation.prepared(numpy.zeros((112, 112))) is None
    for image in images[:20]:
        ink = numpy.argwhere(preparation.prepared(image))
        assert (numpy.ptp(ink, axis=0) + 1).max() == 20
    dot = numpy.zeros((112, 112), numpy.uint8)
    dot[3, 5] = 9
    assert preparation.prepared(dot).max() == 255
    rows = numpy.array([[0, 100, 200, 0]] * 4)
    assert numpy.allclose(preparation.averages(4, 2) @ rows, [[0, 100, 200, 0]] * 2)
    centre = preparation.prepared(images[0])
    mass = numpy.array([centre.sum(axis=1) @ numpy.arange(28), centre.sum(axis=0) @ numpy.arange(28)]) / centre.sum()
    assert abs(mass - 14).max() <= 0.5


def test_preparing_a_prepared_digit_changes_it_little():
    import digits as preparation

    images, _ = digits()
    large = [preparation.prepared(numpy.kron(image, numpy.ones((4, 4)))) for image in images[:50]]
    assert numpy.mean([abs(a - b).mean() for a, b in zip(large, images[:50].astype(float), strict=False)]) < 0.1

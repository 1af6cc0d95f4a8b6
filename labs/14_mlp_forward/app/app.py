#!/usr/bin/python3
"""Serves a page on which you draw a digit, to this machine alone; the student's kernels classify each drawing."""

import argparse
import http.server
import json
import pathlib
import signal
import socket
import sys

import digits
import numpy as np

import kernels

FOLDER = pathlib.Path(__file__).resolve().parent
SIDE = 112  # of a drawing, in pixels of one byte
FILES = {
    "/": ("page.html", "text/html; charset=utf-8"),
    "/page.css": ("page.css", "text/css; charset=utf-8"),
    "/page.js": ("page.js", "text/javascript; charset=utf-8"),
}
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src data:; frame-ancestors 'none'; base-uri 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Refused(Exception):
    """A request that is not answered: status and why."""


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, port: int, network: kernels.Kernels):
        super().__init__(("127.0.0.1", port), Handler)
        self.network = network
        port_part = "" if self.server_port == 80 else f":{self.server_port}"
        self.hosts = {name + port_part for name in ("127.0.0.1", "localhost")}


class Handler(http.server.BaseHTTPRequestHandler):
    timeout = 10  # seconds that a client may take to say something
    server_version, sys_version = "lab-app", ""

    def do_GET(self):
        self._answer("GET", self._file)

    def do_POST(self):
        self._answer("POST", self._classify)

    def __getattr__(self, name):
        if name.startswith("do_"):
            return lambda: self._answer(self.command, None)
        raise AttributeError(name)

    def log_message(self, *_):
        pass

    def _answer(self, method, action):
        try:
            self._require_own_host_and_origin()
            self._require_method(method)
            self._send(200, *action())
        except Refused as refusal:
            status, why = refusal.args
            self.close_connection = True
            self._send(status, json.dumps({"error": why}).encode(), "application/json")
            self._drain()
        except (TimeoutError, ConnectionError):
            self.close_connection = True

    def _drain(self):
        """Takes a little of what is still coming: closing a socket with unread bytes would take the answer back."""
        self.connection.settimeout(0.2)
        self.wfile.flush()
        try:
            self.connection.shutdown(socket.SHUT_WR)
            for _ in range(64):
                if not self.connection.recv(65536):
                    return
        except OSError:
            pass

    def _require_own_host_and_origin(self):
        """Another site's script must neither use the kernels nor reach them under a name of its own (DNS rebinding)."""
        host, origin = self.headers.get("Host", ""), self.headers.get("Origin")
        if host not in self.server.hosts:
            raise Refused(421, f"this server is called {sorted(self.server.hosts)[0]}, not {host!r:.80}")
        needed = self.command == "POST"
        if (needed or origin is not None) and origin != f"http://{host}":
            raise Refused(403, "only the page of this server may ask this")

    def _require_method(self, method):
        allowed = {"/classify": "POST"} | dict.fromkeys(FILES, "GET")
        if self.path not in allowed:
            raise Refused(404, "there is no such page")
        if allowed[self.path] != method:
            raise Refused(405, f"use {allowed[self.path]}")

    def _file(self):
        name, kind = FILES[self.path]
        return (FOLDER / name).read_bytes(), kind

    def _classify(self):
        drawing = np.frombuffer(self._body(), np.uint8).reshape(SIDE, SIDE)
        digit = digits.prepared(drawing)
        if digit is None:
            raise Refused(422, "the drawing is empty")
        pixels = digit.round().astype(int).ravel().tolist()
        try:
            answer = self.server.network.classify(pixels)
        except kernels.Ended as error:
            raise Refused(503, str(error)) from error
        return json.dumps(answer | {"pixels": pixels}).encode(), "application/json"

    def _body(self) -> bytes:
        if self.headers.get("Content-Type") != "application/octet-stream":
            raise Refused(415, "a drawing is application/octet-stream")
        length = self.headers.get("Content-Length")
        if length is None or "Transfer-Encoding" in self.headers:
            raise Refused(411, "say Content-Length")
        if not (length.isascii() and length.isdigit()):
            raise Refused(400, "Content-Length is no number")
        if len(length) > 9 or int(length) > SIDE * SIDE:
            raise Refused(413, f"a drawing has {SIDE * SIDE} bytes")
        body = self.rfile.read(int(length)) if int(length) == SIDE * SIDE else b""
        if len(body) != SIDE * SIDE:
            raise Refused(400, f"a drawing has {SIDE * SIDE} bytes")
        return body

    def _send(self, status, body, kind):
        self.send_response(status)
        for name, value in {**HEADERS, "Content-Type": kind, "Content-Length": len(body)}.items():
            self.send_header(name, str(value))
        if status == 405:
            self.send_header("Allow", "POST" if self.path == "/classify" else "GET")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


def port_number(text):
    if not (text.isdecimal() and int(text) <= 65535):
        raise argparse.ArgumentTypeError(f"{text} is no port: it must be from 0 to 65535")
    return int(text)


def main():
    parser = argparse.ArgumentParser(prog="app.py", description=__doc__)
    parser.add_argument("--port", type=port_number, default=8414, help="0 takes a free one (default: %(default)s)")
    parser.add_argument("command", nargs="+", help="the `lab call` that runs the kernels")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    network = kernels.Kernels(options.command)
    try:
        with Server(options.port, network) as server:
            print(f"Draw a digit on http://127.0.0.1:{server.server_port}/ (Ctrl-C ends it)", flush=True)
            server.serve_forever()
    except KeyboardInterrupt:
        return 0
    except OSError as error:
        print(f"lab: port {options.port} cannot be used: {error.strerror}; try --port 0", file=sys.stderr)
        return 3
    finally:
        network.close()


if __name__ == "__main__":
    sys.exit(main())

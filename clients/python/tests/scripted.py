"""A server that replies, and fails, by script."""

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
import threading

AGENT = (200, {}, '{"data": {"id": 7}}')


def failure(status, **headers):
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return (status, named, '{"error": {"status": %d, "message": "no"}}' % status)


def broken_off(body):
    return (200, {"Content-Length": "1000"}, body)


def hanging(test):
    """No reply before the end of the test."""
    is_over = threading.Event()
    test.addCleanup(is_over.set)

    def hang(_):
        is_over.wait()

    return hang


def frame(seq, kind):
    return f'id: {seq}\nevent: {kind}\ndata: {{"type": "{kind}", "seq": {seq}}}\n\n'


def stream(*frames):
    return (200, {"Content-Type": "text/event-stream"}, ": ping\n\n" + "".join(frames))


class ScriptedServer(ThreadingHTTPServer):
    """Replies one after the other; None closes the connection without a reply."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), ScriptedHandler)
        self.calls = []
        self.replies = []


class ScriptedHandler(BaseHTTPRequestHandler):
    def reply(self):
        self.server.calls.append((self.command, self.path, self.headers, self.body()))
        replies = self.server.replies
        scripted = replies.pop(0) if len(replies) > 1 else replies[0]
        scripted = scripted(self.path) if callable(scripted) else scripted
        if scripted is None:
            return
        status, headers, body = scripted
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body.encode())

    def body(self):
        if self.headers.get("Transfer-Encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        chunks = []
        while not chunks or chunks[-1]:
            size = int(self.rfile.readline(), 16)
            chunks.append(self.rfile.read(size))
            self.rfile.readline()
        return b"".join(chunks)

    do_GET = do_POST = do_PUT = do_DELETE = reply

    def log_message(self, *_):
        pass


def start(test):
    """Starts a server that ends with the test."""
    server = ScriptedServer()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    test.addCleanup(server.server_close)
    test.addCleanup(server.shutdown)
    return server


class KeepingHandler(BaseHTTPRequestHandler):
    """Keeps its connections open; `/api/v1/agents/<n>/…/stream` is a stream that stays open after its first event."""

    protocol_version = "HTTP/1.1"

    def reply(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        server = self.server
        server.ports.append(self.client_address[1])
        if self.path.endswith("/stream"):
            return self.stream()
        body = AGENT[2].encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        if server.closes_after_reply:
            # Without the header that would announce it.
            self.close_connection = True

    def stream(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        self.wfile.write(frame(1, "task.started").encode())
        self.server.is_open.set()
        # Returns when the client closes the connection.
        self.connection.recv(1)
        self.server.is_left.set()
        self.close_connection = True

    do_GET = do_POST = do_PUT = do_DELETE = reply

    def log_message(self, *_):
        pass


def start_keeping(test):
    """Starts a server that keeps its connections and ends with the test."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), KeepingHandler)
    server.daemon_threads, server.block_on_close = True, False
    server.ports, server.closes_after_reply = [], False
    server.is_open, server.is_left = threading.Event(), threading.Event()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    test.addCleanup(server.server_close)
    test.addCleanup(server.shutdown)
    return server

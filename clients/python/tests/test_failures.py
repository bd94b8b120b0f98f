"""The client against a server that fails by script."""

import email
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import signalbox

AGENT = (200, {}, '{"data": {"id": 7}}')


def failure(status, **headers):
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return (status, named, '{"error": {"status": %d, "message": "no"}}' % status)


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
        length = int(self.headers.get("Content-Length") or 0)
        self.server.calls.append((self.command, self.path, self.headers, self.rfile.read(length)))
        replies = self.server.replies
        scripted = replies.pop(0) if len(replies) > 1 else replies[0]
        if scripted is None:
            return
        status, headers, body = scripted
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body.encode())

    do_GET = do_POST = do_PUT = do_DELETE = reply

    def log_message(self, *_):
        pass


class FailuresTest(unittest.TestCase):
    def setUp(self):
        self.server = ScriptedServer()
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.client = signalbox.Client("svk_test", f"http://127.0.0.1:{self.server.server_port}")
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)

    def answer(self, *replies):
        self.server.replies = list(replies)

    def headers(self, name):
        return [headers[name] for _, _, headers, _ in self.server.calls]

    def test_sends_a_post_again_under_the_same_key(self):
        self.answer(None, AGENT)
        self.assertEqual(self.client.agents.create(application_id=1, agent_name="a"), {"id": 7})
        first, second = self.headers("Idempotency-Key")
        self.assertTrue(first)
        self.assertEqual(first, second)

    def test_waits_for_the_first_try_and_as_long_as_asked(self):
        running = failure(409, Retry_After="0")
        self.answer(running, running, running, running, failure(503, Retry_After="0"), AGENT)
        self.assertEqual(self.client.agents.create(application_id=1, agent_name="a"), {"id": 7})
        self.answer(failure(429, Retry_After="3600"))
        with self.assertRaises(signalbox.RateLimitError):
            self.client.agents.get(7)
        self.assertEqual(len(self.server.calls), 7)

    def test_does_not_repeat_a_delete_or_a_stored_reply(self):
        self.answer(None)
        with self.assertRaises(signalbox.ConnectionFailed):
            self.client.agents.delete(7)
        self.answer(failure(503, Idempotent_Replayed="true"))
        with self.assertRaises(signalbox.ServerError):
            self.client.agents.create(application_id=1, agent_name="a")
        self.assertEqual(len(self.server.calls), 2)

    def test_continues_a_stream_after_the_last_event(self):
        self.answer(stream(frame(1, "task.started")), None, stream(frame(2, "task.completed"), frame(3, "never")))
        events = self.client.agents.stream_task(7, "a", options={"max_retries": 0})
        self.assertEqual([event["type"] for event in events], ["task.started", "task.completed"])
        self.assertEqual(self.headers("Last-Event-ID"), [None, "1", "1"])

    def test_leaves_out_known_events_of_a_repeated_stream(self):
        self.answer(stream(frame(1, "task.started")), stream(frame(1, "task.started"), frame(2, "task.failed")))
        events = self.client.agents.invoke(7, message="hello", stream=True)
        self.assertEqual([event["type"] for event in events], ["task.started", "task.failed"])
        self.assertEqual(len(set(self.headers("Idempotency-Key"))), 1)

    def test_raises_when_a_completion_breaks_off(self):
        self.answer((200, {"Content-Type": "text/event-stream"}, 'data: {"id": "c", "choices": []}\n\n'))
        with self.assertRaises(signalbox.ConnectionFailed):
            list(self.client.chat.create(messages=[], stream=True))
        self.assertEqual(len(self.server.calls), 1)

    def test_sends_a_file_in_a_form_with_the_same_bytes_on_each_try(self):
        self.answer(None, AGENT)
        self.client.workflows.put_artifact(7, key="a.txt", file=b"\x00\xff")
        (_, _, headers, first), (_, _, _, second) = self.server.calls
        self.assertEqual(first, second)
        message = email.message_from_bytes(b"Content-Type: " + headers["Content-Type"].encode() + b"\r\n\r\n" + first)
        parts = [(part.get_param("name", header="content-disposition"), part.get_payload(decode=True)) for part in message.get_payload()]
        self.assertEqual(parts, [("key", b"a.txt"), ("file", b"\x00\xff")])

    def test_divides_fields_into_path_query_and_body(self):
        self.answer((200, {}, '{"data": [], "pagination": {"total": 0, "offset": 0, "limit": 25}}'))
        self.assertEqual(list(self.client.agents.list(status=["ENABLED", "DISABLED"], search="a&b")), [])
        self.answer(AGENT)
        self.client.sessions.update("a/b", metadata={"k": None})
        (_, listed, _, _), (method, path, _, body) = self.server.calls
        self.assertEqual(listed, "/api/v1/agents?search=a%26b&status=ENABLED&status=DISABLED")
        self.assertEqual((method, path, body), ("PUT", "/api/v1/sessions/a%2Fb", b'{"metadata": {"k": null}}'))


if __name__ == "__main__":
    unittest.main()

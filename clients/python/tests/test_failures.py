"""The client against a server that fails by script."""

import email
import gc
import io
import itertools
import json
import os
import socket
import threading
import unittest
from unittest import mock
from urllib.parse import parse_qs, urlsplit

import signalbox
from scripted import AGENT, broken_off, failure, frame, hanging, start, start_keeping, stream
from signalbox._streams import Frame, FrameParser

class FailuresTest(unittest.TestCase):
    def setUp(self):
        self.server = start(self)
        self.client = signalbox.Client("svk_test", f"http://127.0.0.1:{self.server.server_port}")
        self.addCleanup(self.client.close)

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

    def test_sends_the_last_of_a_header_in_several_spellings(self):
        self.answer(AGENT)
        address = f"http://127.0.0.1:{self.server.server_port}"
        with signalbox.Client("svk_test", address, headers={"X-SERVICE-API-KEY": "svk_other"}) as client:
            client.agents.create(application_id=1, agent_name="a", options={"headers": {"idempotency-key": "mine"}})
        ((_, _, headers, _),) = self.server.calls
        self.assertEqual(headers.get_all("X-Service-Api-Key"), ["svk_other"])
        self.assertEqual(headers.get_all("Idempotency-Key"), ["mine"])

    def test_sends_a_call_again_that_a_proxy_has_lost(self):
        gone = (502, {}, "<h1>Bad Gateway</h1>")
        self.answer(gone, AGENT)
        self.assertEqual(self.client.agents.create(application_id=1, agent_name="a"), {"id": 7})
        first, second = self.headers("Idempotency-Key")
        self.assertEqual(first, second)
        self.answer(failure(502, X_Request_Id="r1"), AGENT)
        with self.assertRaises(signalbox.ServerError):
            self.client.agents.create(application_id=1, agent_name="a")

    def test_stores_answers_made_elsewhere_once(self):
        self.answer(None, AGENT)
        said = {"choices": [{"message": {"role": "assistant", "content": "a"}}]}
        item = {"chat_completion_request": {"messages": []}, "chat_completion_response": said}
        known = {**item, "chat_completion_request": {"messages": [], "request_id": "known"}}
        self.client.chat.store_completions(items=[item, known])
        (_, _, _, first), (_, _, _, second) = self.server.calls
        self.assertEqual(first, second)
        sent, other = json.loads(first)["items"]
        self.assertRegex(sent["chat_completion_request"].pop("request_id"), "^[0-9a-f-]{36}$")
        self.assertEqual([sent, other], [item, known])
        self.client.chat.store_completion(**item)
        self.assertIn("request_id", json.loads(self.server.calls[2][3])["chat_completion_request"])

    def test_waits_for_the_first_try_and_as_long_as_asked(self):
        running = failure(409, Retry_After="0")
        self.answer(running, running, running, running, failure(503, Retry_After="0"), AGENT)
        self.assertEqual(self.client.agents.create(application_id=1, agent_name="a"), {"id": 7})
        self.answer(failure(429, Retry_After="3600"))
        with self.assertRaises(signalbox.RateLimitError):
            self.client.agents.get(7)
        self.assertEqual(len(self.server.calls), 7)

    def test_pauses_by_itself_when_the_asked_pause_cannot_be_read(self):
        for unreadable in ("soon", "\u00b2"):
            self.answer(failure(503, Retry_After=unreadable), AGENT)
            self.assertEqual(self.client.agents.get(7), {"id": 7})

    def test_sends_a_call_again_whose_reply_breaks_off(self):
        self.answer(broken_off('{"data"'), AGENT)
        self.assertEqual(self.client.agents.create(application_id=1, agent_name="a"), {"id": 7})
        first, second = self.headers("Idempotency-Key")
        self.assertEqual(first, second)
        self.answer(broken_off('{"data"'))
        with self.assertRaises(signalbox.ConnectionFailed):
            self.client.agents.delete(7)
        self.assertEqual(len(self.server.calls), 3)

    def test_runs_out_of_time_when_its_first_try_still_runs_after_that(self):
        self.answer(hanging(self), failure(409, Retry_After="0"))
        with self.assertRaises(signalbox.RequestTimeout):
            self.client.agents.create(application_id=1, agent_name="a", options={"timeout": 0.5})
        self.assertGreater(len(self.server.calls), 1)

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

    def test_continues_an_endless_stream_at_its_position(self):
        position, event = "id: 7\n\n", frame(9, "agent.created")
        self.answer(stream(position), failure(503, Retry_After="0"), None, stream(position), stream(event), stream(frame(10, "x")))
        seen = []
        for each in self.client.webhooks.stream_events(options={"max_retries": 0}):
            seen.append(each["type"])
            if len(seen) == 2:
                break
        self.assertEqual(seen, ["agent.created", "x"])
        self.assertEqual(self.headers("Last-Event-ID"), [None, "7", "7", "7", "7", "9"])

    def test_ends_a_stream_of_which_nothing_is_left(self):
        self.answer(stream("event: end\n\n"))
        self.assertEqual(list(self.client.agents.stream_task(7, "a", options={"last_event_id": "5"})), [])
        self.assertEqual(len(self.server.calls), 1)

    def test_raises_the_error_that_ends_a_stream(self):
        kinds = {401: signalbox.AuthenticationError, 403: signalbox.PermissionDenied, 404: signalbox.NotFoundError}
        for status, kind in kinds.items():
            error = 'event: error\ndata: {"type":"error","status":%d,"timestamp":1}\n\n' % status
            self.answer(stream(frame(1, "run.progress"), frame(2, "run.deleted"), error))
            seen = []
            with self.assertRaises(kind):
                for each in self.client.agents.stream_task(7, "a"):
                    seen.append(each["type"])
            self.assertEqual(seen, ["run.progress", "run.deleted"])
        self.assertEqual(len(self.server.calls), 3)

    def test_sends_the_key_to_no_other_address(self):
        other = start(self)
        other.replies = [AGENT]
        for status in (301, 302, 303, 307, 308):
            self.answer((status, {"Location": f"http://127.0.0.1:{other.server_port}/"}, ""))
            with self.assertRaisesRegex(signalbox.SignalboxError, "redirects to http://127.0.0.1"):
                self.client.agents.get(7)
        self.assertEqual((len(self.server.calls), other.calls), (5, []))

    def test_raises_its_own_error_for_a_reply_that_is_not_json(self):
        self.answer((200, {"Content-Type": "text/html"}, "<html>"))
        with self.assertRaisesRegex(signalbox.SignalboxError, "not JSON"):
            self.client.agents.get(7)

    def test_raises_its_own_error_for_a_stream_in_place_of_a_reply(self):
        self.answer(stream(frame(1, "run.started")))
        with self.assertRaisesRegex(signalbox.SignalboxError, "is a stream of events: call with mode"):
            self.client.workflows.execute(7)
        self.assertEqual(len(self.server.calls), 1)

    def test_returns_every_record_to_a_loop_that_deletes_each(self):
        for limit in (1, 2, 3, 10, 100):
            ids = self.serve_list(23)
            seen = []
            for each in self.client.agents.list(limit=limit):
                seen.append(each["id"])
                ids.remove(each["id"])
            self.assertEqual(seen, list(range(23, 0, -1)))

    def test_returns_every_record_that_stays(self):
        ids, seen = self.serve_list(40), []
        for each in self.client.agents.list(limit=4):
            seen.append(each["id"])
            if each["id"] == 37:
                ids[:] = [known for known in ids if known < 30]
            if each["id"] == 20:
                ids[:0] = [43, 42, 41]
            if each["id"] == 12:
                ids[:] = [known for known in ids if known < 13]
        self.assertEqual([known for known in seen if known < 30], list(range(29, 0, -1)))

    def test_returns_every_record_of_a_session(self):
        self.serve_list(7, lambda each: {"request_id": str(each), "session_id": "a"})
        faults = [each["request_id"] for each in self.client.reports.list_faults(limit=2)]
        self.assertEqual(faults, ["7", "6", "5", "4", "3", "2", "1"])

    def test_returns_every_session_once(self):
        loads = itertools.count()
        self.serve_list(7, lambda each: {"session_id": str(each), "cost": next(loads)})
        sessions = [each["session_id"] for each in self.client.sessions.list(limit=2)]
        self.assertEqual(sessions, ["7", "6", "5", "4", "3", "2", "1"])

    def test_returns_every_one_of_equal_records_without_an_id(self):
        for message in (lambda each: "tick", lambda each: ("tick", "tock")[each % 2]):
            ids = self.serve_list(50, lambda each: {"message": message(each)})
            logs = [each["message"] for each in self.client.workflows.list_run_logs("a", limit=20)]
            self.assertEqual(logs, [message(each) for each in ids])

    def test_returns_records_without_an_id_once_in_a_list_that_moves(self):
        ids, seen = self.serve_list(12, lambda each: {"message": each}), []
        for each in self.client.workflows.list_run_logs("a", limit=4):
            seen.append(each["message"])
            if each["message"] == 11:
                ids[:0] = [14, 13]
            if each["message"] == 7:
                ids[:] = [known for known in ids if known < 11]
        self.assertEqual(seen, list(range(12, 0, -1)))

    def serve_list(self, count, record=lambda each: {"id": each}):
        ids = list(range(count, 0, -1))

        def page(path):
            query = parse_qs(urlsplit(path).query)
            offset, limit = int(query.get("offset", ["0"])[0]), int(query.get("limit", ["25"])[0])
            data = [record(each) for each in ids[offset : offset + limit]]
            pagination = {"total": len(ids), "offset": offset, "limit": limit}
            return (200, {}, json.dumps({"data": data, "pagination": pagination}))

        self.answer(page)
        return ids

    def test_leaves_out_known_events_of_a_repeated_stream(self):
        self.answer(stream(frame(1, "task.started")), stream(frame(1, "task.started"), frame(2, "task.failed")))
        events = self.client.agents.invoke(7, message="hello", stream=True)
        self.assertEqual([event["type"] for event in events], ["task.started", "task.failed"])
        self.assertEqual(len(set(self.headers("Idempotency-Key"))), 1)

    def test_raises_when_a_file_breaks_off(self):
        self.answer(broken_off("x"))
        for read in (list, signalbox.Download.read):
            with self.client.test_sets.export(1) as download:
                with self.assertRaises(signalbox.ConnectionFailed):
                    read(download)

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

    def test_sends_text_of_files_as_utf_8(self):
        self.answer(AGENT)
        for text_file in (str, io.StringIO):
            self.client.workflows.put_artifact(7, key="a.txt", file=text_file("é漢"))
            self.client.test_sets.import_file(7, file=text_file("é漢"))
            (_, _, _, artifact), (_, _, _, rows) = self.server.calls[-2:]
            self.assertIn("\r\né漢\r\n".encode(), artifact)
            self.assertEqual(rows, "é漢".encode())

    def test_divides_fields_into_path_query_and_body(self):
        later = '"of_a_later_release": true'
        self.answer((200, {}, '{"data": [], "pagination": {"total": 0, "offset": 0, "limit": 25, %s}}' % later))
        self.assertEqual(list(self.client.agents.list(status=["ENABLED", "DISABLED"], search="a&b")), [])
        self.assertEqual(list(self.client.agents.list(status=None, search=None)), [])
        self.answer(AGENT)
        self.client.sessions.update("a/b", metadata={"k": None})
        (_, listed, _, _), (_, unfiltered, _, _), (method, path, _, body) = self.server.calls
        self.assertEqual(listed, "/api/v1/agents?search=a%26b&status=ENABLED&status=DISABLED")
        self.assertEqual(unfiltered, "/api/v1/agents")
        self.assertEqual((method, path, body), ("PUT", "/api/v1/sessions/a%2Fb", b'{"metadata": {"k": null}}'))


class ConnectionsTest(unittest.TestCase):
    def setUp(self):
        self.server = start_keeping(self)
        self.client = signalbox.Client("svk_test", f"http://127.0.0.1:{self.server.server_port}", max_retries=0)
        self.addCleanup(self.client.close)

    def test_sends_one_call_after_the_other_over_one_connection(self):
        for _ in range(5):
            self.client.agents.get(7)
            self.client.agents.create(application_id=1, agent_name="a")
        self.assertEqual((len(self.server.ports), len(set(self.server.ports))), (10, 1))

    def test_is_shared_by_threads(self):
        failures = []

        def calls():
            try:
                for _ in range(20):
                    self.assertEqual(self.client.agents.get(7), {"id": 7})
            except Exception as error:
                failures.append(error)

        threads = [threading.Thread(target=calls) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual((failures, len(self.server.ports)), ([], 160))
        self.assertLessEqual(len(set(self.server.ports)), 8)

    def test_uses_no_connection_that_the_server_has_closed(self):
        self.server.closes_after_reply = True
        for _ in range(5):
            self.client.agents.get(7)
            idle = self.client._transport._connections._idle
            # The end of the connection arrives after the reply.
            for _, connection in idle:
                connection.sock.recv(1, socket.MSG_PEEK)
            self.client.agents.delete(7)
            for _, connection in self.client._transport._connections._idle:
                connection.sock.recv(1, socket.MSG_PEEK)
        self.assertEqual((len(self.server.ports), len(set(self.server.ports))), (10, 10))

    def test_closes_a_stream_and_the_client_with_their_blocks(self):
        with self.client as client:
            with client.agents.stream_task(7, "a") as events:
                self.assertEqual(next(iter(events))["type"], "task.started")
            self.assertTrue(self.server.is_left.wait(30))
        with self.assertRaisesRegex(signalbox.SignalboxError, "is closed"):
            self.client.agents.get(7)

    def test_closes_a_stream_whose_loop_is_left(self):
        gc.disable()
        self.addCleanup(gc.enable)
        for event in self.client.agents.stream_task(7, "a"):
            self.assertEqual(event["type"], "task.started")
            break
        self.assertTrue(self.server.is_left.wait(30))

    def test_raises_when_the_platform_is_silent(self):
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)
        with signalbox.Client("k", f"http://127.0.0.1:{listener.getsockname()[1]}", timeout=0.05, max_retries=0) as client:
            with self.assertRaises(signalbox.RequestTimeout):
                client.agents.get(7)

    def test_calls_through_the_proxy_of_the_environment(self):
        proxy = start(self)
        proxy.replies = [AGENT]
        address = f"http://user:pass@127.0.0.1:{proxy.server_port}"
        with mock.patch.dict(os.environ, {"http_proxy": address, "no_proxy": "other.example"}):
            with signalbox.Client("k", "http://platform.example") as client:
                self.assertEqual(client.agents.get(7), {"id": 7})
        (_, path, headers, _), = proxy.calls
        self.assertEqual((path, headers["Proxy-Authorization"]), ("http://platform.example/api/v1/agents/7", "Basic dXNlcjpwYXNz"))
        self.assertEqual(headers["Host"], "platform.example")


class FrameParserTest(unittest.TestCase):
    def test_returns_the_same_frames_for_every_cut(self):
        lines = ["id: 7", "", ": ping", "", "id: 8", "event: a", "data: ü", "data: two", "", "event: end", "", ""]
        for end in ("\n", "\r\n", "\r"):
            text = end.join(lines).encode()
            cuts = [[text[:at], text[at:]] for at in range(len(text) + 1)]
            cuts.append([bytes([each]) for each in text])
            for chunks in cuts:
                parser = FrameParser()
                frames = [each for chunk in chunks for each in parser.push(chunk)]
                self.assertEqual(frames, [Frame("7", None, None), Frame("8", "a", "ü\ntwo"), Frame(None, "end", None)])

    def test_reads_mixed_line_ends_byte_by_byte(self):
        parser = FrameParser()
        frames = [each for byte in b"data: a\r\n\ndata: b\n\r\n" for each in parser.push(bytes([byte]))]
        self.assertEqual([each.data for each in frames], ["a", "b"])

    def test_reads_a_large_frame_in_small_chunks(self):
        text = b"data: " + b"x" * 3_000_000 + b"\r\n\r\n"
        parser, frames = FrameParser(), []
        for at in range(0, len(text), 64):
            frames.extend(parser.push(text[at : at + 64]))
        self.assertEqual([len(each.data) for each in frames], [3_000_000])


if __name__ == "__main__":
    unittest.main()

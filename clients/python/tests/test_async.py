"""The asynchronous client: against a server that fails by script, and against a running platform."""

import asyncio
import gc
import io
import inspect
import json
import typing
import unittest
import uuid

import httpx
import signalbox
import signalbox.async_client
import signalbox.client
from scripted import AGENT, broken_off, failure, frame, hanging, start, start_keeping, stream


async def collected(items):
    return [item async for item in items]


async def types_of(events):
    return [event["type"] async for event in events]


class MethodsTest(unittest.TestCase):
    def test_are_those_of_the_other_client(self):
        for name, api in vars(signalbox.client).items():
            if not (inspect.isclass(api) and api.__module__ == "signalbox.client" and name.endswith("Api")):
                continue
            twin = getattr(signalbox.async_client, f"Async{name}")
            for verb, method in vars(api).items():
                if callable(method):
                    other = getattr(twin, verb)
                    with self.subTest(f"{name}.{verb}"):
                        self.assertEqual(inspect.signature(method).parameters, inspect.signature(other).parameters)
                        self.assertEqual(method.__doc__, other.__doc__)
                        typing.get_type_hints(other)


class FailuresTest(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        self.server = start(self)
        self.client = signalbox.AsyncClient("svk_test", f"http://127.0.0.1:{self.server.server_port}")
        self.addAsyncCleanup(self.client.close)

    def answer(self, *replies):
        self.server.replies = list(replies)

    def headers(self, name):
        return [headers[name] for _, _, headers, _ in self.server.calls]

    async def test_sends_a_post_again_under_the_same_key(self):
        self.answer(None, AGENT)
        self.assertEqual(await self.client.agents.create(application_id=1, agent_name="a"), {"id": 7})
        first, second = self.headers("Idempotency-Key")
        self.assertTrue(first)
        self.assertEqual(first, second)
        self.assertEqual(self.headers("X-Service-Api-Key"), ["svk_test", "svk_test"])

    async def test_waits_for_the_first_try_and_as_long_as_asked(self):
        running = failure(409, Retry_After="0")
        self.answer(running, running, running, running, failure(503, Retry_After="0"), AGENT)
        self.assertEqual(await self.client.agents.create(application_id=1, agent_name="a"), {"id": 7})
        self.answer(failure(429, Retry_After="3600"))
        with self.assertRaises(signalbox.RateLimitError):
            await self.client.agents.get(7)
        self.assertEqual(len(self.server.calls), 7)

    async def test_sends_a_call_again_whose_reply_breaks_off(self):
        self.answer(broken_off('{"data"'), AGENT)
        self.assertEqual(await self.client.agents.create(application_id=1, agent_name="a"), {"id": 7})
        first, second = self.headers("Idempotency-Key")
        self.assertEqual(first, second)
        self.answer(broken_off('{"data"'))
        with self.assertRaises(signalbox.ConnectionFailed):
            await self.client.agents.delete(7)
        self.assertEqual(len(self.server.calls), 3)

    async def test_runs_out_of_time_when_its_first_try_still_runs_after_that(self):
        self.answer(hanging(self), failure(409, Retry_After="0"))
        with self.assertRaises(signalbox.RequestTimeout):
            await self.client.agents.create(application_id=1, agent_name="a", options={"timeout": 0.5})
        self.assertGreater(len(self.server.calls), 1)

    async def test_does_not_repeat_a_delete_or_a_stored_reply(self):
        self.answer(None)
        with self.assertRaises(signalbox.ConnectionFailed):
            await self.client.agents.delete(7)
        self.answer(failure(503, Idempotent_Replayed="true"))
        with self.assertRaises(signalbox.ServerError):
            await self.client.agents.create(application_id=1, agent_name="a")
        self.assertEqual(len(self.server.calls), 2)

    async def test_continues_a_stream_after_the_last_event(self):
        self.answer(stream(frame(1, "task.started")), None, stream(frame(2, "task.completed"), frame(3, "never")))
        events = self.client.agents.stream_task(7, "a", options={"max_retries": 0})
        self.assertEqual(await types_of(events), ["task.started", "task.completed"])
        self.assertEqual(self.headers("Last-Event-ID"), [None, "1", "1"])

    async def test_leaves_out_known_events_of_a_repeated_stream(self):
        self.answer(stream(frame(1, "task.started")), stream(frame(1, "task.started"), frame(2, "task.failed")))
        events = self.client.agents.invoke(7, message="hello", stream=True)
        self.assertEqual(await types_of(events), ["task.started", "task.failed"])
        self.assertEqual(len(set(self.headers("Idempotency-Key"))), 1)

    async def test_raises_the_error_that_ends_a_stream(self):
        error = 'event: error\ndata: {"type":"error","status":401,"timestamp":1}\n\n'
        self.answer(stream(frame(1, "run.progress"), error))
        with self.assertRaises(signalbox.AuthenticationError):
            await types_of(self.client.agents.stream_task(7, "a"))
        self.assertEqual(len(self.server.calls), 1)

    async def test_raises_when_a_completion_breaks_off(self):
        self.answer((200, {"Content-Type": "text/event-stream"}, 'data: {"id": "c", "choices": []}\n\n'))
        with self.assertRaises(signalbox.ConnectionFailed):
            await collected(self.client.chat.create(messages=[], stream=True))
        self.assertEqual(len(self.server.calls), 1)

    async def test_raises_its_own_error_for_a_stream_in_place_of_a_reply(self):
        self.answer(stream(frame(1, "run.started")))
        with self.assertRaisesRegex(signalbox.SignalboxError, "is a stream of events: call with mode"):
            await self.client.workflows.execute(7)
        self.assertEqual(len(self.server.calls), 1)

    async def test_sends_the_key_to_no_other_address_whatever_its_client_follows(self):
        other = start(self)
        other.replies = [AGENT]
        async with httpx.AsyncClient(follow_redirects=True) as http_client:
            client = signalbox.AsyncClient("k", f"http://127.0.0.1:{self.server.server_port}", http_client=http_client)
            for status in (301, 302, 303, 307, 308):
                self.answer((status, {"Location": f"http://127.0.0.1:{other.server_port}/"}, ""))
                with self.assertRaisesRegex(signalbox.SignalboxError, "redirects to http://127.0.0.1"):
                    await client.agents.get(7)
            await client.close()
            self.assertFalse(http_client.is_closed)
        self.assertEqual((len(self.server.calls), other.calls), (5, []))

    async def test_sends_files_in_a_form_or_while_they_are_read(self):
        self.answer(None, AGENT)
        await self.client.workflows.put_artifact(7, key="a.txt", file=io.BytesIO(b"\x00\xff"))
        (_, _, _, first), (_, _, _, second) = self.server.calls
        self.assertIn(b"\x00\xff", first)
        self.assertEqual(first, second)

    async def test_sends_text_of_files_as_utf_8(self):
        self.answer(AGENT)
        for text_file in (str, io.StringIO):
            await self.client.workflows.put_artifact(7, key="a.txt", file=text_file("é漢"))
            await self.client.test_sets.import_file(7, file=text_file("é漢"))
            (_, _, _, artifact), (_, _, _, rows) = self.server.calls[-2:]
            self.assertIn("\r\né漢\r\n".encode(), artifact)
            self.assertEqual(rows, "é漢".encode())

    def serve_list(self, count, record=lambda each: {"id": each}):
        ids = list(range(count, 0, -1))

        def page(path):
            query = dict(part.split("=") for part in path.partition("?")[2].split("&"))
            offset, limit = int(query.get("offset", 0)), int(query.get("limit", 25))
            data = [record(each) for each in ids[offset : offset + limit]]
            return (200, {}, json.dumps({"data": data, "pagination": {"total": len(ids), "offset": offset, "limit": limit}}))

        self.answer(page)
        return ids

    async def test_returns_every_one_of_equal_records_without_an_id(self):
        self.serve_list(50, lambda each: {"message": "tick"})
        self.assertEqual(len(await collected(self.client.workflows.list_run_logs("a", limit=20))), 50)

    async def test_returns_every_record_to_a_loop_that_deletes_each(self):
        ids, seen = self.serve_list(23), []
        async for each in self.client.agents.list(limit=3):
            seen.append(each["id"])
            ids.remove(each["id"])
        self.assertEqual(seen, list(range(23, 0, -1)))


class ConnectionsTest(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        self.server = start_keeping(self)
        self.client = signalbox.AsyncClient("k", f"http://127.0.0.1:{self.server.server_port}", max_retries=0)
        self.addAsyncCleanup(self.client.close)

    async def left(self):
        return await asyncio.get_running_loop().run_in_executor(None, self.server.is_left.wait, 30)

    async def test_sends_one_call_after_the_other_over_one_connection(self):
        for _ in range(10):
            await self.client.agents.get(7)
        self.assertEqual((len(self.server.ports), len(set(self.server.ports))), (10, 1))

    async def test_closes_a_stream_and_the_client_with_their_blocks(self):
        async with self.client as client:
            async with client.agents.stream_task(7, "a") as events:
                async for event in events:
                    self.assertEqual(event["type"], "task.started")
                    break
            self.assertTrue(await self.left())
        with self.assertRaisesRegex(signalbox.SignalboxError, "is closed"):
            await self.client.agents.get(7)

    async def test_closes_a_stream_whose_loop_is_left(self):
        gc.disable()
        self.addCleanup(gc.enable)
        async for event in self.client.agents.stream_task(7, "a"):
            self.assertEqual(event["type"], "task.started")
            break
        self.assertTrue(await self.left())

    async def test_closes_the_connection_of_a_task_that_is_cancelled(self):
        task = asyncio.create_task(types_of(self.client.agents.stream_task(7, "a")))
        await asyncio.get_running_loop().run_in_executor(None, self.server.is_open.wait, 30)
        task.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await task
        self.assertTrue(await self.left())

    async def test_raises_when_the_platform_is_silent(self):
        with self.assertRaises(signalbox.RequestTimeout):
            events = self.client.chat.create(messages=[], stream=True, options={"timeout": 0.05})
            events._call.url = "/agents/7/tasks/a/stream"
            await collected(events)


class PlatformTest(unittest.IsolatedAsyncioTestCase):
    """SIGNALBOX_URL and SIGNALBOX_API_KEY say which platform."""

    async def asyncSetUp(self):
        self.client = signalbox.AsyncClient()
        self.addAsyncCleanup(self.client.close)

    async def make_agent(self):
        application = await self.client.applications.create(application_name=f"Async {uuid.uuid4()}")
        return (await self.client.agents.create(application_id=application["id"], agent_name="Helper"))["id"]

    async def test_makes_calls_at_once_and_lists_all_pages(self):
        names = [f"async {uuid.uuid4()}" for _ in range(5)]
        made = await asyncio.gather(*(self.client.tags.create(tag_name=name) for name in names))
        listed = await collected(self.client.tags.list(limit=2))
        self.assertTrue({each["id"] for each in made} <= {each["id"] for each in listed})
        page = await self.client.tags.list(limit=2).page()
        self.assertEqual((len(page.data), page.total), (2, len(listed)))
        self.assertEqual(await self.client.tags.delete(made[0]["id"]), {"id": made[0]["id"], "deleted": True})
        with self.assertRaises(signalbox.NotFoundError):
            await self.client.tags.get(made[0]["id"])

    async def test_raises_errors_with_their_details(self):
        with self.assertRaises(signalbox.BadRequestError) as caught:
            await self.client.tags.create(tag_name="")
        self.assertEqual(caught.exception.details[0]["field"], "tag_name")
        self.assertTrue(caught.exception.request_id)

    async def test_invokes_an_agent_and_reads_its_stream_again(self):
        agent_id = await self.make_agent()
        reply = await self.client.agents.invoke(agent_id, message="hello")
        self.assertIn("hello", reply["choices"][0]["message"]["content"])
        types = await types_of(self.client.agents.invoke(agent_id, message="hello", stream=True))
        self.assertEqual((types[0], types[-1]), ("task.started", "task.completed"))
        streamed = await collected(self.client.agents.stream_task(agent_id, reply["task_id"]))
        rest = self.client.agents.stream_task(agent_id, reply["task_id"], options={"last_event_id": "1"})
        self.assertEqual(await collected(rest), streamed[1:])

    async def test_streams_a_chat_completion(self):
        messages = [{"role": "user", "content": "good day"}]
        text = ""
        async with self.client.chat.create(model="simulated-echo", messages=messages, stream=True) as chunks:
            async for chunk in chunks:
                text += "".join(each["delta"].get("content") or "" for each in chunk["choices"])
        self.assertIn("good day", text)

    async def test_uploads_and_downloads(self):
        test_set = await self.client.test_sets.create(name=f"Files {uuid.uuid4()}")
        row = json.dumps({"input": {"input": "one"}, "expected_output": {"text": "one"}}) + "\n"
        for file in (row, io.BytesIO(row.encode())):
            self.assertEqual((await self.client.test_sets.import_file(test_set["id"], file=file))["created"], 1)
        async with await self.client.test_sets.export(test_set["id"]) as download:
            self.assertEqual(len((await download.text()).splitlines()), 2)
        streamed = b"".join(await collected(await self.client.test_sets.export(test_set["id"])))
        self.assertEqual(len(streamed.splitlines()), 2)


if __name__ == "__main__":
    unittest.main()

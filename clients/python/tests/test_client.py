"""The client against a running platform: SIGNALBOX_URL and SIGNALBOX_API_KEY say which."""

import io
import json
import unittest
import uuid

import signalbox


def ids(records):
    return [record["id"] for record in records]


class ClientTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.client = signalbox.Client()
        name = f"Python {uuid.uuid4()}"
        cls.application = cls.client.applications.create(application_name=name)
        cls.agent = cls.client.agents.create(application_id=cls.application["id"], agent_name="Helper")

    def test_creates_reads_changes_lists_and_deletes(self):
        made = [self.client.tags.create(tag_name=f"tag {uuid.uuid4()}", description="first") for _ in range(5)]
        tag = self.client.tags.update(made[0]["id"], description=None)
        self.assertIsNone(tag["description"])
        listed = list(self.client.tags.list(limit=2, sort="id"))
        self.assertEqual(ids(listed)[-5:], ids(made))
        page = self.client.tags.list(limit=2).page()
        self.assertEqual((len(page.data), page.offset, page.limit), (2, 0, 2))
        self.assertEqual(page.total, len(listed))
        self.assertEqual(self.client.tags.delete(tag["id"]), {"id": tag["id"], "deleted": True})
        with self.assertRaises(signalbox.NotFoundError) as caught:
            self.client.tags.get(tag["id"])
        self.assertEqual((caught.exception.status, str(caught.exception)), (404, "tag not found"))

    def test_raises_errors_with_their_details(self):
        with self.assertRaises(signalbox.BadRequestError) as caught:
            self.client.agents.create(application_id=self.application["id"], agent_name="")
        self.assertEqual(caught.exception.details[0]["field"], "agent_name")
        self.assertTrue(caught.exception.request_id)
        with self.assertRaises(signalbox.AuthenticationError):
            signalbox.Client("svk_wrong").agents.list().page()

    def test_lets_a_call_under_one_key_take_effect_once(self):
        key = str(uuid.uuid4())
        calls = [self.client.tags.create(tag_name=f"once {key}", options={"idempotency_key": key}) for _ in range(2)]
        self.assertEqual(calls[0]["id"], calls[1]["id"])

    def test_invokes_an_agent_and_reads_its_stream_again(self):
        agent_id = self.agent["id"]
        reply = self.client.agents.invoke(agent_id, message="hello")
        self.assertIn("hello", reply["choices"][0]["message"]["content"])
        events = list(self.client.agents.invoke(agent_id, message="hello", stream=True))
        self.assertEqual((events[0]["type"], events[-1]["type"]), ("task.started", "task.completed"))
        streamed = list(self.client.agents.stream_task(agent_id, reply["task_id"]))
        rest = self.client.agents.stream_task(agent_id, reply["task_id"], options={"last_event_id": "1"})
        self.assertEqual(list(rest), streamed[1:])

    def test_streams_a_chat_completion(self):
        messages = [{"role": "user", "content": "good day"}]
        chunks = self.client.chat.create(model="simulated-echo", messages=messages, stream=True)
        text = "".join(chunk["choices"][0]["delta"].get("content") or "" for chunk in chunks if chunk["choices"])
        self.assertIn("good day", text)

    def test_sends_names_that_the_language_reserves(self):
        self.client.agents.publish_version(self.agent["id"])
        difference = self.client.agents.diff_versions(self.agent["id"], from_="1.0.0")
        self.assertFalse(difference["has_changes"])

    def test_uploads_and_downloads(self):
        test_set = self.client.test_sets.create(name=f"Files {uuid.uuid4()}")
        row = json.dumps({"input": {"input": "one"}, "expected_output": {"text": "one"}}) + "\n"
        self.assertEqual(self.client.test_sets.import_file(test_set["id"], file=row)["created"], 1)
        file = io.BytesIO(row.encode())
        self.assertEqual(self.client.test_sets.import_file(test_set["id"], file=file)["created"], 1)
        with self.client.test_sets.export(test_set["id"]) as download:
            self.assertEqual(len(download.text().splitlines()), 2)
        streamed = b"".join(self.client.test_sets.export(test_set["id"]))
        self.assertEqual(len(streamed.splitlines()), 2)


if __name__ == "__main__":
    unittest.main()

"""Signatures of webhooks."""

import unittest

import signalbox

#: Both made with `openssl dgst -sha256 -hmac`.
SECRET = "whs_0123456789"
BODY = '{"event_id":"e","event":"agent.created","data":"é"}'.encode()
AT = 1_700_000_000
KNOWN = "b2f8adba2b2ae8f5e93b2177eb1559a4d6ac38251c586e6100e872b705fc0958"
HEADER = f"t={AT},v1={KNOWN}"


class WebhooksTest(unittest.TestCase):
    def verify(self, body=BODY, header=HEADER, secret=SECRET, now=AT, **more):
        return signalbox.verify_webhook(body, header, secret, now=now, **more)

    def test_accepts_the_bytes_that_were_signed(self):
        self.assertEqual(self.verify()["data"], "é")
        self.assertEqual(self.verify(body=BODY.decode())["event"], "agent.created")
        self.assertEqual(signalbox.sign_webhook(BODY, SECRET, AT), HEADER)

    def test_accepts_either_secret_while_one_is_being_rotated(self):
        both = HEADER + "," + signalbox.sign_webhook(BODY, "whs_new", AT).split(",")[1]
        for secret in (SECRET, "whs_new", ["whs_other", SECRET]):
            self.assertEqual(self.verify(header=both, secret=secret)["event_id"], "e")
        with self.assertRaisesRegex(signalbox.WebhookSignatureError, "not that of its secret"):
            self.verify(header=both, secret="whs_other")

    def test_refuses_everything_else(self):
        refused = [
            {"body": BODY.replace(b"agent", b"Agent")},
            {"body": BODY.replace(b",", b", ")},
            {"header": HEADER.replace(f"t={AT}", f"t={AT + 1}")},
            {"header": HEADER[:-2]},
            {"header": HEADER.replace("v1=", "v0=")},
            {"header": f"t={AT},{HEADER}"},
            {"header": f"v1={KNOWN}"},
            {"header": None},
            {"header": ""},
        ]
        for given in refused:
            with self.subTest(given), self.assertRaises(signalbox.WebhookSignatureError):
                self.verify(**given)

    def test_refuses_a_time_that_is_too_far_from_now(self):
        for seconds in (300, -300):
            self.verify(now=AT + seconds)
        for seconds in (301, -301):
            with self.assertRaises(signalbox.WebhookSignatureError):
                self.verify(now=AT + seconds)
        self.verify(now=AT + 1000, tolerance=1000)
        with self.assertRaisesRegex(signalbox.WebhookSignatureError, "more than 300 s from now"):
            self.verify(now=None)

    def test_needs_a_secret(self):
        with self.assertRaisesRegex(signalbox.SignalboxError, "is empty"):
            self.verify(secret="")


if __name__ == "__main__":
    unittest.main()

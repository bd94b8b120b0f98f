import { signWebhook, verifyWebhook, WebhookSignatureError } from '@signalbox/sdk';

/** Both made with `openssl dgst -sha256 -hmac`. */
const SECRET = 'whs_0123456789';
const BODY = '{"event_id":"e","event":"agent.created","data":"é"}';
const AT = 1_700_000_000;
const KNOWN = 'b2f8adba2b2ae8f5e93b2177eb1559a4d6ac38251c586e6100e872b705fc0958';
const options = { now: AT * 1000 };

describe('the signature of a webhook', () => {
  const header = `t=${AT},v1=${KNOWN}`;

  it('is accepted for the bytes that were signed, as text or not', async () => {
    expect(await verifyWebhook(BODY, header, SECRET, options)).toMatchObject({ event: 'agent.created', data: 'é' });
    expect(await verifyWebhook(new TextEncoder().encode(BODY), header, SECRET, options)).toMatchObject({ data: 'é' });
    expect(await signWebhook(BODY, SECRET, AT)).toBe(header);
  });

  it('may be that of either secret while one is being rotated', async () => {
    const other = (await signWebhook(BODY, 'whs_new', AT)).split(',')[1] ?? '';
    const both = `${header},${other}`;
    for (const secret of [SECRET, 'whs_new', ['whs_other', SECRET]])
      expect(await verifyWebhook(BODY, both, secret, options)).toMatchObject({ event_id: 'e' });
    await expect(verifyWebhook(BODY, both, ['whs_other'], options)).rejects.toThrow('not that of its secret');
  });

  it.each([
    ['another body', BODY.replace('agent', 'Agent'), header],
    ['the same value in other bytes', JSON.stringify(JSON.parse(BODY), null, 1), header],
    ['another time', BODY, header.replace(`t=${AT}`, `t=${AT + 1}`)],
    ['a signature cut short', BODY, header.slice(0, -2)],
    ['a signature of another kind', BODY, header.replace('v1=', 'v0=')],
    ['two times', BODY, `t=${AT},${header}`],
    ['no time', BODY, `v1=${KNOWN}`],
    ['no header', BODY, undefined],
    ['an empty header', BODY, ''],
  ])('is refused for %s', async (_, body, given) => {
    await expect(verifyWebhook(body, given, SECRET, options)).rejects.toBeInstanceOf(WebhookSignatureError);
  });

  it('is refused when its time is too far from now, on either side', async () => {
    for (const [seconds, isAccepted] of [
      [300, true],
      [-300, true],
      [301, false],
      [-301, false],
    ] as const) {
      const verified = verifyWebhook(BODY, header, SECRET, { now: (AT + seconds) * 1000 }).then(
        () => true,
        (error: unknown) => (error instanceof WebhookSignatureError ? false : error),
      );
      expect([seconds, await verified]).toEqual([seconds, isAccepted]);
    }
    const late = { now: (AT + 1000) * 1000, toleranceSeconds: 1000 };
    expect(await verifyWebhook(BODY, header, SECRET, late)).toMatchObject({ event_id: 'e' });
    await expect(verifyWebhook(BODY, header, SECRET)).rejects.toThrow('more than 300 s from now');
  });

  it('needs a secret', async () => {
    await expect(verifyWebhook(BODY, header, '', options)).rejects.toThrow('is empty');
  });
});

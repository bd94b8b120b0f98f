import { inspect } from 'node:util';
import { Egress, Scrubber, SecretBag, secretNamesIn, secretPlaceholdersIn } from '@signalbox/egress';
import { startHttpTarget, type HttpTarget } from '@signalbox/testing';
import fc from 'fast-check';

const VALUE = 'S3cr3t/välue+"quoted" &more';

/** Forms of a value, computed independently of the code under test. */
function spellings(value: string): string[] {
  const asJson = (text: string): string => JSON.stringify(text).slice(1, -1);
  const bytes = Buffer.from(value, 'utf8');
  return [
    value,
    bytes.toString('base64'),
    bytes.toString('base64url'),
    encodeURIComponent(value),
    asJson(value),
    asJson(asJson(value)),
    bytes.toString('hex'),
    [...value].reverse().join(''),
    asJson([...value].reverse().join('')),
  ];
}

const secretValue = fc
  .string({ minLength: 6, maxLength: 40, unit: 'grapheme' })
  .filter((value) => value.length >= 6 && !/[[\]]/.test(value) && !'secret'.includes(value));

describe('SecretBag', () => {
  const bag = new SecretBag({ TOKEN: VALUE, NESTED: '{{secrets.TOKEN}}', SHORT: 'abc' });

  it('exposes names and never values', () => {
    const shown = [JSON.stringify({ bag }), inspect(bag, { showHidden: true, depth: 9 }), String(bag), `${bag}`];
    expect(shown.join()).not.toContain('S3cr3t');
    expect(JSON.stringify({ bag })).toBe('{"bag":"[secret]"}');
    expect(bag.names()).toEqual(['TOKEN', 'NESTED', 'SHORT']);
    expect([bag.has('TOKEN'), bag.has('toString'), bag.has('NOPE')]).toEqual([true, false, false]);
    expect(structuredClone(Object.keys(bag))).toEqual([]);
    expect(bag.pick(['SHORT', 'NOPE']).names()).toEqual(['SHORT']);
  });

  it('expands placeholders once', () => {
    expect(bag.render('Bearer {{secrets.TOKEN}} {{ secrets.SHORT }}')).toBe(`Bearer ${VALUE} abc`);
    expect(bag.render('{{secrets.NESTED}}')).toBe('{{secrets.TOKEN}}');
    expect(bag.render('{{secrets.{{secrets.SHORT}}}}')).toBe('{{secrets.abc}}');
    expect(() => bag.render('{{secrets.NOPE}}')).toThrow('no value is given for secret NOPE');
    expect(new SecretBag({ A: '$&$1' }).render('{{secrets.A}}')).toBe('$&$1');
  });

  it('finds declared placeholders anywhere, keys and depth included', () => {
    const config = {
      headers: { a: 'x {{secrets.A}}{{secrets.B}}' },
      list: [{ b: '{{ secrets.A }}' }],
      '{{secrets.C}}': 1,
    };
    expect(secretNamesIn(config)).toEqual(['C', 'A', 'B']);
    expect(secretPlaceholdersIn(config.list)).toEqual([{ name: 'A', path: '[0].b' }]);
    expect(secretPlaceholdersIn(config)[1]).toEqual({ name: 'A', path: 'headers.a' });
    expect(secretNamesIn(['{{secrets.1A}}', '{{secret.A}}', null, 3])).toEqual([]);
    let deep: unknown = '{{secrets.DEEP}}';
    for (let level = 0; level < 50_000; level += 1) deep = [deep];
    expect(secretNamesIn(deep)).toEqual(['DEEP']);
  });
});

describe('scrubbing', () => {
  it('does not replace values under 6 characters', () => {
    expect(new SecretBag({ A: 'abcde' }).scrub('abcde')).toBe('abcde');
    expect(new SecretBag({ A: 'abcdef' }).scrub('xabcdefx')).toBe('x[secret]x');
  });

  it('finds a value inside longer base64', () => {
    for (const user of ['', 'a', 'ab', 'abc']) {
      const text = Buffer.from(`${user}:topsecretvalue:z`).toString('base64');
      expect(new SecretBag({ A: 'topsecretvalue' }).scrub(text)).toContain('[secret]');
    }
  });

  it('no form of any value remains in any text', () => {
    fc.assert(
      fc.property(secretValue, fc.string(), fc.string(), (value, before, after) => {
        const bag = new SecretBag({ A: value });
        for (const form of spellings(value)) {
          const clean = bag.scrub(before + form + after);
          for (const other of spellings(value)) expect(clean.includes(other)).toBe(false);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('no form remains in bytes, for every division into chunks', async () => {
    const cuts = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(
        secretValue,
        fc.string(),
        fc.uint8Array({ maxLength: 20 }),
        cuts,
        async (value, before, raw, sizes) => {
          const scrubber = new Scrubber([value]);
          for (const form of spellings(value)) {
            const whole = Buffer.concat([Buffer.from(before + form), raw, Buffer.from(form)]);
            const parts: Buffer[] = [];
            for await (const part of scrubber.stream(chunked(whole, sizes))) parts.push(part);
            const clean = Buffer.concat(parts);
            for (const other of spellings(value)) expect(clean.includes(Buffer.from(other))).toBe(false);
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it('bytes without a secret stay as they are', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 200 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        async (raw, sizes) => {
          const parts: Buffer[] = [];
          for await (const part of new Scrubber(['a-value-not-in-there']).stream(chunked(Buffer.from(raw), sizes)))
            parts.push(part);
          expect(Buffer.concat(parts).equals(Buffer.from(raw))).toBe(true);
        },
      ),
    );
  });
});

async function* chunked(whole: Buffer, sizes: number[]): AsyncGenerator<Buffer> {
  for (let at = 0, turn = 0; at < whole.length; turn += 1) {
    const size = sizes[turn % sizes.length]!;
    yield whole.subarray(at, at + size);
    at += size;
  }
}

describe('secrets in a call', () => {
  let target: HttpTarget;
  let egress: Egress;
  const secrets = new SecretBag({ TOKEN: 'tok-123456789', PASS: 'pa55-word!' });

  beforeAll(async () => {
    // Returns everything it was sent, as an attacker's echo service does.
    target = await startHttpTarget({
      script: ({ headers }) => ({ headers: { 'x-echo': String(headers['x-key']) }, body: JSON.stringify(headers) }),
    });
    egress = new Egress({ allow: [`127.0.0.1:${target.port}`] });
  });

  afterAll(async () => {
    await egress.close();
    await target.close();
  });

  const request = () => ({
    url: `${target.url}/{{secrets.TOKEN}}`,
    method: 'POST',
    headers: { 'x-key': '{{secrets.TOKEN}}' },
    basicAuth: { username: 'ann', password: '{{secrets.PASS}}' },
    body: '{{secrets.TOKEN}}',
    timeoutMs: 2_000,
    secrets,
  });

  it('are sent in headers and basic auth, and nowhere else', async () => {
    await egress.fetch(request());
    const call = target.calls.at(-1)!;
    expect(call.headers['x-key']).toBe('tok-123456789');
    expect(call.headers.authorization).toBe(`Basic ${Buffer.from('ann:pa55-word!').toString('base64')}`);
    expect(call.path + call.body.toString()).not.toContain('tok-123456789');
  });

  it('are scrubbed from the response of an echo server', async () => {
    const { body, headers } = await egress.fetch(request());
    const text = body.toString() + JSON.stringify(headers);
    expect(headers['x-echo']).toBe('[secret]');
    expect(text).not.toContain('tok-123456789');
    expect(text).not.toContain(Buffer.from('ann:pa55-word!').toString('base64'));
    const streamed = await egress.stream(request());
    let seen = '';
    for await (const chunk of streamed.body) seen += Buffer.from(chunk).toString();
    expect(seen).toContain('"x-key":"[secret]"');
  });

  it('are not partly shown when a body is truncated within one', async () => {
    target.answerWith(() => ({ body: 'xx tok-123456789' }));
    const { body, truncated } = await egress.fetch({ ...request(), maxBytes: 12 });
    expect([body.toString(), truncated]).toEqual(['xx ', true]);
  });

  it('fail the call when one is missing', async () => {
    const call = egress.fetch({ ...request(), headers: { a: '{{secrets.NOPE}}' } });
    await expect(call).rejects.toMatchObject({ kind: 'egress_failed', reason: 'missing_secret' });
  });
});

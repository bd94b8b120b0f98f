import { ServerSentEvents } from '@signalbox/llm';
import fc from 'fast-check';

function* cut(text: string, sizes: number[]): Generator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length]!;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

async function read(text: string, sizes = [text.length + 1]): Promise<string[]> {
  const found: string[] = [];
  const events = new ServerSentEvents();
  for (const bytes of cut(text, sizes)) found.push(...events.push(bytes));
  return [...found, ...events.end()];
}

describe('server-sent events', () => {
  it.each([
    ['data: a\n\ndata: b\n\n', ['a', 'b']],
    ['data: a\r\n\r\ndata: b\r\n\r\n', ['a', 'b']],
    ['data: a\r\rdata: b\r\r', ['a', 'b']],
    ['data: a\r\ndata: b\r\n\r\n', ['a\nb']],
    [': ping\n\n: ping\ndata:a\n\n', ['a']],
    ['event: x\nid: 3\nretry: 5\ndata: a\ndata: b\n\n', ['a\nb']],
    ['data:  two spaces\n\n', [' two spaces']],
    ['data: no end', ['no end']],
    ['data: no end\r', ['no end']],
    ['\n\n\n', []],
    ['database: x\n\n', []],
    ['data: ü€𝄞\n\n', ['ü€𝄞']],
    ['\ufeffdata: a\n\ndata: \ufeffb\n\n', ['a', '\ufeffb']],
  ])('%j', async (text, expected) => {
    expect(await read(text)).toEqual(expected);
    expect(await read(text, [1])).toEqual(expected);
  });

  it('returns the same events for every division into chunks', async () => {
    const event = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .filter((text) => !/[\r\n]/.test(text) && !text.startsWith('\ufeff'));
    const sizes = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(fc.array(event), fc.constantFrom('\n', '\r\n', '\r'), sizes, async (events, end, chunks) => {
        const text = events.map((data) => `: c${end}data: ${data}${end}${end}`).join('');
        expect(await read(text, chunks)).toEqual(events);
      }),
    );
  });

  it('reads a long event in small chunks in time linear in its length', () => {
    const took = (chars: number): number => {
      const bytes = Buffer.from(`data: ${'x'.repeat(chars)}\n\n`);
      const events = new ServerSentEvents();
      const began = process.cpuUsage();
      const found: string[] = [];
      for (let at = 0; at < bytes.length; at += 64) found.push(...events.push(bytes.subarray(at, at + 64)));
      const { user, system } = process.cpuUsage(began);
      expect(found.map(({ length }) => length)).toEqual([chars]);
      return user + system;
    };
    took(100_000);
    // Sixteen times the length; a quadratic reader needs more than 200 times as long.
    expect(took(3_200_000)).toBeLessThan(60 * Math.max(took(200_000), 2_000));
  });

  it('refuses an event that is too long, in one line or in many', () => {
    const line = Buffer.from(`data: ${'x'.repeat(99_990)}\n`);
    const many = new ServerSentEvents();
    expect(() => {
      for (let count = 0; count < 45; count += 1) many.push(line);
    }).toThrow(RangeError);
    const one = new ServerSentEvents();
    expect(() => {
      for (let count = 0; count < 45; count += 1) one.push(line.subarray(0, -1));
    }).toThrow(RangeError);
  });
});

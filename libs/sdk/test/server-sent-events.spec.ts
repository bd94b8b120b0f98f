import { StringDecoder } from 'node:string_decoder';
import { type ChunkDecoder, type Frame, ServerSentEvents, webDecoder } from '@signalbox/sdk/server-sent-events';
import fc from 'fast-check';

const MAX_CHARS = 4_000_000;

function* cut(text: string, sizes: number[]): Generator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length]!;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

const nodeDecoder = (): ChunkDecoder => new StringDecoder('utf8') as never;

function framesIn(text: string, sizes = [text.length + 1], decoder = webDecoder()): Frame[] {
  const found: Frame[] = [];
  const events = new ServerSentEvents(MAX_CHARS, decoder);
  for (const bytes of cut(text, sizes)) found.push(...events.push(bytes));
  return [...found, ...events.end()];
}

const read = (text: string, sizes?: number[], decoder?: ChunkDecoder): (string | null)[] =>
  framesIn(text, sizes, decoder)
    .map(({ data }) => data)
    .filter((data) => data !== null);

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
  ])('%j', (text, expected) => {
    expect(read(text)).toEqual(expected);
    expect(read(text, [1])).toEqual(expected);
    expect(read(text, [1], nodeDecoder())).toEqual(expected);
  });

  it.each(['\n', '\r\n', '\r'])('returns the same frames for every cut, with line ends %j', (end) => {
    const lines = ['id: 7', '', ': ping', '', 'id: 8', 'event: a', 'data: ü', 'data: two', '', 'event: end', '', ''];
    const bytes = Buffer.from(lines.join(end));
    for (let at = 0; at <= bytes.length; at++) {
      const events = new ServerSentEvents(MAX_CHARS);
      const frames = [...events.push(bytes.subarray(0, at)), ...events.push(bytes.subarray(at)), ...events.end()];
      expect([at, frames]).toEqual([
        at,
        [
          { id: '7', event: null, data: null },
          { id: '8', event: 'a', data: 'ü\ntwo' },
          { id: null, event: 'end', data: null },
        ],
      ]);
    }
  });

  it('returns the same events for every division into chunks', () => {
    const event = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .filter((text) => !/[\r\n]/.test(text) && !text.startsWith('\ufeff'));
    const sizes = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 });
    fc.assert(
      fc.property(fc.array(event), fc.constantFrom('\n', '\r\n', '\r'), sizes, (events, end, chunks) => {
        const text = events.map((data) => `: c${end}data: ${data}${end}${end}`).join('');
        expect(read(text, chunks)).toEqual(events);
      }),
    );
  });

  it('reads a long event in small chunks in time linear in its length', () => {
    const took = (chars: number): number => {
      const bytes = Buffer.from(`data: ${'x'.repeat(chars)}\n\n`);
      const events = new ServerSentEvents(MAX_CHARS);
      const began = process.cpuUsage();
      const found: Frame[] = [];
      for (let at = 0; at < bytes.length; at += 64) found.push(...events.push(bytes.subarray(at, at + 64)));
      const { user, system } = process.cpuUsage(began);
      expect(found.map(({ data }) => data?.length)).toEqual([chars]);
      return user + system;
    };
    took(100_000);
    // Sixteen times the length; a quadratic reader needs more than 200 times as long.
    expect(took(3_200_000)).toBeLessThan(60 * Math.max(took(200_000), 2_000));
  });

  it('refuses an event that is too long, in one line or in many', () => {
    const line = Buffer.from(`data: ${'x'.repeat(99_990)}\n`);
    const many = new ServerSentEvents(MAX_CHARS);
    expect(() => {
      for (let count = 0; count < 45; count += 1) many.push(line);
    }).toThrow(RangeError);
    const one = new ServerSentEvents(MAX_CHARS);
    expect(() => {
      for (let count = 0; count < 45; count += 1) one.push(line.subarray(0, -1));
    }).toThrow(RangeError);
  });
});

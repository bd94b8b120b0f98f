import fc, { type Arbitrary } from 'fast-check';

const LINES = [
  'GET /healthz HTTP/1.1',
  'POST /api/v1/agents HTTP/1.1',
  'GET  /healthz HTTP/1.1',
  'GET /healthz HTTP/1.0',
  'GET /healthz HTTP/2.0',
  'GET /healthz',
  'get /healthz HTTP/1.1',
  'GET http://other/healthz HTTP/1.1',
  'CONNECT a:1 HTTP/1.1',
  'PRI * HTTP/2.0',
  'OPTIONS * HTTP/1.1',
  'GET /\u00e9\u00ff HTTP/1.1',
];
const HEADS = [
  'Host: x',
  'Host: x\r\nHost: y',
  'Content-Length: 5',
  'Content-Length: -1',
  'Content-Length: 5, 6',
  'Content-Length: 99999999999999999999',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: xchunked',
  'Connection: keep-alive, upgrade\r\nUpgrade: h2c',
  'X-Folded: a\r\n b',
  ': empty',
  'No Colon',
  'X-Null: a\0b',
  'X-Latin: \u00e9',
  'X-Bare: a\nX-Next: b',
  `X-Big: ${'x'.repeat(17_000)}`,
  'Content-Type: application/json',
];
const BODIES = [
  '',
  'hello',
  '5\r\nhello\r\n0\r\n\r\n',
  'zz\r\nhello\r\n',
  '5;a=b\r\nhello\r\n0\r\nT: r\r\n\r\n',
  'ffffffffffffffff\r\n',
];

const almost: Arbitrary<Buffer> = fc
  .tuple(
    fc.constantFrom(...LINES),
    fc.array(fc.constantFrom(...HEADS), { maxLength: 5 }),
    fc.constantFrom(...BODIES),
    fc.constantFrom('\r\n', '\r\n', '\n', '\r'),
  )
  .map(([line, heads, body, end]) => Buffer.from([line, ...heads, '', body].join(end), 'latin1'));

const garbage: Arbitrary<Buffer> = fc.uint8Array({ minLength: 1, maxLength: 200 }).map((bytes) => Buffer.from(bytes));

export const mutatedBytes = (bytes: Buffer): Arbitrary<Buffer> =>
  fc
    .tuple(
      fc.constantFrom('flip', 'cut', 'insert', 'double'),
      fc.nat({ max: Math.max(0, bytes.length - 1) }),
      fc.uint8Array({ minLength: 1, maxLength: 8 }),
    )
    .map(([how, at, patch]) => {
      if (how === 'cut') return bytes.subarray(0, Math.max(1, at));
      if (how === 'double') return Buffer.concat([bytes, bytes]);
      const rest = how === 'flip' ? at + patch.length : at;
      return Buffer.concat([bytes.subarray(0, at), patch, bytes.subarray(rest)]);
    });

export const rawBytes: Arbitrary<Buffer> = fc.oneof(
  { arbitrary: almost, weight: 3 },
  { arbitrary: garbage, weight: 1 },
);

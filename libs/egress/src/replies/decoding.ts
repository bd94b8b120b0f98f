import { pipeline, Readable, type Duplex } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { type PushStream, pushStreamOf } from '@signalbox/platform';
import { EgressFailed } from '../errors.js';

const MAX_CODINGS = 3;
// A truncated body is decoded as far as it arrived; its length is checked elsewhere.
const ZLIB = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
const BROTLI = { flush: constants.BROTLI_OPERATION_FLUSH, finishFlush: constants.BROTLI_OPERATION_FLUSH };

/** Decodes chunk by chunk, so that the size limit behind it bounds a decompression bomb. */
export function decoded(body: PushStream<Buffer>, contentEncoding: string | undefined): PushStream<Buffer> {
  if (contentEncoding === undefined) return body;
  const codings = contentEncoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length > MAX_CODINGS) throw new EgressFailed('encoding', 'the answer is encoded too many times');
  return pushStreamOf(codings.reverse().reduce<AsyncIterable<Buffer>>(undo, body));
}

function undo(body: AsyncIterable<Buffer>, coding: string): AsyncIterable<Buffer> {
  if (coding === 'gzip' || coding === 'x-gzip') return through(body, () => createGunzip(ZLIB));
  if (coding === 'br') return through(body, () => createBrotliDecompress(BROTLI));
  // «deflate» means zlib by the standard and raw deflate in practice: the first byte distinguishes them.
  if (coding === 'deflate') {
    return through(body, (first) => ((first[0]! & 0x0f) === 8 ? createInflate(ZLIB) : createInflateRaw(ZLIB)));
  }
  throw new EgressFailed('encoding', 'the answer has an encoding that was not asked for');
}

async function* through(body: AsyncIterable<Buffer>, decoderFor: (first: Buffer) => Duplex): AsyncGenerator<Buffer> {
  const chunks = body[Symbol.asyncIterator]();
  const first = await firstFilled(chunks);
  if (!first) return;
  const decoder = decoderFor(first);
  // Errors reach the reader through the decoder.
  pipeline(Readable.from(prepended(first, chunks), { objectMode: false }), decoder, () => undefined);
  yield* decoder as AsyncIterable<Buffer>;
}

async function firstFilled(chunks: AsyncIterator<Buffer>): Promise<Buffer | null> {
  for (;;) {
    const next = await chunks.next();
    if (next.done) return null;
    if (next.value.length > 0) return next.value;
  }
}

async function* prepended(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield first;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

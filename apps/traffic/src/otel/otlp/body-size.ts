import type { DescMessage } from '@bufbuild/protobuf';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { ApiError, type OtlpType } from '@signalbox/contracts';

/**
 * Limit for the parts of a body: a field counts one, a message four more, because it becomes an object. An empty value
 * takes 2 bytes in a body and 200 in memory, so a limit of bytes alone bounds nothing.
 */
const MAX_PARTS = 2_000_000;
const PARTS_OF_MESSAGE = 4;

const tooMany = (): ApiError => new ApiError('too_large', 'the body has too many values');

type Fields = ReadonlyMap<number, DescMessage>;

const known = new WeakMap<DescMessage, Fields>();

function messagesIn(schema: DescMessage): Fields {
  const found = known.get(schema);
  if (found) return found;
  const fields = new Map<number, DescMessage>();
  for (const { number, message } of schema.fields) if (message) fields.set(number, message);
  known.set(schema, fields);
  return fields;
}

class PartCount {
  private left = MAX_PARTS;

  constructor(
    private readonly reader: BinaryReader,
    private readonly maxDepth: number,
  ) {}

  /** Reads a message up to position `end`. Throws 413, and the error of the reader for malformed bytes. */
  take(schema: DescMessage, end: number, depth = 0): void {
    const messages = messagesIn(schema);
    while (this.reader.pos < end) {
      const [field, wireType] = this.reader.tag();
      const message = wireType === WireType.LengthDelimited ? messages.get(field) : undefined;
      this.left -= message ? 1 + PARTS_OF_MESSAGE : 1;
      if (this.left < 0) throw tooMany();
      if (!message || depth === this.maxDepth) this.reader.skip(wireType, field);
      else this.take(message, this.reader.uint32() + this.reader.pos, depth + 1);
    }
  }
}

const [QUOTE, BACKSLASH, COMMA, BRACE, BRACKET] = [...'"\\,{['].map((sign) => sign.charCodeAt(0));

/** Signs in texts do not count. */
export function hasFewValues(json: Buffer, max: number): boolean {
  let left = max;
  let isText = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (isText && byte === BACKSLASH) at++;
    else if (byte === QUOTE) isText = !isText;
    else if (!isText && (byte === COMMA || byte === BRACE || byte === BRACKET) && --left < 0) return false;
  }
  return true;
}

function takeJson(body: Buffer): void {
  if (!hasFewValues(body, MAX_PARTS)) throw tooMany();
}

/** Throws 413 for a body of so many values that reading it would exhaust the memory of the process. */
export function requireFewParts(body: Buffer, type: OtlpType, schema: DescMessage, maxDepth: number): void {
  if (type === 'application/json') return takeJson(body);
  try {
    new PartCount(new BinaryReader(body), maxDepth).take(schema, body.length);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    // Malformed: the reader of the body reports it.
  }
}

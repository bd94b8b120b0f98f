import type { Writable } from 'node:stream';
import { type PoolClient, Query as DriverQuery, type QueryResult, type Submittable } from 'pg';
import { ArrayParameter } from './array-parameter.js';
import { GrowingBytes } from './growing-bytes.js';

interface Binding {
  portal?: string;
  statement?: string;
  values?: unknown[];
  valueMapper: (value: unknown, at: number) => Buffer | string | null | undefined;
}
interface Wire {
  stream: Writable;
  bind(binding: Binding): void;
}
type QueryCallback = (error: Error | null | undefined, result: QueryResult) => void;
type Preparing = Submittable & { prepare(connection: Wire): void };

const Query = DriverQuery as unknown as new (
  config: { name: string; text: string; values: unknown[] },
  callback: QueryCallback,
) => Preparing;

const BIND = 66;
const TEXT = 0;
const BINARY = 1;
const MEMORY_BYTES = 65_536;
/** Larger buffers are not pooled. */
const MAX_MEMORY_BYTES = 4 * 1024 * 1024;
const MAX_KEPT = 4;
const kept: Buffer[] = [];

function keep(memory: Buffer): void {
  if (memory.length <= MAX_MEMORY_BYTES && kept.length < MAX_KEPT) kept.push(memory);
}

function writeValue(to: GrowingBytes, value: Buffer | string | null | undefined): void {
  if (value === null || value === undefined) to.int32(-1);
  else to.sized(() => (typeof value === 'string' ? to.text(value) : to.raw(value)));
}

function writeBinding(to: GrowingBytes, { portal = '', statement = '', values = [], valueMapper }: Binding): void {
  const plain = values.map((value, at) => (value instanceof ArrayParameter ? value : valueMapper(value, at)));
  to.zeroEnded(portal);
  to.zeroEnded(statement);
  to.int16(plain.length);
  for (const value of plain) to.int16(value instanceof ArrayParameter || value instanceof Buffer ? BINARY : TEXT);
  to.int16(plain.length);
  for (const value of plain) {
    if (value instanceof ArrayParameter) to.sized(() => value.writeTo(to));
    else writeValue(to, value);
  }
  // All results are returned as text.
  to.int16(1);
  to.int16(TEXT);
}

/** Sends the values of a statement from a buffer that later statements reuse. */
export function sendBinding(stream: Writable, binding: Binding): void {
  if (!stream.writable) return;
  const message = new GrowingBytes(kept.pop() ?? Buffer.allocUnsafeSlow(MEMORY_BYTES));
  message.int8(BIND);
  message.sized(() => writeBinding(message, binding), true);
  stream.write(message.written, () => keep(message.memory));
}

/**
 * A prepared statement with array parameters. The driver would copy them several times into ever larger buffers;
 * external memory that is allocated and freed at that rate triggers several full garbage collections per second.
 */
class BulkStatement extends Query {
  override prepare(connection: Wire): void {
    const own = { value: (binding: Binding) => sendBinding(connection.stream, binding) };
    super.prepare(Object.create(connection, { bind: own }) as Wire);
  }
}

export function runBulk<Row>(client: PoolClient, name: string, text: string, values: unknown[]): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    const callback: QueryCallback = (error, result) => (error ? reject(error) : resolve(result.rows as Row[]));
    client.query(new BulkStatement({ name, text, values }, callback));
  });
}

export const isBulk = (values: readonly unknown[]): boolean => values.some((value) => value instanceof ArrayParameter);

/**
 * A value as Postgres writes it as jsonb: keys ordered by length and bytes, a space after commas and colons, numbers
 * without an exponent. The text ends once it has `length` UTF-16 units.
 */
export function jsonbText(value: unknown, length: number): string {
  let text = '';
  for (const token of tokensOf(value, length)) {
    text += token;
    if (text.length >= length) break;
  }
  return text;
}

function* tokensOf(value: unknown, length: number): Generator<string> {
  if (typeof value === 'number') yield numberText(value);
  else if (typeof value === 'string') yield JSON.stringify(value.slice(0, length));
  else if (Array.isArray(value)) yield* listTokens(value, length);
  else if (typeof value === 'object' && value !== null) yield* objectTokens(value, length);
  else yield value === undefined ? 'null' : JSON.stringify(value);
}

function* listTokens(list: readonly unknown[], length: number): Generator<string> {
  yield '[';
  for (const [at, each] of list.entries()) {
    if (at > 0) yield ', ';
    yield* tokensOf(each, length);
  }
  yield ']';
}

function* objectTokens(object: object, length: number): Generator<string> {
  const entries = Object.entries(object).filter(([, each]) => each !== undefined);
  const sorted = entries
    .map(([key, each]) => ({ key, bytes: Buffer.from(key), each: each as unknown }))
    .sort((a, b) => a.bytes.length - b.bytes.length || a.bytes.compare(b.bytes));
  yield '{';
  for (const [at, { key, each }] of sorted.entries()) {
    yield `${at > 0 ? ', ' : ''}${JSON.stringify(key)}: `;
    yield* tokensOf(each, length);
  }
  yield '}';
}

function numberText(value: number): string {
  const [, sign = '', whole = '', fraction = '', exponent] =
    /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(String(value)) ?? [];
  if (exponent === undefined) return String(value);
  const digits = whole + fraction;
  const places = Number(exponent);
  return sign + (places < 0 ? `0.${'0'.repeat(-places - 1)}${digits}` : digits.padEnd(places + 1, '0'));
}

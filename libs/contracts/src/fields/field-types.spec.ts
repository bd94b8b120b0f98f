import { jsonProblem, utf8Type } from './field-types.js';

const BOUNDS = { maxBytes: 1000, maxDepth: 3 };
const TOO_LARGE = 'must be at most 1000 bytes of JSON';

/** Values of exactly the allowed number of bytes, and of one byte more. */
const grown = (make: (text: string) => unknown, letter: string): [unknown, unknown] => {
  const bytesOf = (text: string): number => Buffer.byteLength(JSON.stringify(make(text)));
  const each = bytesOf(letter) - bytesOf('');
  const count = Math.floor((1000 - bytesOf('')) / each);
  const fill = 'x'.repeat(1000 - bytesOf(letter.repeat(count)));
  return [make(letter.repeat(count) + fill), make(letter.repeat(count) + fill + 'x')];
};

describe('the size of a free JSON value', () => {
  const shapes: [string, (text: string) => unknown][] = [
    ['a text', (text) => text],
    ['a list', (text) => [1.5e-300, true, text]],
    ['an object', (text) => ({ a: { b: text }, c: null })],
    ['a key', (text) => ({ [text]: 1 })],
  ];
  it.each(
    shapes.flatMap(([name, make]) => ['x', '"', '\n', '\u0001', 'é', '€', '🙂'].map((l) => [name, l, make] as const)),
  )('is measured to the byte in %s of %j', (_name, letter, make) => {
    const [largest, larger] = grown(make, letter);
    expect(jsonProblem(largest, BOUNDS)).toBeUndefined();
    expect(jsonProblem(larger, BOUNDS)).toBe(TOO_LARGE);
  });

  it('is that of its JSON text', () => {
    expect(jsonProblem(new Array(300), BOUNDS)).toBe(TOO_LARGE);
    expect(jsonProblem({ toJSON: () => 'x'.repeat(1000) }, BOUNDS)).toBe(TOO_LARGE);
    expect(
      jsonProblem(
        Array.from({ length: 501 }, () => 1),
        BOUNDS,
      ),
    ).toBe(TOO_LARGE);
    expect(jsonProblem([[[1]]], BOUNDS)).toBeUndefined();
    expect(jsonProblem([[[[1]]]], BOUNDS)).toBe('is nested too deeply');
    expect(jsonProblem({ a: ['\0'] }, BOUNDS)).toBe('must not contain NUL or lone surrogates');
  });
});

describe('a text that is bounded in bytes', () => {
  const type = utf8Type(1, 8);

  it.each([
    ['12345678', undefined],
    ['äöü', undefined],
    ['äöüßä', 'must be at most 8 bytes of UTF-8'],
    ['123456789', 'must have 1 to 8 characters'],
    ['', 'must have 1 to 8 characters'],
    [1, 'must be a string'],
  ])('%j: %s', (value, problem) => {
    expect(type.problem(value)).toBe(problem);
  });
});

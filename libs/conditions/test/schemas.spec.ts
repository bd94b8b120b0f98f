import { EvaluationThreads, SchemaChecker, TOO_COSTLY } from '@signalbox/conditions';
import { zodResponseFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { valueProblem } from '../src/schema/json-schema.js';

let threads: EvaluationThreads;
let schemas: SchemaChecker;
beforeAll(() => {
  threads = new EvaluationThreads();
  schemas = new SchemaChecker(threads);
});
afterAll(() => threads.onApplicationShutdown());

const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';
const problemOf = (schema: object, value: unknown) => schemas.problemOf(1, schema, value);

/** The reason why a schema is refused; null when it is accepted. */
const refusal = (schema: object): Promise<string | null> =>
  schemas.requireGood(1, schema, 'schema').then(
    () => null,
    (error: { status: number; extras: { details: { message: string }[] } }) => {
      expect(error.status).toBe(422);
      return error.extras.details[0]!.message;
    },
  );

const person = z.object({
  name: z.string().min(1),
  email: z.email(),
  born: z.iso.date().nullable(),
  kind: z.enum(['a', 'b']),
  tags: z.array(z.string()).max(3),
  pair: z.tuple([z.string(), z.number()]),
  address: z.union([z.object({ street: z.string() }), z.null()]),
});
const PERSON = {
  name: 'Ann',
  email: 'ann@example.com',
  born: null,
  kind: 'a',
  tags: ['x'],
  pair: ['a', 1],
  address: { street: 'Main' },
};

describe('a JSON schema', () => {
  it.each([
    ['draft-07', DRAFT_07],
    ['draft-07 without a fragment', 'http://json-schema.org/draft-07/schema'],
    ['2019-09', 'https://json-schema.org/draft/2019-09/schema'],
    ['2020-12', 'https://json-schema.org/draft/2020-12/schema'],
  ])('of %s is accepted', async (_name, $schema) => {
    const schema = { $schema, type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] };
    expect(await refusal(schema)).toBeNull();
    expect([await problemOf(schema, { a: 1 }), await problemOf(schema, { a: 'x' })]).toEqual([
      null,
      'at /a it must be integer',
    ]);
  });

  it('follows the semantics of its draft: tuples of items', async () => {
    const items = [{ type: 'string' }, { type: 'number' }];
    const old = { $schema: DRAFT_07, type: 'array', items, additionalItems: false, definitions: {} };
    const now = { type: 'array', prefixItems: items, items: false };
    for (const schema of [old, now]) {
      expect(await problemOf(schema, ['a', 1])).toBeNull();
      expect(await problemOf(schema, [1, 'a'])).toContain('/0');
      expect(await problemOf(schema, ['a', 1, 2])).not.toBeNull();
    }
    expect(await refusal({ type: 'array', items })).not.toBeNull();
  });

  it.each([
    ['a type', { type: 'string', nullable: true }],
    ['a reference', { $ref: '#/$defs/text', nullable: true }],
    ['a combination', { allOf: [{ $ref: '#/$defs/text' }], nullable: true }],
  ])('supports nullable next to %s', async (_name, value) => {
    const schema = { type: 'object', properties: { value }, $defs: { text: { type: 'string' } } };
    expect(await refusal(schema)).toBeNull();
    expect([await problemOf(schema, { value: null }), await problemOf(schema, { value: 'x' })]).toEqual([null, null]);
    expect(await problemOf(schema, { value: 5 })).not.toBeNull();
  });

  it('may have a property named nullable', async () => {
    const schema = { type: 'object', properties: { nullable: { type: 'boolean' } }, required: ['nullable'] };
    expect(await problemOf(schema, { nullable: true })).toBeNull();
    expect(await problemOf(schema, { nullable: 'x' })).toBe('at /nullable it must be boolean');
  });

  it('is accepted in the form that the openai package generates from zod', async () => {
    // Strict outputs have no tuples.
    const { json_schema: format } = zodResponseFormat(person.omit({ pair: true }), 'person');
    const { pair: _, ...ann } = PERSON;
    expect(format.schema).toMatchObject({ $schema: DRAFT_07 });
    await expect(
      schemas.requireGoodFormat(1, { type: 'json_schema', json_schema: format as never }),
    ).resolves.toBeUndefined();
    expect(await problemOf(format.schema!, ann)).toBeNull();
    expect(await problemOf(format.schema!, { ...ann, email: 'no mail' })).toContain('/email');
  });

  it.each([
    ['draft-7', 'output'],
    ['draft-7', 'input'],
    ['openapi-3.0', 'output'],
    ['draft-2020-12', 'output'],
  ] as const)('is accepted in the form of other SDK generators: %s, %s', async (target, io) => {
    // The AI SDK generates draft-7 with `reused: inline`.
    const schema = z.toJSONSchema(person, { target, io, reused: 'inline' });
    expect(await refusal(schema)).toBeNull();
    expect(await problemOf(schema, PERSON)).toBeNull();
    expect(await problemOf(schema, { ...PERSON, kind: 'c' })).toContain('/kind');
  });

  it.each([
    ['another draft', { $schema: 'http://json-schema.org/draft-04/schema#' }, 'drafts'],
    ['an unknown type', { type: 'thing' }, 'type'],
    ['a remote reference', { $ref: 'https://example.com/a.json' }, 'local references'],
    ['a dangling reference', { $ref: '#/$defs/none' }, 'resolve'],
    ['$data', { minimum: { $data: '1/a' } }, '$data'],
    ['too many bytes', { description: 'x'.repeat(70_000) }, 'bytes'],
    ['too many levels', JSON.parse('{"not":'.repeat(21) + '{}' + '}'.repeat(21)) as object, 'levels'],
    ['too many schemas', { anyOf: Array.from({ length: 501 }, () => ({})) }, 'schemas'],
    ['definitions that double', doubling(20), 'parts'],
    ['itself', { $ref: '#' }, 'recurse'],
    ['itself among others', { anyOf: [{ type: 'string' }, { $ref: '#' }] }, 'recurse'],
    [
      'two definitions that refer to each other',
      pair({ $ref: '#/$defs/b' }, { not: { $ref: '#/$defs/a' } }),
      'recurse',
    ],
    ['an anchor around itself', { $anchor: 'top', if: { $ref: '#top' } }, 'recurse'],
    ['a recursion by name', { $dynamicAnchor: 'n', allOf: [{ $dynamicRef: '#n' }] }, 'recurse'],
    ['a recursion below a property', { properties: { a: { $ref: '#/properties/a' } } }, 'recurse'],
    ['a recursion that depends on a property', { dependentSchemas: { a: { $ref: '#' } } }, 'recurse'],
    [
      'an identified part around itself',
      { $defs: { a: { $id: 'https://a.example/', oneOf: [{ $ref: '#' }] } } },
      'recurse',
    ],
    ['an invalid pattern', { type: 'string', pattern: '(' }, 'regular expression'],
  ])('with %s is refused', async (_name, schema, reason) => {
    expect((await refusal(schema))?.toLowerCase()).toContain(reason.toLowerCase());
  });

  it('may be recursive and contain five hundred schemas', async () => {
    const tree = { type: 'object', properties: { left: { $ref: '#' }, right: { $ref: '#/properties/left' } } };
    expect(await refusal(tree)).toBeNull();
    expect(await problemOf(tree, { left: { right: {} } })).toBeNull();
    expect(await refusal({ anyOf: Array.from({ length: 499 }, () => ({})) })).toBeNull();
    expect(await refusal(doubling(5))).toBeNull();
  });

  it('that was stored with an endless recursion is a problem of each value', async () => {
    expect(await problemOf({ $ref: '#' }, 1)).toContain('recurse');
  });

  it('may recurse with a part of the value, as deep as the value is', async () => {
    const list = {
      anyOf: [{ type: 'null' }, { $ref: '#/$defs/more' }],
      $defs: { more: { prefixItems: [{ $ref: '#' }] } },
    };
    expect(await refusal(list)).toBeNull();
    const deep = JSON.parse('['.repeat(64) + ']'.repeat(64)) as unknown;
    expect(await problemOf(list, deep)).toBeNull();
    expect(valueProblem(JSON.stringify(list), '['.repeat(100_000) + ']'.repeat(100_000))).toContain('too deeply');
  });

  it('with an endless pattern refuses the value after its budget', async () => {
    const schema = { type: 'string', pattern: '^(?=(a+)+$)b' };
    expect(await problemOf(schema, `${'a'.repeat(40)}!`)).toContain('too long');
    expect(await problemOf({ type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(40)}!`)).toContain('pattern');
  });
});

describe('many values', () => {
  it('are checked together, in their order, however few evaluations of the company may wait', async () => {
    const few = new EvaluationThreads({ waiting: 1 });
    const values = Array.from({ length: 1_050 }, (_, n) => (n % 7 === 0 ? `${n}` : n));
    const problems = await new SchemaChecker(few).problemsOf(1, { type: 'integer' }, values);
    await few.onApplicationShutdown();
    expect(problems).toEqual(values.map((value) => (typeof value === 'string' ? 'it must be integer' : null)));
  });

  it('are judged one by one where one of them takes too long', async () => {
    const values = [`${'a'.repeat(40)}!`, 'x'];
    const schema = { type: 'string', pattern: '^(?!(a+)+$)' };
    const hasty = new EvaluationThreads({ budgetMs: 100 });
    const problems = await new SchemaChecker(hasty).problemsOf(1, schema, values);
    await hasty.onApplicationShutdown();
    expect(problems).toEqual([TOO_COSTLY, null]);
  });

  it('have the problem of their schema', async () => {
    expect(await schemas.problemsOf(1, { $ref: 'https://example.com/a' }, [1, 2])).toEqual([
      'it must have local references only',
      'it must have local references only',
    ]);
  });
});

/** Two definitions, the first of which applies. */
function pair(a: object, b: object): object {
  return { $ref: '#/$defs/a', $defs: { a, b } };
}

/** Definitions that each refer twice to the next. */
function doubling(depth: number): object {
  const defs: Record<string, unknown> = { [`d${depth}`]: { type: 'object' } };
  for (let at = 0; at < depth; at++)
    defs[`d${at}`] = { allOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] };
  return { $ref: '#/$defs/d0', $defs: defs };
}

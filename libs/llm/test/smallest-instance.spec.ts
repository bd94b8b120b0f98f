import { timeScale } from '@signalbox/testing';
import { SchemaTooLarge, SchemaUnresolvable, smallestInstance } from '@signalbox/llm';

const nested = (levels: number): unknown =>
  levels === 0 ? { type: 'string' } : { type: 'object', required: ['a'], properties: { a: nested(levels - 1) } };

describe('the smallest instance of a schema', () => {
  it.each([
    [{ const: 5, enum: [1], default: 2 }, 5],
    [{ const: null }, null],
    [{ enum: ['PASS', 'FAIL'], default: 'FAIL' }, 'PASS'],
    [{ default: { a: [1] } }, { a: [1] }],
    [{ type: 'string' }, ''],
    [{ type: 'string', minLength: 3 }, 'xxx'],
    [{ type: 'number' }, 0],
    [{ type: 'number', minimum: 1.5 }, 1.5],
    [{ type: 'integer', minimum: 1.5 }, 2],
    [{ type: 'integer', minimum: -3 }, -3],
    [{ type: 'integer', exclusiveMinimum: 3 }, 4],
    [{ type: 'integer', maximum: -2 }, -2],
    [{ type: 'integer', minimum: 7, multipleOf: 5 }, 10],
    [{ type: 'boolean' }, false],
    [{ type: 'null' }, null],
    [{ type: ['string', 'null'] }, ''],
    [{ type: 'array', items: { type: 'string' } }, []],
    [{ type: 'array', items: { type: 'integer' }, minItems: 2 }, [0, 0]],
    [{ type: 'array', prefixItems: [{ const: 1 }], items: { const: 2 }, minItems: 2 }, [1, 2]],
    [{ type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } }, required: ['b'] }, { b: '' }],
    [
      { properties: { a: {} }, required: ['a', 'c'] },
      { a: null, c: null },
    ],
    [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, 0],
    [{ oneOf: [{ const: 'x' }, { const: 'y' }] }, 'x'],
    [{ allOf: [{ minLength: 2 }, { type: 'string', minLength: 4 }] }, 'xxxx'],
    [
      {
        required: ['a'],
        properties: { a: { type: 'string' } },
        allOf: [{ required: ['b'], properties: { a: { minLength: 1 }, b: { const: 1 } } }],
      },
      { a: 'x', b: 1 },
    ],
    [{ $ref: '#/$defs/a~1b', $defs: { 'a/b': { $ref: '#/definitions/c' } }, definitions: { c: { const: 9 } } }, 9],
    [{ $ref: '#/$defs/s', minLength: 2, $defs: { s: { type: 'string' } } }, 'xx'],
    [true, null],
    [{}, null],
  ])('%j', (schema, expected) => {
    expect(smallestInstance(schema)).toEqual(expected);
  });

  it('treats __proto__ as a property like any other', () => {
    const schema: unknown = JSON.parse(
      '{"type":"object","required":["__proto__"],"properties":{"__proto__":{"const":1}}}',
    );
    expect(JSON.stringify(smallestInstance(schema))).toBe('{"__proto__":1}');
  });

  it('is at most 20 levels deep', () => {
    expect(() => smallestInstance(nested(19))).not.toThrow();
    expect(() => smallestInstance(nested(20))).toThrow(SchemaTooLarge);
  });

  it('has at most 1000 nodes', () => {
    const array = (minItems: number) => ({ type: 'array', items: { type: 'null' }, minItems });
    expect(smallestInstance(array(999))).toHaveLength(999);
    for (const count of [1_000, 1e9]) expect(() => smallestInstance(array(count))).toThrow(SchemaTooLarge);
  });

  it.each([
    [{ $ref: '#' }],
    [{ $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }],
    [{ type: 'object', required: ['next'], properties: { next: { $ref: '#' } } }],
    [{ allOf: [{ $ref: '#' }, { $ref: '#' }] }],
    [{ type: 'string', minLength: 1e9 }],
    [{ type: 'array', minItems: 900, items: { const: 'x'.repeat(1_000) } }],
    [{ type: 'array', minItems: 500, items: { default: [1, 2, 3] } }],
  ])('refuses an infinite one in time: %#', (schema) => {
    const started = Date.now();
    expect(() => smallestInstance(schema)).toThrow(SchemaTooLarge);
    // About a millisecond; an infinite instance has no end.
    expect(Date.now() - started).toBeLessThan(5000 * timeScale());
  });

  it.each(['#/$defs/none', 'https://example.com/schema', 'other.json', '#anchor', '#/__proto__'])(
    'refuses to follow %s',
    ($ref) => {
      expect(() => smallestInstance({ $ref })).toThrow(SchemaUnresolvable);
    },
  );
});

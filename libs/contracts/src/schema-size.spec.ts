import { schemaSizeProblem } from './schema-size.js';

/** Definitions of which each refers twice to the next. */
function doubling(depth: number): object {
  const defs: Record<string, unknown> = { [`d${depth}`]: { type: 'object' } };
  for (let at = 0; at < depth; at++)
    defs[`d${at}`] = { allOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] };
  return { $ref: '#/$defs/d0', $defs: defs };
}

describe('schemaSizeProblem', () => {
  it('takes what people write, recursion included', () => {
    const tree = { type: 'object', properties: { left: { $ref: '#' }, right: { $ref: '#/properties/left' } } };
    expect(schemaSizeProblem(tree)).toBeNull();
    expect(schemaSizeProblem({ $ref: '#/$defs/a~1b', $defs: { 'a/b': { $ref: '#/$defs/a~1b' } } })).toBeNull();
    expect(schemaSizeProblem({ $ref: '#/$defs/none/at/all' })).toBeNull();
    expect(schemaSizeProblem(doubling(5))).toBeNull();
  });

  it.each([[20], [60], [500]])('refuses %i levels that double, at once', (depth) => {
    const started = performance.now();
    expect(schemaSizeProblem(doubling(depth))).toContain('parts');
    expect(performance.now() - started).toBeLessThan(100);
  });
});

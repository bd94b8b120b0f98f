import { pathsOf } from './payload-paths.js';

describe('the paths of a payload', () => {
  it('lead to its values', () => {
    expect(pathsOf({ a: 1, b: { c: null, d: [{ e: 'x' }, 2] }, f: [], g: {} })).toEqual([
      'a',
      'b.c',
      'b.d[0].e',
      'b.d[1]',
      'f',
      'g',
    ]);
    expect(pathsOf({})).toEqual([]);
  });

  it('are bounded in number and depth', () => {
    expect(pathsOf({ list: Array.from({ length: 10_000 }, () => 1) })).toHaveLength(500);
    const deep = Array.from({ length: 30 }).reduce<object>((inner) => ({ a: inner }), {});
    expect(pathsOf(deep)).toEqual([Array.from({ length: 10 }, () => 'a').join('.')]);
  });
});

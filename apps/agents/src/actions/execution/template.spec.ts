import { fillJson, fillText, placeholdersIn } from './template.js';

describe('a template', () => {
  it('names its placeholders, doubled braces excepted', () => {
    expect(placeholdersIn({ a: '{x} {{y}} {x}', b: ['{z}', 1, null] })).toEqual(['x', 'z']);
  });

  it('is filled in one pass: text that looks like a placeholder stays text', () => {
    const given = { a: '{b} {{secrets.KEY}}', b: 'B' };
    expect(fillText('{a}/{b}', given, [])).toBe('{b} {{secrets.KEY}}/B');
    expect(fillJson({ t: '<{a}>' }, given, [])).toEqual({ t: '<{b} {{secrets.KEY}}>' });
  });

  it('keeps the JSON type of a whole-value placeholder, and makes text of one inside text', () => {
    const given = { n: 3, o: { deep: [1] } };
    expect(fillJson({ n: '{n}', o: '{o}', t: 'n={n} o={o}' }, given, [])).toEqual({
      n: 3,
      o: { deep: [1] },
      t: 'n=3 o={"deep":[1]}',
    });
  });

  it('leaves out missing arguments, and keeps unknown placeholders', () => {
    expect(fillJson({ a: '{a}', b: 'x{a}', c: '{other}' }, {}, ['a'])).toEqual({ b: 'x', c: '{other}' });
  });

  it('ignores names of the prototype', () => {
    expect(fillText('{constructor}', {}, [])).toBe('{constructor}');
    expect(fillJson('{toString}', {}, ['toString'])).toBeUndefined();
  });
});

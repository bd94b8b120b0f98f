import { criterionOf } from './criteria.js';

describe('a criterion from its form', () => {
  it('has what its method uses, and nothing else', () => {
    const given = {
      name: 'Same',
      case_sensitive: 'on',
      numeric_tolerance: '0.5',
      value: 'left from before',
      weight: '2',
    };
    expect(criterionOf('EXACT', given)).toEqual({
      name: 'Same',
      method: 'EXACT',
      description: null,
      prompt: null,
      config: { numeric_tolerance: 0.5, case_sensitive: true, trim: false },
      weight: 2,
    });
    expect(criterionOf('CONTAINS', given).config).toEqual({
      value: 'left from before',
      case_sensitive: true,
      trim: false,
    });
  });

  it('reads paths one a line, and a schema as JSON', () => {
    expect(criterionOf('JSON_FIELDS', { required_paths: 'a.b\n\n c ' }).config).toMatchObject({
      required_paths: ['a.b', 'c'],
      ignore_paths: [],
    });
    expect(criterionOf('JSON_SCHEMA', { schema: '{"type": "object"}' }).config).toEqual({ schema: { type: 'object' } });
    expect(() => criterionOf('JSON_SCHEMA', { schema: '[' })).toThrow('The schema cannot be read.');
  });

  it('keeps the prompt of a judge and its threshold', () => {
    expect(criterionOf('LLM', { prompt: 'Is it kind?', model: '', pass_threshold: '4' })).toMatchObject({
      prompt: 'Is it kind?',
      config: {},
      pass_threshold: 4,
    });
  });
});

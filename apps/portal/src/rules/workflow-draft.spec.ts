import { changesOf, type Draft, problemsOf, schemaIn } from './workflow-draft.js';

const DRAFT: Draft = {
  workflow_name: 'Orders',
  description: '',
  language: 'javascript',
  script: 'x',
  execution_mode: 'sync',
  timeout_seconds: '300',
  memory_mb: '128',
  allow_inproc_nesting: false,
  inproc_nested_refs: '',
  input_schema: '',
  output_schema: '',
};

describe('the draft of a workflow', () => {
  it('sends what has changed, and the script with its language', () => {
    expect(changesOf(DRAFT, DRAFT)).toEqual({});
    expect(
      changesOf(DRAFT, { ...DRAFT, allow_inproc_nesting: true, inproc_nested_refs: 'refund@1.0.0\n\nmail ' }),
    ).toEqual({
      allow_inproc_nesting: true,
      inproc_nested_refs: ['refund@1.0.0', 'mail'],
    });
    expect(changesOf(DRAFT, { ...DRAFT, timeout_seconds: '30', input_schema: '{"type":"object"}' })).toEqual({
      timeout_seconds: 30,
      input_schema: { type: 'object' },
    });
    expect(changesOf(DRAFT, { ...DRAFT, language: 'python' })).toEqual({ language: 'python', script: 'x' });
    expect(changesOf({ ...DRAFT, input_schema: '{}' }, DRAFT)).toEqual({ input_schema: null });
  });

  it('says what is wrong before it is sent', () => {
    expect(problemsOf(DRAFT)).toEqual([]);
    expect(problemsOf({ ...DRAFT, input_schema: '[1]', output_schema: '{', memory_mb: '1.5' })).toEqual([
      'The input schema is not a JSON object.',
      'The output schema is not a JSON object.',
      'The memory is not a whole number of MB.',
    ]);
  });

  it('has no schema in an empty field, and none that is no object', () =>
    expect([' ', '{"a":1}', 'null', '{'].map(schemaIn)).toEqual([null, { a: 1 }, undefined, undefined]));
});

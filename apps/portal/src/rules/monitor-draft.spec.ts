import { alertRuleOf, judgeConfig, readObject, ruleConfig } from './monitor-draft.js';

describe('the draft of a monitor', () => {
  it('is read from JSON, or says why not', () => {
    expect(readObject('{"a": 1}')).toEqual({ value: { a: 1 } });
    expect(readObject('[1]')).toEqual({ problem: 'It has to be a JSON object.' });
    expect(readObject('{')).toEqual({ problem: expect.stringContaining('JSON') as string });
  });

  it('is made from one rule: lengths are numbers, some operators compare with nothing', () => {
    const conditionOf = (...rule: Parameters<typeof ruleConfig>) => ruleConfig(...rule).result?.fault?.children[0];
    expect(conditionOf('output.content', 'length_lt', '15')).toMatchObject({ operator: 'length_lt', value: 15 });
    expect(conditionOf('output.content', 'contains', '15')).toMatchObject({ value: '15' });
    expect(conditionOf('output.content', 'is_empty', '')).not.toHaveProperty('value');
  });

  it('is made from a sentence and a model', () => {
    expect(judgeConfig(3, 'It is rude.').runner).toEqual({
      resource_type: 'model',
      resource_id: 3,
      input: { prompt: 'It is rude.' },
    });
  });

  it('has alert rules in percent and minutes, or in faults', () => {
    expect(alertRuleOf({ metric: 'fault_rate', threshold: '25', window: '30', min_runs: '5' })).toEqual({
      metric: 'fault_rate',
      threshold: 0.25,
      window_ms: 1_800_000,
      min_runs: 5,
    });
    expect(alertRuleOf({ metric: 'consecutive_faults', threshold: '3' })).toMatchObject({ threshold: 3 });
  });
});

import { checkpointOf, eventOf, jobOf, recordsIn } from './job-records.js';

describe('what a provider reports', () => {
  it('is read without what Postgres rejects', () => {
    const message = `a\0b${'\ud800'}c 😀`;
    const data = { step: 1.5, train_loss: 0.5, total_steps: -1 };
    expect(eventOf({ id: 'e', created_at: 2, level: 'loud', message, type: 'metrics', data })).toEqual({
      id: 'e',
      timestamp: 2000,
      level: 'info',
      message: 'abc 😀',
      metrics: { step: 1, total_steps: null, train_loss: 0.5, validation_loss: null },
    });
    expect(checkpointOf({ step_number: 1e12, metrics: { loss: 'x', step: 3 } })).toEqual({
      step: 0,
      model_name: '',
      metrics: { step: 3 },
    });
  });

  it.each([null, [], 'text', { id: 1, status: 'running' }, { id: 'j', status: 'dreaming' }])(
    '%p is no job',
    (answer) => {
      expect(() => jobOf(answer)).toThrow('the provider did not answer with a fine-tuning job');
    },
  );

  it('is a list only with data', () => {
    expect(recordsIn({ data: [{ id: 'a' }, 7, null] })).toEqual([{ id: 'a' }]);
    expect(() => recordsIn({})).toThrow('the provider did not answer with a list');
  });
});

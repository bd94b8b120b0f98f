import { Steps, stepsOf } from './timeline.js';

const at = (timestamp: number, type: string, more: object = {}) => ({ type, timestamp, task_id: 't', ...more });

describe('the steps of a timeline', () => {
  it('join what began with what came back', () => {
    const steps = stepsOf([
      at(0, 'task_start'),
      at(1, 'model_called', { step: 1, model: 'm' }),
      at(5, 'model_answered', { step: 1, duration_ms: 4 }),
      at(6, 'action_invoked', { step: 2, action_name: 'find_order' }),
      at(9, 'action_result', { step: 2, status: 'ERROR' }),
      at(10, 'task_end', { status: 'FAILED' }),
    ]);
    expect(steps.map(({ title, state, durationMs }) => [title, state, durationMs])).toEqual([
      ['Task', 'FAILED', 10],
      ['Model m', null, 4],
      ['Action find_order', 'ERROR', 3],
    ]);
  });

  it('of a run say whose its failure was', () => {
    const run = (timestamp: number, type: string, more: object = {}) => ({ type, timestamp, run_id: 'r', ...more });
    const steps = stepsOf([
      run(0, 'run_start', { status: 'RUNNING' }),
      run(1, 'call', { member: 'http.fetch', status: 'SUCCESS', duration_ms: 1 }),
      run(2, 'error', { message: 'line 4: Error: no', failure_class: 'sandbox' }),
      run(3, 'run_end', { status: 'FAILED' }),
    ]);
    expect(steps.map(({ title, state, failureClass }) => [title, state, failureClass])).toEqual([
      ['Run', 'FAILED', 'sandbox'],
      ['Call http.fetch', 'SUCCESS', null],
      ['Error: line 4: Error: no', 'ERROR', null],
    ]);
  });

  it('of a model that did not answer say whose its failure was', () => {
    const called = at(0, 'model_called', { step: 1, model: 'm' });
    const [step] = stepsOf([called, at(2, 'model_answered', { step: 1, failure_class: 'provider' })]);
    expect([step?.state, step?.failureClass]).toEqual(['ERROR', 'provider']);
  });

  it('keep apart what runs at the same time, and show an end without its beginning', () => {
    const steps = stepsOf([
      at(0, 'action_invoked', { step: 1, action_name: 'a' }),
      at(0, 'action_invoked', { step: 2, action_name: 'b' }),
      at(2, 'action_result', { step: 2, status: 'SUCCESS' }),
      at(3, 'model_answered', { step: 9 }),
    ]);
    expect(steps.map(({ state }) => state)).toEqual([null, 'SUCCESS', null]);
    expect(steps).toHaveLength(3);
  });

  it('pair calls of one tool without steps in their order', () => {
    const steps = stepsOf([
      at(0, 'action_invoked', { action_name: 'look_up' }),
      at(1, 'action_invoked', { action_name: 'look_up' }),
      at(1, 'action_invoked', { action_name: 'other' }),
      at(5, 'action_result', { action_name: 'look_up', status: 'SUCCESS' }),
      at(6, 'action_result', { action_name: 'look_up', status: 'ERROR' }),
    ]);
    expect(steps.map(({ state, offsets }) => [state, offsets])).toEqual([
      ['SUCCESS', [0, 3]],
      ['ERROR', [1, 4]],
      [null, [2]],
    ]);
  });

  it('give each call of a tool its own result, in whichever order they arrive', () => {
    const steps = stepsOf([
      at(0, 'action_invoked', { step: 1, action_name: 'look_up' }),
      at(1, 'action_invoked', { step: 2, action_name: 'look_up' }),
      at(3, 'action_result', { step: 2, action_name: 'look_up', status: 'ERROR' }),
      at(5, 'action_result', { step: 1, action_name: 'look_up', status: 'SUCCESS' }),
    ]);
    expect(steps.map(({ state, durationMs }) => [state, durationMs])).toEqual([
      ['SUCCESS', 5],
      ['ERROR', 2],
    ]);
  });

  it('have titles of a line at most, and no texts when they arrive in pages', () => {
    const steps = new Steps();
    steps.add([
      at(0, 'error', { message: 'x'.repeat(1000) }),
      at(1, 'message', { role: 'user', content: ` a\n${'b '.repeat(1000)}` }),
    ]);
    expect(steps.list.map(({ title }) => title.length <= 160 && !title.includes('\n'))).toEqual([true, true]);
    expect(steps.list.map(({ events }) => events)).toEqual([[], []]);
  });

  it('of thirty thousand events are made in one pass', () => {
    const events = Array.from({ length: 30_000 }, (_, n) =>
      at(n, n % 2 === 0 ? 'model_called' : 'model_answered', { step: n >> 1 }),
    );
    const steps = stepsOf(events);
    expect(steps).toHaveLength(15_000);
    expect(steps[1]).toMatchObject({ offsets: [2, 3], events: [events[2], events[3]] });
  });
});

import { causesOf, linesOf, sliced, tasksAbove } from './folds.js';
import { stepsOf } from './timeline.js';

const at = (timestamp: number, type: string, more: object = {}) => ({ type, timestamp, task_id: 'root', ...more });

const STEPS = stepsOf([
  at(0, 'task_start'),
  at(1, 'model_called', { step: 1, model: 'm' }),
  at(5, 'model_answered', { step: 1, duration_ms: 4 }),
  at(6, 'sub_agent_invoked', { child_task_id: 'child', child_agent_name: 'Clerk' }),
  at(7, 'model_called', { step: 1, task_id: 'child', model: 'c' }),
  at(8, 'error', { task_id: 'child', message: 'no' }),
  at(60_000, 'message', { role: 'assistant', content: 'Done' }),
]);
const said = (open: string[], hidesQuiet = false) =>
  linesOf(STEPS, 'root', { open: new Set(open), hidesQuiet }).map((line) =>
    line.kind === 'gap' ? `idle ${line.ms}` : `${'  '.repeat(line.depth)}${line.step.title}`,
  );

describe('the lines of a timeline', () => {
  it('fold what a sub-agent did and what was idle', () =>
    expect(said([])).toEqual(['Task', 'Model m', 'Sub-agent Clerk', 'idle 59994', 'Answer: Done']));

  it('show the steps of a sub-agent below the step that started it', () =>
    expect(said(['child'])).toEqual([
      'Task',
      'Model m',
      'Sub-agent Clerk',
      '  Model c',
      '  Error: no',
      'idle 59992',
      'Answer: Done',
    ]));

  it('hide quiet steps, and never an error', () => {
    expect(said([], true)).toEqual(['Model m', 'Sub-agent Clerk', 'idle 59994', 'Answer: Done']);
    const failed = stepsOf([at(0, 'task_start'), at(1, 'task_end', { status: 'FAILED' })]);
    expect(linesOf(failed, 'root', { open: new Set(), hidesQuiet: true })).toHaveLength(1);
  });

  it('show a task that nothing in the timeline has started', () => {
    const lines = linesOf(stepsOf([at(0, 'task_start'), at(1, 'message', { task_id: 'other' })]), 'root', {
      open: new Set(),
      hidesQuiet: false,
    });
    expect(lines).toHaveLength(2);
  });

  it('lead to a step inside a sub-agent', () => {
    const inside = STEPS.find(({ title }) => title === 'Error: no');
    expect(inside && tasksAbove(STEPS, inside)).toEqual(['child']);
  });
});

describe('the strip of a run', () => {
  it('has every step in a slice and marks errors, with idle times squeezed', () => {
    const slices = sliced(STEPS, 10);
    expect(slices.reduce((sum, { count }) => sum + count, 0)).toBe(STEPS.length);
    expect(slices[0]).toEqual({ first: 0, count: 5, hasError: true });
    expect(slices[9]).toEqual({ first: 5, count: 1, hasError: false });
  });

  it('of one moment is one slice', () => expect(sliced(STEPS.slice(0, 1), 4)[0]?.count).toBe(1));
});

describe('the errors that say why a run failed', () => {
  const titles = (...events: Parameters<typeof stepsOf>[0]) => causesOf(stepsOf(events)).map(({ title }) => title);

  it('are the steps inside, not the run around them', () => {
    const model = [
      at(1, 'model_called', { step: 1, model: 'm' }),
      at(2, 'model_answered', { step: 1, failure_class: 'provider' }),
    ];
    const end = at(4, 'task_end', { status: 'FAILED' });
    expect(titles(at(0, 'task_start'), ...model, at(3, 'error', { message: 'away' }), end)).toEqual([
      'Model m',
      'Error: away',
    ]);
    expect(titles(at(0, 'task_start'), end)).toEqual(['Task']);
  });

  it('are those of a sub-agent in place of the step that started it', () => {
    const inside = { task_id: 'child' };
    const starter = at(1, 'sub_agent_invoked', { child_task_id: 'child', child_agent_name: 'Clerk' });
    const end = at(4, 'task_end', { ...inside, status: 'FAILED' });
    expect(titles(starter, at(2, 'task_start', inside), at(3, 'error', { ...inside, message: 'no' }), end)).toEqual([
      'Error: no',
    ]);
    expect(titles(starter, at(2, 'task_start', inside), end)).toContain('Sub-agent Clerk');
  });
});

import { NOTHING_SEEN, type RunEvent, scriptLineOf, seeing } from './live-run.js';

const event = (seq: number, type: string, more: object = {}): RunEvent => ({
  type: `run.${type}`,
  seq,
  timestamp: 1000 + seq,
  run_id: 'r',
  ...more,
});

describe('what is seen of a run', () => {
  it('is what it logs, emits and starts, in order', () => {
    const events = [
      event(1, 'started', { workflow_id: 3 }),
      event(2, 'log', { level: 'warn', message: 'careful' }),
      event(3, 'event', { event: { half: true } }),
      event(4, 'child', { child_run_id: 'c', ref: 'other', status: 'COMPLETED' }),
      event(5, 'completed', { output: 1 }),
    ];
    const seen = events.reduce(seeing, NOTHING_SEEN);
    expect(seen).toMatchObject({ runId: 'r', startedAt: 1001, hasEnded: true, dropped: 0 });
    expect(seen.lines).toEqual([
      { seq: 2, at: 1002, kind: 'warn', text: 'careful' },
      { seq: 3, at: 1003, kind: 'event', text: '{"half":true}' },
      { seq: 4, at: 1004, kind: 'child', text: 'other completed', childRunId: 'c' },
    ]);
  });

  it('keeps the last lines, and says how many it does not keep', () => {
    let seen = NOTHING_SEEN;
    for (let seq = 1; seq <= 2003; seq++) seen = seeing(seen, event(seq, 'event', { event: seq }));
    expect([seen.lines.length, seen.dropped, seen.lines[0]?.text]).toEqual([2000, 3, '4']);
  });

  it.each<[string | null, number | null]>([
    ['line 6: Error: no such order', 6],
    ['line 2, column 13: Unexpected token', 2],
    ['the model said line 6: no', null],
    [null, null],
  ])('finds the line of %p', (message, line) => expect(scriptLineOf(message)).toBe(line));
});

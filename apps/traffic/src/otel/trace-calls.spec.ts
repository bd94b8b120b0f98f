import type { ExternalTask, ExternalTrace } from '@signalbox/contracts';
import { callsOf } from './trace-calls.js';

const task = (id: string, bytes: number) => ({ id, text: 'é'.repeat(bytes / 2) }) as unknown as ExternalTask;
const trace = (application_name: string, ...tasks: ExternalTask[]) =>
  ({ application: { application_name }, is_closed: true, tasks }) as ExternalTrace;
const idsOf = (traces: readonly ExternalTrace[], maxBytes: number) =>
  callsOf(traces, maxBytes).map((call) =>
    call.map(({ application, tasks }) => [application.application_name, ...tasks.map(({ id }) => id)]),
  );

describe('the calls that store traces', () => {
  const traces = [trace('a', task('a1', 100), task('a2', 400), task('a3', 400)), trace('b', task('b1', 100))];

  it('are one where all tasks fit together', () => {
    expect(idsOf(traces, 2000)).toEqual([
      [
        ['a', 'a1', 'a2', 'a3'],
        ['b', 'b1'],
      ],
    ]);
    expect(callsOf(traces)).toEqual([traces]);
    expect(callsOf([])).toEqual([]);
  });

  it('have the tasks of a trace in their order where they do not, and what is too large alone', () => {
    expect(idsOf(traces, 700)).toEqual([
      [['a', 'a1', 'a2']],
      [
        ['a', 'a3'],
        ['b', 'b1'],
      ],
    ]);
    expect(idsOf(traces, 50)).toEqual([[['a', 'a1']], [['a', 'a2']], [['a', 'a3']], [['b', 'b1']]]);
  });
});

import { type Class, Description, join, List, intType, Str, tasks, testRuns, workflowRuns } from '@signalbox/contracts';
import type { Answer } from '../answer.js';
import type { PlatformCalls } from '../platform-calls.js';
import { type Tool, tool } from '../tool.js';
import { Continued, WithWait } from './inputs.js';
import { type FoundRun, findRun, stateOf } from './runs.js';

const EVENTS = 100;
const SHOWN_LENGTH = 400;
const FAILED_ITEMS = 10;
const CONFIDENCE = 0.95;
const COMPARED_ITEMS = 100;

class RunId {
  @Str(1, 64) @Description('Id of a task, workflow run or test run') id!: string;
}
class GetRun extends join(RunId, join(Continued, WithWait)) {}
class Compared {
  @List(intType(), 2, 10) @Description('The baseline first') test_run_ids!: number[];
}

export function runAnswer(found: FoundRun, from = 0): Answer {
  const handle = found.ended ? [] : [`It continues: get_run with id ${JSON.stringify(String(found.run.id))}`];
  const more = (at: number): string => `get_run with id ${JSON.stringify(String(found.run.id))}, from: ${at}`;
  const data = { source: `${found.kind} ${found.run.id}`, text: JSON.stringify(found.run), from, more };
  return { says: [stateOf(found), ...handle], data };
}

export const getRun: Tool = tool({
  name: 'get_run',
  description:
    'A run with its output, waited for up to wait_seconds. It is the handle of invoke, execute and run_tests.',
  scope: 'read',
  input: GetRun,
  target: ({ id }) => id,
  run: async ({ id, from, wait_seconds }, calls) => runAnswer(await findRun(calls, id, wait_seconds), from),
});

export const explainRun: Tool = tool({
  name: 'explain_run',
  description: 'Why a run ended as it did: its state, error and timeline in short; of a test run its failed items.',
  scope: 'read',
  input: join(RunId, Continued) as Class<RunId & Continued>,
  target: ({ id }) => id,
  async run({ id, from }, calls) {
    const found = await findRun(calls, id);
    const what = { error: errorOf(found), ...(await eventsOf(found, calls)) };
    const more = (at: number): string => `explain_run with from: ${at}`;
    const data = { source: `${found.kind} ${found.run.id}`, text: JSON.stringify(what, null, 1), from, more };
    return { says: [stateOf(found)], data };
  },
});

export const compareRuns: Tool = tool({
  name: 'compare_runs',
  description: 'Compare 2 to 10 test runs of one set: rates, significance, regressions.',
  scope: 'read',
  input: join(Compared, Continued),
  target: ({ test_run_ids }) => test_run_ids.join(', '),
  async run({ test_run_ids, from }, calls) {
    const asked = { test_run_ids, confidence: CONFIDENCE, direction: 'worse' as const, limit: COMPARED_ITEMS };
    const compared = await calls.call(testRuns.endpoints.compareTestRuns, asked);
    const more = (at: number): string => `compare_runs with from: ${at}`;
    const text = JSON.stringify(compared);
    return { says: [], data: { source: `test runs ${test_run_ids.join(', ')}`, text, from, more } };
  },
});

const errorOf = ({ kind, run }: FoundRun): string | null => (kind === 'test_run' ? null : run.error_message);

async function eventsOf(found: FoundRun, calls: PlatformCalls): Promise<object> {
  if (found.kind === 'test_run') {
    const of = { id: found.run.id, limit: FAILED_ITEMS };
    const { data } = await calls.call(testRuns.endpoints.listRunItems, { ...of, outcome: ['FAIL', 'ERROR'] });
    return { failed_items: data.map(inShort) };
  }
  const { id } = found.run;
  const page =
    found.kind === 'task'
      ? await calls.call(tasks.endpoints.listTaskTimeline, { task_id: id, agent_id: found.run.agent_id, limit: EVENTS })
      : await calls.call(workflowRuns.endpoints.listRunTimeline, { run_id: id, limit: EVENTS });
  const { total } = page.pagination;
  return { events: page.data.map(inShort), ...(total > EVENTS ? { further_events: total - EVENTS } : {}) };
}

const inShort = (record: object): object =>
  Object.fromEntries(
    Object.entries(record).flatMap(([name, value]) => {
      if (value === null || value === undefined) return [];
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return [[name, text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : (value as unknown)]];
    }),
  );

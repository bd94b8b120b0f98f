import {
  CONSUMER_KINDS,
  Description,
  evaluatedRuns,
  field,
  Id,
  join,
  Json,
  Matching,
  Obj,
  OneOf,
  Optional,
  Slug,
  Str,
  tasks,
  versionWord,
  workflowRuns,
} from '@signalbox/contracts';
import { type Tool, tool } from '../tool.js';
import { WithWait } from './inputs.js';
import { runAnswer } from './run.tools.js';
import { findRun } from './runs.js';

class Target {
  @field(versionWord) @Optional() @Description('By default the draft') version?: string;
  @Slug() @Optional() release?: string;
}
class Invoke extends join(Target, WithWait) {
  @Id() agent_id!: number;
  @Str(1, 100_000) message!: string;
  @Matching(/^[A-Za-z0-9._:-]{1,128}$/, 'a session id') @Optional() session_id?: string;
  @Obj() @Optional() @Description('Values of the form fields') state?: Record<string, unknown>;
}
class Execute extends join(Target, WithWait) {
  @Id() workflow_id!: number;
  @Json() @Optional() input?: unknown;
}
class RunTests extends WithWait {
  @Id() test_set_id!: number;
  @OneOf(CONSUMER_KINDS) consumer_kind!: (typeof CONSUMER_KINDS)[number];
  @Obj()
  @Description('{agent_id, version?}, {workflow_id, version?} or {model}')
  consumer_config!: Record<string, unknown>;
  @Slug() @Optional() @Description('The release whose gate judges it') release?: string;
}

export const invoke: Tool = tool({
  name: 'invoke',
  description: 'Send a message to an agent and wait for its answer, or get the handle of the task.',
  scope: 'invoke',
  input: Invoke,
  target: ({ agent_id }) => `agent ${agent_id}`,
  async run({ wait_seconds, ...input }, calls) {
    const { task_id } = await calls.call(tasks.endpoints.invokeAgent, { ...input, wait: false });
    return runAnswer(await findRun(calls, task_id, wait_seconds));
  },
});

export const execute: Tool = tool({
  name: 'execute',
  description: 'Run a workflow and wait for its output, or get the handle of the run.',
  scope: 'invoke',
  input: Execute,
  target: ({ workflow_id }) => `workflow ${workflow_id}`,
  async run({ wait_seconds, ...input }, calls) {
    const { run_id } = await calls.call(workflowRuns.endpoints.executeWorkflow, { ...input, mode: 'async' });
    return runAnswer(await findRun(calls, run_id ?? '', wait_seconds));
  },
});

export const runTests: Tool = tool({
  name: 'run_tests',
  description:
    'Run and score a test set against an agent, a workflow or a model; asks the gate of a release when named.',
  scope: 'invoke',
  input: RunTests,
  target: ({ test_set_id }) => `test set ${test_set_id}`,
  async run(input, calls) {
    const run = await calls.call(evaluatedRuns.endpoints.runTestSet, input);
    const more = (): string => `get_run with id "${run.id}"`;
    const state = `test_run ${run.id} is ${run.status}; its handle for get_run is "${run.id}"`;
    return { says: [state], data: { source: `test_run ${run.id}`, text: JSON.stringify(run), more } };
  },
});

import { defineContract } from '../../contract.js';
import { chunks } from '../../contract/outputs.js';
import { join, OneOf } from '../../fields/fields.js';
import { tasks } from './tasks/agent-tasks.js';
import { Invocation } from './tasks/invocations.js';

/** One line of an agent's answer: a chunk of the text, and at the end the whole invocation. */
export type AnswerChunk = { text: string } | { result: Invocation };

/** What starts a task on behalf of another service. */
export const INVOKING_TRIGGERS = ['WORKFLOW', 'TEST', 'MONITOR'] as const;

class Invoker {
  @OneOf(INVOKING_TRIGGERS) trigger!: (typeof INVOKING_TRIGGERS)[number];
}

/** Internal: agents that answer in place of models. */
export const agentAnswers = defineContract(
  { name: 'agent-answers', service: 'agents', tag: 'Internal' },
  {
    getAnswer: {
      summary: 'Run an agent for a chat completion and wait for its answer',
      input: tasks.endpoints.invokeAgent.input,
      output: Invocation,
      http: { body: 'large' },
      delivery: { slow: true, resumable: true },
      placement: { onWorkers: true },
    },
    // Not declared resumable: its callers repeat it under one call id, for longer than one call lasts.
    invokeFor: {
      summary: 'Run an agent for another service, or wait for the task of this call id that runs already',
      input: join(tasks.endpoints.invokeAgent.input, Invoker),
      output: Invocation,
      http: { body: 'large' },
      delivery: { slow: true },
      placement: { onWorkers: true },
    },
    streamAnswer: {
      summary: 'Run an agent and stream its answer: lines of AnswerChunk',
      input: tasks.endpoints.invokeAgent.input,
      output: chunks(),
      http: { body: 'large' },
      delivery: { slow: true, resumable: true, abandonable: true },
      placement: { onWorkers: true },
    },
  },
);

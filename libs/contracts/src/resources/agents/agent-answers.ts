import { chunks, defineContract } from '../../contract.js';
import { tasks } from './agent-tasks.js';
import { Invocation } from './invocations.js';

/** One line of an agent's answer: a chunk of the text, and at the end the whole invocation. */
export type AnswerChunk = { text: string } | { result: Invocation };

/** Internal: agents that answer in place of models. */
export const agentAnswers = defineContract(
  { name: 'agent-answers', service: 'agents', tag: 'Internal' },
  {
    getAnswer: {
      summary: 'Run an agent for a chat completion and wait for its answer',
      slow: true,
      reattachable: true,
      body: 'large',
      input: tasks.endpoints.invokeAgent.input,
      output: Invocation,
    },
    streamAnswer: {
      summary: 'Run an agent and hear its answer while it is made: lines of AnswerPiece',
      slow: true,
      reattachable: true,
      abandonable: true,
      body: 'large',
      input: tasks.endpoints.invokeAgent.input,
      output: chunks(),
    },
  },
);

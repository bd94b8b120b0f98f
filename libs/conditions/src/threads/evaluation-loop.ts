import { parentPort } from 'node:worker_threads';
import type { EvaluationReply, EvaluationRequest, Evaluations } from './evaluation.js';
import { schemaProblem, valueProblem } from '../schema/json-schema.js';
import { patternProblem } from '../pattern.js';
import { passes } from '../text-test.js';
import { ownThreadId } from './thread-time.js';

type Output = Evaluations[keyof Evaluations]['output'];

function outputOf({ kind, input }: EvaluationRequest): Output {
  switch (kind) {
    case 'compile':
      return schemaProblem((input as Evaluations['compile']['input']).schema);
    case 'validate': {
      const { schema, values } = input as Evaluations['validate']['input'];
      return values.map((value) => valueProblem(schema, value));
    }
    case 'pattern':
      return patternProblem((input as Evaluations['pattern']['input']).pattern);
    case 'text':
      return passes(input as Evaluations['text']['input']);
  }
}

function replyTo(request: EvaluationRequest): EvaluationReply {
  try {
    return { id: request.id, output: outputOf(request) };
  } catch (error) {
    return { id: request.id, error: error instanceof Error ? error.message : String(error) };
  }
}

// The first compilation loads the meta schema, at no caller's cost.
schemaProblem('{"type":"object"}');
parentPort?.on('message', (request: EvaluationRequest) => parentPort?.postMessage(replyTo(request)));
parentPort?.postMessage(ownThreadId());

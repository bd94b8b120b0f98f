import type { SecretBag } from '@signalbox/egress';
import { stripUnstorable } from '@signalbox/runs';
import { readChange } from '../execution/session-state.js';
import { type RunningTask, stateOf } from '../execution/running-task.js';
import type { StepRecord } from '../execution/task-outcome.js';
import type { ActionStep } from '../model/conversation.js';
import { addToState } from '../session-state.repository.js';
import type { WriteState } from './next.js';
import { stateUpdated } from './step-events.js';
import { blank, callOf } from './action-effect.js';

/** The fields commit with the record of the step. */
export function stateStep(task: RunningTask, next: WriteState, bag: SecretBag | undefined): StepRecord {
  const change = readChange(stateOf(task), next.call.function.arguments);
  const record = (step: Partial<ActionStep>): StepRecord => ({
    step: { ...blank(next), ...step },
    request: stripUnstorable(callOf(next), bag),
    duration_ms: 0,
    executedCall: null,
  });
  if ('problem' in change) return record({ status: 'ERROR', error_message: change.problem });
  const [own, parents] = [stripUnstorable(change.own, bag), stripUnstorable(change.parents, bag)];
  task.state = { ...task.state, ...own };
  if (task.parent) task.parent.state = { ...task.parent.state, ...parents };
  return {
    ...record({ status: 'SUCCESS', output: { status: 'SUCCESS' } }),
    effect: async (tx) => {
      await addToState(tx, task.session_no, own);
      if (task.parent) await addToState(tx, task.parent.session_no, parents);
      return [stateUpdated({ ...parents, ...own })];
    },
  };
}

import type { SecretBag } from '@signalbox/egress';
import { stripUnstorable } from '@signalbox/runs';
import { readChange } from '../execution/session-state.js';
import { type RunningTask, stateOf } from '../execution/running-task.js';
import type { StepRecord } from '../execution/task-outcome.js';
import type { ActionStep } from '../model/conversation.js';
import { addToState } from '../session-state.repository.js';
import type { Tasks } from '../tasks.repository.js';
import type { WriteState } from './next.js';
import { stateUpdated } from './step-events.js';
import { blank, callOf } from './action-effect.js';

const TOO_LARGE = 'the change makes the state of the session larger than 64 KiB';

/** The fields commit with the record of the step. */
export async function stateStep(
  tasks: Tasks,
  task: RunningTask,
  next: WriteState,
  bag: SecretBag | undefined,
): Promise<StepRecord> {
  const change = readChange(stateOf(task), next.call.function.arguments);
  const record = (step: Partial<ActionStep>): StepRecord => ({
    step: { ...blank(next), ...stripUnstorable(step, bag) },
    request: stripUnstorable(callOf(next), bag),
    duration_ms: 0,
    executedCall: null,
  });
  if ('problem' in change) return record({ status: 'ERROR', error_message: change.problem });
  const { companyId, session_no, parent } = task;
  const [own, parents] = [stripUnstorable(change.own, bag), stripUnstorable(change.parents, bag)];
  const fits =
    (await tasks.stateTakes(companyId, session_no, own)) &&
    (parent === null || (await tasks.stateTakes(companyId, parent.session_no, parents)));
  if (!fits) return record({ status: 'ERROR', error_message: TOO_LARGE });
  task.state = { ...task.state, ...own };
  if (parent) parent.state = { ...parent.state, ...parents };
  return {
    ...record({ status: 'SUCCESS', output: { status: 'SUCCESS' } }),
    effect: async (tx) => {
      await addToState(tx, session_no, own);
      if (parent) await addToState(tx, parent.session_no, parents);
      return [stateUpdated({ ...parents, ...own })];
    },
  };
}

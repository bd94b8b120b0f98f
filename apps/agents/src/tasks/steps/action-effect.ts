import type { SecretBag } from '@signalbox/egress';
import { stripUnstorable } from '@signalbox/runs';
import { type ActionCall, ActionRunner, readArguments } from '../../actions/index.js';
import { taskAttribution } from '../../models/index.js';
import { chainOf, type RunningTask } from '../execution/running-task.js';
import type { StepRecord } from '../execution/task-outcome.js';
import type { ActionStep } from '../model/conversation.js';
import type { RunAction } from './next.js';
import { Injectable } from '@nestjs/common';

/** Results contain no secrets and can be stored. */
@Injectable()
export class ActionEffect {
  constructor(private readonly runner: ActionRunner) {}

  async start(
    task: RunningTask,
    next: RunAction,
    secrets: SecretBag | undefined,
    signal: AbortSignal,
    begins: () => Promise<void>,
  ): Promise<StepRecord> {
    const background = next.chosen?.action.invocation_mode === 'background' && next.refusal === undefined;
    const { step, duration_ms } = background ? pending(next) : await this.run(task, next, secrets, signal, { begins });
    return { step, request: stripUnstorable(callOf(next), secrets), duration_ms, executedCall: next };
  }

  async run(
    task: RunningTask,
    next: RunAction,
    secrets: SecretBag | undefined,
    signal: AbortSignal,
    more: Pick<ActionCall, 'prepare' | 'begins'> = {},
  ): Promise<{ step: ActionStep; duration_ms: number }> {
    const { chosen, refusal, call, step_no } = next;
    const given = chosen ? readArguments(chosen.action, call.function.arguments) : '';
    const problem = refusal ?? (typeof given === 'string' ? given : undefined);
    if (!chosen || problem !== undefined || typeof given === 'string')
      return {
        step: { ...blank(next), status: 'ERROR', error_message: problem ?? '', failure_class: 'quality' },
        duration_ms: 0,
      };
    const outcome = await this.runner.run({
      companyId: task.companyId,
      action: chosen.action,
      arguments: given,
      secrets,
      base_url: task.snapshot.base_url,
      taskId: task.id,
      step: step_no,
      signal,
      chain: chainOf(task, chosen.action.invocation_mode === 'background'),
      attribution: taskAttribution(task),
      application_id: task.application_id,
      session_id: task.session_id,
      model: task.snapshot.model,
      ...more,
      wasBegun: task.calling_step === step_no,
    });
    const { duration_ms, failure_class, error_code, ...ended } = outcome;
    const cause = failure_class === null ? {} : { failure_class, error_code };
    return { step: { ...blank(next), ...ended, ...cause }, duration_ms };
  }
}

type CalledTool = Pick<RunAction, 'step_no' | 'call' | 'chosen'>;

export const blank = ({ step_no, call, chosen }: CalledTool): ActionStep => ({
  kind: 'action',
  step_no,
  call_id: call.id,
  status: 'PENDING',
  outcomeOnly: chosen?.action.action_result_type === 'complete_task',
  background: chosen?.action.invocation_mode === 'background',
  output: null,
  error_message: null,
  usage: null,
});

const pending = (next: RunAction) => ({ step: blank(next), duration_ms: 0 });

export const callOf = ({ call: { id, function: called }, chosen }: CalledTool): Record<string, unknown> => ({
  call_id: id,
  tool: called.name,
  action_id: chosen?.action.id ?? null,
  arguments: called.arguments,
});

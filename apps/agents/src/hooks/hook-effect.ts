import { Injectable } from '@nestjs/common';
import { parseActionConfig } from '@signalbox/contracts';
import type { SecretBag } from '@signalbox/egress';
import type { Job } from '@signalbox/platform';
import {
  cutText,
  type HookAnswer,
  newHookKey,
  openPayload,
  retriedPart,
  SecretHolder,
  stripUnstorable,
  SUSPENDED,
} from '@signalbox/runs';
import {
  ActionEffect,
  type ActionStep,
  blank,
  callOf,
  type RunAction,
  type RunningTask,
  type StepRecord,
  TaskRuns,
} from '../tasks/index.js';
import { withCallbackUrl } from './callback-url.js';

export class PublicUrl {
  constructor(readonly text: string) {}
}

const MAX_OUTPUT = 64 * 1024;

@Injectable()
export class HookEffect {
  constructor(
    private readonly runs: TaskRuns,
    private readonly secrets: SecretHolder,
    private readonly actions: ActionEffect,
    private readonly url: PublicUrl,
  ) {}

  /** Returns the step when the callback has arrived before the task is suspended. */
  async execute(job: Job, task: RunningTask, next: RunAction, bag: SecretBag | undefined, signal: AbortSignal) {
    const { step_no, chosen } = next;
    const early = await this.runs.hooks.find(job, step_no);
    if (early) return this.answered(task, next, early, bag);
    const { key, hash } = newHookKey();
    if (task.has_secrets) this.secrets.keepHookKey(task.id, hash, key);
    const { ttl_seconds } = parseActionConfig('webhook', chosen?.action.action_config);
    const before = await this.runs.hooks.open(job, step_no, hash, ttl_seconds * 1000);
    if (before) return this.answered(task, next, before, bag);
    const url = `${this.url.text}/api/v1/hooks/agents/${key}`;
    const sent = await this.actions.run(task, next, bag, signal, {
      prepare: (config) => withCallbackUrl(config, url),
    });
    if (sent.step.status !== 'SUCCESS') {
      // A callback that was accepted counts, however the call has ended.
      const late = await retriedPart(signal, () => this.runs.hooks.close(job, step_no));
      return late ? this.answered(task, next, late, bag) : this.recorded(next, sent.step, sent.duration_ms);
    }
    const { id, action_name = '' } = chosen?.action ?? {};
    const about = { action_id: id ?? 0, action_name };
    const fast = await retriedPart(signal, () => this.runs.hooks.wait(job, step_no, about));
    return fast ? this.answered(task, next, fast, bag) : SUSPENDED;
  }

  private answered(task: RunningTask, next: RunAction, answer: HookAnswer, bag: SecretBag | undefined): StepRecord {
    const key = this.secrets.hookKeyOf(task.id, answer.hook_hash) ?? '';
    const text = answer.sealed ? openPayload(key, answer.payload) : answer.payload;
    const payload = stripUnstorable(JSON.parse(text) as unknown, bag);
    const output = text.length > MAX_OUTPUT ? cutText(JSON.stringify(payload), MAX_OUTPUT) : payload;
    return this.recorded(next, { ...blank(next), status: 'SUCCESS', output }, 0);
  }

  private recorded(next: RunAction, step: ActionStep, duration_ms: number): StepRecord {
    return { step, request: callOf(next), duration_ms, executedCall: next, hooked: true };
  }
}

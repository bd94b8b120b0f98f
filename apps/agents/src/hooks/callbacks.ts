import { Injectable } from '@nestjs/common';
import { parseActionConfig } from '@signalbox/contracts';
import type { SecretBag } from '@signalbox/egress';
import type { Job } from '@signalbox/platform';
import { stripUnstorable } from '../tasks/strip-unstorable.js';
import type { ActionStep } from '../tasks/model/conversation.js';
import type { RunAction } from '../tasks/steps/next.js';
import type { RunningTask } from '../tasks/loop/running-task.js';
import type { Recorded } from '../tasks/loop/task-outcome.js';
import { SUSPENDED } from '../tasks/loop/suspended.js';
import { blank, callOf, TaskSteps } from '../tasks/steps/task-steps.js';
import { newHookKey, openPayload } from './hook-key.js';
import { type HookAnswer, Hooks } from './hooks.repository.js';

/** Where the platform is reached from outside. */
export class PublicUrl {
  constructor(readonly text: string) {}
}

const MAX_OUTPUT = 64 * 1024;

/** Makes the steps that call somebody and wait to be called back. */
@Injectable()
export class Callbacks {
  /** Keys of hooks of tasks with secrets, by task and hash; they die with this process like the secrets themselves. */
  private readonly keys = new Map<string, Map<string, string>>();

  constructor(
    private readonly hooks: Hooks,
    private readonly steps: TaskSteps,
    private readonly url: PublicUrl,
  ) {}

  /** Calls, then rests until the callback; or takes what a callback has brought. */
  async make(job: Job, task: RunningTask, next: RunAction, bag: SecretBag | undefined, signal: AbortSignal) {
    const { step_no, chosen } = next;
    const early = await this.hooks.find(job, step_no);
    if (early) return this.answered(task, next, early, bag);
    const { key, hash } = newHookKey();
    if (task.has_secrets) this.keep(task.id, hash, key);
    const { ttl_seconds } = parseActionConfig('webhook', chosen?.action.action_config);
    const before = await this.hooks.open(job, step_no, hash, ttl_seconds * 1000);
    if (before) return this.answered(task, next, before, bag);
    const callbackUrl = `${this.url.text}/api/v1/hooks/agents/${key}`;
    const made = await this.steps.run(task, next, bag, signal, callbackUrl);
    if (made.step.status !== 'SUCCESS') return this.recorded(next, made.step, made.duration_ms);
    const { id: action_id = 0, action_name = '' } = chosen?.action ?? {};
    const fast = await this.hooks.wait(job, step_no, { action_id, action_name });
    return fast ? this.answered(task, next, fast, bag) : SUSPENDED;
  }

  /** The task is over: its hooks are of no more use. */
  forget(taskId: string): void {
    this.keys.delete(taskId);
  }

  /** The keys of the hooks of a task, by their hashes. */
  keysOf(taskId: string): Record<string, string> {
    return Object.fromEntries(this.keys.get(taskId) ?? []);
  }

  /** Knows the keys that another process has known. */
  adopt(taskId: string, keys: Record<string, string>): void {
    this.keys.set(taskId, new Map(Object.entries(keys)));
  }

  private keep(taskId: string, hash: string, key: string): void {
    const known = this.keys.get(taskId) ?? new Map<string, string>();
    this.keys.set(taskId, known.set(hash, key));
  }

  private answered(task: RunningTask, next: RunAction, answer: HookAnswer, bag: SecretBag | undefined): Recorded {
    const key = this.keys.get(task.id)?.get(answer.hook_hash) ?? '';
    const text = answer.sealed ? openPayload(key, answer.payload) : answer.payload;
    const payload = stripUnstorable(JSON.parse(text) as unknown, bag);
    const output = text.length > MAX_OUTPUT ? JSON.stringify(payload).slice(0, MAX_OUTPUT) : payload;
    return this.recorded(next, { ...blank(next), status: 'SUCCESS', output }, 0);
  }

  private recorded(next: RunAction, step: ActionStep, duration_ms: number): Recorded {
    return { step, request: callOf(next), duration_ms, made: next, hooked: true };
  }
}

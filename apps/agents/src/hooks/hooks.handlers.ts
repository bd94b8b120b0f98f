import { Serves } from '@signalbox/bus';
import { ApiError, type CallTo, type Handlers, hooks } from '@signalbox/contracts';
import { holderOf, SecretExchange } from '@signalbox/runs';
import { TaskRuns } from '../tasks/index.js';

type C = typeof hooks;

/** Within this time a deployment has transferred the secrets. */
const RETRY_SECONDS = 5;

/** Authorised by the key in the path alone. */
@Serves(hooks)
export class HookHandlers implements Handlers<C> {
  constructor(
    private readonly runs: TaskRuns,
    private readonly secrets: SecretExchange,
  ) {}

  /** 503 while no live process holds the secrets of the task; the hook stays open. */
  async answerHook({ input }: CallTo<C, 'answerHook'>) {
    const hook = await this.runs.hooks.get(input.hook_key);
    const holder = holderOf(hook.work_kind);
    if (holder !== null && !(await this.secrets.holds(holder, hook.run_id))) {
      await this.runs.hooks.requireOpen(hook);
      throw new ApiError('unavailable', 'the task of this hook cannot continue now', { retryAfter: RETRY_SECONDS });
    }
    await this.runs.hooks.answer(hook, input.hook_key, JSON.stringify(input.payload ?? null));
    return { resumed: true };
  }
}

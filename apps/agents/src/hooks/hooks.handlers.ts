import { Serves } from '@signalbox/bus';
import { ApiError, type CallTo, type Handlers, hooks } from '@signalbox/contracts';
import { SecretExchange } from '../secrets/secret-exchange.js';
import { holderOf } from '../secrets/secret-holder.js';
import { Hooks } from './hooks.repository.js';

type C = typeof hooks;

/** A deployment has moved the secrets by then. */
const RETRY_SECONDS = 5;

/** Callbacks to waiting tasks: nobody has to show a key but the one in the path. */
@Serves(hooks)
export class HookHandlers implements Handlers<C> {
  constructor(
    private readonly hooks: Hooks,
    private readonly secrets: SecretExchange,
  ) {}

  /** The hook stays open while no process is known to hold what the task needs to continue. */
  async answerHook({ input }: CallTo<C, 'answerHook'>) {
    const hook = await this.hooks.get(input.hook_key);
    const holder = holderOf(hook.work_kind);
    if (holder !== null && !(await this.secrets.holds(holder, hook.task_id))) {
      await this.hooks.requireOpen(hook);
      throw new ApiError('unavailable', 'the task of this hook cannot continue now', { retryAfter: RETRY_SECONDS });
    }
    await this.hooks.answer(hook, input.hook_key, JSON.stringify(input.payload ?? null));
    return { resumed: true };
  }
}

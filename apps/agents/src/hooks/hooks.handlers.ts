import { Serves } from '@signalbox/bus';
import { type CallTo, type Handlers, hooks } from '@signalbox/contracts';
import { Hooks } from './hooks.repository.js';

type C = typeof hooks;

/** Callbacks to waiting tasks: nobody has to show a key but the one in the path. */
@Serves(hooks)
export class HookHandlers implements Handlers<C> {
  constructor(private readonly hooks: Hooks) {}

  async answerHook({ input }: CallTo<C, 'answerHook'>) {
    await this.hooks.answer(input.hook_key, JSON.stringify(input.payload ?? null));
    return { resumed: true };
  }
}

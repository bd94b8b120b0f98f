import { defineContract } from '../../contract.js';
import { Flag, Json, Nullable, Str } from '../../fields/fields.js';

class AnswerHook {
  @Str(1, 2000) hook_key!: string;
  @Json() @Nullable() payload!: unknown;
}
/** The answer to a callback that was accepted. */
export class Resumed {
  @Flag() resumed!: boolean;
}

/** One-use addresses on which tasks wait to be called back (docs/api/agents.md). */
export const hooks = defineContract(
  { name: 'agent-hooks', service: 'agents', tag: 'Agents' },
  {
    answerHook: {
      post: '/hooks/agents/{hook_key}',
      summary: 'Answer a task that waits for a callback; any JSON, no key',
      scope: 'none',
      input: AnswerHook,
      output: Resumed,
      http: { bodyField: 'payload' },
    },
  },
);

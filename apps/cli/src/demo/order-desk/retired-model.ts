import type { Application, Signalbox, Task } from '@signalbox/sdk';
import { invokeOnce } from './invocation.js';
import { RETIRED_MODEL } from './judge-model.js';
import { openAgent } from './order-desk.js';
import { INTENT } from './sentinel.js';

const AGENT = 'Catalogue desk (demo)';

/** Calls the retired model with a fallback; returns the reason why the fallback answered. */
export async function fallBack(api: Signalbox, home: Application): Promise<string | null> {
  const { fallback_reason } = await api.chat.create({
    model: RETIRED_MODEL,
    application: home.application_name,
    intent: INTENT,
    messages: [{ role: 'user', content: 'Is there a lamp in green?' }],
    fallback_config: { model: 'simulated-echo', strategy: 'reactive' },
  });
  return fallback_reason ?? null;
}

export async function failRun(api: Signalbox, home: Application): Promise<Task> {
  const { agent } = await openAgent(api, home, AGENT, {
    description: 'Its provider has retired its model, so its runs fail',
    system_prompt: 'You know the catalogue.',
    model: RETIRED_MODEL,
  });
  return invokeOnce(api, agent.id, 'FAILED', 'Is there a lamp in green?');
}

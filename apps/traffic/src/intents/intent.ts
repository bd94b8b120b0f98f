import { type InputOf, type intents, notFound, emits } from '@signalbox/contracts';
import { overridesOf } from '../config/index.js';

type Body = Omit<InputOf<typeof intents.endpoints.createIntent>, 'application_id'>;
type Change = Omit<InputOf<typeof intents.endpoints.updateIntent>, 'application_id' | 'intent_id'>;

export function newIntent({ action_type, config = {}, ...body }: Body) {
  const { description = null, prompt = null, agent_id = null, meta = {} } = body;
  return { action_type, description, prompt, agent_id, meta, config: overridesOf(config) };
}

/** The name never changes. */
export function updateIntent(change: Change) {
  const set = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as Change;
  return Object.keys(set).length > 0 ? { set, events: [emits('intent.updated')] } : {};
}

export function requireBelow(applicationId: number, intent: { application_id: number }): void {
  if (intent.application_id !== applicationId) throw notFound('intent');
}

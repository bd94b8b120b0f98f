import { type InputOf, type intentGroups, emits } from '@signalbox/contracts';

type Body = InputOf<typeof intentGroups.endpoints.createIntentGroup>;
type Change = Omit<InputOf<typeof intentGroups.endpoints.updateIntentGroup>, 'intent_group_id'>;

export function newIntentGroup({ intent_group_name, description = null, meta = {} }: Body) {
  return { intent_group_name, description, meta, config: {} };
}

/** The name never changes. */
export function updateIntentGroup(change: Change) {
  const set = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as Change;
  return Object.keys(set).length > 0 ? { set, events: [emits('intent_group.updated')] } : {};
}

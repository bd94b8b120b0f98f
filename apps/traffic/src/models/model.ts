import { type InputOf, type models, type OnOff, emits } from '@signalbox/contracts';

type Body = InputOf<typeof models.endpoints.createModel>;
type Change = Omit<InputOf<typeof models.endpoints.updateModel>, 'model_id'>;

export function newModel({ model_name, ...body }: Body) {
  return {
    ...body,
    model_name,
    display_name: body.display_name ?? model_name,
    provider_model: body.provider_model ?? model_name,
    model_type: 'BASE' as const,
  };
}

export function updateModel(change: Change) {
  const set = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as Change;
  return Object.keys(set).length > 0 ? { set, events: [emits('model.updated')] } : {};
}

export function switchModel(row: { status: OnOff }, status: OnOff) {
  if (row.status === status) return {};
  const enabled = status === 'ENABLED';
  return {
    set: { status },
    events: [emits(enabled ? 'model.enabled' : 'model.disabled')],
    action: enabled ? 'enable' : 'disable',
  };
}

import type { Model, ModelsCreateInput, Signalbox } from '@signalbox/sdk';

export async function openModel(
  api: Signalbox,
  model_name: string,
  provider_id: number,
  more: Partial<ModelsCreateInput> = {},
): Promise<Model> {
  const known = (await api.models.list({ search: model_name }).all()).find((each) => each.model_name === model_name);
  return known ?? api.models.create({ model_name, provider_id, ...more });
}

export async function openPricedModel(api: Signalbox, model_name: string): Promise<Model> {
  const { provider_id } = await api.models.get({ model_id: 'simulated-echo' });
  return openModel(api, model_name, provider_id, {
    provider_model: 'simulated-echo',
    input_price_per_mtok: 2,
    output_price_per_mtok: 8,
  });
}

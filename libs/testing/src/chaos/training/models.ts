import { models, providers } from '@signalbox/contracts';
import type { ConformanceFixtures } from '../../conformance/fixtures.js';
import { BASE, WRITER } from './plan.js';

export async function createTrainingModels(fixtures: ConformanceFixtures, base_url: string, api_key = 'played') {
  const { id: provider_id } = await fixtures.call(providers.endpoints.createProvider, {
    provider_name: 'played',
    kind: 'openai_compatible',
    base_url,
    api_key,
  });
  await fixtures.call(models.endpoints.createModel, { model_name: WRITER, provider_id });
  await fixtures.call(models.endpoints.createModel, { model_name: BASE, provider_id, trainable: true });
}

import type { Model } from '@signalbox/contracts';

/** A model in the OpenAI format. */
export const openAiModel = ({ model_name, date_created, provider_name }: Model) => ({
  id: model_name,
  object: 'model' as const,
  created: Math.floor(date_created / 1000),
  owned_by: provider_name,
});

/** The list of models in the OpenAI format: enabled ones, unpaged. */
export const openAiModels = (models: Model[]) => ({
  object: 'list' as const,
  data: models.filter(({ status }) => status === 'ENABLED').map(openAiModel),
});

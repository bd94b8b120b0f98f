import type { ListedModel } from '@signalbox/contracts';

export const openAiModel = ({ model_name, date_created, provider_name }: ListedModel) => ({
  id: model_name,
  object: 'model' as const,
  created: Math.floor(date_created / 1000),
  owned_by: provider_name,
});

export const openAiModels = (models: readonly ListedModel[]) => ({
  object: 'list' as const,
  data: models.map(openAiModel),
});

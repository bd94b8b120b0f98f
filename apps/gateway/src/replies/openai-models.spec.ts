import type { Model } from '@signalbox/contracts';
import { openAiModels } from './openai-models.js';

const model = (change: Partial<Model>) =>
  ({ model_name: 'm', provider_name: 'p', date_created: 1999, status: 'ENABLED', ...change }) as Model;

describe('models in the OpenAI shape', () => {
  it('are the enabled ones, with seconds', () => {
    expect(openAiModels([model({}), model({ status: 'DISABLED' })])).toEqual({
      object: 'list',
      data: [{ id: 'm', object: 'model', created: 1, owned_by: 'p' }],
    });
  });
});

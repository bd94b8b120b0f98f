import { openAiModels } from './openai-models.js';

describe('models in the OpenAI shape', () => {
  it('have seconds', () => {
    expect(openAiModels([{ model_name: 'm', provider_name: 'p', date_created: 1999 }])).toEqual({
      object: 'list',
      data: [{ id: 'm', object: 'model', created: 1, owned_by: 'p' }],
    });
  });
});

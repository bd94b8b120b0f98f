import { type ModelProvider, Platform, startModelProvider, type TestCompany } from '@signalbox/testing';

/** The fake provider of model `m`. */
export let fakeModel: ModelProvider;
export let platform: Platform;
let company: TestCompany;
/** The key of the company of the test. */
export const key = (): string => company.key;
beforeAll(async () => {
  fakeModel = await startModelProvider();
  platform = await Platform.shared([
    'accounts',
    'traffic',
    'agents',
    'workflows',
    'monitors',
    'test-runs',
    'training',
    'gateway',
  ]);
}, 90_000);
afterAll(async () => {
  await platform.stop();
  await fakeModel.close();
});

/** A reply with its parsed body. */
export interface Reply {
  status: number;
  body: { data: never; error?: { message: string; details?: { field: string; message: string }[]; code?: string } };
}
/** A resource as returned. */
export type Row = Record<string, unknown> & { id: number };

export const send = (method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply> =>
  platform.api(company.key).send(method, path, body, headers);

/** Creates a resource. */
export async function create(path: string, body: object): Promise<Row> {
  const { status, body: reply } = await send('POST', path, body);
  expect([path, status, reply.error]).toEqual([path, 200, undefined]);
  return reply.data;
}

/** Status and message of a reply. */
export const outcomeOf = ({ status, body }: Reply) => [status, body.error?.message];

/** An application of the company. */
export let app: Row;
/** An agent of the application that calls model `m`. */
export let agent: Row;
beforeEach(async () => {
  company = await platform.company();
  const provider = await create('/models/providers', {
    provider_name: 'outside',
    kind: 'openai_compatible',
    base_url: fakeModel.url,
    api_key: 'k',
  });
  await create('/models', { model_name: 'm', provider_id: provider.id });
  app = await create('/applications', { application_name: 'Shop' });
  agent = await create('/agents', { application_id: app.id, agent_name: 'Helper', model: 'm' });
  fakeModel.answerWith(() => 'fine');
});

import { type ModelProvider, Platform, startModelProvider, type TestCompany } from '@signalbox/testing';

/** The model provider that plays model `m`. */
export let fixtures: ModelProvider;
export let platform: Platform;
let company: TestCompany;
/** The key of the company of the test. */
export const key = (): string => company.key;
beforeAll(async () => {
  fixtures = await startModelProvider();
  platform = await Platform.start({
    services: ['accounts', 'traffic', 'agents', 'gateway'],
    env: { EGRESS_ALLOW: `127.0.0.1:${fixtures.port}` },
  });
}, 90_000);
afterAll(async () => {
  await platform.stop();
  await fixtures.close();
});

/** A reply with its parsed body. */
export interface Reply {
  status: number;
  body: { data: never; error?: { message: string; details?: { field: string; message: string }[]; code?: string } };
}
/** A resource as returned. */
export type Row = Record<string, unknown> & { id: number };

export async function send(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const reply = await fetch(platform.baseUrl + path, {
    method,
    headers: { 'X-Service-Api-Key': company.key, 'Content-Type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: reply.status, body: (await reply.json()) as Reply['body'] };
}

/** Creates a resource. */
export async function made(path: string, body: object): Promise<Row> {
  const { status, body: reply } = await send('POST', path, body);
  expect([path, status, reply.error]).toEqual([path, 200, undefined]);
  return reply.data;
}

/** Status and message of a reply. */
export const told = ({ status, body }: Reply) => [status, body.error?.message];

/** An application of the company. */
export let app: Row;
/** An agent of the application that calls model `m`. */
export let agent: Row;
beforeEach(async () => {
  company = await platform.company();
  const provider = await made('/models/providers', {
    provider_name: 'outside',
    kind: 'openai_compatible',
    base_url: fixtures.url,
    api_key: 'k',
  });
  await made('/models', { model_name: 'm', provider_id: provider.id });
  app = await made('/applications', { application_name: 'Shop' });
  agent = await made('/agents', { application_id: app.id, agent_name: 'Helper', model: 'm' });
  fixtures.answerWith(() => 'fine');
});

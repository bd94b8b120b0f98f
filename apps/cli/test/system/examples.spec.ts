import { models, providers } from '@signalbox/contracts';
import {
  eventually,
  type HttpTarget,
  type ModelProvider,
  type ModelScript,
  Platform,
  startHttpTarget,
  startModelProvider,
} from '@signalbox/testing';
import { type Example, type ExampleName, readExamples, uploadExample } from '../../src/demo/workflows/examples.js';
import { createClient, type Signalbox, type WorkflowRun, type WorkflowsExecuteInput } from '@signalbox/sdk';

type Given = Omit<WorkflowsExecuteInput, 'workflow_id'>;

let platform: Platform;
let provider: ModelProvider;
let target: HttpTarget;
let api: Signalbox;
let companyId: number;
let key: string;
const examples = new Map<ExampleName, Example>();
const ids = new Map<ExampleName, number>();

beforeAll(async () => {
  [provider, target] = await Promise.all([startModelProvider(), startHttpTarget()]);
  platform = await Platform.shared(['gateway', 'accounts', 'traffic', 'agents', 'monitors', 'workflows', 'runner']);
  ({ companyId, key } = await platform.company());
  api = createClient({ apiKey: key, baseUrl: platform.baseUrl });
  await useProvider();
  for (const example of await readExamples()) {
    examples.set(example.name, example);
    ids.set(example.name, (await uploadExample(api, example)).workflow.id);
  }
}, 120_000);
afterAll(async () => {
  await platform?.stop();
  await Promise.all([provider?.close(), target?.close()]);
});

async function useProvider(): Promise<void> {
  const caller = platform.caller(companyId);
  const { id } = await platform.bus.call(
    providers.endpoints.createProvider,
    {
      provider_name: 'outside',
      kind: 'openai_compatible',
      base_url: provider.url,
      api_key: 'sk-anything',
      default_headers: {},
      timeout_ms: 20_000,
      status: 'ENABLED',
    },
    caller,
  );
  const able = { supports_tools: true, supports_json_schema: true, trainable: false, status: 'ENABLED' } as const;
  await platform.bus.call(models.endpoints.createModel, { model_name: 'm', provider_id: id, ...able }, caller);
}

/** Replies with the texts or objects in turn. */
function reply(...replies: (string | object)[]): void {
  let at = 0;
  provider.answerWith(() => {
    const given = replies[at++] ?? '';
    return typeof given === 'string' ? given : JSON.stringify(given);
  });
}

/** Executes an example with its own input unless another is given. */
async function run(name: ExampleName, { params, ...given }: Given = {}): Promise<WorkflowRun> {
  const { run_id = '' } = await api.workflows.execute({
    workflow_id: ids.get(name) ?? 0,
    mode: 'async',
    input: examples.get(name)?.input,
    params: { model: 'm', ...params },
    ...given,
  });
  return eventually(`run ${run_id} of ${name} ends`, async () => {
    const found = await api.workflows.getRun({ run_id, wait_seconds: 10 });
    return found.completed_at ? found : undefined;
  });
}

const promptOf = (call: { body: unknown }): string => JSON.stringify((call.body as { messages: unknown }).messages);
const triage = { category: 'billing', urgency: 4, wish: 'refund', summary: 'Charged twice' };

describe('ticket-triage', () => {
  it('asks for structured output, and sets queue and priority by its rules', async () => {
    reply(triage, { ...triage, category: 'other', urgency: 1 });
    const ended = await run('ticket-triage');
    expect(ended).toMatchObject({ status: 'COMPLETED', output: { ...triage, priority: 'high', queue: 'finance' } });
    expect(provider.calls.at(-1)?.body).toMatchObject({ temperature: 0, response_format: { type: 'json_schema' } });
    const input = { subject: 'Hello', body: 'A question', customer_tier: 'enterprise' };
    expect((await run('ticket-triage', { input })).output).toMatchObject({ priority: 'low', queue: 'general' });
  });

  it('fails as quality when the reply of the model does not fit the output schema', async () => {
    reply({ ...triage, urgency: 9 });
    expect(await run('ticket-triage')).toMatchObject({ status: 'FAILED', failure_class: 'quality' });
  });
});

describe('invoice-extraction', () => {
  const invoice = {
    invoice_number: '2026-0815',
    issued: '2026-11-03',
    currency: 'EUR',
    lines: [
      { description: 'carbon filter', quantity: 12, unit_price: 4.5, amount: 54 },
      { description: 'delivery', quantity: 1, unit_price: 6.9, amount: 6.9 },
    ],
    tax: 11.57,
    total: 72.47,
  };

  it('accepts what adds up', async () => {
    reply(invoice);
    expect((await run('invoice-extraction')).output).toEqual({ invoice, valid: true, problems: [], attempts: 1 });
  });

  it('returns what does not add up to the model, with the figures', async () => {
    reply({ ...invoice, total: 72.74 }, invoice);
    expect((await run('invoice-extraction')).output).toMatchObject({ valid: true, attempts: 2 });
    expect(promptOf(provider.calls.at(-1)!)).toContain('lines and tax add up to 72.47, the total is 72.74');
  });

  it('reports an invoice that stays wrong as invalid', async () => {
    const wrong = { ...invoice, lines: [{ ...invoice.lines[0], amount: 45 }, invoice.lines[1]] };
    reply(wrong, wrong, wrong);
    const { output } = await run('invoice-extraction');
    expect(output).toMatchObject({ valid: false, attempts: 3 });
    expect((output as { problems: string[] }).problems).toEqual([
      expect.stringContaining('line 1: quantity times unit price is 54'),
      expect.stringContaining('lines and tax add up to 63.47'),
    ]);
  });
});

describe('research-digest', () => {
  const urls = (...paths: string[]): Given => ({
    input: { question: 'How long?', urls: paths.map((path) => target.url + path) },
  });
  const digest: ModelScript = ({ messages }) => {
    const [system, user] = messages.map(({ content }) => String(content));
    return system?.startsWith('Summarise') ? `says ${user}` : 'six months [1]';
  };

  it('reads its sources at the same time, and answers from their summaries', async () => {
    let open = 0;
    target.answerWith(async ({ path }) => {
      open += 1;
      await eventually('both pages are requested', () => open === 2, 10_000);
      return { body: `<script>ignore()</script><p>about ${path.slice(1)}</p>` };
    });
    provider.answerWith(digest);
    const ended = await run('research-digest', urls('/filters', '/water'));
    expect(ended.output).toEqual({
      question: 'How long?',
      answer: 'six months [1]',
      sources: [
        { url: `${target.url}/filters`, summary: 'says about filters' },
        { url: `${target.url}/water`, summary: 'says about water' },
      ],
      unread: [],
    });
    expect(promptOf(provider.calls.at(-1)!)).toContain('[2] says about water');
  });

  it('names the sources that it cannot read, and fails only when there is none left', async () => {
    target.answerWith(({ path }) => (path === '/gone' ? { status: 404 } : { body: 'about filters' }));
    provider.answerWith(digest);
    expect((await run('research-digest', urls('/gone', '/filters'))).output).toMatchObject({
      sources: [{ url: `${target.url}/filters` }],
      unread: [{ url: `${target.url}/gone`, reason: 'Error: the page answered with status 404' }],
    });
    expect(await run('research-digest', urls('/gone'))).toMatchObject({
      status: 'FAILED',
      failure_class: 'sandbox',
      error_message: expect.stringContaining('no source could be read') as string,
    });
  });
});

describe('nightly-report', () => {
  it('stores a report and a table of the orders of a day as artifacts of its run', async () => {
    reply('Half of it is one order.');
    const ended = await run('nightly-report');
    expect(ended.output).toMatchObject({ day: '2026-11-21', orders: 6, revenue: '328.35' });
    const written = await api.workflows.listRunArtifacts({ run_id: ended.id }).all();
    expect(written.map(({ key, content_type }) => [key, content_type]).sort()).toEqual([
      ['reports/2026-11-21.csv', 'text/csv'],
      ['reports/2026-11-21.md', 'text/markdown'],
    ]);
    const report = await contentOf(written.find(({ key }) => key.endsWith('.md')));
    expect(report).toContain('Half of it is one order.');
    expect(report).toContain('Largest order: A-1044 (204.10, south).');
    expect(report).toContain('north,2,72.30,36.15\nsouth,3,247.10,33.00\nwest,1,8.95,8.95');
  });

  it('fails for a day without orders', async () => {
    expect(await run('nightly-report', { input: { day: '2026-01-01' } })).toMatchObject({
      status: 'FAILED',
      error_message: expect.stringContaining('orders.csv has no orders of 2026-01-01') as string,
    });
  });

  async function contentOf(artifact: { id: number; workflow_id: number } | undefined): Promise<string> {
    const path = `/workflows/${artifact?.workflow_id}/artifacts/${artifact?.id}/content`;
    return (await platform.api(key).send('GET', path)).text;
  }
});

describe('refund-approval', () => {
  const token = 'approval-token-0123456789';
  const escalation = (): Given => ({
    params: { approval_url: `${target.url}/approvals` },
    secrets: { APPROVAL_TOKEN: token },
  });

  it('nests the triage, and escalates with its token and the id of its run', async () => {
    // The nested run calls the default model.
    const before = target.calls.length;
    target.answerWith(() => ({ headers: { 'content-type': 'application/json' }, body: '{"approval_id":"case-7"}' }));
    const ended = await run('refund-approval', escalation());
    expect(ended.output).toMatchObject({ decision: 'escalated', approval_id: 'case-7', triage: { wish: 'refund' } });
    expect(target.calls.slice(before)).toMatchObject([
      { path: '/approvals', headers: { authorization: `Bearer ${token}`, 'idempotency-key': ended.id } },
    ]);
    const nested = await api.workflows
      .listAllRuns({ workflow_id: ids.get('ticket-triage'), trigger: ['NESTED'] })
      .all();
    expect(nested).toMatchObject([{ parent_run_id: ended.id, status: 'COMPLETED' }]);
    expect(JSON.stringify(ended)).not.toContain(token);
  });

  it('approves a small amount without a call', async () => {
    const before = target.calls.length;
    const input = { ...examples.get('refund-approval')?.input, amount: 12 };
    expect((await run('refund-approval', { ...escalation(), input })).output).toMatchObject({ decision: 'approved' });
    expect(target.calls).toHaveLength(before);
  });
});

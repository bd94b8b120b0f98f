import { actions, agents, applications, type ConsumerKind, evaluationCriteria, workflows } from '@signalbox/contracts';
import type { Pool } from 'pg';
import type { HttpTarget } from '../fakes/http-target.js';
import type { ModelRequest, ModelReply } from '../fakes/model-replies.js';
import { messageText } from '../fakes/model-replies.js';
import type { Platform } from '../platform/platform.js';
import type { Victim } from './fault-injector.js';

export interface DrivenConsumer {
  consumer_kind: ConsumerKind;
  consumer_config: Record<string, unknown>;
  criteria_ids: number[];
  item: (n: number) => { input: object; expected_output: object };
}

interface ConsumerSetting {
  call: (endpoint: Parameters<Platform['bus']['call']>[0], input: object) => Promise<{ id: number }>;
  target: HttpTarget;
}

export type DrivenKind = Exclude<ConsumerKind, 'EXTERNAL'>;

const SERVICES = ['gateway', 'accounts', 'traffic', 'agents', 'test-runs'];

/** Victims are without traffic, whose lost calls are paid for again. */
export const CONSUMER_SERVICES: Readonly<Record<DrivenKind, { services: string[]; victims: Victim[] }>> = {
  MODEL: {
    services: SERVICES,
    victims: ['gateway', 'accounts', 'traffic', 'agents', 'test-runs', 'test-runs 2', 'nats', 'postgres'],
  },
  WORKFLOW: {
    services: [...SERVICES, 'workflows'],
    victims: ['test-runs', 'test-runs', 'test-runs 2', 'workflows', 'workflows 2', 'runner', 'nats', 'postgres'],
  },
  AGENT: {
    services: SERVICES,
    victims: ['test-runs', 'test-runs', 'test-runs 2', 'agents', 'agents 2', 'nats', 'postgres'],
  },
};

/** Has one external effect; the token is that of its run, also after its process was lost. */
const script = (url: string): string => `async function execute(ctx) {
  const { n } = ctx.input;
  const token = await ctx.step('token', () => String(Math.random()));
  await ctx.step('effect', async () => {
    await ctx.http.fetch('${url}/workflow/' + n, { method: 'POST', headers: { 'idempotency-key': token }, body: { n } });
    return true;
  });
  return { n };
}
`;

export const CONSUMERS: Readonly<Record<DrivenKind, (setting: ConsumerSetting) => Promise<DrivenConsumer>>> = {
  MODEL: () =>
    Promise.resolve({
      consumer_kind: 'MODEL',
      consumer_config: { model: 'played' },
      criteria_ids: [],
      item: (n) => ({
        input: { messages: [{ role: 'user', content: `item ${n}` }] },
        expected_output: { text: `re: item ${n}` },
      }),
    }),
  WORKFLOW: async ({ call, target }) => {
    const { id: workflow_id } = await call(workflows.endpoints.createWorkflow, {
      workflow_ref_name: 'driven',
      description: '',
      language: 'javascript',
      script: script(target.url),
      execution_mode: 'sync',
      input_schema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
      allow_inproc_nesting: false,
      inproc_nested_refs: [],
      timeout_seconds: 300,
      memory_mb: 64,
      status: 'ENABLED',
      meta: {},
    });
    return {
      consumer_kind: 'WORKFLOW',
      consumer_config: { workflow_id },
      criteria_ids: [await judge(call, 'Workflow')],
      item: (n) => ({ input: { input: { n } }, expected_output: { json: { n } } }),
    };
  },
  AGENT: async ({ call, target }) => {
    const { id: application_id } = await call(applications.endpoints.createApplication, {
      application_name: 'Driven',
      state: 'ENABLED',
      meta: {},
    });
    const { id: agent_id } = await call(agents.endpoints.createAgent, {
      application_id,
      agent_name: 'Driven',
      status: 'ENABLED',
      execution_mode: 'reasoning',
      model: 'played',
      agent_config: {},
      max_iterations: 3,
      meta: {},
    });
    await call(actions.endpoints.createAction, {
      agent_id,
      action_name: 'effect',
      action_type: 'api',
      description: 'has an effect',
      enabled: true,
      action_config: {
        endpoint: `${target.url}/agent/{n}`,
        method: 'POST',
        parameters: { n: { type: 'string', required: true } },
      },
      meta: {},
      is_default: false,
      action_result_type: 'gather_info',
      invocation_mode: 'foreground',
    });
    return {
      consumer_kind: 'AGENT',
      consumer_config: { agent_id },
      criteria_ids: [await judge(call, 'Agent')],
      item: (n) => ({
        input: { messages: [{ role: 'user', content: `item ${n}` }] },
        expected_output: { text: `re: item ${n}` },
      }),
    };
  },
};

async function judge(call: ConsumerSetting['call'], name: string): Promise<number> {
  const { id } = await call(evaluationCriteria.endpoints.createCriteria, {
    name: `${name} is right`,
    criteria_type: 'BOOLEAN',
    method: 'LLM',
    prompt: `Is it right? (${name})`,
    config: { model: 'played' },
    weight: 1,
    enabled: true,
  });
  return id;
}

/** The judged item, named by its criterion; null for an answer. */
export function judgedItem({ messages, response_format }: ModelRequest): string | null {
  if (!response_format) return null;
  const text = messages.map(({ content }) => messageText(content)).join('\n');
  const kind = /\((Workflow|Agent)\)/.exec(text)?.[1] ?? '';
  return `${kind} ${/\\?"n\\?":\s*(\d+)|item (\d+)/.exec(text)?.slice(1).find(Boolean) ?? '?'}`;
}

export function answerTo({ messages, tools }: ModelRequest): ModelReply {
  const text = messageText(messages.find(({ role }) => role === 'user')?.content);
  if (tools && !messages.some(({ role }) => role === 'tool')) {
    const [offered] = tools as { function: { name: string } }[];
    return { toolCalls: [{ name: offered?.function.name ?? '', arguments: { n: text.replace(/\D/g, '') } }] };
  }
  return `re: ${text}`;
}

const STARTED: Readonly<Partial<Record<ConsumerKind, string>>> = { WORKFLOW: 'workflows.runs', AGENT: 'agents.tasks' };

export async function effectFaults(
  sql: Pool,
  { kind, items, companyId }: { kind: ConsumerKind; items: number; companyId: number },
  calls: HttpTarget['calls'],
): Promise<string[]> {
  const table = STARTED[kind];
  if (!table) return [];
  const faults: string[] = [];
  const keys = new Map<string, Set<string>>();
  for (const { path, headers } of calls.filter((each) => each.path.startsWith(`/${kind.toLowerCase()}/`)))
    keys.set(path, (keys.get(path) ?? new Set()).add(String(headers['idempotency-key'])));
  if (keys.size !== items) faults.push(`${kind}: ${keys.size} items had their effect instead of ${items}`);
  for (const [path, of] of keys) if (of.size > 1) faults.push(`${path} was had under ${of.size} keys`);
  const { rows } = await sql.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table} WHERE company_id = $1`, [
    companyId,
  ]);
  if (rows[0]?.n !== items) faults.push(`${kind}: ${rows[0]?.n} were started instead of ${items}`);
  return faults;
}

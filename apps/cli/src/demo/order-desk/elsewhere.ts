import { setTimeout as delay } from 'node:timers/promises';
import type { AgentSummary, Signalbox } from '@signalbox/sdk';
import type { DemoContext } from '../context.js';
import { answerTo, Clerk, CLERK } from './clerk.js';
import type { OrderService } from './order-service.js';

const SET = 'Front desk (demo)';
const QUESTIONS = ['Where is order 7?', 'Where is order 8?', 'Where is order 9?'];
const APPEARS_MS = 30_000;
const PAUSE_MS = 200;

/** Created from traces; waits for its version. */
async function agentOf(api: Signalbox): Promise<AgentSummary> {
  for (const end = Date.now() + APPEARS_MS; Date.now() < end; await delay(PAUSE_MS)) {
    const found = await api.agents.list({ search: CLERK.name, kind: ['EXTERNAL'] }).all();
    const agent = found.find(({ latest_version }) => latest_version === CLERK.version);
    if (agent) return agent;
  }
  throw new Error(`the traces of ${CLERK.name} have made no agent within ${APPEARS_MS / 1000} s`);
}

async function openSet(api: Signalbox): Promise<number> {
  const known = (await api.testSets.list({ search: SET }).all()).find(({ name }) => name === SET);
  if (known) return known.id;
  const { id: test_set_id } = await api.testSets.create({ name: SET, description: 'Created by npm run demo' });
  for (const content of QUESTIONS) {
    const input = { messages: [{ role: 'user' as const, content }] };
    await api.testSets.createItem({ test_set_id, input, expected_output: { text: answerTo(content) } });
  }
  return test_set_id;
}

async function test(api: Signalbox, url: string, agent: AgentSummary) {
  const { id, summary } = await api.testRuns.runTestSet({
    test_set_id: await openSet(api),
    consumer_kind: 'EXTERNAL',
    consumer_config: { url, agent_id: agent.id, version: CLERK.version, output_path: 'answer.text' },
    wait_seconds: 60,
  });
  return { id, total: summary?.total ?? 0, matched: summary?.matched ?? 0 };
}

/**
 * An agent that runs elsewhere: monitored by its traces and tested at its address, which has to be allowed. Returns
 * whether every item matches.
 */
export async function showElsewhere({ api, baseUrl, step }: DemoContext, service: OrderService): Promise<boolean> {
  const { id: api_key_id, key } = await api.apiKeys.create({ name: CLERK.name, scopes: ['ingest'] });
  const clerk = new Clerk({ origin: new URL(baseUrl).origin, key: key ?? '' });
  try {
    const agent = await step(
      'A program that runs elsewhere and sends its traces',
      async () => {
        for (const content of QUESTIONS) await clerk.answer([{ content }]);
        return agentOf(api);
      },
      ({ id, latest_version }) => `agent ${id} has appeared, version ${latest_version}`,
    );
    const run = await step(
      'Run a test set against that program',
      () => test(api, service.employ(clerk), agent),
      ({ id, total, matched }) => `test run ${id}: ${matched} of ${total} match`,
    );
    return run.total === QUESTIONS.length && run.matched === run.total;
  } finally {
    await api.apiKeys.revoke({ api_key_id });
  }
}

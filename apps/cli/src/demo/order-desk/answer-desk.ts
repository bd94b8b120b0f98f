import { setTimeout as delay } from 'node:timers/promises';
import {
  type Agent,
  type Application,
  type EvaluationCriteriaCreateInput,
  type MonitorAlert,
  type Signalbox,
  type TestRun,
} from '@signalbox/sdk';
import { nullIfNotFound } from '../null-if-not-found.js';
import { openPricedModel } from './models.js';
import { openAgent } from './order-desk.js';
import { test } from './tested-release.js';

/** An agent whose newer version is worse: its release is held back, and its monitor raises an alert. */
export interface AnswerDesk {
  agent: Agent;
  good: string;
  bad: string;
  setId: number;
}

const AGENT = 'Answer desk (demo)';
const MODEL = 'answer-desk-echo';
const RELEASE = 'production';
const SET = 'Answer desk (demo)';
const MONITOR = 'Answer desk monitor (demo)';
const ALERT_MS = 30_000;
const PAUSE_MS = 200;
/** Enough for a comparison to say more than «too few». */
export const QUESTIONS = [
  ...['Do you ship abroad?', 'May I pay by invoice?', 'When do you open?', 'Is the lamp in stock?'],
  ...['Can I change my address?', 'What does shipping cost?', 'Do you repair lamps?', 'How long is the warranty?'],
  ...['May I return a gift?', 'Do you have a shop in Bremen?'],
];

/** One version answers in words, the other in JSON by mistake. */
export async function openAnswerDesk(api: Signalbox, home: Application): Promise<AnswerDesk> {
  const { agent, reused } = await openAgent(api, home, AGENT, {
    description: 'Answers questions about the shop; its newest version is worse',
    system_prompt: 'Answer in one sentence.',
    model: (await openPricedModel(api, MODEL)).model_name,
    max_cost: 0.01,
  });
  const agent_id = agent.id;
  if (!reused) {
    await api.agents.publishVersion({ agent_id, version_notes: 'Answers in words' });
    await api.agents.update({ agent_id, response_format: { type: 'json_object' } });
    await api.agents.publishVersion({ agent_id, version_notes: 'Answers in JSON, by mistake' });
  }
  const versions = await api.agents.listVersions({ agent_id, limit: 100 }).all();
  const [good, bad] = versions.toReversed().map(({ version }) => version);
  if (good === undefined || bad === undefined) throw new Error(`${AGENT} has lost its versions: delete the agent`);
  return { agent, good, bad, setId: await openSet(api, agent_id, good) };
}

async function openSet(api: Signalbox, agent_id: number, version: string): Promise<number> {
  const known = (await api.testSets.list({ search: SET }).all()).find(({ name }) => name === SET);
  if (known) return known.id;
  const tasks: string[] = [];
  for (const message of QUESTIONS) tasks.push((await api.agents.invoke({ agent_id, version, message })).task_id);
  const { id: test_set_id } = await api.testSets.create({ name: SET, description: 'Created by npm run demo' });
  const sources = tasks.map((source_id) => ({ source_type: 'AGENT_TASK' as const, source_id }));
  await api.testSets.importBulk({ test_set_id, sources });
  return test_set_id;
}

type NewCriterion = EvaluationCriteriaCreateInput & { name: string };

const CRITERIA: readonly NewCriterion[] = [
  { name: 'Answers in words (demo)', criteria_type: 'BOOLEAN', method: 'CONTAINS', config: { value: '[simulated]' } },
  {
    name: 'One short sentence (demo)',
    criteria_type: 'BOOLEAN',
    method: 'SCRIPT',
    config: {
      script: `function score({ output }) {
  if (typeof output !== 'string') return { pass: false, reason: 'it is no sentence but JSON' };
  const words = output.split(/\\s+/).length;
  console.log(words, 'words');
  return { pass: words <= 40, reason: words + ' words, at most 40' };
}
`,
    },
  },
  {
    name: 'Without a failed step (demo)',
    criteria_type: 'BOOLEAN',
    method: 'STEPS',
    config: { checks: [{ kind: 'no_failed_step' }, { kind: 'status', status: 'COMPLETED' }] },
  },
];

export async function openCriteria(api: Signalbox, test_set_id: number): Promise<void> {
  const criteria_ids: number[] = [];
  for (const criterion of CRITERIA) {
    const [known] = await api.evaluationCriteria.list({ search: criterion.name }).all();
    criteria_ids.push((known ?? (await api.evaluationCriteria.create(criterion))).id);
  }
  await api.testSets.update({ test_set_id, criteria_ids });
}

export const testBoth = async (
  api: Signalbox,
  { agent, good, bad, setId }: AnswerDesk,
): Promise<[TestRun, TestRun]> => [await test(api, agent.id, setId, good), await test(api, agent.id, setId, bad)];

/** The release moves only to versions that pass nine of ten; returns whether the bad one may move. */
export async function holdBack(api: Signalbox, { agent, good, bad, setId }: AnswerDesk): Promise<boolean> {
  const place = { agent_id: agent.id, release_name: RELEASE };
  const known = await api.agents.getRelease(place).catch(nullIfNotFound);
  if (known === null) await api.agents.createRelease({ agent_id: agent.id, name: RELEASE, version: good });
  const gate_policy = { test_set_id: setId, min_match_rate: 0.9, max_age_ms: 604_800_000, max_error_rate: 0.1 };
  await api.agents.updateRelease({ ...place, gate_policy });
  return (await api.agents.checkRelease({ ...place, version: bad })).passed;
}

const CONFIG = {
  runner: { resource_type: 'direct' as const, input: {} },
  result: {
    default_outcome: 'PASS' as const,
    fault: {
      kind: 'group' as const,
      op: 'AND' as const,
      children: [
        {
          kind: 'condition' as const,
          id: 'not in words',
          source: 'json' as const,
          path: 'output.content',
          operator: 'not_contains' as const,
          value: '[simulated]',
        },
      ],
    },
  },
};

async function openMonitor(api: Signalbox, agent_id: number): Promise<number> {
  const known = (await api.monitors.list({ search: MONITOR }).all())[0];
  if (known) return known.id;
  const { id: monitor_id } = await api.monitors.create({
    name: MONITOR,
    description: 'Created by npm run demo',
    config: CONFIG,
    alert_rules: [{ metric: 'consecutive_faults', threshold: 3 }],
  });
  await api.monitors.attachTarget({ monitor_id, target_type: 'agent', target_id: agent_id });
  await api.monitors.publishVersion({ monitor_id });
  await api.monitors.activate({ monitor_id });
  return monitor_id;
}

/** Three bad answers in a row open an alert; null when none has opened in time. */
export async function raiseAlert(api: Signalbox, { agent, bad }: AnswerDesk): Promise<MonitorAlert | null> {
  const monitor_id = await openMonitor(api, agent.id);
  for (const message of QUESTIONS.slice(0, 3)) await api.agents.invoke({ agent_id: agent.id, version: bad, message });
  for (const end = Date.now() + ALERT_MS; Date.now() < end; await delay(PAUSE_MS)) {
    const [open] = (await api.monitors.listAlerts({ monitor_id, status: ['open'] })).data;
    if (open) return open;
  }
  return null;
}

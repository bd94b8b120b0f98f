import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { GateResult, RunDifference, RunItem, Signalbox, TestRun, TestRunsRunTestSetInput } from '@signalbox/sdk';
import { ofTestRun } from '../client/event-output.js';
import { ProgressBar } from '../client/progress.js';
import { UsageError } from '../client/usage-error.js';
import type { EvalOptions } from './eval-options.js';
import { idOf, modelOf } from './named.js';
import type { Judged } from './verdict.js';

/** Worse than before; without an earlier run, not passed. */
export interface WorseItem {
  item: number;
  before: string | null;
  now: string | null;
  expected: string;
  actual: string;
  why: string;
}

export interface Baseline {
  id: number;
  match_rate: number | null;
  differences: RunDifference[];
}

export interface Evaluation extends Judged {
  compared_with: Baseline | null;
  worse: WorseItem[];
  worse_total: number;
  /** Not passed, where nothing became worse. */
  failing: WorseItem[];
  failing_total: number;
}

const POLL_MS = 500;
/** For some minutes: the run goes on while the platform is updated, and its verdict is worth waiting for. */
export const PATIENT = { maxRetries: 40 };
const MOST_ITEMS = 20;
const CONFIDENCE = 0.95;

async function consumerOf(client: Signalbox, { consumer, version, release }: EvalOptions) {
  const { kind, name } = consumer;
  const named = version === undefined ? (release === undefined ? {} : { release }) : { version };
  if (kind === 'EXTERNAL') {
    const { agent, ...call } = consumer.call ?? { headers: {} };
    const agent_id = agent === undefined ? null : await idOf(client, 'agent', agent);
    const config = { url: name, ...call, ...(agent_id === null ? {} : { agent_id, version: version ?? null }) };
    return { consumer_kind: kind, consumer_config: config };
  }
  if (kind === 'MODEL') return { consumer_kind: kind, consumer_config: { model: modelOf(name) } };
  if (kind === 'AGENT')
    return { consumer_kind: kind, consumer_config: { agent_id: await idOf(client, 'agent', name), ...named } };
  return { consumer_kind: kind, consumer_config: { workflow_id: await idOf(client, 'workflow', name), ...named } };
}

function secretsOf(names: readonly string[], environment: NodeJS.ProcessEnv): Record<string, string> {
  const values = names.map((name) => [name, environment[name]] as const);
  const missing = values.find(([, value]) => value === undefined);
  if (missing) throw new UsageError(`--secret ${missing[0]}: there is no environment variable of this name`);
  return Object.fromEntries(values) as Record<string, string>;
}

/** With an idempotency key: a run whose reply is lost is not started twice. */
export async function start(client: Signalbox, options: EvalOptions, environment: NodeJS.ProcessEnv): Promise<number> {
  const { release, repeats, baseline } = options;
  const input = {
    test_set_id: await idOf(client, 'test_set', options.set),
    ...(await consumerOf(client, options)),
    ...(release === undefined ? {} : { release }),
    ...(repeats === undefined ? {} : { repeats }),
    ...(baseline === 'last' ? {} : { baseline_run_id: baseline }),
    secrets: secretsOf(options.secrets, environment),
    wait_seconds: 0,
  };
  const once = { ...PATIENT, idempotencyKey: randomUUID() };
  return (await client.testRuns.runTestSet(input as TestRunsRunTestSetInput, once)).id;
}

async function ended(client: Signalbox, id: number, isShown: boolean): Promise<TestRun> {
  const bar = isShown && process.stderr.isTTY ? new ProgressBar() : null;
  for (;;) {
    const progress = await client.testRuns.getProgress({ id });
    bar?.show(ofTestRun(progress));
    if (progress.status === 'COMPLETED') break;
    await delay(POLL_MS);
  }
  bar?.end();
  return client.testRuns.get({ id });
}

function gateOf(client: Signalbox, run: TestRun, release_name: string | undefined): Promise<GateResult> | null {
  const { consumer_version: version, consumer_id: id } = run;
  if (release_name === undefined || version === null || id === null) return null;
  if (run.consumer_kind !== 'WORKFLOW') return client.agents.checkRelease({ agent_id: id, release_name, version });
  return client.workflows.checkRelease({ workflow_id: id, release_name, version });
}

async function lastBefore(client: Signalbox, run: TestRun): Promise<number | null> {
  const { test_set_id, consumer_kind, consumer_id } = run;
  const list = client.testRuns.list({
    test_set_id,
    consumer_kind: [consumer_kind],
    ...(consumer_id === null ? {} : { consumer_id }),
    status: ['COMPLETED'],
  });
  for await (const each of list)
    if (each.id < run.id && each.consumer_id === consumer_id && each.scored_at !== null && each.cancelled_at === null)
      return each.id;
  return null;
}

const brief = (output: unknown): string => {
  if (output === null || output === undefined) return '-';
  const { text, json, message } = output as { text?: string; json?: unknown; message?: { content?: unknown } };
  const shown = text ?? (json === undefined ? message?.content : json) ?? output;
  return typeof shown === 'string' ? shown : JSON.stringify(shown);
};

const whyOf = ({ criteria_results }: RunItem): string =>
  criteria_results
    .filter(({ passed }) => passed !== true)
    .map(({ name, description }) => `${name}: ${description}`)
    .join('; ') || '-';

async function shownItem(client: Signalbox, id: number, item_id: number, before: string | null): Promise<WorseItem> {
  const item = await client.testRuns.getRunItem({ id, item_id });
  const actual = item.outcome === 'ERROR' ? item.error_message : brief(item.actual_output);
  return {
    item: item.test_set_item_id,
    ...{
      before,
      now: item.outcome,
      expected: brief(item.expected_output_used),
      actual: actual ?? '-',
      why: whyOf(item),
    },
  };
}

async function against(client: Signalbox, { id }: TestRun, base: number) {
  const asked = { test_run_ids: [base, id], limit: MOST_ITEMS, confidence: CONFIDENCE };
  const found = await client.testRuns.compare({ ...asked, direction: 'worse' });
  const worse: WorseItem[] = [];
  for (const { results } of found.items) {
    const now = results[String(id)];
    if (now) worse.push(await shownItem(client, id, now.run_item_id, results[String(base)]?.outcome ?? null));
  }
  const compared_with = {
    id: base,
    match_rate: found.runs[0]?.match_rate ?? null,
    differences: found.differences ?? [],
  };
  return { compared_with, worse, worse_total: found.total };
}

/** A run that is no worse than one that did not pass must list what does not pass. */
async function withFailing<C extends { worse_total: number }>(client: Signalbox, run: TestRun, compared: C) {
  if (compared.worse_total > 0) return { ...compared, ...NONE };
  const { items, total } = await failingOf(client, run);
  return { ...compared, failing: items, failing_total: total };
}

async function failingOf(client: Signalbox, { id }: TestRun): Promise<{ items: WorseItem[]; total: number }> {
  const page = await client.testRuns.listRunItems({
    id,
    outcome: ['FAIL', 'ERROR'],
    limit: MOST_ITEMS,
    sort: 'position',
  });
  const items: WorseItem[] = [];
  for (const item of page.data) items.push(await shownItem(client, id, item.id, null));
  return { items, total: page.pagination.total };
}

const NONE = { failing: [], failing_total: 0 };

async function without(client: Signalbox, run: TestRun) {
  const { items, total } = await failingOf(client, run);
  return { compared_with: null, worse: items, worse_total: total, ...NONE };
}

async function unscoredOf(client: Signalbox, { id, completed_items }: TestRun): Promise<number> {
  const { pagination } = await client.testRuns.listRunItems({ id, outcome: ['PASS', 'FAIL'], limit: 1 });
  return completed_items - pagination.total;
}

export async function evaluationOf(client: Signalbox, id: number, options: EvalOptions): Promise<Evaluation> {
  const run = await ended(client, id, !options.json);
  if (run.scored_at === null) return { run, gate: null, unscored: 0, ...(await without(client, run)) };
  const judged = { run, gate: await gateOf(client, run, options.release), unscored: await unscoredOf(client, run) };
  const base = options.baseline === 'last' ? await lastBefore(client, run) : options.baseline;
  if (base === null) return { ...judged, ...(await without(client, run)) };
  return { ...judged, ...(await withFailing(client, run, await against(client, run, base))) };
}

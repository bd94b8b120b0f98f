import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVENTS, fieldsOf, SERVICES } from '@signalbox/contracts';

/** The table of docs/api/events.md, row by row: `x.a/b` stands for `x.a` and `x.b`, and what an event adds is in braces. */
const TABLE = [
  'test_run.created/prepared/started/completed/deleted',
  'test_run.scored {match_rate, errors_by_class}',
  'test_run.reset {count, classes}',
  'application.created/updated/deleted',
  'application.config_updated {changed}',
  'intent.created/updated/deleted',
  'intent.config_updated',
  'intent_group.created/updated/deleted',
  'intent_group.config_updated',
  'agent.created/updated/deleted/enabled/disabled',
  'agent_action.created/updated/deleted/enabled/disabled',
  'agent.routing_updated',
  'agent.version_published {version}',
  'agent.release_moved {release_name, from_version, to_version, overridden}',
  'agent_task.queued/started/waiting/completed/cancelled',
  'agent_task.failed {failure_class, error_code}',
  'mcp_server.created/updated/deleted',
  'mcp_server.drifted {tool, schema_hash}',
  'session.created/deleted/feedback_set',
  'request.completed/failed/corrected/correction_removed/fallback_used/deleted',
  'request.fault {sentinel_id, severity}',
  'sentinel.created/updated/deleted/enabled/disabled',
  'evaluation_result.created {status, failure_class}',
  'evaluation_run.created/failed/cancelled',
  'evaluation_run.completed {pass_rate, errors_by_class}',
  'model.created/updated/deleted/enabled/disabled',
  'monitor.created/updated/deleted/activated/paused',
  'monitor_target.attached/updated/detached',
  'monitor_run.completed {outcome, failure_class}',
  'monitor_check.completed {match_rate}',
  // docs/api/README.md.
  'monitor_alert.opened/acknowledged/resolved',
  'monitor.version_published',
  'monitor.release_moved',
  'model_provider.created/updated/deleted',
  'api_key.created/updated/revoked/rotated',
  'tag.created/updated/deleted',
  'tag_rule.created/updated/deleted',
  'tag_run.completed/failed/cancelled',
  'evaluation_criteria.created/updated/deleted',
  'test_set.created/updated/deleted',
  'test_set_item.updated/deleted/override_set/override_removed',
  'test_set_item.added {source_type}',
  'workflow.created/updated/deleted/enabled/disabled',
  'workflow.version_published',
  'workflow.release_moved',
  'workflow_run.queued/started/completed/failed/timed_out/cancelled',
  'dataset.created/updated/deleted',
  'dataset.requests_added {count}',
  'augmentation.completed/failed',
  'composition.created/updated/deleted',
  'finetune_run.completed {model_name}',
  'finetune_run.created/started/progress/failed/cancelled',
];
/** The record of a resource as a read returns it; events leave out only what is named here. */
const LEFT_OUT: Record<string, readonly string[]> = {
  request: ['params', 'response', 'corrected_response'],
  agent_task: ['first_message', 'waiting', 'input_messages', 'output', 'structured_output'],
  agent_action: ['action_config'],
  application: ['config'],
  intent: ['config', 'prompt'],
  intent_group: ['config'],
  tag_rule: ['prompt', 'conditions'],
  sentinel: ['sentinel_directive', 'meta'],
  evaluation_run: ['sentinel_overrides'],
  evaluation_result: ['description', 'correction'],
  evaluation_criteria: ['prompt', 'config'],
  test_run: ['consumer_config', 'scored_with', 'scoring', 'usage', 'cost', 'duration_ms'],
  agent: ['system_prompt', 'strategy_prompt_addendum'],
  mcp_server: ['headers', 'tools'],
  monitor_run: ['runner_output', 'resolution_trace'],
  monitor_check: ['items'],
  monitor: ['config', 'meta', 'alert_rules', 'shadow_version', 'default_release', 'targets'],
};

interface Row {
  event: string;
  adds: string[];
}

function rowsOf(line: string): Row[] {
  const [, family = '', names = '', adds = ''] = /^(\w+)\.([\w/]+)(?: \{([\w, ]+)\})?$/.exec(line) ?? [];
  return names.split('/').map((name) => ({ event: `${family}.${name}`, adds: adds ? adds.split(', ') : [] }));
}

const declared = new Map(EVENTS.flatMap((events) => Object.entries(events.declared)));
const dataOf = (event: string) => declared.get(event)?.data;
const fieldNames = (event: string): string[] => [...fieldsOf(dataOf(event) ?? Object).keys()];

describe('the declared events', () => {
  const built = TABLE.flatMap(rowsOf);

  it('are those of the table of 3.3, and no others', () => {
    expect([...declared.keys()].sort()).toEqual(built.map(({ event }) => event).sort());
  });

  it.each(built.filter(({ adds }) => adds.length > 0))('carry what the table names: $event', ({ event, adds }) => {
    expect(fieldNames(event)).toEqual(expect.arrayContaining(adds));
  });

  it.each(built)('are about the resource that their name begins with: $event', ({ event }) => {
    expect(declared.get(event)?.resource).toBe(event.split('.')[0]);
  });

  it.each([
    ['request.completed', 'RecordedRequest'],
    ['request.failed', 'RecordedRequest'],
    ['request.fallback_used', 'RecordedRequest'],
    ['request.corrected', 'RecordedRequest'],
    ...['queued', 'started', 'waiting', 'completed', 'failed', 'cancelled'].map((name) => [
      `agent_task.${name}`,
      'Task',
    ]),
    ['agent.updated', 'AgentSummary'],
    ['agent_action.updated', 'AgentAction'],
    ['mcp_server.updated', 'McpServer'],
    ['application.updated', 'Application'],
    ['intent.updated', 'Intent'],
    ['intent_group.updated', 'IntentGroup'],
    ['model.updated', 'Model'],
    ['model_provider.updated', 'Provider'],
    ['api_key.updated', 'ApiKey'],
    ['request.fault', 'RecordedRequest'],
    ['sentinel.updated', 'Sentinel'],
    ['evaluation_result.created', 'EvaluationResult'],
    ['evaluation_run.completed', 'EvaluationRun'],
    ['tag_rule.updated', 'TagRule'],
    ['tag_run.completed', 'TagRun'],
    ['monitor.updated', 'Monitor'],
    ['test_run.completed', 'TestRun'],
    ['monitor_target.updated', 'MonitorTarget'],
    ['monitor_run.completed', 'MonitorRun'],
    ['monitor_check.completed', 'CheckRun'],
  ])('carry the record without its bodies: %s', async (event = '', record = '') => {
    const contracts = (await import('@signalbox/contracts')) as unknown as Record<string, new () => object>;
    const cls = contracts[record];
    if (!cls) throw new Error(`there is no ${record}`);
    const left = LEFT_OUT[event.split('.')[0] ?? ''] ?? [];
    expect(fieldNames(event)).toEqual(
      expect.arrayContaining([...fieldsOf(cls).keys()].filter((name) => !left.includes(name))),
    );
    expect(fieldNames(event).filter((name) => left.includes(name))).toEqual([]);
  });

  it('are published by exactly one service each', () => {
    const all = EVENTS.flatMap(({ declared: own }) => Object.keys(own));
    expect(new Set(all).size).toBe(all.length);
    for (const { name, events } of SERVICES) if (events) expect(events.service).toBe(name);
  });
});

const root = new URL('../../../../', import.meta.url).pathname;

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return ['node_modules', 'dist', 'test'].includes(entry.name) ? [] : sources(path);
    return /(?<!\.spec)\.ts$/.test(entry.name) ? [path] : [];
  });
}

/** Subjects of the streams are written by the libraries of the bus and the outbox, and read back by those of the tests. */
const WRITES_SUBJECTS = /^libs\/(contracts|bus|database|testing)\//;
/** An event is named only as an argument of a function that its declaration types. */
const BARE = /(^|[{,(])\s*event: ['"`](?!t\.event )/;

describe('the sources', () => {
  const files = ['apps', 'libs'].flatMap((folder) => sources(join(root, folder)));
  const lines = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .map((text, at) => ({ at: `${file.slice(root.length)}:${at + 1}`, text })),
  );

  it('name no event but by its declaration', () => {
    expect(files.length).toBeGreaterThan(300);
    expect(lines.filter(({ text }) => BARE.test(text)).map(({ at }) => at)).toEqual([]);
  });

  it('write no subject of a stream by hand', () => {
    const byHand = lines.filter(({ at, text }) => /['"`](events|audit)\./.test(text) && !WRITES_SUBJECTS.test(at));
    expect(byHand.map(({ at }) => at)).toEqual([]);
  });
});

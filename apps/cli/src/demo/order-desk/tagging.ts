import { setTimeout as delay } from 'node:timers/promises';
import type { Application, Signalbox, TagRule, TagRun } from '@signalbox/sdk';

const TAG = 'returns (demo)';
const RULE = 'Asks for a return (demo)';
const PAUSE_MS = 50;

async function openTag(api: Signalbox): Promise<number> {
  const known = (await api.tags.list({ search: TAG }).all()).find(({ tag_name }) => tag_name === TAG);
  return (known ?? (await api.tags.create({ tag_name: TAG, color: '#4653e0' }))).id;
}

async function openRule(api: Signalbox, application_id: number): Promise<TagRule> {
  const tag_id = await openTag(api);
  const known = (await api.tags.listRules({ tag_id }).all()).find(({ rule_name }) => rule_name === RULE);
  const says = (value: string) => ({
    kind: 'condition' as const,
    source: 'text' as const,
    operator: 'contains' as const,
    value,
  });
  const conditions = { kind: 'group' as const, op: 'OR' as const, children: [says('return'), says('Refund')] };
  return known ?? api.tags.createRule({ rule_name: RULE, tag_id, application_id, conditions });
}

export async function tagRequests(api: Signalbox, { id: application_id }: Application): Promise<TagRun> {
  const { id } = await openRule(api, application_id);
  const { id: run_id } = await api.tags.createRun({ rule_ids: [id], filters: { application_id } });
  for (;;) {
    const run = await api.tags.getRun({ run_id });
    if (run.status !== 'PENDING' && run.status !== 'RUNNING') return run;
    await delay(PAUSE_MS);
  }
}

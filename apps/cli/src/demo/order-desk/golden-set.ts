import { type TestSet, type TestSetItem, ConflictError, type Signalbox } from '@signalbox/sdk';

const SET = 'Order desk golden set (demo)';
const CRITERION = 'Same answer (demo)';

export interface GoldenSet {
  set: TestSet;
  created: number;
  existing: number;
}

const taken = (error: unknown): null => {
  if (error instanceof ConflictError) return null;
  throw error;
};

async function openCriterion(api: Signalbox): Promise<number> {
  const known = await api.evaluationCriteria.list({ search: CRITERION }).all();
  const [first] = known;
  if (first) return first.id;
  const { id } = await api.evaluationCriteria.create({
    name: CRITERION,
    description: 'Created by npm run demo',
    criteria_type: 'BOOLEAN',
    method: 'EXACT',
  });
  return id;
}

async function openSet(api: Signalbox): Promise<TestSet> {
  const body = {
    name: SET,
    consumer_kinds: ['AGENT' as const],
    criteria_ids: [await openCriterion(api)],
    tags: ['demo'],
  };
  const created = await api.testSets.create(body).catch(taken);
  if (created) return created;
  const [known] = await api.testSets.list({ search: SET }).all();
  if (!known) throw new Error(`the test set "${SET}" exists and is not found`);
  return known;
}

/** Tasks of an earlier run are in the set already. */
export async function importTasks(api: Signalbox, taskIds: readonly string[]): Promise<GoldenSet> {
  const { id: test_set_id } = await openSet(api);
  const sources = taskIds.map((source_id) => ({ source_type: 'AGENT_TASK' as const, source_id }));
  const { created, existing } = await api.testSets.importBulk({
    test_set_id,
    sources,
  });
  return { set: await api.testSets.get({ test_set_id }), created, existing };
}

export async function correctNewest(api: Signalbox, { set }: GoldenSet): Promise<TestSetItem> {
  const path = { test_set_id: set.id };
  const {
    data: [newest],
  } = await api.testSets.listItems({ ...path, sort: '-position', limit: 1 });
  if (!newest) throw new Error(`the test set ${set.id} has no items`);
  return api.testSets.setResponseSub({
    ...path,
    item_id: newest.id,
    expected_output: { text: 'The courier comes on Friday, 9 to 12.' },
    note: 'Corrected by npm run demo',
  });
}

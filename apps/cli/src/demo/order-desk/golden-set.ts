import { type TestSet, type TestSetItem } from '@signalbox/contracts';
import { ApiRefusal, type PublicApi } from '../public-api.js';

const SET = 'Order desk golden set (demo)';
const CRITERION = 'Same answer (demo)';

/** A test set with an item of each task. */
export interface GoldenSet {
  set: TestSet;
  created: number;
  existing: number;
}

const taken = (error: unknown): null => {
  if (error instanceof ApiRefusal && error.status === 409) return null;
  throw error;
};

async function openCriterion(api: PublicApi): Promise<number> {
  const known = await api.call('GET /evaluation-criteria', { search: CRITERION });
  const [first] = known;
  if (first) return first.id;
  const { id } = await api.call('POST /evaluation-criteria', {
    name: CRITERION,
    description: 'Created by npm run demo',
    criteria_type: 'BOOLEAN',
    method: 'EXACT',
  });
  return id;
}

async function openSet(api: PublicApi): Promise<TestSet> {
  const body = {
    name: SET,
    consumer_kinds: ['AGENT' as const],
    criteria_ids: [await openCriterion(api)],
    tags: ['demo'],
  };
  const created = await api.call('POST /unified-test-sets', body).catch(taken);
  if (created) return created;
  const [known] = await api.call('GET /unified-test-sets', { search: SET });
  if (!known) throw new Error(`the test set "${SET}" exists and is not found`);
  return known;
}

/** Imports tasks into the test set of the demo; those of an earlier run are in it already. */
export async function importTasks(api: PublicApi, taskIds: readonly string[]): Promise<GoldenSet> {
  const { id: test_set_id } = await openSet(api);
  const sources = taskIds.map((source_id) => ({ source_type: 'AGENT_TASK' as const, source_id }));
  const { created, existing } = await api.call('POST /unified-test-sets/{test_set_id}/import-bulk', {
    test_set_id,
    sources,
  });
  return { set: await api.call('GET /unified-test-sets/{test_set_id}', { test_set_id }), created, existing };
}

/** Overrides the expected output of the newest item, as a person would who has read it. */
export async function correctNewest(api: PublicApi, { set }: GoldenSet): Promise<TestSetItem> {
  const path = { test_set_id: set.id };
  const [newest] = await api.call('GET /unified-test-sets/{test_set_id}/items', {
    ...path,
    sort: '-position',
    limit: 1,
  });
  if (!newest) throw new Error(`the test set ${set.id} has no items`);
  return api.call('PUT /unified-test-sets/{test_set_id}/items/{item_id}/response-sub', {
    ...path,
    item_id: newest.id,
    expected_output: { text: 'The courier comes on Friday, 9 to 12.' },
    note: 'Corrected by npm run demo',
  });
}

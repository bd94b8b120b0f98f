import { randomUUID } from 'node:crypto';
import type { Verdict } from '@signalbox/contracts';
import { openObjectStore } from '@signalbox/objects';
import { createLogger } from '@signalbox/platform';
import { openDatabase, type OpenDatabase, startServers, type TestServers } from '@signalbox/testing';
import { OffloadedObjects } from '../../src/payload-offload/offloaded-objects.repository.js';
import { PayloadOffload } from '../../src/payload-offload/payload-offload.js';
import type { RequestRecord } from '../../src/request-records/request-record.js';
import { ResultWriter } from '../../src/request-records/writing/result-writer.repository.js';
import { requestWriter } from '../request-writer.js';

export let servers: TestServers;
export let open: OpenDatabase;
export let parts: PayloadOffload;
beforeAll(async () => {
  servers = await startServers({ migrated: true });
  open = await openDatabase(servers, 'traffic', 8);
  const store = openObjectStore({ OBJECT_STORE_URL: '', DATA_DIR: servers.dir }, 'traffic');
  parts = new PayloadOffload(open.db, new OffloadedObjects(open.db), store, createLogger('traffic', 'silent'));
}, 60_000);
afterAll(async () => {
  await open.close();
  await servers.stop();
});

export const requestsOf = () => requestWriter(open.db);
/** Stores the verdict of the company's sentinel about a request. */
export async function judge(companyId: number, requestId: string, status: Verdict): Promise<void> {
  await open.db.withCompany({ companyId }, async (tx) => {
    const found = await tx.query<{ date_created: number }>(
      'SELECT date_created FROM traffic.requests WHERE company_id = $1 AND request_id = $2',
      [companyId, requestId],
    );
    const group = `agreement ${companyId}`;
    await tx.query(
      `INSERT INTO traffic.intent_groups (company_id, intent_group_name) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
      [companyId, group],
    );
    await tx.query(
      `INSERT INTO traffic.sentinels (company_id, sentinel_name, severity, intent_group_id, sentinel_directive, state)
       SELECT $1, 'any', 1, id, '{}', 'DISABLED' FROM traffic.intent_groups WHERE company_id = $1 AND intent_group_name = $2
       ON CONFLICT DO NOTHING`,
      [companyId, group],
    );
    const [sentinel] = await tx.query<{ id: number }>('SELECT id FROM traffic.sentinels WHERE company_id = $1', [
      companyId,
    ]);
    const usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0, cost: null };
    const verdict = { status, failure_class: null, description: '', confidence: null, correction: null };
    const of = { sentinel: { id: sentinel?.id ?? 0, sentinel_name: 'any', severity: 1 }, eval_time_ms: 0, usage };
    for (const { date_created } of found)
      await new ResultWriter().store(tx, {
        request: { request_id: requestId, date_created },
        results: [{ ...of, ...verdict }],
        passId: randomUUID(),
      });
  });
}
export const insert = async (records: readonly RequestRecord[]) => {
  for (const companyId of new Set(records.map(({ company_id }) => company_id)))
    await requestsOf().insertOf(
      companyId,
      records.filter(({ company_id }) => company_id === companyId),
    );
};
export const callerOf = (companyId: number) => ({
  companyId,
  keyId: null,
  scopes: [],
  requestId: randomUUID(),
  deadline: Date.now() + 60_000,
});

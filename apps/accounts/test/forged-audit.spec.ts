import { randomUUID } from 'node:crypto';
import { EventStream } from '@signalbox/bus';
import { eventually, Platform } from '@signalbox/testing';

let platform: Platform;
let companyId: number;
beforeAll(async () => {
  platform = await Platform.shared(['accounts']);
  ({ companyId } = await platform.company());
}, 60_000);
afterAll(() => platform.stop());

/** Publishes an entry as a bus user that may write audit entries under the name `sender`. */
async function write(sender: string, resource_type: string, resource_id: string): Promise<void> {
  const { js } = new EventStream(platform.connection);
  const entry = {
    company_id: companyId,
    actor_key_id: null,
    request_id: 'r',
    date_created: Date.now(),
    action: 'update',
    resource_type,
    resource_id,
    before: null,
    after: null,
    reason: null,
  };
  await js.publish(`audit.${companyId}${sender}`, JSON.stringify(entry), { msgID: randomUUID() });
}

async function logged(): Promise<string[]> {
  const { rows } = await platform.sql.query<{ resource_id: string }>(
    "SELECT resource_id FROM accounts.audit_log WHERE company_id = $1 AND action = 'update' ORDER BY resource_id",
    [companyId],
  );
  return rows.map(({ resource_id }) => resource_id);
}

it('keeps entries of a service about its own, shared and undeclared types, and none about types of another service', async () => {
  await write('.traffic', 'api_key', 'forged-1');
  await write('.agents', 'application', 'forged-2');
  await write('.traffic', 'agent', 'forged-3');
  await write('.agents', 'agent', 'a-own');
  await write('.agents', 'session', 'b-shared');
  await write('.traffic', 'session', 'c-own');
  await write('.traffic', 'something_new', 'd-undeclared');
  // The subject of earlier versions, without a sender.
  await write('', 'api_key', 'e-old');
  // They are delivered in order, so the forged ones have been processed by then.
  await eventually('the last is collected', async () => (await logged()).includes('e-old'));
  expect(await logged()).toEqual(['a-own', 'b-shared', 'c-own', 'd-undeclared', 'e-old']);
}, 60_000);

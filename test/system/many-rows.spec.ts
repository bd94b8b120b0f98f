import { applications, companies } from '@signalbox/contracts';
import { eventually, makeRequestDay, Platform } from '@signalbox/testing';
import { RowsRead } from './many-rows/rows-read.js';
import { KEPT_DAYS, LEFT, OLD_DAY, ROWS, SEEDS } from './many-rows/tables.js';

// What the jobs of a service and the effects of its events read of a company with many rows: what they need, however much
// the company has. A statement that reads a whole table ends with the statement limit at some millions of rows.

/** Some statements read what they find several times; none comes near the rows of a table. */
const MOST = ROWS / 4;
const SERVICES = Object.keys(SEEDS);
/** The consumers of the deletion of an application, whose effects change what is bound to it. */
const CONSUMERS: Record<string, string> = {
  agents: 'agents-applications-gone',
  workflows: 'workflows-applications-gone',
};

let platform: Platform;
let read: RowsRead;
let company: number;
let application: number;

beforeAll(async () => {
  platform = await Platform.start({ services: SERVICES });
  read = new RowsRead(platform.sql);
  company = (await platform.company()).companyId;
  const retention_days = { requests: KEPT_DAYS, tasks: KEPT_DAYS, workflow_runs: KEPT_DAYS };
  await platform.bus.call(companies.endpoints.updateCompany, { settings: { retention_days } }, caller());
  const { createApplication } = applications.endpoints;
  const shop = { application_name: 'Shop', state: 'ENABLED' as const, meta: {} };
  application = (await platform.bus.call(createApplication, shop, caller())).id;
  await seed();
}, 180_000);
afterAll(() => platform.stop());

const caller = () => platform.caller(company);

/** Without triggers: the counts of analytics are not the subject, and foreign keys are not what takes time. */
async function seed(): Promise<void> {
  const client = await platform.sql.connect();
  try {
    await makeRequestDay(client, OLD_DAY);
    await client.query('SET session_replication_role = replica');
    for (const text of Object.values(SEEDS).flat())
      await client.query(text, text.includes('$2') ? [company, application] : [company]);
    await client.query('VACUUM ANALYZE');
  } finally {
    client.release(true);
  }
}

/** What a service reads from its start, when all of its jobs run, until nothing is left to do, and from its end on. */
async function readBy(service: string, effect = () => Promise.resolve()): Promise<string[]> {
  await platform.service(service).kill('SIGTERM');
  await read.reset();
  await platform.service(service).start();
  await effect();
  for (const row of LEFT[service] ?? [])
    await eventually(`deleted: ${row}`, async () => {
      const { rows } = await platform.sql.query(`SELECT 1 FROM ${row}`, [company]);
      return rows.length === 0;
    });
  await platform.service(service).kill('SIGTERM');
  const above = await read.above(service, MOST);
  await platform.service(service).start();
  return above;
}

describe('the jobs of a service read what they need of a company with many rows', () => {
  it.each(SERVICES)('%s', async (service) => expect(await readBy(service)).toEqual([]), 120_000);
});

describe('the deletion of an application', () => {
  it.each(Object.keys(CONSUMERS))('is followed by %s, which read what is bound to it', async (service) => {
    const gone = async (): Promise<void> => {
      if (service === 'agents')
        await platform.bus.call(
          applications.endpoints.deleteApplication,
          { application_id: application, force: true },
          caller(),
        );
      const consumed = `SELECT 1 FROM "${service}".inbox i WHERE i.company_id = $1 AND i.consumer = $2
        AND NOT EXISTS (SELECT 1 FROM "${service}".work w WHERE w.company_id = $1 AND w.kind = 'application_unbinding' AND w.done_at IS NULL)`;
      await eventually('the event is consumed', async () => {
        const { rows } = await platform.sql.query(consumed, [company, CONSUMERS[service]]);
        return rows.length > 0;
      });
    };
    expect(await readBy(service, gone)).toEqual([]);
  });
});

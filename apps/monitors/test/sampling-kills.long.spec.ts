import { completions } from '@signalbox/contracts';
import { eventually, Platform } from '@signalbox/testing';
import { World } from './world.js';

const BATCHES = 50;
const BATCH = 100;
const KILLS = 10;

let platform: Platform;
beforeAll(async () => {
  platform = await Platform.start({ services: ['accounts', 'traffic', 'agents', 'monitors'], durable: true });
}, 120_000);
afterAll(() => platform.stop());

it('judges every source once while the service is killed ten times and the bus store is lost', async () => {
  const world = await World.make(platform);
  const intent = await world.intent();
  const { id } = await world.watching('intent', intent.id);
  const item = {
    chat_completion_request: {
      messages: [{ role: 'user' as const, content: 'x' }],
      model: 'm',
      application: 'Shop',
      intent: 'ask',
      return_evaluation: false,
    },
    chat_completion_response: { choices: [{ message: { role: 'assistant' as const, content: 'y' } }] },
  };
  const items = Array.from({ length: BATCH }, () => item);
  const store = async (): Promise<void> => {
    for (let at = 0; at < BATCHES; at++)
      await platform.bus.call(completions.endpoints.storeCompletions, { items }, world.caller());
  };
  const judged = async (): Promise<number> => {
    const { rows } = await platform.sql.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM monitors.monitor_runs WHERE company_id = $1 AND monitor_id = $2 AND outcome IS NOT NULL',
      [world.companyId, id],
    );
    return rows[0]?.count ?? 0;
  };
  const stored = store();
  for (let kill = 0; kill < KILLS; kill++) {
    const before = await judged();
    await eventually('some progress', async () => (await judged()) > before || before === BATCHES * BATCH, 60_000);
    await platform.service('monitors').kill('SIGKILL');
    if (kill === KILLS / 2) {
      await stored;
      await platform.servers.restartNats({ forget: true });
    }
    await platform.service('monitors').start();
  }
  await eventually('every source is judged', async () => (await judged()) === BATCHES * BATCH, 240_000);
  const { rows } = await platform.sql.query(
    'SELECT source_id FROM monitors.monitor_runs WHERE company_id = $1 GROUP BY source_id HAVING count(*) > 1',
    [world.companyId],
  );
  expect(rows).toEqual([]);
}, 600_000);

import { setTimeout } from 'node:timers/promises';
import { freePort } from '@signalbox/servers';
import { peakMemoryDuring, Platform, residentMib } from '@signalbox/testing';
import { readRows, uploadRows } from './large-files.js';
import { World } from './world.js';

const UPLOAD = 50_000;
const ROWS = 200_000;
const SERVICES = ['training', 'gateway'];
/** MiB by which the memory of a process may grow; the bodies of the rows are 220 MiB. */
const LIMITS: Record<string, number> = { training: 120, gateway: 120 };
/** Lines that are no rows, within the first file. */
const BAD = new Map([
  [10, '{"messages":\n'],
  [25_000, '{"messages":[{"role":"user","content":"no answer"}]}\n'],
  [49_999, 'null\n'],
]);

let platform: Platform;
let world: World;
const before: Record<string, number> = {};
beforeAll(async () => {
  platform = await Platform.start({ services: ['accounts', 'traffic', 'training', 'test-runs', 'gateway'] });
  world = await World.make(platform);
  // The memory that code takes once it is loaded.
  const { id } = await world.dataset({ dataset_name: 'small' });
  await uploadRows(world, id, 0, 1000, new Map());
  await readRows(world, `/datasets/${id}/export`, new Uint8Array(1000));
  for (const name of SERVICES) before[name] = await residentMib(platform, name);
}, 120_000);
afterAll(() => platform?.stop());

/** A gateway whose calls end after a second, with the grace of eight at most. */
async function hastyGateway(): Promise<string> {
  const port = await freePort();
  const env = { PORT: String(port), HEALTH_PORT: '0', INVOKE_TIMEOUT_SECONDS: '1' };
  await platform.startService('gateway', 'hasty gateway', env);
  return platform.baseUrl.replace(/:\d+/, `:${port}`);
}

/** Runs work within the limits of memory and prints how long it took and how much the processes grew. */
async function bounded<T>(what: string, work: () => Promise<T>): Promise<T> {
  const start = Date.now();
  const { result, peaks } = await peakMemoryDuring(platform, SERVICES, work);
  const growth = SERVICES.map((name) => Math.round((peaks[name] ?? 0) - (before[name] ?? 0)));
  const grown = SERVICES.map((name, at) => `${name} +${growth[at]} MiB`).join(', ');
  process.stdout.write(`${what}: ${((Date.now() - start) / 1000).toFixed(1)} s, ${grown}\n`);
  SERVICES.forEach((name, at) => expect(growth[at]).toBeLessThan(LIMITS[name] ?? 0));
  return result;
}

it('are uploaded, exported and mixed without being in memory, every row once', async () => {
  const { id, intent_group_id } = await world.dataset({ dataset_name: 'large' });
  const first = await bounded('upload of 50,000 rows', () => uploadRows(world, id, 0, UPLOAD, BAD));
  expect(JSON.parse(first.text)).toEqual({
    data: {
      added: UPLOAD,
      rejected: [
        { line: 11, message: 'the line is not valid JSON' },
        { line: 25_002, message: expect.stringContaining('messages') },
        { line: 50_002, message: expect.any(String) },
      ],
    },
  });
  for (let from = UPLOAD; from < ROWS; from += UPLOAD)
    expect((await uploadRows(world, id, from, UPLOAD, new Map())).status).toBe(200);
  expect(await world.data(`GET /datasets/${id}`)).toMatchObject({ request_count: ROWS });

  const seen = new Uint8Array(ROWS);
  const whole = await bounded('export of 200,000 rows', () => readRows(world, `/datasets/${id}/export`, seen));
  expect({ lines: whole.lines, wrong: whole.wrong }).toEqual({ lines: ROWS, wrong: 0 });

  const started = Date.now();
  // Read at 20,000 rows a second, which is longer than any call may take at this gateway.
  const afterLine = (lines: number) => (lines % 20_000 === 0 ? setTimeout(1000) : undefined);
  const baseUrl = await hastyGateway();
  const slow = await readRows(world, `/datasets/${id}/export`, new Uint8Array(ROWS), { baseUrl, afterLine });
  expect({ lines: slow.lines, wrong: slow.wrong }).toEqual({ lines: ROWS, wrong: 0 });
  expect(Date.now() - started).toBeGreaterThan(10_000);

  const body = { composition_name: 'Mix', intent_group_id, entries: [{ dataset_id: id }], validation_split: 0.25 };
  const composition = await world.data('POST /compositions', body);
  expect(composition).toMatchObject({ request_count: ROWS });
  const path = `/compositions/${composition.id}`;
  const preview = await bounded('preview of 200,000 rows', () => world.data(`POST ${path}/preview`));
  expect(preview).toMatchObject({ train_count: 150_000, validation_count: 50_000 });
  const mixed = new Uint8Array(ROWS);
  for (const [split, count] of [
    ['train', 150_000],
    ['validation', 50_000],
  ] as const) {
    const part = await bounded(`export of ${split}`, () => readRows(world, `${path}/export?split=${split}`, mixed));
    expect({ lines: part.lines, wrong: part.wrong }).toEqual({ lines: count, wrong: 0 });
  }
  expect(mixed.every((each) => each === 1)).toBe(true);
}, 600_000);

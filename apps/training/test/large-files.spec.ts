import { Platform } from '@signalbox/testing';
import { readRows, uploadRows } from './large-files.js';
import { World } from './world.js';

// The same at full size, with limits of memory: large-files.long.spec.
const ROWS = 1500;

let platform: Platform;
let world: World;
beforeAll(async () => {
  platform = await Platform.shared(['accounts', 'traffic', 'training', 'test-runs', 'gateway']);
  world = await World.make(platform);
}, 120_000);
afterAll(() => platform.stop());

it('a file of many pages is stored, exported and mixed with every row once', async () => {
  const { id, intent_group_id } = await world.dataset({ dataset_name: 'large' });
  const reply = await uploadRows(world, id, 0, ROWS, new Map([[700, 'null\n']]));
  expect(JSON.parse(reply.text).data).toMatchObject({ added: ROWS, rejected: [{ line: 701 }] });
  const whole = await readRows(world, `/datasets/${id}/export`, new Uint8Array(ROWS));
  expect([whole.lines, whole.wrong]).toEqual([ROWS, 0]);
  const body = { composition_name: 'Mix', intent_group_id, entries: [{ dataset_id: id }], validation_split: 0.2 };
  const composition = await world.data('POST /compositions', body);
  const seen = new Uint8Array(ROWS);
  for (const [split, count] of [
    ['train', 1200],
    ['validation', 300],
  ] as const) {
    const part = await readRows(world, `/compositions/${composition.id}/export?split=${split}`, seen);
    expect([part.lines, part.wrong]).toEqual([count, 0]);
  }
});

import { Platform } from '@signalbox/testing';
import { drainBacklog } from './backlog.js';
import { World } from './world.js';

const SOURCES = 100_000;

let platform: Platform;
beforeAll(async () => {
  platform = await Platform.start({ services: ['accounts', 'traffic', 'agents', 'monitors'], durable: true });
}, 120_000);
afterAll(() => platform.stop());

it('drains a backlog of 100,000 sources, each judged once, through ten kills and the loss of the bus store', async () => {
  const world = await World.make(platform);
  const { sources, judged, errors } = await drainBacklog(world, { sources: SOURCES, kills: 10, limitMs: 900_000 });
  expect({ recorded: sources.length, errors }).toEqual({ recorded: SOURCES, errors: 0 });
  expect(judged).toEqual(sources);
}, 1_800_000);

import { Platform } from '@signalbox/testing';
import { World } from '../world.js';

/** What all tests of definitions run on: starting one takes longer than most of them. */
export let platform: Platform;
/** A company of the test's own. */
export let world: World;

beforeAll(async () => {
  platform = await Platform.shared(['accounts', 'traffic', 'agents', 'monitors', 'workflows', 'runner']);
}, 120_000);
afterAll(() => platform?.stop());
beforeEach(async () => {
  world = await World.make(platform);
});

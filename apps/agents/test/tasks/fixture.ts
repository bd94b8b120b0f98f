import { lookUpOnce, type TaskCompany, TaskWorld } from '../task-world.js';

export let outside: TaskWorld;
export let company: TaskCompany;
beforeAll(async () => {
  outside = await TaskWorld.start();
}, 60_000);
afterAll(() => outside.stop());
beforeEach(async () => {
  company = await outside.company();
  outside.reset();
  lookUpOnce(outside.provider);
});

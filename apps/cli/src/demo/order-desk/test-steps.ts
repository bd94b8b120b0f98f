import type { Task } from '@signalbox/sdk';
import type { DemoContext } from '../context.js';
import { correctNewest, type GoldenSet, importTasks } from './golden-set.js';
import { collect, guard, move, test, TESTED } from './tested-release.js';

export async function importIntoSet({ api, step }: DemoContext, tasks: Task[]): Promise<GoldenSet> {
  const golden = await step(
    'Import the tasks into a test set',
    () =>
      importTasks(
        api,
        tasks.map(({ id }) => id),
      ),
    ({ set, created, existing }) => `set ${set.id}: ${created} new items, ${existing} known, ${set.item_count} in all`,
  );
  await step(
    'Override an expected output, whose baseline stays',
    () => correctNewest(api, golden),
    ({ id, response_sub }) => `item ${id} expects ${JSON.stringify(response_sub?.expected_output)}`,
  );
  return golden;
}

/** The gate refuses an untested version; a tested one moves. */
export async function guardRelease({ api, step }: DemoContext, agentId: number, version: string, tasks: Task[]) {
  const set = await step(
    'Collect the first two tasks in a test set',
    () => collect(api, tasks.slice(0, 2)),
    ({ id, items }) => `test set ${id} with ${items} items`,
  );
  const candidate = await step(
    `Guard the release "${TESTED}" by that set, and publish another version`,
    () => guard(api, agentId, set.id, version),
    (published) => `${published} waits`,
  );
  const refused = await step(
    `Move "${TESTED}" to ${candidate} without a test`,
    () => move(api, agentId, candidate),
    (reason) => `refused: ${reason}`,
  );
  const run = await step(
    `Run the test set against ${candidate}`,
    () => test(api, agentId, set.id, candidate),
    ({ id, status, matched_items, total_items }) =>
      `test run ${id} is ${status}, ${matched_items} of ${total_items} items match`,
  );
  const moved = await step(
    `Move "${TESTED}" to ${candidate} again`,
    () => move(api, agentId, candidate),
    (reason) => (reason === null ? 'the gate lets it pass' : `refused: ${reason}`),
  );
  return refused !== null && run.match_rate === 1 && moved === null;
}

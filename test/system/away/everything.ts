import { CONTRACTS } from '@signalbox/contracts';
import { completesWithoutThem } from './completions.js';
import { allReply, complete, expected, isReady, LISTS, objects, platform, reportIs, statuses } from './setup.js';

const hasPath = ({ endpoints }: (typeof CONTRACTS)[number]): boolean =>
  Object.values(endpoints).some(({ path }) => path !== null);

/** The gateway continues without each service and server, and completes chats without its own for a time. */
export function continuesWithoutEach(awayMs: number): void {
  it('has lists in every family', async () => {
    const families = new Set(CONTRACTS.filter(hasPath).map(({ tag }) => tag));
    expect([...families].filter((tag) => !LISTS.some((list) => list.tag === tag))).toEqual([
      'Chat completions',
      'Search and Help',
    ]);
    await allReply();
    await reportIs(200);
    expect(await isReady()).toBe(true);
  });

  it.each(['traffic', 'agents', 'workflows', 'monitors', 'test-runs', 'training'])(
    'continues without the %s service: other families reply, and the gateway stays ready',
    async (dead) => {
      await platform.service(dead).kill('SIGKILL');
      expect(await statuses()).toEqual(expected((service) => service !== dead));
      await reportIs(503);
      expect([await isReady(), await complete()]).toEqual([true, 200]);
      await platform.service(dead).start();
      await allReply();
    },
    90_000,
  );

  it('continues without the object store', async () => {
    await objects.stop();
    expect(await statuses()).toEqual(expected(() => true));
    await reportIs(503);
    expect([await isReady(), await complete()]).toEqual([true, 200]);
    await objects.restart();
    await reportIs(200);
  }, 90_000);

  completesWithoutThem(awayMs);
}

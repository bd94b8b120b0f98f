import { allReply, complete, expected, isReady, platform, reportIs, statuses, WITHOUT_TABLES } from './setup.js';

/** Completes one chat a second for the given time. */
async function completeFor(ms: number): Promise<number[]> {
  const seen: number[] = [];
  for (const end = Date.now() + ms; Date.now() < end; await new Promise((next) => setTimeout(next, 1000)))
    seen.push(await complete());
  return seen;
}

/** How long Postgres, the bus or accounts is away while chat completions continue. */
export function completesWithoutThem(awayMs: number): void {
  it('completes chats without Postgres, and stays ready', async () => {
    await allReply();
    await platform.servers.postgres.stop('immediate');
    const seen = await completeFor(awayMs);
    expect(new Set(seen)).toEqual(new Set([200]));
    await reportIs(503);
    expect(await isReady()).toBe(true);
    const stored = Object.entries(await statuses()).filter(([path]) => !WITHOUT_TABLES.includes(path));
    expect(new Set(stored.map(([, status]) => status))).toEqual(new Set([503]));
    await platform.servers.restartPostgres('immediate');
    await allReply();
  }, 150_000);

  it('completes chats without the message bus, and stays ready', async () => {
    await allReply();
    await platform.servers.nats.stop();
    const seen = await completeFor(awayMs);
    expect(new Set(seen)).toEqual(new Set([200]));
    await reportIs(503);
    expect(await isReady()).toBe(true);
    await platform.servers.restartNats({ forget: false });
    await allReply();
  }, 150_000);

  it('completes chats without accounts, and lists what other services store', async () => {
    await allReply();
    await platform.service('accounts').kill('SIGKILL');
    const seen = await completeFor(awayMs);
    expect(new Set(seen)).toEqual(new Set([200]));
    expect(await statuses()).toEqual(expected((service) => service !== 'accounts'));
    await platform.service('accounts').start();
    await allReply();
  }, 150_000);
}

import { type BusConnection, WorkLoop, type WorkKind } from '@signalbox/bus';
import { ApiError } from '@signalbox/contracts';
import { createLogger, type WorkStore } from '@signalbox/platform';
import {
  eventually,
  openDatabase,
  type OpenDatabase,
  startServers,
  type TestServers,
  timeScale,
} from '@signalbox/testing';
import { Pool } from 'pg';
import { connectTo } from '../widgets.js';

const { jest } = import.meta;

let servers: TestServers;
export let open: OpenDatabase;
export let sql: Pool;
let connection: BusConnection;
const logger = createLogger('tester', 'silent');
const loops: WorkLoop[] = [];
/** A lease that is prolonged in time wherever the rest of the suite is. */
export const HELD_MS = Math.round(500 * timeScale());

beforeAll(async () => {
  servers = await startServers({ migrated: true });
  open = await openDatabase(servers, 'accounts');
  connection = await connectTo(servers);
  sql = new Pool({ connectionString: servers.postgres.url, max: 2 });
}, 60_000);
afterEach(async () => {
  await Promise.all(loops.splice(0).map((loop) => loop.stop(0)));
});
afterAll(async () => {
  await connection.close();
  await open.close();
  await sql.end();
  await servers.stop();
});

export const add = (kind: string, ...refs: string[]) =>
  open.db.withCompany({ companyId: 1 }, (tx) => Promise.resolve(refs.forEach((ref) => tx.addWork(kind, ref))));
export const rows = async (kind: string) =>
  (
    await sql.query<{ ref: string; attempt: number; done_at: Date | null; lease_owner: string | null; due: boolean }>(
      'SELECT *, due_at <= now() AS due FROM accounts.work WHERE kind = $1 ORDER BY id',
      [kind],
    )
  ).rows;
export const allDone = (kind: string) =>
  eventually(`all ${kind} is done`, async () => (await rows(kind)).every((row) => row.done_at !== null));
/** Waits until a job is postponed beyond the next seconds, and makes it due. */
export async function nudged(kind: string, reached: () => boolean): Promise<void> {
  await eventually('the attempt', reached);
  const far = `kind = $1 AND lease_owner IS NULL AND due_at > now() + interval '5 seconds'`;
  await eventually('the pause after it', async () => {
    const { rowCount } = await sql.query(`UPDATE accounts.work SET due_at = now() WHERE ${far}`, [kind]);
    return rowCount === 1;
  });
}
export const deadlocks = () => sql.query('SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()');
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export function loop(work: Partial<WorkKind> & Pick<WorkKind, 'kind' | 'run'>, store: WorkStore = open.work): WorkLoop {
  const made = new WorkLoop(store, connection, logger, { concurrency: 4, exhausted: () => Promise.resolve(), ...work });
  loops.push(made);
  made.start();
  return made;
}

/** Starts loops that never poll: each claim follows from a job that was added, has ended or is due again. */
export function withoutPolls(start: () => void): void {
  jest.useFakeTimers({
    doNotFake: ['Date', 'performance', 'nextTick', 'setImmediate', 'setTimeout', 'clearTimeout'],
  });
  start();
  jest.useRealTimers();
}

/** The store, without the notifications that transactions of this process send to its loops. */
export const separate = (): WorkStore => ({
  mayClaim: (kind) => open.work.mayClaim(kind),
  claim: (claim) => open.work.claim(claim),
  heartbeat: (...args) => open.work.heartbeat(...args),
  returnUnreceived: (claims) => open.work.returnUnreceived(claims),
  complete: (jobs) => open.work.complete(jobs),
  postpone: (...args) => open.work.postpone(...args),
  waitingKinds: () => open.work.waitingKinds(),
  offeredKinds: () => open.work.offeredKinds(),
  onAdded: () => undefined,
  offer: () => undefined,
});
export const away = (): Promise<never> => Promise.reject(new ApiError('unavailable', 'the database is down'));

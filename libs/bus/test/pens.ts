import { BusConnection, BusModule, BusServer, Serves } from '@signalbox/bus';
import {
  ApiError,
  type Batch,
  type Caller,
  type CallTo,
  defineContract,
  Flag,
  type Handlers,
  Id,
  Int,
  invalidField,
  JsonText,
  Name,
  SCOPES,
} from '@signalbox/contracts';
import { createLogger, GracefulStop } from '@signalbox/platform';
import { serviceCredentials } from '@signalbox/servers';
import { TEST_MASTER_KEY, type TestServers } from '@signalbox/testing';
import { microserviceOf } from '../src/microservice.js';

class Pen {
  @Id() id!: number;
  @Name() name!: string;
}
class PenPath {
  @Id() pen_id!: number;
}
class RenamePen extends PenPath {
  @Name() name!: string;
}
class Sleep {
  @Int(0, 60_000) ms!: number;
  @Flag() fail!: boolean;
}

/** A resource of tests: ids up to 1000 exist, ids of 900 and more are slow to read. */
export const pens = defineContract(
  { name: 'pens', service: 'tester', tag: 'Pens' },
  {
    getPen: { get: '/pens/{pen_id}', summary: 'Get a pen', batchable: 'pen_id', input: PenPath, output: Pen },
    renamePen: { put: '/pens/{pen_id}', summary: 'Rename a pen', input: RenamePen, output: Pen },
    sleep: { post: '/pens/sleep', summary: 'Answer late', input: Sleep, output: Pen },
  },
);
type C = typeof pens;

/** How long reading a slow pen takes. */
export const SLOW_MS = 600;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Serves pens from memory and keeps what it was asked. */
@Serves(pens)
export class PenHandlers implements Handlers<C> {
  readonly names = new Map<string, string>();
  readonly batches: Batch[] = [];
  readonly callers: Caller[] = [];
  /** Calls of `renamePen` and `sleep` that have begun. */
  calls = 0;
  private readonly waiting: { count: number; resolve: () => void }[] = [];

  /** Resolves when so many calls have begun. */
  async began(count: number): Promise<void> {
    if (this.calls < count) await new Promise<void>((resolve) => this.waiting.push({ count, resolve }));
  }

  private begin(): void {
    this.calls++;
    for (const { count, resolve } of this.waiting) if (this.calls >= count) resolve();
  }

  async getPen(batch: Batch) {
    this.batches.push(batch);
    const { keys } = batch;
    // What is stored is read at once, as one statement would; only the answer is late.
    const bodies = keys.map(({ companyId, id }) => {
      const name = this.names.get(`${companyId}/${id}`) ?? `pen ${companyId}/${id}`;
      return id > 1000 ? null : new JsonText<Pen>(JSON.stringify({ id, name }));
    });
    if (keys.some(({ id }) => id >= 900 && id <= 1000)) await pause(SLOW_MS);
    return bodies;
  }

  async renamePen({ input, caller }: CallTo<C, 'renamePen'>) {
    this.begin();
    await pause(5);
    this.callers.push(caller);
    this.names.set(`${caller.companyId}/${input.pen_id}`, input.name);
    return { id: input.pen_id, name: input.name };
  }

  async sleep({ input }: CallTo<C, 'sleep'>): Promise<Pen> {
    this.begin();
    await pause(input.ms);
    if (input.fail) throw new Error('SELECT secret FROM somewhere');
    throw new ApiError('refused', 'never again', {
      details: [{ field: 'ms', message: 'is refused' }],
      retryAfter: 7,
      headers: { 'X-Why': 'because' },
      ...invalidField('ms', 'is refused').extras,
    });
  }
}

/** The URL of the bus for the user of tests, who may do everything. */
export function testerUrl(servers: TestServers): string {
  const url = new URL(servers.nats.url);
  url.username = 'tester';
  url.password = serviceCredentials(TEST_MASTER_KEY, 'tester').natsPassword;
  return url.href;
}

/** A connection of the user of tests. */
export const connectTo = (servers: TestServers): Promise<BusConnection> =>
  BusConnection.open(testerUrl(servers), 'tester', createLogger('tester', 'silent'));

/** A caller who waits for the given time. */
export const callerOf = (companyId: number, waitMs = 5000): Caller => ({
  companyId,
  keyId: null,
  scopes: SCOPES,
  requestId: 'r',
  deadline: Date.now() + waitMs,
});

/** A service in this process. */
export interface PenService {
  handlers: PenHandlers;
  connection: BusConnection;
  close(): Promise<void>;
}

/** Starts the service of pens. */
export async function startPens(servers: TestServers, stop = new GracefulStop()): Promise<PenService> {
  const bus = BusModule.forService({ name: 'tester', url: testerUrl(servers), database: false });
  const root = { module: class Root {}, imports: [bus], controllers: [PenHandlers] };
  const app = await microserviceOf(root, createLogger('tester', 'silent'), BusServer, stop);
  let closed: Promise<void> | undefined;
  return {
    handlers: app.get(PenHandlers),
    connection: app.get(BusConnection),
    close: () => (closed ??= app.close()),
  };
}

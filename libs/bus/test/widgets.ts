import { BusConnection, BusModule, BusServer, Serves } from '@signalbox/bus';
import {
  ApiError,
  type Batch,
  type Caller,
  type CallTo,
  Chunks,
  Default,
  defineContract,
  download,
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
import { TEST_MASTER_KEY, type TestServers, timeScale } from '@signalbox/testing';
import { withBusLogin } from '../src/addresses.js';
import { microserviceOf } from '../src/microservice.js';

class Widget {
  @Id() id!: number;
  @Name() name!: string;
}
class WidgetPath {
  @Id() widget_id!: number;
}
class GetWidget extends WidgetPath {
  @Flag() @Default(false) shout?: boolean;
}
class RenameWidget extends WidgetPath {
  @Name() name!: string;
}
class Sleep {
  @Int(0, 60_000) ms!: number;
  @Flag() fail!: boolean;
}

class SlowFile {
  @Int(1, 100) parts!: number;
  @Int(1, 1_000_000) part_bytes!: number;
  @Int(0, 60_000) every_ms!: number;
}

/** A resource of tests: ids up to 1000 exist, ids of 900 and more are slow to read. */
export const widgets = defineContract(
  { name: 'widgets', service: 'tester', tag: 'Widgets' },
  {
    getWidget: {
      get: '/widgets/{widget_id}',
      summary: 'Get a widget',
      errors: ['refused'],
      input: GetWidget,
      output: Widget,
      delivery: { batchable: 'widget_id', unbatchedWhen: { field: 'shout', value: true, endpoint: 'getLoudWidget' } },
    },
    getLoudWidget: { summary: 'Get a widget in capitals', input: GetWidget, output: Widget },
    renameWidget: { put: '/widgets/{widget_id}', summary: 'Rename a widget', input: RenameWidget, output: Widget },
    exportWidgets: {
      get: '/widgets/export',
      summary: 'Export widgets slowly',
      input: SlowFile,
      output: download('text/plain'),
      delivery: { slow: true, abandonable: true },
    },
    sleep: { post: '/widgets/sleep', summary: 'Reply late', input: Sleep, output: Widget },
  },
);
type C = typeof widgets;

/** How long reading a slow widget takes. */
export const SLOW_MS = 1500 * timeScale();

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Serves widgets from memory and records its calls. */
@Serves(widgets)
export class WidgetHandlers implements Handlers<C> {
  readonly names = new Map<string, string>();
  readonly batches: Batch[] = [];
  readonly callers: Caller[] = [];
  /** Calls of `renameWidget` and `sleep` that have begun. */
  calls = 0;
  /** The signal of the last export. */
  exported: AbortSignal | undefined;
  private readonly waiting: { count: number; resolve: () => void }[] = [];

  /** Resolves when so many calls have begun. */
  async began(count: number): Promise<void> {
    if (this.calls < count) await new Promise<void>((resolve) => this.waiting.push({ count, resolve }));
  }

  private begin(): void {
    this.calls++;
    for (const { count, resolve } of this.waiting) if (this.calls >= count) resolve();
  }

  async getWidget(batch: Batch) {
    this.batches.push(batch);
    const { keys } = batch;
    // The value is read at once, as one statement would; only the reply is late.
    const bodies = keys.map(({ companyId, id }) => {
      const name = this.names.get(`${companyId}/${id}`) ?? `widget ${companyId}/${id}`;
      return id > 1000 ? null : new JsonText<Widget>(JSON.stringify({ id, name }));
    });
    if (keys.some(({ id }) => id >= 900 && id <= 1000)) await pause(SLOW_MS);
    return bodies;
  }

  getLoudWidget({ input, caller }: CallTo<C, 'getLoudWidget'>) {
    return Promise.resolve({ id: input.widget_id, name: `WIDGET ${caller.companyId}/${input.widget_id}` });
  }

  async renameWidget({ input, caller }: CallTo<C, 'renameWidget'>) {
    this.begin();
    await pause(5);
    this.callers.push(caller);
    this.names.set(`${caller.companyId}/${input.widget_id}`, input.name);
    return { id: input.widget_id, name: input.name };
  }

  exportWidgets({ input: { parts, part_bytes, every_ms }, signal }: CallTo<C, 'exportWidgets'>): Promise<Chunks> {
    this.exported = signal;
    const text = 'x'.repeat(part_bytes);
    async function* produced(): AsyncGenerator<string> {
      for (let part = 0; part < parts && !signal?.aborted; part++) {
        await pause(every_ms);
        yield text;
      }
    }
    return Promise.resolve(new Chunks(produced()));
  }

  async sleep({ input }: CallTo<C, 'sleep'>): Promise<Widget> {
    this.begin();
    await pause(input.ms);
    if (input.fail) throw new Error('SELECT secret FROM somewhere');
    throw new ApiError('refused', 'never replied to', {
      details: [{ field: 'ms', message: 'is refused' }],
      retryAfter: 7,
      headers: { 'X-Why': 'because' },
      ...invalidField('ms', 'is refused').extras,
    });
  }
}

/** The servers of a bus. */
type BusServers = { nats: Pick<TestServers['nats'], 'url'> };

/** The URL of the bus for the user of tests, who has every right. */
export function testerUrl(servers: BusServers): string {
  const password = serviceCredentials(TEST_MASTER_KEY, 'tester').natsPassword;
  return withBusLogin(servers.nats.url, { user: 'tester', password });
}

/** A connection of the user of tests. */
export const connectTo = (servers: BusServers): Promise<BusConnection> =>
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
export interface WidgetService {
  handlers: WidgetHandlers;
  connection: BusConnection;
  close(): Promise<void>;
}

/** Starts the service of widgets. */
export async function startWidgets(servers: BusServers, stop = new GracefulStop()): Promise<WidgetService> {
  const bus = BusModule.forService({ name: 'tester', url: testerUrl(servers), database: false });
  const root = { module: class Root {}, imports: [bus], controllers: [WidgetHandlers] };
  const app = await microserviceOf(root, createLogger('tester', 'silent'), BusServer, stop);
  let closed: Promise<void> | undefined;
  return {
    handlers: app.get(WidgetHandlers),
    connection: app.get(BusConnection),
    close: () => (closed ??= app.close()),
  };
}

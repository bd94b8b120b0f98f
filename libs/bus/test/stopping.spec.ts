import { BusClient, type BusConnection } from '@signalbox/bus';
import { ApiError } from '@signalbox/contracts';
import { GracefulStop } from '@signalbox/platform';
import { startLoad, startServers, type TestServers, timeScale } from '@signalbox/testing';
import { callerOf, connectTo, type WidgetService, widgets, startWidgets } from './widgets.js';

const { endpoints } = widgets;
let servers: TestServers;
let connection: BusConnection;
let client: BusClient;
const services: WidgetService[] = [];

const start = async (stop?: GracefulStop): Promise<WidgetService> => {
  const service = await startWidgets(servers, stop);
  services.push(service);
  return service;
};
const sleep = (ms: number): Promise<unknown> =>
  client.call(endpoints.sleep, { ms, fail: false }, callerOf(1, 20_000)).catch((error: unknown) => {
    // This call ends with that error when it is served to its end.
    if (error instanceof ApiError && error.kind === 'refused') return 'served';
    throw error;
  });
const rename = (widget_id: number): Promise<unknown> =>
  client.call(endpoints.renameWidget, { widget_id, name: 'n' }, callerOf(1));

beforeAll(async () => {
  servers = await startServers();
  connection = await connectTo(servers);
  client = new BusClient(connection);
}, 60_000);
afterEach(() => Promise.all(services.splice(0).map((service) => service.close())));
afterAll(async () => {
  await connection.close();
  await servers.stop();
});

describe('a service that stops', () => {
  it('finishes the calls it has while another process of the service gets all further ones', async () => {
    const first = await start();
    const slow = Array.from({ length: 8 }, () => sleep(700));
    await first.handlers.began(8);
    const second = await start();
    const load = startLoad(8, (caller) => rename(caller + 1));
    await second.handlers.began(20);
    await first.close();
    const seen = second.handlers.calls;
    await second.handlers.began(seen + 50);
    expect(await Promise.all(slow)).toEqual(Array(8).fill('served'));
    const { succeeded, failures } = await load.stop();
    expect(failures).toEqual([]);
    expect(succeeded).toBeGreaterThan(70);
  });

  it('cuts off the calls that exceed the grace period', async () => {
    const stop = new GracefulStop(200);
    const service = await start(stop);
    const call = sleep(10_000).catch(() => 'cut off');
    await service.handlers.began(1);
    const started = Date.now();
    await service.close();
    expect(Date.now() - started).toBeGreaterThanOrEqual(190);
    expect(Date.now() - started).toBeLessThan(5000 * timeScale());
    expect(stop.graceOver.aborted).toBe(true);
    void call;
  });

  it('signals the stop to all loops that claim work before the calls in flight have ended', async () => {
    const stop = new GracefulStop(20_000);
    const service = await start(stop);
    const call = sleep(400);
    await service.handlers.began(1);
    const closed = service.close();
    expect(service.connection.stopping.aborted).toBe(true);
    expect(stop.graceOver.aborted).toBe(false);
    expect(await call).toBe('served');
    await closed;
  });
});

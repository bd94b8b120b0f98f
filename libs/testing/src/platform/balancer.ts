import { createServer, get, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { freePort } from '@signalbox/servers';

/** An orchestrator removes a stopping process from its endpoints about as fast. */
const PROBE_MS = 200;

interface Backend {
  label: string;
  port: number;
  healthPort: number;
  isReady: boolean;
}

/** Pools by path prefix; the longest prefix wins. */
export type BalancerRoutes = Record<string, string>;

/**
 * Like an ingress with its services: probes `/readyz` on the health port of each process, sends requests to the ready
 * ones in turn, and routes by path. A request is sent once.
 */
export class Balancer {
  readonly faults: string[] = [];
  private readonly pools = new Map<string, Backend[]>();
  private readonly prefixes: string[];
  private readonly server: Server;
  private readonly probing: NodeJS.Timeout;
  private turn = 0;

  private constructor(private readonly routes: BalancerRoutes) {
    this.prefixes = Object.keys(routes).sort((a, b) => b.length - a.length);
    // Connections end with their client: one that ended here while a call was under way to it would fail that call.
    this.server = createServer({ keepAliveTimeout: 0 }, (incoming, response) => this.forward(incoming, response));
    this.probing = setInterval(() => this.probeAll(), PROBE_MS);
  }

  static async listen(port: number, routes: BalancerRoutes): Promise<Balancer> {
    const balancer = new Balancer(routes);
    await new Promise<void>((resolve, reject) => {
      balancer.server.once('error', reject).listen(port, '127.0.0.1', resolve);
    });
    return balancer;
  }

  /** Returns the settings with which the process listens where the balancer expects it. */
  async add(pool: string, label: string): Promise<{ PORT: string; HEALTH_PORT: string }> {
    const [port, healthPort] = [await freePort(), await freePort()];
    this.pools.set(pool, [...(this.pools.get(pool) ?? []), { label, port, healthPort, isReady: false }]);
    return { PORT: String(port), HEALTH_PORT: String(healthPort) };
  }

  ready(pool: string): string[] {
    return (this.pools.get(pool) ?? []).filter(({ isReady }) => isReady).map(({ label }) => label);
  }

  async close(): Promise<void> {
    clearInterval(this.probing);
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  private probeAll(): void {
    for (const backend of [...this.pools.values()].flat()) {
      get({ port: backend.healthPort, path: '/readyz', agent: false }, (response) => {
        backend.isReady = response.statusCode === 200;
        response.resume();
      }).once('error', () => (backend.isReady = false));
    }
  }

  private forward(incoming: IncomingMessage, response: ServerResponse): void {
    const pool = this.routes[this.prefixes.find((prefix) => incoming.url?.startsWith(prefix)) ?? ''] ?? '';
    const ready = (this.pools.get(pool) ?? []).filter(({ isReady }) => isReady);
    const backend = ready[this.turn++ % ready.length];
    if (!backend) return this.failed(incoming, response, `no process of ${pool} is ready`);
    const { port, label } = backend;
    const fail = (error: Error): void => this.failed(incoming, response, `${label}: ${error.message}`);
    // A new connection per request, like the front of docker/: none is reused while its process stops.
    const outgoing = request(
      { port, agent: false, method: incoming.method, path: incoming.url, headers: incoming.headers },
      (reply) => {
        const { connection: _ofTheHop, ...headers } = reply.headers;
        response.writeHead(reply.statusCode ?? 502, headers);
        reply.once('error', fail).pipe(response);
      },
    );
    response.once('close', () => outgoing.destroy());
    incoming.pipe(outgoing.once('error', fail));
  }

  private failed(incoming: IncomingMessage, response: ServerResponse, cause: string): void {
    // The client has gone, or has its response.
    if (response.destroyed || response.writableEnded) return;
    this.faults.push(`${incoming.method} ${incoming.url}: ${cause}`);
    if (response.headersSent) response.destroy();
    else response.writeHead(502, { 'content-type': 'text/plain' }).end(cause);
  }
}

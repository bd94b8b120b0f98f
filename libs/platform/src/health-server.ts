import { createServer, type Server } from 'node:http';
import { registry, scrape } from './metrics.js';
import { waitsFor } from './waits/retry-until-available.js';

export type OwnHealth = 'starting' | 'ok' | 'draining';

let probedAt = 0;

/** Epoch ms of the last request for readiness; 0 before the first. */
export const lastReadinessProbe = (): number => probedAt;

/**
 * Serves `/healthz`, `/readyz` and `/metrics` from before the process is ready until its end. Ready means listening and
 * not draining: a dependency that is down fails only the calls that need it.
 */
export function healthServer({ host, port }: { host: string; port: number }, health: () => OwnHealth): Server {
  const server = createServer((request, response) => {
    const reply = (status: number, body: string, type = 'application/json'): void => {
      response.writeHead(status, { 'content-type': type });
      response.end(body);
    };
    const path = request.url?.split('?', 1)[0];
    if (path === '/healthz') reply(200, '{"status":"ok"}');
    else if (path === '/readyz') {
      probedAt = Date.now();
      const [status, waits] = [health(), waitsFor()];
      reply(status === 'ok' ? 200 : 503, JSON.stringify({ status, ...(waits.length > 0 ? { waits_for: waits } : {}) }));
    } else if (path === '/metrics')
      scrape().then(
        (text) => reply(200, text, registry.contentType),
        () => reply(500, ''),
      );
    else reply(404, '{"error":{"status":404,"message":"not found"}}');
  });
  return server.listen(port, host);
}

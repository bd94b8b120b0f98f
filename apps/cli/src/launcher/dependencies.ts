import { busAddressOf } from '@signalbox/bus/addresses';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 5000;
/** A refused connection fails at once; a busy server may take seconds. */
const ATTEMPT_MS = 20_000;

/** Authorization, a missing database, missing rights: waiting does not help. */
const MISCONFIGURED = /^(28|3D|42)/;

interface Dependency {
  what: string;
  attempt(): Promise<void>;
}

export const postgresAt = (url: string): Dependency => ({
  what: `Postgres at ${new URL(url).host}`,
  async attempt() {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: ATTEMPT_MS,
      query_timeout: ATTEMPT_MS,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('SELECT 1');
    } finally {
      await client.end().catch(() => undefined);
    }
  },
});

/** Logins are verified by the services that use them. */
export const natsAt = (url: string): Dependency => {
  const { servers } = busAddressOf(url);
  return {
    what: `NATS at ${servers.join(', ')}`,
    attempt: () =>
      Promise.any(servers.map(greetingOf)).catch((error: AggregateError) => {
        throw error.errors[0];
      }),
  };
};

/** A NATS server sends the first message. */
function greetingOf(server: string): Promise<void> {
  const { hostname, port } = new URL(`nats://${server}`);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port || 4222), timeout: ATTEMPT_MS });
    socket.once('data', () => resolve(socket.destroy() as unknown as void));
    socket.once('timeout', () => socket.destroy(new Error('it did not reply in time')));
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('it closed the connection')));
  });
}

/** Waits at growing intervals; reports every failure that differs from the last one. */
export async function untilAvailable(
  { what, attempt }: Dependency,
  report: (text: string) => void,
  cut: AbortSignal,
): Promise<void> {
  let reported = '';
  for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(delayMs * 2, LONGEST_DELAY_MS)) {
    cut.throwIfAborted();
    try {
      await attempt();
      if (reported !== '') report(`${what} is available`);
      return;
    } catch (error) {
      if (MISCONFIGURED.test((error as { code?: string }).code ?? '')) throw error;
      const cause = error instanceof Error ? error.message || (error as { code?: string }).code : String(error);
      const text = `${what} is not available yet (${cause}), retrying`;
      if (text !== reported) report(text);
      reported = text;
      await delay(delayMs, undefined, { signal: cut });
    }
  }
}

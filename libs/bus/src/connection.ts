import { connect, type NatsConnection, type NodeConnectionOptions } from '@nats-io/transport-node';
import { ApiError } from '@signalbox/contracts';
import { keepTrying, type Logger } from '@signalbox/platform';

/** The reaction of a process to a bus that is away when it connects: a service waits for it, a command fails. */
export type WhenAway = 'wait' | 'fail';

/** A refused connection fails at once; a busy server may take seconds to reply. */
const CONNECT_MS = 20_000;

const WHEN_AWAY = {
  wait: { maxReconnectAttempts: -1, timeout: CONNECT_MS, ignoreAuthErrorAbort: true },
  fail: { maxReconnectAttempts: 0, timeout: CONNECT_MS, ignoreAuthErrorAbort: false },
} as const;

/** The largest body of the API is 10 MiB, plus its envelope. */
export const MIN_PAYLOAD_BYTES = 11 * 1024 * 1024;

/** Options of a connection apart from its address. */
export interface ConnectionOptions {
  whenAway?: WhenAway;
  /** Aborts when the process stops: claims and consumers end. */
  stopping?: AbortSignal;
}

/** A connection of a process to the bus; it reconnects without a limit and reports whether it is up. */
export class BusConnection {
  private up = true;
  /** Why this server cannot carry the platform's messages, null when it can. */
  private incompatibility: string | null = null;
  private readonly reconnected: (() => void)[] = [];

  private constructor(
    readonly nats: NatsConnection,
    readonly name: string,
    readonly logger: Logger,
    /** Aborts when the process stops, before its calls in flight have ended: no job is claimed after that. */
    readonly stopping: AbortSignal,
  ) {
    void this.followStatus();
  }

  /** Connects as the user of the URL; unless it has to fail at once, it waits for the server and logs the reason. */
  static async open(
    url: string,
    name: string,
    logger: Logger,
    { whenAway = 'wait', stopping = new AbortController().signal }: ConnectionOptions = {},
  ): Promise<BusConnection> {
    const attempt = (): Promise<NatsConnection> => connect(optionsOf(url, name, whenAway));
    const nats =
      whenAway === 'fail' ? await attempt() : await keepTrying(attempt, { logger, what: 'the bus', stopping });
    const connection = new BusConnection(nats, name, logger, stopping);
    if (connection.incompatibility === null) return connection;
    await nats.close();
    throw new Error(`the message bus is misconfigured: ${connection.incompatibility}`);
  }

  /** A further connection of the same process, which shares no socket with this one. */
  openAnother(url: string): Promise<BusConnection> {
    return BusConnection.open(url, this.name, this.logger, { stopping: this.stopping });
  }

  /** Throws 503 while the bus is away: sending would only queue up in memory. */
  requireUp(): void {
    if (!this.up) throw new ApiError('unavailable', 'the message bus is down', { retryAfter: 1 });
    if (this.incompatibility) throw new ApiError('unavailable', 'the message bus is misconfigured', { retryAfter: 30 });
  }

  /** A server with a smaller payload limit than the largest call is refused: such calls would get no reply at all. */
  private checkPayload(): void {
    const carried = this.nats.info?.max_payload ?? MIN_PAYLOAD_BYTES;
    this.incompatibility =
      carried < MIN_PAYLOAD_BYTES ? `max_payload is ${carried}, at least ${MIN_PAYLOAD_BYTES} is needed` : null;
    if (this.incompatibility)
      this.logger.error({ server: this.nats.getServer() }, `the message bus is misconfigured: ${this.incompatibility}`);
  }

  get isUp(): boolean {
    return this.up && this.incompatibility === null;
  }

  /** Calls back after every reconnect; the bus may have lost its store in the meantime. */
  onReconnect(then: () => void): void {
    this.reconnected.push(then);
  }

  private async followStatus(): Promise<void> {
    this.checkPayload();
    for await (const status of this.nats.status()) {
      if (status.type === 'disconnect' || status.type === 'staleConnection') {
        this.up = false;
        this.logger.warn('the bus is away');
      } else if (status.type === 'reconnect') {
        this.up = true;
        this.checkPayload();
        this.logger.info('the bus is available again');
        for (const then of this.reconnected) then();
      } else if (status.type === 'error') {
        this.logger.error({ error: status.error }, 'bus error');
      }
    }
  }

  /** Publishes on core NATS: only current subscribers receive it. */
  announce(subject: string, payload: string, reply?: string): void {
    if (this.up && !this.nats.isClosed()) this.nats.publish(subject, payload, reply === undefined ? {} : { reply });
  }

  /** Calls back with every payload published on a subject; returns the function that unsubscribes. */
  listen(subject: string, onPayload: (payload: Uint8Array, subject: string) => void): () => void {
    const subscription = this.nats.subscribe(subject, {
      callback: (error, message) => {
        if (error) this.logger.error({ error, subject }, 'subscription failed');
        else onPayload(message.data, message.subject);
      },
    });
    return () => subscription.unsubscribe();
  }

  async close(): Promise<void> {
    if (!this.nats.isClosed()) await this.nats.close();
  }
}

function optionsOf(url: string, name: string, whenAway: WhenAway): NodeConnectionOptions {
  const { username, password, host, protocol } = new URL(url);
  return {
    servers: host,
    ...(username ? { user: decodeURIComponent(username), pass: decodeURIComponent(password) } : {}),
    ...(protocol === 'tls:' ? { tls: {} } : {}),
    name,
    inboxPrefix: `_INBOX.${name}`,
    ...WHEN_AWAY[whenAway],
    reconnectTimeWait: 250,
    reconnectJitter: 100,
    pingInterval: 10_000,
    // A stack for each publish, taken in case that it fails, costs more than the publish itself.
    noAsyncTraces: true,
  };
}

import { connect, type NatsConnection, type NodeConnectionOptions } from '@nats-io/transport-node';
import { ApiError } from '@signalbox/contracts';
import { keepTrying, type Logger } from '@signalbox/platform';

/** What a process does about a bus that is away when it connects: a service waits for it, a command fails. */
export type Patience = 'wait' | 'fail';

const PATIENCE = {
  wait: { maxReconnectAttempts: -1, timeout: 5000, ignoreAuthErrorAbort: true },
  fail: { maxReconnectAttempts: 0, timeout: 5000, ignoreAuthErrorAbort: false },
} as const;

/** The largest body of the API is 10 MiB; its envelope travels with it. */
const MIN_PAYLOAD_BYTES = 11 * 1024 * 1024;

/** What a connection is opened with, next to where. */
export interface ConnectionOptions {
  patience?: Patience;
  /** Aborts when the process stops: no claims and no consuming from then on. */
  stopping?: AbortSignal;
}

/** A connection of a process to the bus; it reconnects for ever and says whether it is up. */
export class BusConnection {
  private up = true;
  /** Why this server cannot serve the platform, null when it can. */
  private misfit: string | null = null;
  private readonly reconnected: (() => void)[] = [];

  private constructor(
    readonly nats: NatsConnection,
    readonly name: string,
    readonly logger: Logger,
    /** Aborts when the process stops, before its calls in flight have ended: nothing new is claimed then. */
    readonly stopping: AbortSignal,
  ) {
    void this.follow();
  }

  /** Connects under the user of the URL; unless it shall fail at once, it waits for the server and logs why. */
  static async open(
    url: string,
    name: string,
    logger: Logger,
    { patience = 'wait', stopping = new AbortController().signal }: ConnectionOptions = {},
  ): Promise<BusConnection> {
    const attempt = (): Promise<NatsConnection> => connect(optionsOf(url, name, patience));
    const nats =
      patience === 'fail' ? await attempt() : await keepTrying(attempt, { logger, what: 'the bus', stopping });
    const connection = new BusConnection(nats, name, logger, stopping);
    if (connection.misfit === null) return connection;
    await nats.close();
    throw new Error(`the message bus is set up wrongly: ${connection.misfit}`);
  }

  /** A further connection of the same process, which shares nothing with this one. */
  another(url: string): Promise<BusConnection> {
    return BusConnection.open(url, this.name, this.logger, { stopping: this.stopping });
  }

  /** Throws 503 while the bus is away: sending would only queue up in memory. */
  requireUp(): void {
    if (!this.up) throw new ApiError('unavailable', 'the message bus is down', { retryAfter: 1 });
    if (this.misfit) throw new ApiError('unavailable', 'the message bus is set up wrongly', { retryAfter: 30 });
  }

  /** A server that carries less than the largest call is refused: such calls would get no reply at all. */
  private checkPayload(): void {
    const carried = this.nats.info?.max_payload ?? MIN_PAYLOAD_BYTES;
    this.misfit =
      carried < MIN_PAYLOAD_BYTES ? `max_payload is ${carried}, at least ${MIN_PAYLOAD_BYTES} is needed` : null;
    if (this.misfit)
      this.logger.error({ server: this.nats.getServer() }, `the message bus is set up wrongly: ${this.misfit}`);
  }

  get isUp(): boolean {
    return this.up && this.misfit === null;
  }

  /** Calls back after every reconnect; the bus may have lost its store meanwhile. */
  onReconnect(then: () => void): void {
    this.reconnected.push(then);
  }

  private async follow(): Promise<void> {
    this.checkPayload();
    for await (const status of this.nats.status()) {
      if (status.type === 'disconnect' || status.type === 'staleConnection') {
        this.up = false;
        this.logger.warn('the bus is away');
      } else if (status.type === 'reconnect') {
        this.up = true;
        this.checkPayload();
        this.logger.info('the bus is back');
        for (const then of this.reconnected) then();
      } else if (status.type === 'error') {
        this.logger.error({ error: status.error }, 'bus error');
      }
    }
  }

  /** Publishes on core NATS; whoever listens now hears it, nobody else ever will. */
  announce(subject: string, payload: string): void {
    if (this.up && !this.nats.isClosed()) this.nats.publish(subject, payload);
  }

  /** Calls back with every payload announced on a subject; answers how to stop. */
  listen(subject: string, heard: (payload: Uint8Array, subject: string) => void): () => void {
    const subscription = this.nats.subscribe(subject, {
      callback: (error, message) => {
        if (error) this.logger.error({ error, subject }, 'subscription failed');
        else heard(message.data, message.subject);
      },
    });
    return () => subscription.unsubscribe();
  }

  async close(): Promise<void> {
    if (!this.nats.isClosed()) await this.nats.close();
  }
}

function optionsOf(url: string, name: string, patience: Patience): NodeConnectionOptions {
  const { username, password, host, protocol } = new URL(url);
  return {
    servers: host,
    ...(username ? { user: decodeURIComponent(username), pass: decodeURIComponent(password) } : {}),
    ...(protocol === 'tls:' ? { tls: {} } : {}),
    name,
    inboxPrefix: `_INBOX.${name}`,
    ...PATIENCE[patience],
    reconnectTimeWait: 250,
    reconnectJitter: 100,
    pingInterval: 10_000,
  };
}

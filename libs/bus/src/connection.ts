import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { connect, type NatsConnection, type NodeConnectionOptions } from '@nats-io/transport-node';
import { ApiError } from '@signalbox/contracts';
import { retryUntilAvailable, type Logger, readSettings, slowdown } from '@signalbox/platform';
import { busAddressOf } from './addresses.js';

/** When the bus is down at connect: a service waits for it, a command fails. */
export type WhenAway = 'wait' | 'fail';

/** A refused connection fails at once; a busy server may take seconds. */
const CONNECT_MS = 20_000;
/** Shorter where another server is tried next: a host that is gone does not refuse. */
const CONNECT_NEXT_MS = 5000;

const RECONNECT_POLICY = {
  wait: { maxReconnectAttempts: -1, ignoreAuthErrorAbort: true },
  fail: { maxReconnectAttempts: 0, ignoreAuthErrorAbort: false },
} as const;

/** The largest body of the API is 10 MiB, plus its envelope. */
export const MIN_PAYLOAD_BYTES = 11 * 1024 * 1024;

/** How long calls wait for a reconnect; after it they fail at once. */
const RECONNECT_MS = 5000;
/** How long calls in flight may take before the connection moves to another server. */
const MOVE_MS = 1000;
/** On a slow machine; five seconds after its announcement the server closes connections. */
const LONGEST_MOVE_MS = 4000;

export interface ConnectionOptions {
  whenAway?: WhenAway;
  stopping?: AbortSignal;
}

export class BusConnection {
  private up = true;
  private lostAt = 0;
  private reconnectedAt = -Infinity;
  /** The server is about to stop: calls wait until the connection has moved. */
  private isMoving = false;
  private loss = newLoss();
  private readonly waiting = new Set<() => void>();
  private readonly preparations: (() => Promise<unknown>)[] = [];
  private incompatibility: string | null = null;
  private readonly reconnected: (() => void)[] = [];

  private constructor(
    readonly nats: NatsConnection,
    readonly name: string,
    readonly logger: Logger,
    /** Aborts when the process stops, before its calls in flight have ended: no job is claimed after that. */
    readonly stopping: AbortSignal,
    private readonly servers: number,
  ) {
    slowdown.start();
    void this.followStatus();
  }

  /** Unless it has to fail at once, it waits for the server and logs why. */
  static async open(
    url: string,
    name: string,
    logger: Logger,
    { whenAway = 'wait', stopping = new AbortController().signal }: ConnectionOptions = {},
  ): Promise<BusConnection> {
    const attempt = (): Promise<NatsConnection> => connect(optionsOf(url, name, whenAway));
    const nats =
      whenAway === 'fail' ? await attempt() : await retryUntilAvailable(attempt, { logger, what: 'the bus', stopping });
    const connection = new BusConnection(nats, name, logger, stopping, busAddressOf(url).servers.length);
    if (connection.incompatibility === null) return connection;
    await nats.close();
    throw new Error(`the message bus is misconfigured: ${connection.incompatibility}`);
  }

  /** Shares no socket with this one. */
  openAnother(url: string): Promise<BusConnection> {
    return BusConnection.open(url, this.name, this.logger, { stopping: this.stopping });
  }

  /** Aborts when the connection is lost, and with it messages under way to this process. */
  get lost(): AbortSignal {
    return this.loss.signal;
  }

  get isAway(): boolean {
    if (this.incompatibility !== null) return true;
    return !this.up && Date.now() - this.lostAt >= slowdown.allow(RECONNECT_MS);
  }

  /** Whether an absent process may be reconnecting: one of several servers has ended, or the only one has restarted. */
  get mayPeersReconnect(): boolean {
    return this.isClustered || Date.now() - this.reconnectedAt < slowdown.allow(RECONNECT_MS);
  }

  private get isClustered(): boolean {
    return this.servers > 1 || (this.nats.info?.connect_urls?.length ?? 0) > 1;
  }

  /**
   * Undefined when a call can be sent, else a promise of that. Rejects with 503 when the bus is down: sending would
   * only queue in memory.
   */
  ready(deadline: number): Promise<void> | undefined {
    if (this.up && !this.isMoving && this.incompatibility === null) return undefined;
    return this.untilReady(deadline);
  }

  private async untilReady(deadline: number): Promise<void> {
    while (!this.isAway && Date.now() < deadline && (!this.up || this.isMoving)) await this.change(deadline);
    if (this.incompatibility) throw new ApiError('unavailable', 'the message bus is misconfigured', { retryAfter: 30 });
    if (!this.up) throw new ApiError('unavailable', 'the message bus is down', { retryAfter: 1 });
  }

  private change(deadline: number): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.waiting.delete(end);
        resolve();
      };
      const away = (this.up ? Date.now() : this.lostAt) + slowdown.allow(RECONNECT_MS);
      const timer = setTimeout(end, Math.max(1, Math.min(deadline, away) - Date.now()));
      this.waiting.add(end);
    });
  }

  /** Runs before the connection moves to another server, which waits for it for a second at most. */
  beforeMove(prepare: () => Promise<unknown>): void {
    this.preparations.push(prepare);
  }

  private async move(): Promise<void> {
    if (!this.isClustered || this.isMoving || !this.up) return;
    this.isMoving = true;
    this.logger.info(
      { server: this.nats.getServer() },
      'the server of the bus is going to stop: moving to another one',
    );
    const limit = new AbortController();
    const prepared = Promise.all(this.preparations.map((prepare) => prepare()));
    await Promise.race([
      prepared,
      delay(Math.min(slowdown.allow(MOVE_MS), LONGEST_MOVE_MS), undefined, { signal: limit.signal }),
    ]).catch(() => undefined);
    limit.abort();
    await this.nats.flush().catch(() => undefined);
    await this.nats.reconnect().catch(() => undefined);
  }

  /** Larger calls would get no reply at all. */
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

  /** After every reconnect; the server may have lost its store. */
  onReconnect(then: () => void): void {
    this.reconnected.push(then);
  }

  private async followStatus(): Promise<void> {
    this.checkPayload();
    for await (const status of this.nats.status()) {
      if (status.type === 'disconnect' || status.type === 'staleConnection') this.disconnected();
      else if (status.type === 'reconnect') this.connectedAgain();
      else if (status.type === 'ldm') void this.move();
      else if (status.type === 'error') this.logger.error({ error: status.error }, 'bus error');
    }
  }

  private disconnected(): void {
    if (!this.up) return;
    this.up = false;
    this.lostAt = Date.now();
    this.logger.warn('the bus is away');
    const { loss } = this;
    this.loss = newLoss();
    loss.abort();
  }

  private connectedAgain(): void {
    this.up = true;
    this.isMoving = false;
    this.reconnectedAt = Date.now();
    this.checkPayload();
    this.logger.info({ server: this.nats.getServer() }, 'the bus is available again');
    for (const then of this.reconnected) then();
    for (const end of [...this.waiting]) end();
  }

  /** Core NATS: only current subscribers receive it. */
  announce(subject: string, payload: string, reply?: string): void {
    if (this.up && !this.nats.isClosed()) this.nats.publish(subject, payload, reply === undefined ? {} : { reply });
  }

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

/** Every call with a chunked reply adds a listener. */
function newLoss(): AbortController {
  const loss = new AbortController();
  setMaxListeners(0, loss.signal);
  return loss;
}

function optionsOf(url: string, name: string, whenAway: WhenAway): NodeConnectionOptions {
  const { servers, user, password, isTls } = busAddressOf(url);
  const { NATS_CA_FILE, NATS_CERT_FILE, NATS_KEY_FILE } = readSettings([
    'NATS_CA_FILE',
    'NATS_CERT_FILE',
    'NATS_KEY_FILE',
  ]);
  // Read at each connect, so renewed files apply at the next reconnect.
  const files = {
    ...(NATS_CA_FILE === null ? {} : { caFile: NATS_CA_FILE }),
    ...(NATS_CERT_FILE === null ? {} : { certFile: NATS_CERT_FILE }),
    ...(NATS_KEY_FILE === null ? {} : { keyFile: NATS_KEY_FILE }),
  };
  return {
    servers,
    ...(user === '' ? {} : { user, pass: password }),
    // With a file TLS is required, whatever the scheme.
    ...(isTls || Object.keys(files).length > 0 ? { tls: files } : {}),
    name,
    inboxPrefix: `_INBOX.${name}`,
    ...RECONNECT_POLICY[whenAway],
    timeout: servers.length > 1 ? CONNECT_NEXT_MS : CONNECT_MS,
    reconnectTimeWait: 250,
    reconnectJitter: 100,
    pingInterval: 10_000,
    // A stack trace per publish, in case that it fails, costs more than the publish.
    noAsyncTraces: true,
  };
}

import {
  DiscardPolicy,
  jetstream,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamClient,
  jetstreamManager,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream';
import type { OutboxStream } from '@signalbox/platform';
import type { BusConnection } from '../connection.js';
import { addFitting, updateFitting } from './stream-fit.js';

export const STREAM = 'EVENTS' satisfies OutboxStream;
export const AUDIT_STREAM = 'AUDIT' satisfies OutboxStream;

const HOUR_NS = 3_600_000_000_000;
/** For so long a stream knows the ids of messages, and drops those that are published again. */
export const DUPLICATES_MS = 120_000;

export interface StreamLimits {
  eventsBytes: number;
  eventsHours: number;
  auditBytes: number;
  replicas: number;
}

export const STREAM_LIMITS: StreamLimits = {
  eventsBytes: 1_073_741_824,
  eventsHours: 168,
  auditBytes: 1_073_741_824,
  replicas: 1,
};

type Config = Pick<
  StreamConfig,
  'name' | 'subjects' | 'retention' | 'discard' | 'max_bytes' | 'max_age' | 'num_replicas'
>;

/**
 * Events are stored for a limited time, oldest discarded first. An audit entry stays until it is in the audit log; a
 * full stream refuses new ones, which wait in the outboxes. The launcher of a bus probes each stream under a subject
 * that no consumer selects.
 */
export function streamConfig(stream: OutboxStream, limits: StreamLimits): Config {
  return stream === STREAM
    ? {
        name: STREAM,
        subjects: ['events.>', 'probe.events'],
        retention: RetentionPolicy.Limits,
        discard: DiscardPolicy.Old,
        max_age: limits.eventsHours * HOUR_NS,
        max_bytes: limits.eventsBytes,
        num_replicas: limits.replicas,
      }
    : {
        name: AUDIT_STREAM,
        subjects: ['audit.>', 'probe.audit'],
        retention: RetentionPolicy.Workqueue,
        discard: DiscardPolicy.New,
        max_age: 0,
        max_bytes: limits.auditBytes,
        num_replicas: limits.replicas,
      };
}

export const streamOf = (subject: string): OutboxStream => (subject.startsWith('audit.') ? AUDIT_STREAM : STREAM);

/** Fields that can change in place; retention and storage cannot. */
const CHANGEABLE = ['subjects', 'max_age', 'max_bytes', 'num_replicas'] as const;

const MISSING: readonly number[] = [JetStreamApiCodes.StreamNotFound, JetStreamApiCodes.ConsumerNotFound];

export const isMissing = (error: unknown): boolean =>
  error instanceof JetStreamApiError && MISSING.includes(error.code);

// The client does not export the class of this error.
const reasonOf = (error: unknown, stream: OutboxStream): string =>
  error instanceof Error && error.name === 'JetStreamNotEnabled'
    ? 'the message bus is misconfigured: JetStream is not enabled'
    : `the stream ${stream} cannot be used`;

/** NATS may lose its store at any time, so streams are ensured repeatedly. */
export class EventStream {
  readonly js: JetStreamClient;
  private manager: JetStreamManager | undefined;
  /** Neither found nor created last time while the bus was up, with the logged reason. */
  private readonly missing = new Map<OutboxStream, string>();

  constructor(
    readonly connection: BusConnection,
    readonly limits: StreamLimits = STREAM_LIMITS,
  ) {
    this.js = jetstream(connection.nats);
  }

  async jsm(): Promise<JetStreamManager> {
    return (this.manager ??= await jetstreamManager(this.connection.nats, { checkAPI: false }));
  }

  get isUsable(): boolean {
    return !this.connection.isAway && this.missing.size === 0;
  }

  /**
   * Returns the creation time, which changes when NATS has lost its store. Each reason of a failure is logged once, and
   * the success after it.
   */
  async ensure(stream: OutboxStream = STREAM): Promise<string> {
    const { logger } = this.connection;
    try {
      const created = await this.findOrCreate(stream);
      if (this.missing.delete(stream)) logger.info({ stream }, `the stream ${stream} is available again`);
      return created;
    } catch (error) {
      if (this.connection.isUp) this.noteMissing(stream, error);
      throw error;
    }
  }

  private noteMissing(stream: OutboxStream, error: unknown): void {
    const reason = reasonOf(error, stream);
    if (this.missing.get(stream) !== reason)
      this.connection.logger.error({ error, stream }, `${reason}; messages wait in the outbox`);
    this.missing.set(stream, reason);
  }

  private async findOrCreate(stream: OutboxStream): Promise<string> {
    const { streams } = await this.jsm();
    const found = await this.find(stream);
    if (found) return found.created;
    const config = {
      ...streamConfig(stream, this.limits),
      storage: StorageType.File,
      duplicate_window: DUPLICATES_MS * 1_000_000,
    };
    await addFitting(streams, config, this.connection.logger);
    return (await streams.info(stream)).created;
  }

  /**
   * Updates existing streams in place. Older releases stored audit entries in the event stream: those stay until their
   * consumer has read them.
   */
  async update(): Promise<void> {
    const { streams } = await this.jsm();
    for (const stream of [STREAM, AUDIT_STREAM] as const) {
      const found = await this.find(stream);
      const wanted = streamConfig(stream, this.limits);
      const differs = found && CHANGEABLE.some((field) => String(found.config[field]) !== String(wanted[field]));
      if (differs) await updateFitting(streams, { name: stream, ...picked(wanted) }, this.connection.logger);
    }
  }

  async firstOf(stream: OutboxStream): Promise<number> {
    const { streams } = await this.jsm();
    return (await streams.info(stream)).state.first_seq;
  }

  /** When the first message that the stream still has was stored, epoch ms; null when it has none. */
  async storesSince(stream: OutboxStream): Promise<number | null> {
    const { streams } = await this.jsm();
    const { messages, first_ts } = (await streams.info(stream)).state;
    return messages === 0 ? null : Date.parse(first_ts);
  }

  private async find(stream: OutboxStream) {
    const { streams } = await this.jsm();
    try {
      return await streams.info(stream);
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }
}

const picked = (config: Config): Pick<Config, (typeof CHANGEABLE)[number]> => ({
  subjects: config.subjects,
  max_age: config.max_age,
  max_bytes: config.max_bytes,
  num_replicas: config.num_replicas,
});

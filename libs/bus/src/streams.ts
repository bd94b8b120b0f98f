import {
  DiscardPolicy,
  jetstream,
  type JetStreamClient,
  jetstreamManager,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream';
import type { BusConnection } from './connection.js';

/** The one stream: lifecycle events and audit entries of every company. */
export const STREAM = 'EVENTS';
const SUBJECTS = ['events.>', 'audit.>'];
const DAY_NS = 86_400_000_000_000;

/** The part of the bus that keeps messages; it may forget everything, so it is ensured again and again. */
export class EventStream {
  readonly js: JetStreamClient;
  private manager: JetStreamManager | undefined;

  constructor(readonly connection: BusConnection) {
    this.js = jetstream(connection.nats);
  }

  async jsm(): Promise<JetStreamManager> {
    return (this.manager ??= await jetstreamManager(this.connection.nats, { checkAPI: false }));
  }

  /** Creates the stream when it is missing; answers its birth, which changes when the bus has lost its store. */
  async ensure(): Promise<string> {
    const { streams } = await this.jsm();
    try {
      return (await streams.info(STREAM)).created;
    } catch {
      await streams.add({
        name: STREAM,
        subjects: SUBJECTS,
        storage: StorageType.File,
        retention: RetentionPolicy.Limits,
        discard: DiscardPolicy.Old,
        max_age: 7 * DAY_NS,
        max_bytes: 1_073_741_824,
        duplicate_window: 120_000_000_000,
      });
      return (await streams.info(STREAM)).created;
    }
  }
}

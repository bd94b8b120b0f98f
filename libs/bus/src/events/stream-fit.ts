import { JetStreamApiError, type JetStreamManager, type StreamConfig } from '@nats-io/jetstream';
import type { Logger } from '@signalbox/platform';

type Streams = JetStreamManager['streams'];
type Log = Pick<Logger, 'warn'>;
type Sized = Partial<StreamConfig> & Pick<StreamConfig, 'name' | 'max_bytes'>;

/** JetStream error: limits exceed the free storage of the server. */
const INSUFFICIENT_STORAGE = 10047;
/** Smaller streams are of no use; creation fails with the reason. */
const SMALLEST_BYTES = 8 * 1024 * 1024;

/** JetStream errors: no cluster, and too few servers. */
const TOO_FEW_SERVERS: readonly number[] = [10074, 10005];

const lacksServers = (error: unknown): boolean =>
  error instanceof JetStreamApiError && TOO_FEW_SERVERS.includes(error.code);

const isInsufficient = (error: unknown): boolean =>
  error instanceof JetStreamApiError && error.code === INSUFFICIENT_STORAGE;

const mebibytes = (bytes: number): string => `${Math.floor(bytes / 1_048_576)} MiB`;

/** On a small disk the limit becomes half of the largest that is accepted, because further streams need space too. */
export async function addFitting(streams: Streams, config: Sized, log: Log): Promise<void> {
  for (let bytes = config.max_bytes; ; bytes = Math.floor(bytes / 2)) {
    try {
      await streams.add({ ...config, max_bytes: bytes });
      if (bytes === config.max_bytes) return;
      const kept = Math.max(SMALLEST_BYTES, Math.floor(bytes / 2));
      await streams.update(config.name, { max_bytes: kept });
      return log.warn(
        { stream: config.name, wanted_bytes: config.max_bytes, max_bytes: kept },
        `the stream ${config.name} keeps at most ${mebibytes(kept)} instead of ${mebibytes(config.max_bytes)}: the disk of the bus is too small`,
      );
    } catch (error) {
      if (!isInsufficient(error)) throw error;
      if (bytes / 2 >= SMALLEST_BYTES) continue;
      throw new Error(`the disk of the bus has no space for the stream ${config.name}`, { cause: error });
    }
  }
}

/** Drops a larger limit for which space is missing, and replicas for which servers are missing. */
export async function updateFitting(streams: Streams, { name, ...change }: Sized, log: Log): Promise<void> {
  try {
    await streams.update(name, change);
  } catch (error) {
    if (change.num_replicas !== undefined && lacksServers(error)) {
      const { num_replicas, ...rest } = change;
      const reason = { stream: name, replicas: num_replicas, error };
      log.warn(reason, `the stream ${name} does not get ${num_replicas} replicas: the bus has too few servers`);
      return updateFitting(streams, { name, ...rest }, log);
    }
    if (!isInsufficient(error)) throw error;
    const { config } = await streams.info(name);
    await streams.update(name, { ...change, max_bytes: config.max_bytes });
    log.warn({ stream: name, max_bytes: config.max_bytes }, `the stream ${name} stays small: the disk has no space`);
  }
}

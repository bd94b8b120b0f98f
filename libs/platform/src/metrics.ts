import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { withTimeout } from './waits/with-timeout.js';

export const registry = new Registry();
// The event loop monitor wakes the process at this interval, which its figures include. The default of 10 ms caused a
// third of the load of an idle platform.
collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 });

/** Seconds. */
export const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120];

export const rpcDuration = new Histogram({
  name: 'signalbox_rpc_seconds',
  help: 'Duration of bus calls in seconds, measured by the service that serves them',
  labelNames: ['endpoint', 'status'] as const,
  buckets: DURATION_BUCKETS,
  registers: [registry],
});

export const outboxPending = new Gauge({
  name: 'signalbox_outbox_pending',
  help: 'Unsent outbox rows, counted every few seconds',
  registers: [registry],
});

export const outboxOldest = new Gauge({
  name: 'signalbox_outbox_oldest_seconds',
  help: 'Age of the oldest unsent outbox row in seconds, 0 when there is none',
  registers: [registry],
});

export const outboxRefused = new Counter({
  name: 'signalbox_outbox_refused_total',
  help: 'Outbox rows that the bus refused for good and that became dead letters',
  registers: [registry],
});

export const workOutcomes = new Counter({
  name: 'signalbox_work_total',
  help: 'Pieces of long work by kind and outcome',
  labelNames: ['kind', 'outcome'] as const,
  registers: [registry],
});

export const unknownWork = new Gauge({
  name: 'signalbox_work_unknown_kind',
  help: 'Kinds of waiting long work that this process does not know, 1 for each',
  labelNames: ['kind'] as const,
  registers: [registry],
});

export const staleWrites = new Counter({
  name: 'signalbox_stale_writes_total',
  help: 'Writes refused because another worker holds the job',
  labelNames: ['kind'] as const,
  registers: [registry],
});

export const runsEnded = new Counter({
  name: 'signalbox_runs_total',
  help: 'Runs by kind, terminal state and failure class',
  labelNames: ['kind', 'status', 'failure_class'] as const,
  registers: [registry],
});

export const consumed = new Counter({
  name: 'signalbox_consumed_total',
  help: 'Events consumed from the streams by consumer and outcome; skipped ones are counted by message',
  labelNames: ['consumer', 'outcome'] as const,
  registers: [registry],
});

export const consumerPending = new Gauge({
  name: 'signalbox_consumer_pending_messages',
  help: 'Messages of the stream that the consumer has not acknowledged, fetched or not',
  labelNames: ['consumer'] as const,
  registers: [registry],
});

export const logLinesDropped = new Counter({
  name: 'signalbox_log_lines_dropped_total',
  help: 'Log lines dropped because the log could not be written',
  registers: [registry],
});

export const jobsWaiting = new Gauge({
  name: 'signalbox_jobs_waiting',
  help: 'Jobs that are due and that no worker has, by kind, counted up to 10000; the same in each process of a service',
  labelNames: ['kind'] as const,
  registers: [registry],
});

export const jobsOldest = new Gauge({
  name: 'signalbox_jobs_oldest_seconds',
  help: 'For how long the oldest of the counted jobs is due or an open job has failed at each attempt, in seconds, 0 without',
  labelNames: ['kind'] as const,
  registers: [registry],
});

export const jobsRunning = new Gauge({
  name: 'signalbox_jobs_running',
  help: 'Jobs that workers have, by kind; the same in each process of a service',
  labelNames: ['kind'] as const,
  registers: [registry],
});

export const consumerDiscarded = new Counter({
  name: 'signalbox_consumer_discarded_total',
  help: 'Messages that the stream has discarded while the consumer had unread ones, those that it does not select included',
  labelNames: ['consumer'] as const,
  registers: [registry],
});

export const deadLetters = new Gauge({
  name: 'signalbox_dead_letters',
  help: 'Messages that a consumer could not apply and that wait for an operator, counted up to 10000',
  labelNames: ['consumer'] as const,
  registers: [registry],
});

export const poolConnections = new Gauge({
  name: 'signalbox_pool_connections',
  help: 'Connections to Postgres by pool and state (idle, busy), and callers that wait for one (waiting)',
  labelNames: ['pool', 'state'] as const,
  registers: [registry],
});

export const poolSize = new Gauge({
  name: 'signalbox_pool_size',
  help: 'The most connections to Postgres that a pool opens',
  labelNames: ['pool'] as const,
  registers: [registry],
});

export const buildInfo = new Gauge({
  name: 'signalbox_build_info',
  help: 'The service, its release and its version of Node, with the value 1',
  labelNames: ['service', 'release', 'node'] as const,
  registers: [registry],
});

export const processReady = new Gauge({
  name: 'signalbox_ready',
  help: 'Whether this process of the service is ready, 1 or 0: it waits at its start, and drains at its end',
  labelNames: ['service'] as const,
  registers: [registry],
});

export const schemaInfo = new Gauge({
  name: 'signalbox_schema_info',
  help: 'The schema and the last migration that this code needs, with the value 1',
  labelNames: ['schema', 'migration'] as const,
  registers: [registry],
});

/** Prometheus gives up after ten seconds by default, and then has no metric of this process. */
const COLLECT_MS = 5000;

type Collect = () => Promise<void>;

/** With its measurement while that lasts. */
const collectors = new Map<Collect, Promise<void> | null>();

/** Called when the metrics are read; returns what unregisters it. */
export function onScrape(collect: Collect): () => void {
  collectors.set(collect, null);
  return () => collectors.delete(collect);
}

/** One at a time: a server that does not reply would gather them. */
function measured(collect: Collect): Promise<void> {
  const ended = (): void => void (collectors.has(collect) && collectors.set(collect, null));
  const measurement = collectors.get(collect) ?? collect().then(ended, ended);
  collectors.set(collect, measurement);
  return measurement;
}

/**
 * In the format of Prometheus. What cannot be measured now or in time, such as rows of a database that is down or does
 * not reply, is as it was.
 */
export async function scrape(): Promise<string> {
  await withTimeout(Promise.all([...collectors.keys()].map(measured)), COLLECT_MS, () => undefined);
  return registry.metrics();
}

export * from './config.js';
export * from './continuity.js';
export { lastReadinessProbe } from './health-server.js';
export { csvCell, csvRecord } from './csv.js';
export { derivedUuid } from './derived-uuid.js';
export * from './for-each-company.js';
export * from './graceful-stop.js';
export { type ByteLimits, ByteShares } from './waits/byte-shares.js';
export { largeWork } from './waits/large-work.js';
export * from './waits/retry-until-available.js';
export { slowdown } from './waits/slowdown.js';
export { withTimeout } from './waits/with-timeout.js';
export * from './key-text.js';
export * from './log.js';
export * from './metrics.js';
export * from './ports.js';
export * from './ports/work.js';
export { job, type JobKind, type JobKinds } from './ports/job-kinds.js';
export * from './ports/inbox.js';
export * from './ports/open-transactions.js';
export * from './ports/outbox.js';
export * from './process-report.js';
export { PushStream, type Sink } from './push-streams/push-stream.js';
export { pushStreamOf } from './push-streams/push-stream-of.js';
export { Transform } from './push-streams/transform.js';
export * from './quarantine.js';
export { Seal } from './seal.js';
export {
  PEPPER_KIND,
  PROVIDER_KIND,
  providerContext,
  SEALED_COLUMNS,
  type SealedColumn,
  WEBHOOK_KIND,
  webhookContext,
} from './sealed-columns.js';
export * from './service.js';
export * from './stale-while-revalidate.js';
export * from './tracing/index.js';

import type { Bench } from './bench.js';
import { analytics } from './analytics/analytics.bench.js';
import { read, readAgent, readIdiomatic, shell } from './read/read.bench.js';
import { start } from './start/start.bench.js';
import { workLatency, workThroughput } from './work/work.bench.js';

/** Every bench. */
export const BENCHES: readonly Bench[] = [
  read,
  readAgent,
  readIdiomatic,
  shell,
  workThroughput,
  workLatency,
  start,
  analytics,
];

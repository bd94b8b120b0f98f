import type { Bench } from './bench.js';
import { read, readAgent, readIdiomatic } from './read/read.bench.js';
import { workLatency, workThroughput } from './work/work.bench.js';

/** Every bench. */
export const BENCHES: readonly Bench[] = [read, readAgent, readIdiomatic, workThroughput, workLatency];

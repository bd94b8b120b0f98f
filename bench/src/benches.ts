import type { Bench } from './bench.js';
import { workLatency, workThroughput } from './work/work.bench.js';

/** Every bench. */
export const BENCHES: readonly Bench[] = [workThroughput, workLatency];

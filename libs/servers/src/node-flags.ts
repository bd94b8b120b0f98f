/**
 * Services that every completion passes. V8 collects the whole heap the more often the tighter it is bounded: with a
 * bound of 256 MB and nothing else, full collections took a quarter of the throughput and doubled the p99.
 */
const BUSY_FLAGS = ['--max-old-space-size=384', '--heap-growing-percent=300', '--max-semi-space-size=16'];
/** A small young generation and one helper thread keep an idle service small (94 instead of 110 MB). */
const SMALL_FLAGS = ['--max-old-space-size=256', '--max-semi-space-size=4', '--v8-pool-size=1'];

const BUSY: ReadonlySet<string> = new Set(['gateway', 'traffic']);

/** The flags of Node for the process of a service, wherever it is run or measured. */
export const nodeFlagsOf = (service: string): string[] => (BUSY.has(service) ? BUSY_FLAGS : SMALL_FLAGS);

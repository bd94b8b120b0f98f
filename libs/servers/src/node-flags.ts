/**
 * Services on the path of every completion. The tighter its limit, the more often V8 collects the whole heap: with a
 * limit of 256 MB alone, full collections took a quarter of the throughput and doubled the p99.
 */
const BUSY_FLAGS = ['--max-old-space-size=384', '--heap-growing-percent=300', '--max-semi-space-size=16'];
/** A small young generation and one helper thread limit the memory of an idle service (94 instead of 110 MB). */
const SMALL_FLAGS = ['--max-old-space-size=256', '--max-semi-space-size=4', '--v8-pool-size=1'];

/**
 * Test runs and batches of monitors allocate much: a small young generation cost a third of the throughput of the
 * former and two fifths of the time of the latter. Each holds up to 29 MB more here. What lives as long as a batch
 * fills the old generation quickly: without room to grow, marking it took a third of the time of monitors.
 */
const WORKING_FLAGS = [
  '--max-old-space-size=256',
  '--heap-growing-percent=300',
  '--max-semi-space-size=16',
  '--v8-pool-size=1',
];

const BUSY: ReadonlySet<string> = new Set(['gateway', 'traffic']);
const WORKING: ReadonlySet<string> = new Set(['test-runs', 'monitors']);

export function nodeFlagsOf(service: string): string[] {
  if (BUSY.has(service)) return BUSY_FLAGS;
  return WORKING.has(service) ? WORKING_FLAGS : SMALL_FLAGS;
}

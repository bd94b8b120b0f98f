import type { Bomb } from './corpus/bombs.js';
import { executionOf, RunnerWorld } from './world.js';

const LIMITS = { timeout_ms: 1000, memory_mb: 32 };
const BOMBER = 1;
const NEIGHBOUR = 2;

/** What became of bombs, and of the scripts of a company next to them. */
export interface Bombing {
  bombs: { name: string; status: string; error_code?: string }[];
  neighbours: { ms: number; status: string }[];
  /** What both companies get from the pool afterwards. */
  after: unknown[];
}

/** Executes bombs of one company, all at once, and short scripts of another company all the time. */
export async function bombing(bombs: readonly Bomb[]): Promise<Bombing> {
  const world = await RunnerWorld.start({ SCRIPT_CPU_SECONDS: '1', SCRIPTS_AT_ONCE: '4' });
  const short = (company_id: number) => world.execute(executionOf('function execute() { return 1 }', { company_id }));
  try {
    await short(NEIGHBOUR);
    let isOver = false;
    const neighbours: Bombing['neighbours'] = [];
    const neighbour = (async () => {
      while (!isOver) {
        const started = performance.now();
        const { status } = await short(NEIGHBOUR);
        neighbours.push({ ms: performance.now() - started, status });
      }
    })();
    // The company gets its share of the processes, and the rest of its bombs wait.
    const ended = await Promise.all(
      bombs.map(async ({ name, script }) => {
        const execution = executionOf(script, { company_id: BOMBER, limits: LIMITS });
        return { name, ...(await world.execute(execution)) };
      }),
    );
    isOver = true;
    await neighbour;
    return { bombs: ended, neighbours, after: [await short(BOMBER), await short(NEIGHBOUR)] };
  } finally {
    await world.stop();
  }
}

/** Bombs that completed, that never ran, or that were lost: none may. */
export const undefused = ({ bombs }: Bombing): Bombing['bombs'] =>
  bombs.filter(
    ({ status, error_code }) => status === 'completed' || status === 'lost' || error_code === 'script_invalid',
  );

/** The time that half of the neighbour's scripts took at most. */
export function medianMs({ neighbours }: Bombing): number {
  const times = neighbours.map(({ ms }) => ms).sort((one, other) => one - other);
  return times[Math.floor(times.length / 2)] ?? Infinity;
}

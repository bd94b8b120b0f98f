import type { Bomb } from './corpus/bombs.js';
import { executionOf, RunnerWorld } from './world.js';

export const LIMITS = { timeout_ms: 1000, memory_mb: 32 };
const BOMBER = 1;
const NEIGHBOUR = 2;
/** Scripts of the neighbour before the first bomb, without the first ones, for which its processes are started. */
const ALONE = 400;
const FIRST = 40;

/** A script of the company next to the bombs. */
interface Neighbour {
  ms: number;
  status: string;
}

/** What became of bombs, and of the scripts of a company next to them. */
export interface Bombing {
  bombs: { name: string; status: string; error_code?: string; wall_ms?: number }[];
  /** Before the bombs, and while they explode. */
  alone: Neighbour[];
  neighbours: Neighbour[];
  /** What both companies get from the pool afterwards. */
  after: unknown[];
}

/** Executes bombs of one company, all at once, and short scripts of another company all the time. */
export async function bombing(bombs: readonly Bomb[]): Promise<Bombing> {
  const world = await RunnerWorld.start({ SCRIPT_CPU_SECONDS: '1', SCRIPTS_AT_ONCE: '4' });
  const short = (company_id: number) => world.execute(executionOf('function execute() { return 1 }', { company_id }));
  try {
    const next = async (): Promise<Neighbour> => {
      const started = performance.now();
      const { status } = await short(NEIGHBOUR);
      return { ms: performance.now() - started, status };
    };
    for (let count = 0; count < FIRST; count++) await next();
    const alone: Neighbour[] = [];
    while (alone.length < ALONE) alone.push(await next());
    let isOver = false;
    const neighbours: Neighbour[] = [];
    const neighbour = (async () => {
      while (!isOver) neighbours.push(await next());
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
    return { bombs: ended, alone, neighbours, after: [await short(BOMBER), await short(NEIGHBOUR)] };
  } finally {
    await world.stop();
  }
}

/** Bombs that completed, that never ran, or that were lost: none may. */
export const undefused = ({ bombs }: Bombing): Bombing['bombs'] =>
  bombs.filter(
    ({ status, error_code }) => status === 'completed' || status === 'lost' || error_code === 'script_invalid',
  );

/** The time that a share of scripts took at most. */
export function quantileMs(scripts: readonly Neighbour[], share: number): number {
  const times = scripts.map(({ ms }) => ms).sort((one, other) => one - other);
  return times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Infinity;
}

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiError } from '@signalbox/contracts';
import { ScriptHostError, type ScriptResult } from '@signalbox/scripts';
import { seededRandom } from '@signalbox/testing';
import { executionOf, RecordingHost, RunnerWorld } from '../world.js';
import type { Canaries } from '../corpus/javascript/attack.js';
import { HostileScripts } from './hostile-scripts.js';
import { SystemCalls } from './system-calls.js';
import { Tripwires } from './tripwires.js';

/** How much is generated. */
export interface SandboxFuzz {
  seed: number;
  /** Ends after so many scripts of each language, or after the time, whichever comes first. */
  javascript: number;
  python: number;
  timeMs: number;
  /** Follows system calls where strace is installed; slow. */
  systemCalls?: boolean;
}

/** What generated scripts have done. */
export interface FuzzReport {
  scripts: number;
  /** Scripts that returned a value, each of whose pieces was attempted. */
  completed: number;
  /** Everything that shows an escape. */
  escapes: string[];
  /** Results that no script may have, such as that of a lost execution. */
  faults: string[];
  /** Processes of scripts that were looked at from outside, and how often. */
  processes: number;
  looks: number;
  /** Processes whose system calls were followed. */
  traced: number;
}

type Language = 'javascript' | 'python';

const AT_ONCE = 4;
const LOOK_EVERY_MS = 25;
const LIMITS = {
  javascript: { timeout_ms: 3000, memory_mb: 32 },
  python: { timeout_ms: 20_000, memory_mb: 128 },
};

/** A host that refuses everything but an artifact that does not exist. */
const refusing = (): RecordingHost =>
  new RecordingHost((member) => {
    if (member === 'artifacts.get') return null;
    if (member.startsWith('step.')) return { done: false };
    if (member === 'chat.completions.stream') return 1;
    if (member === 'chat.completions.read') return { chunks: [{ choices: [] }], done: true };
    throw new ScriptHostError(member === 'http.fetch' ? 'EgressDenied' : 'NotAllowedError', 'refused');
  });

/** Nothing was executed: a loaded machine may have no process for a script in time. */
function unlessRefused(error: unknown): null {
  if (error instanceof ApiError && error.kind === 'unavailable') return null;
  throw error;
}

/** Generated scripts in a runner, and what they have done so far. */
class FuzzRun {
  scripts = 0;
  completed = 0;
  readonly escapes: string[] = [];
  readonly faults: string[] = [];
  private readonly left: Record<Language, number>;
  private readonly until: number;
  private readonly generators: Record<Language, HostileScripts>;

  constructor(
    private readonly world: RunnerWorld,
    private readonly canaries: Canaries,
    { seed, javascript, python, timeMs }: SandboxFuzz,
  ) {
    this.left = { javascript, python };
    this.until = Date.now() + timeMs;
    // One for each language: the scripts of one do not depend on how fast those of the other end.
    const generator = (): HostileScripts => new HostileScripts(seededRandom(seed), canaries);
    this.generators = { javascript: generator(), python: generator() };
  }

  /** Two companies in JavaScript and one in Python. */
  async execute(): Promise<void> {
    const javascript = Array.from({ length: AT_ONCE }, (_, at) => this.worker('javascript', 1 + (at % 2)));
    await Promise.all([...javascript, this.worker('python', 3)]);
  }

  private async worker(language: Language, company_id: number): Promise<void> {
    while (this.left[language]-- > 0 && Date.now() < this.until) {
      const script = this.generators[language][language]();
      const argument = { input: { a: 1 }, params: { port: this.canaries.port }, secret_names: ['KEY'] };
      const execution = executionOf(script, { language, company_id, argument, limits: LIMITS[language] });
      const host = refusing();
      const result = await this.world.execute(execution, host).catch(unlessRefused);
      if (result) this.judge(result, host);
    }
  }

  private judge(result: ScriptResult, { logs, events, calls }: RecordingHost): void {
    const text = JSON.stringify([result, logs, events, calls]);
    const isInvalid = result.status === 'failed' && result.error_code === 'script_invalid';
    this.scripts++;
    if (result.status === 'completed') this.completed++;
    if (text.includes('ESCAPED') || text.includes(this.canaries.value)) this.escapes.push(text.slice(0, 500));
    if (result.status === 'lost' || isInvalid) this.faults.push(text.slice(0, 500));
  }
}

/** Counts the connections to a port of this machine. */
async function listen(): Promise<{ server: Server; port: number; connections: () => number }> {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, port: (server.address() as AddressInfo).port, connections: () => connections };
}

/** Executes generated scripts in the jail of production and watches them from outside. */
export async function fuzzSandbox(fuzz: SandboxFuzz): Promise<FuzzReport> {
  const directory = await mkdtemp(join(tmpdir(), 'sandbox-fuzz-'));
  const value = `canary-${fuzz.seed}-${Math.random().toString(36).slice(2)}`;
  const file = join(directory, 'canary');
  await writeFile(file, value);
  const { server, port, connections } = await listen();
  const world = await RunnerWorld.start({ CANARY: value });
  const calls = fuzz.systemCalls && SystemCalls.isInstalled ? new SystemCalls(directory) : null;
  const isJailed = (await readFile(world.process.logFile, 'utf8')).includes('namespaces');
  const wires = new Tripwires(world.process.pid, isJailed, LOOK_EVERY_MS, (pid) => calls?.follow(pid));
  const run = new FuzzRun(world, { value, file, port }, fuzz);
  try {
    await run.execute();
  } finally {
    wires.stop();
    await world.stop();
    server.close();
  }
  const { scripts, completed, faults } = run;
  const escapes = [...run.escapes, ...wires.breaches, ...((await calls?.breaches()) ?? [])];
  if (connections() > 0) escapes.push(`${connections()} connections to the listener`);
  if ((await readFile(file, 'utf8')) !== value) escapes.push('the canary file was changed');
  const traced = calls?.count ?? 0;
  await rm(directory, { recursive: true, force: true });
  return { scripts, completed, escapes, faults, processes: wires.seen.size, looks: wires.looks, traced };
}

import { type ChildProcess, spawn } from 'node:child_process';
import type { Jail } from './jail.js';

export interface JailedProgram {
  jail: Jail;
  slot: number;
  program: string;
  /** Has to be an empty directory. */
  cwd: string;
  /** Folders that Node's permission model allows to be read. */
  readable: readonly string[];
}

/** Of Node itself; the memory of the interpreter is outside of its heap. */
const HEAP_MB = 192;
/** V8's default suits long-running programs: optimising took most of the time of a process that runs short scripts. */
const TIERING_BUDGET = 100_000_000;
const [MAJOR = 20] = process.versions.node.split('.').map(Number);
const PERMISSION = MAJOR >= 24 ? '--permission' : '--experimental-permission';

const FLAGS = [
  `--max-old-space-size=${HEAP_MB}`,
  '--max-semi-space-size=4',
  `--wasm-tiering-budget=${TIERING_BUDGET}`,
  '--no-warnings',
  '--no-addons',
  '--disable-proto=delete',
  '--disallow-code-generation-from-strings',
  PERMISSION,
];

export function spawnJailed(options: JailedProgram, mode: string): ChildProcess {
  const { jail, slot, program, cwd, readable } = options;
  const flags = [...FLAGS, ...readable.map((folder) => `--allow-fs-read=${folder}`)];
  const [first = '', ...rest] = [...jail.commandOf(slot), process.execPath, ...flags, program, mode];
  return spawn(first, rest, { cwd, env: {}, stdio: ['pipe', 'pipe', 'pipe'] });
}

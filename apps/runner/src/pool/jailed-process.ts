import { type ChildProcess, spawn } from 'node:child_process';
import type { Jail } from './jail.js';

/** A program of Node, and what it may see of the system. */
export interface JailedProgram {
  jail: Jail;
  slot: number;
  /** An absolute path. */
  program: string;
  /** An empty directory. */
  cwd: string;
  /** Folders that Node's permission model lets it read. */
  readable: readonly string[];
}

/** Heap of the process around its interpreter, whose own memory is outside of it. */
const HEAP_MB = 192;
/**
 * How much a function of the interpreter executes before it is optimised. V8's own budget is that of a program that runs
 * for long: optimising took most of the time of a process that runs short scripts.
 */
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

/** Starts a program in the jail, with an empty environment and nothing but three pipes. */
export function spawnJailed(options: JailedProgram, word: string): ChildProcess {
  const { jail, slot, program, cwd, readable } = options;
  const flags = [...FLAGS, ...readable.map((folder) => `--allow-fs-read=${folder}`)];
  const [first = '', ...rest] = [...jail.commandOf(slot), process.execPath, ...flags, program, word];
  return spawn(first, rest, { cwd, env: {}, stdio: ['pipe', 'pipe', 'pipe'] });
}

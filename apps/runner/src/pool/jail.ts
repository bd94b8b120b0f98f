import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** How child processes are kept apart from the system; what each part stops is described in the README. */
export interface Jail {
  /** The parts that are in force, for the log. */
  parts: readonly string[];
  /** The program that starts the child and its arguments; none starts it directly. */
  commandOf(slot: number): string[];
}

/** Users of child processes when the runner is root: one for each slot, so that children cannot signal each other. */
const FIRST_UID = 61_000;
const UNSHARE = '/usr/bin/unshare';
const SETPRIV = '/usr/bin/setpriv';
const PRLIMIT = '/usr/bin/prlimit';
const PROBE_MS = 5000;

const NAMESPACES = ['--net', '--pid', '--ipc', '--uts', '--mount', '--mount-proc', '--fork', '--kill-child'];
/** The child gains no privilege by a program it starts, and has no capability. */
const POWERLESS = ['--no-new-privs', '--bounding-set=-all', '--inh-caps=-all'];
/** No core dump, no file, few descriptors. */
const LIMITS = ['--core=0', '--fsize=0', '--nofile=128'];

/** A change of user clears the signal that a process gets when its parent dies, so this comes after it. */
const dieWithParent = [SETPRIV, '--pdeathsig=KILL'];
const limited = [...dieWithParent, PRLIMIT, ...LIMITS];

/** From the strongest to none; the first one that the system permits is used. */
const CANDIDATES: readonly Jail[] = [
  {
    parts: ['own user', 'namespaces', 'no privileges', 'limits'],
    commandOf: (slot) => [
      ...dieWithParent,
      ...[UNSHARE, ...NAMESPACES],
      ...[SETPRIV, ...userOf(slot), ...POWERLESS],
      ...limited,
    ],
  },
  {
    parts: ['user namespace', 'namespaces', 'no privileges', 'limits'],
    commandOf: () => [
      ...[UNSHARE, '--user', '--map-current-user', '--keep-caps'],
      ...dieWithParent,
      ...[UNSHARE, ...NAMESPACES],
      ...[SETPRIV, ...POWERLESS],
      ...limited,
    ],
  },
  {
    parts: ['own user', 'no privileges', 'limits'],
    commandOf: (slot) => [SETPRIV, ...userOf(slot), ...POWERLESS, ...limited],
  },
  {
    parts: ['no privileges', 'limits'],
    commandOf: () => [SETPRIV, '--no-new-privs', ...limited],
  },
  { parts: [], commandOf: () => [] },
];

const userOf = (slot: number): string[] => [
  `--reuid=${FIRST_UID + slot}`,
  `--regid=${FIRST_UID + slot}`,
  '--clear-groups',
];

/** The strongest jail that this system permits, found by starting a process in each. */
export function strongestJail(program: string): Jail {
  const permitted = CANDIDATES.find((jail) => jail.parts.length === 0 || isPermitted(jail, program));
  return permitted ?? (CANDIDATES.at(-1) as Jail);
}

function isPermitted(jail: Jail, program: string): boolean {
  const [first = '', ...rest] = jail.commandOf(0);
  if (![first, ...rest].filter((word) => word.startsWith('/')).every((path) => existsSync(path))) return false;
  // The user of the child has to be able to read the program too.
  const probe = [...rest, process.execPath, '--check', program];
  return spawnSync(first, probe, { env: {}, cwd: '/', timeout: PROBE_MS, stdio: 'ignore' }).status === 0;
}

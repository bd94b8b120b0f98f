import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { release } from 'node:os';
import { confinement, PERL } from './confinement.js';
import { filesOf, type JailRoot, makeJailRoot, type RootContents } from './jail-root.js';

/**
 * How far child processes are kept apart from the system, from the weakest: not at all; without privileges, with
 * limits; as a separate user; in separate namespaces of network, processes and mounts; and with a separate file system,
 * which has nothing but the files of the engine.
 */
export const JAIL_LEVELS = ['none', 'limits', 'user', 'namespaces', 'isolated'] as const;
/** How far child processes are kept apart from the system. */
export type JailLevel = (typeof JAIL_LEVELS)[number];

/** How child processes are kept apart from the system; what each part stops is described in the README. */
export interface Jail {
  level: JailLevel;
  /** The parts that are in force, for the log. */
  parts: readonly string[];
  /** The program that starts the child and its arguments; none starts it directly. */
  commandOf(slot: number): string[];
}

/** Users of child processes when the runner is root: one for each slot, so that children cannot signal each other. */
const FIRST_UID = 61_000;
/** Where the system has so many: blocks of users for each runner of the machine. */
const FIRST_BLOCK = 100_000_000;
const BLOCKS = 1_000_000;
const BLOCK = 1000;
/** Random, because the runners of several containers have the same number of process. */
const ownBlock = randomInt(BLOCKS);

const SH = '/bin/sh';
const MOUNT = '/usr/bin/mount';
const UNSHARE = '/usr/bin/unshare';
const SETPRIV = '/usr/bin/setpriv';
const PRLIMIT = '/usr/bin/prlimit';
const PROBE_MS = 20_000;

const SEPARATE = ['--net', '--pid', '--ipc', '--uts', '--mount', '--fork', '--kill-child'];
const NAMESPACES = [...SEPARATE, '--mount-proc'];
/** The child gains no privilege by a program it starts, and has no capability. */
const POWERLESS = ['--no-new-privs', '--bounding-set=-all', '--inh-caps=-all'];
/** No core dump, no file, few descriptors. */
const LIMITS = ['--core=0', '--fsize=0', '--nofile=128'];
/** Threads and processes of a user that no other process has, or of a user namespace; an engine has a dozen threads. */
const OF_OWN_USER = [...LIMITS, '--nproc=128'];
/** From this version on the kernel counts the processes of a user in each user namespace by itself. */
const COUNTS_BY_NAMESPACE = [5, 14] as const;
/** The first argument is a table of mounts, the others are the program that sees them. */
const MOUNT_AND_START = `${MOUNT} --all --fstab "$0" && exec "$@"`;

/** A change of user clears the signal that a process gets when its parent dies, so this comes after it. */
const dieWithParent = [SETPRIV, '--pdeathsig=KILL'];
const limited = [...dieWithParent, PRLIMIT, ...LIMITS];
const limitedUser = [...dieWithParent, PRLIMIT, ...OF_OWN_USER];
const limitedNamespace = countsByNamespace() ? limitedUser : limited;
const asUser = (slot: number): string[] => [SETPRIV, ...userOf(slot), ...POWERLESS, ...limitedUser];

/** Starts a program with the root as its file system; all other mounts stay behind. */
const within = ({ directory, mounts }: JailRoot): string[] => [
  ...[SH, '-c', MOUNT_AND_START, mounts],
  ...[UNSHARE, `--root=${directory}`, '--wd=/'],
];

/** With the files of the machine, as far as the child's user may read them. */
export const OF_MACHINE: readonly Jail[] = [
  {
    level: 'namespaces',
    parts: ['own user', 'namespaces', 'no privileges', 'limits'],
    commandOf: (slot) => [...dieWithParent, UNSHARE, ...NAMESPACES, ...asUser(slot)],
  },
  {
    level: 'namespaces',
    parts: ['user namespace', 'namespaces', 'no privileges', 'limits'],
    commandOf: () => [
      ...[UNSHARE, '--user', '--map-current-user', '--keep-caps'],
      ...dieWithParent,
      ...[UNSHARE, ...NAMESPACES],
      ...[SETPRIV, ...POWERLESS],
      ...limitedNamespace,
    ],
  },
  {
    level: 'user',
    parts: ['own user', 'no privileges', 'limits'],
    commandOf: asUser,
  },
  {
    level: 'limits',
    parts: ['no privileges', 'limits'],
    commandOf: () => [SETPRIV, '--no-new-privs', ...limited],
  },
];

/** Node does not start where there is one that it may not read. */
const OPENSSL_CONFIGURATIONS = ['/etc/ssl/openssl.cnf', '/usr/local/ssl/openssl.cnf'];

const NONE: Jail = { level: 'none', parts: [], commandOf: () => [] };

/** With a root that has nothing but the engine. */
const inOwnRoot = (root: JailRoot): readonly Jail[] => [
  {
    level: 'isolated',
    parts: ['own files', 'own user', 'namespaces', 'no privileges', 'limits'],
    commandOf: (slot) => [...dieWithParent, UNSHARE, ...SEPARATE, ...within(root), ...asUser(slot)],
  },
  {
    level: 'isolated',
    parts: ['own files', 'user namespace', 'namespaces', 'no privileges', 'limits'],
    // The user is root in the namespace, or the system would not let it mount; outside it is the user that it was.
    commandOf: () => [
      ...[UNSHARE, '--user', '--map-root-user'],
      ...dieWithParent,
      ...[UNSHARE, ...SEPARATE],
      ...within(root),
      ...[SETPRIV, ...POWERLESS],
      ...limitedNamespace,
    ],
  },
];

/** The same jail with fewer system calls and, when paths are given, no file but these. */
function confined(jail: Jail, paths: readonly string[]): Jail[] {
  const last = confinement(paths);
  if (last === null) return [];
  const parts = [...jail.parts, 'few system calls', ...(paths.length > 0 ? ['engine files only'] : [])];
  const level = paths.length > 0 ? 'isolated' : jail.level;
  return [{ level, parts, commandOf: (slot) => [...jail.commandOf(slot), ...last] }];
}

/**
 * From the strongest to none; the first one that the system permits is used. Confined to the files of the engine, with
 * no call that reaches another process or the network, a child is isolated also where no namespace may be made.
 */
function candidates(files: readonly string[], root: JailRoot | null): readonly Jail[] {
  const rooted = root ? inOwnRoot(root) : [];
  return [
    ...rooted.flatMap((jail) => confined(jail, [])),
    ...OF_MACHINE.flatMap((jail) => confined(jail, files)),
    ...rooted,
    ...OF_MACHINE.flatMap((jail) => [...confined(jail, []), jail]),
    NONE,
  ];
}

function countsByNamespace(): boolean {
  const [major = 0, minor = 0] = release().split('.').map(Number.parseFloat);
  const [sinceMajor, sinceMinor] = COUNTS_BY_NAMESPACE;
  return major > sinceMajor || (major === sinceMajor && minor >= sinceMinor);
}

function userOf(slot: number): string[] {
  const first = hasUser(FIRST_BLOCK + BLOCKS * BLOCK) ? FIRST_BLOCK + ownBlock * BLOCK : FIRST_UID;
  return [`--reuid=${first + slot}`, `--regid=${first + slot}`, '--clear-groups'];
}

/** False in a user namespace with fewer users. */
function hasUser(uid: number): boolean {
  const ranges = readFileSync('/proc/self/uid_map', 'latin1').trim().split('\n');
  return ranges.some((range) => {
    const [first = 0, , count = 0] = range.trim().split(/\s+/).map(Number);
    return uid >= first && uid < first + count;
  });
}

/** The jails that this system permits, the strongest first, found by starting a process in each. */
export function* permittedJails(program: string, readable: readonly string[]): Generator<Jail, undefined> {
  const files = filesOf({ programs: [process.execPath], readable: [...readable, ...OPENSSL_CONFIGURATIONS] });
  const root = rootOf({ programs: [process.execPath, SETPRIV, PRLIMIT, PERL], readable });
  for (const jail of candidates(files, root)) if (jail.level === 'none' || isPermitted(jail, program)) yield jail;
}

/** The strongest jail that this system permits. */
export function strongestJail(program: string, readable: readonly string[]): Jail {
  const [strongest] = permittedJails(program, readable);
  return strongest as Jail;
}

/** Null where there are no mounts of Linux. */
function rootOf(contents: RootContents): JailRoot | null {
  try {
    return makeJailRoot(contents);
  } catch {
    return null;
  }
}

function isPermitted(jail: Jail, program: string): boolean {
  try {
    const [first = '', ...rest] = jail.commandOf(0);
    const wrappers = [SH, MOUNT, UNSHARE, SETPRIV, PRLIMIT, PERL];
    if (!wrappers.filter((path) => [first, ...rest].includes(path)).every((path) => existsSync(path))) return false;
    // The user of the child has to be able to read the program too.
    const probe = [...rest, process.execPath, '--check', program];
    return spawnSync(first, probe, { env: {}, cwd: '/', timeout: PROBE_MS, stdio: 'ignore' }).status === 0;
  } catch {
    return false;
  }
}

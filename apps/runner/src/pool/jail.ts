import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { release } from 'node:os';
import { confinement, PERL } from './confinement.js';
import { filesOf, type JailRoot, makeJailRoot, type RootContents } from './jail-root.js';

/**
 * From the weakest: no isolation; no privileges, and limits; a separate user; separate namespaces of network, processes
 * and mounts; and a file system with only the files of the engine.
 */
export const JAIL_LEVELS = ['none', 'limits', 'user', 'namespaces', 'isolated'] as const;
export type JailLevel = (typeof JAIL_LEVELS)[number];

/** The README describes what each part stops. */
export interface Jail {
  level: JailLevel;
  parts: readonly string[];
  /** Prefix of the command that starts a child; empty for none. */
  commandOf(slot: number): string[];
}

/** Users of children when the runner is root: one per slot, so that children cannot signal each other. */
const FIRST_UID = 61_000;
/** Where the system has that many users, each runner of the machine uses a block of its own. */
const FIRST_BLOCK = 100_000_000;
const BLOCKS = 1_000_000;
const BLOCK = 1000;
/** Random: runners in several containers can have the same process id. */
const ownBlock = randomInt(BLOCKS);

const SH = '/bin/sh';
const MOUNT = '/usr/bin/mount';
const UNSHARE = '/usr/bin/unshare';
const SETPRIV = '/usr/bin/setpriv';
const PRLIMIT = '/usr/bin/prlimit';
const PROBE_MS = 20_000;

const SEPARATE = ['--net', '--pid', '--ipc', '--uts', '--mount', '--fork', '--kill-child'];
const NAMESPACES = [...SEPARATE, '--mount-proc'];
/** No privileges through programs that the child starts, and no capabilities. */
const POWERLESS = ['--no-new-privs', '--bounding-set=-all', '--inh-caps=-all'];
/** No core dump, no file writes, few descriptors. */
const LIMITS = ['--core=0', '--fsize=0', '--nofile=128'];
/** `--nproc` counts per user: the child must be alone in its user or user namespace. An engine has a dozen threads. */
const OF_OWN_USER = [...LIMITS, '--nproc=128'];
/** Linux version from which processes are counted per user namespace. */
const COUNTS_BY_NAMESPACE = [5, 14] as const;
/** `$0` is a table of mounts; the program that follows sees them. */
const MOUNT_AND_START = `${MOUNT} --all --fstab "$0" && exec "$@"`;

/** A change of user clears the parent death signal, so this has to come after it. */
const dieWithParent = [SETPRIV, '--pdeathsig=KILL'];
const limited = [...dieWithParent, PRLIMIT, ...LIMITS];
const limitedUser = [...dieWithParent, PRLIMIT, ...OF_OWN_USER];
const limitedNamespace = countsByNamespace() ? limitedUser : limited;
const asUser = (slot: number): string[] => [SETPRIV, ...userOf(slot), ...POWERLESS, ...limitedUser];

/** Starts a program in the root; mounts outside of it stay behind. */
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

/** Node does not start when it cannot read an existing one. */
const OPENSSL_CONFIGURATIONS = ['/etc/ssl/openssl.cnf', '/usr/local/ssl/openssl.cnf'];

const NONE: Jail = { level: 'none', parts: [], commandOf: () => [] };

const inOwnRoot = (root: JailRoot): readonly Jail[] => [
  {
    level: 'isolated',
    parts: ['own files', 'own user', 'namespaces', 'no privileges', 'limits'],
    commandOf: (slot) => [...dieWithParent, UNSHARE, ...SEPARATE, ...within(root), ...asUser(slot)],
  },
  {
    level: 'isolated',
    parts: ['own files', 'user namespace', 'namespaces', 'no privileges', 'limits'],
    // Only root in the namespace may mount; outside of it, it is still the unprivileged user.
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

/** Adds a system call filter and, when paths are given, hides all other files. */
function confined(jail: Jail, paths: readonly string[]): Jail[] {
  const last = confinement(paths);
  if (last === null) return [];
  const parts = [...jail.parts, 'few system calls', ...(paths.length > 0 ? ['engine files only'] : [])];
  const level = paths.length > 0 ? 'isolated' : jail.level;
  return [{ level, parts, commandOf: (slot) => [...jail.commandOf(slot), ...last] }];
}

/**
 * From the strongest to none; the first one that the system permits is used. Confined to the engine's files, without
 * system calls that reach other processes or the network, a child is isolated even where namespaces are not permitted.
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

/** Strongest first, found by starting a process in each. */
export function* permittedJails(program: string, readable: readonly string[]): Generator<Jail, undefined> {
  const files = filesOf({ programs: [process.execPath], readable: [...readable, ...OPENSSL_CONFIGURATIONS] });
  const root = rootOf({ programs: [process.execPath, SETPRIV, PRLIMIT, PERL], readable });
  for (const jail of candidates(files, root)) if (jail.level === 'none' || isPermitted(jail, program)) yield jail;
}

export function strongestJail(program: string, readable: readonly string[]): Jail {
  const [strongest] = permittedJails(program, readable);
  return strongest as Jail;
}

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
    // The child's user must be able to read the program.
    const probe = [...rest, process.execPath, '--check', program];
    return spawnSync(first, probe, { env: {}, cwd: '/', timeout: PROBE_MS, stdio: 'ignore' }).status === 0;
  } catch {
    return false;
  }
}

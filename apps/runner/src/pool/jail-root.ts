import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** What a process needs of the file system to start: programs, the libraries they load, and what they read. */
export interface RootContents {
  /** Absolute paths. */
  programs: readonly string[];
  /** Files and folders, absolute. */
  readable: readonly string[];
}

/** A file system with nothing but mount points, and the mounts that fill it, read-only, for the process that enters it. */
export interface JailRoot {
  directory: string;
  /** In the format of fstab. */
  mounts: string;
}

const EXECUTABLE = 0o755;
const READ_ONLY = 0o644;
const TRACE_MS = 5000;
/** Perl opens it; an empty file does, where devices may not be used. */
const NOTHING = '/dev/null';

/** The libraries of a program, as the loader of the system finds them; none where it cannot be asked. */
function librariesOf(program: string): string[] {
  const { stdout } = spawnSync(program, { env: { LD_TRACE_LOADED_OBJECTS: '1' }, timeout: TRACE_MS, encoding: 'utf8' });
  return [...stdout.matchAll(/^\s+(?:\S+ => )?(\/\S+) \(0x/gm)].map(([, path = '']) => path);
}

/** The files and folders that a process needs, with the libraries of its programs. */
export const filesOf = ({ programs, readable }: RootContents): string[] =>
  [...new Set([...programs, ...programs.flatMap(librariesOf), ...readable])].filter(existsSync).sort();

/** Makes the mount points, in a directory that the runners of one user and program share; they are never written to. */
export function makeJailRoot(contents: RootContents, parent = tmpdir()): JailRoot {
  const sources = filesOf(contents);
  const user = process.getuid?.() ?? 0;
  const name = createHash('sha256').update(sources.join('\n')).digest('hex').slice(0, 16);
  const home = ownDirectory(parent, `scripts-root-of-${user}-${name}`, user);
  const directory = join(home, 'root');
  const points = mountPoints();
  for (const source of sources) makePoint(source, join(directory, source));
  makeEmptyFile(join(directory, NOTHING));
  const lines = [directory, ...sources].map((source) => {
    const target = source === directory ? directory : join(directory, source);
    return `${escaped(source)} ${escaped(target)} none ${['bind', 'ro', ...keptFlags(source, points)].join(',')} 0 0`;
  });
  const mounts = join(home, 'mounts');
  writeFileSync(mounts, `${lines.join('\n')}\n`, { mode: READ_ONLY });
  return { directory, mounts };
}

/** A shared directory; another one when its name belongs to another user, or to a link. */
function ownDirectory(parent: string, name: string, user: number): string {
  const shared = join(parent, name);
  mkdirSync(shared, { recursive: true, mode: EXECUTABLE });
  const found = lstatSync(shared);
  return found.isDirectory() && found.uid === user ? shared : mkdtempSync(join(parent, 'scripts-root-'));
}

function makePoint(source: string, target: string): void {
  if (statSync(source).isDirectory()) mkdirSync(target, { recursive: true, mode: EXECUTABLE });
  else makeEmptyFile(target);
}

function makeEmptyFile(target: string): void {
  mkdirSync(dirname(target), { recursive: true, mode: EXECUTABLE });
  if (!existsSync(target)) writeFileSync(target, '', { mode: READ_ONLY });
}

/** The mount points of this process with their options, the deepest first. */
function mountPoints(): { at: string; options: string[] }[] {
  return readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .filter((fields) => fields.length > 5)
    .map(([, , , , at = '', options = '']) => ({ at, options: options.split(',') }))
    .sort((one, other) => other.at.length - one.at.length);
}

/** Options that a user without rights on the machine must not take away from a mount. */
const LOCKED = ['nosuid', 'nodev', 'noexec', 'noatime', 'nodiratime'];

function keptFlags(source: string, points: ReturnType<typeof mountPoints>): string[] {
  const found = points.find(({ at }) => source === at || source.startsWith(at.endsWith('/') ? at : `${at}/`));
  return LOCKED.filter((flag) => found?.options.includes(flag));
}

/** fstab separates its fields by blanks. */
const escaped = (path: string): string =>
  path.replace(/[\\ \t]/g, (letter) => `\\${letter.charCodeAt(0).toString(8).padStart(3, '0')}`);

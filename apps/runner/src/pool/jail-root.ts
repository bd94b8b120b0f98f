import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface RootContents {
  /** Absolute paths. */
  programs: readonly string[];
  readable: readonly string[];
}

/** A directory with nothing but mount points, and the read-only mounts that fill it for the process that enters it. */
export interface JailRoot {
  directory: string;
  /** In the format of fstab. */
  mounts: string;
}

const EXECUTABLE = 0o755;
const READ_ONLY = 0o644;
const TRACE_MS = 5000;
/** Opened by Perl; an empty file will do where devices may not be used. */
const NOTHING = '/dev/null';

/** As the dynamic loader finds them; none where it cannot be asked. */
function librariesOf(program: string): string[] {
  const { stdout } = spawnSync(program, { env: { LD_TRACE_LOADED_OBJECTS: '1' }, timeout: TRACE_MS, encoding: 'utf8' });
  return [...stdout.matchAll(/^\s+(?:\S+ => )?(\/\S+) \(0x/gm)].map(([, path = '']) => path);
}

export const filesOf = ({ programs, readable }: RootContents): string[] =>
  [...new Set([...programs, ...programs.flatMap(librariesOf), ...readable])].filter(existsSync).sort();

/** Makes the mount points in a directory that the runners of one user and program share; nothing is written to them. */
export function makeJailRoot(contents: RootContents): JailRoot {
  const sources = filesOf(contents);
  const user = process.getuid?.() ?? 0;
  const name = createHash('sha256').update(sources.join('\n')).digest('hex').slice(0, 16);
  const home = ownDirectory(`scripts-root-of-${user}-${name}`, user);
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

/** Another directory when the name belongs to another user or is a link. */
function ownDirectory(name: string, user: number): string {
  const shared = join(tmpdir(), name);
  mkdirSync(shared, { recursive: true, mode: EXECUTABLE });
  const found = lstatSync(shared);
  return found.isDirectory() && found.uid === user ? shared : mkdtempSync(join(tmpdir(), 'scripts-root-'));
}

function makePoint(source: string, target: string): void {
  if (statSync(source).isDirectory()) mkdirSync(target, { recursive: true, mode: EXECUTABLE });
  else makeEmptyFile(target);
}

function makeEmptyFile(target: string): void {
  mkdirSync(dirname(target), { recursive: true, mode: EXECUTABLE });
  if (!existsSync(target)) writeFileSync(target, '', { mode: READ_ONLY });
}

function mountPoints(): { at: string; options: string[] }[] {
  return readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .filter((fields) => fields.length > 5)
    .map(([, , , , at = '', options = '']) => ({ at, options: options.split(',') }))
    .sort((one, other) => other.at.length - one.at.length);
}

/** Mount options that an unprivileged user must not remove in a bind mount. */
const LOCKED = ['nosuid', 'nodev', 'noexec', 'noatime', 'nodiratime'];

function keptFlags(source: string, points: ReturnType<typeof mountPoints>): string[] {
  const found = points.find(({ at }) => source === at || source.startsWith(at.endsWith('/') ? at : `${at}/`));
  return LOCKED.filter((flag) => found?.options.includes(flag));
}

/** fstab separates its fields by blanks; see fstab(5). */
const escaped = (path: string): string =>
  path.replace(/[\\ \t]/g, (letter) => `\\${letter.charCodeAt(0).toString(8).padStart(3, '0')}`);

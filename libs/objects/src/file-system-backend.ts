import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { type FileHandle, mkdir, open, opendir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Listed, ObjectBackend } from './object-backend.js';

const INCOMING = 'incoming';

/** Files `<root>/<namespace>/<company>/<first two digits>/<name>`, written to a temporary file and renamed. */
export class FileSystemBackend implements ObjectBackend {
  private readonly home: string;

  constructor(
    private readonly root: string,
    namespace: string,
  ) {
    // Created only at the start: an unmounted disk must not be replaced by an empty folder.
    mkdirSync(root, { recursive: true, mode: 0o700 });
    this.home = join(root, namespace);
  }

  async write(name: string, bytes: Uint8Array, signal?: AbortSignal): Promise<void> {
    const path = this.pathOf(name);
    const tempPath = join(this.home, INCOMING, randomUUID());
    await this.makeFolder(dirname(path));
    await this.makeFolder(dirname(tempPath));
    try {
      await writeDurably(tempPath, bytes);
      signal?.throwIfAborted();
      await rename(tempPath, path);
    } catch (error) {
      await rm(tempPath, { force: true }).catch(() => undefined);
      throw error;
    }
    await syncFolder(dirname(path));
  }

  read(name: string): Promise<Buffer | null> {
    return orNull(readFile(this.pathOf(name)), () => this.requireRoot());
  }

  async writtenAt(name: string): Promise<number | null> {
    const found = await orNull(stat(this.pathOf(name)), () => this.requireRoot());
    return found && found.mtimeMs;
  }

  async remove(name: string, signal?: AbortSignal): Promise<void> {
    await this.requireRoot();
    signal?.throwIfAborted();
    await rm(this.pathOf(name), { force: true });
  }

  async *list(): AsyncGenerator<Listed> {
    await this.requireRoot();
    for (const company of await namesIn(this.home)) {
      if (company === INCOMING) continue;
      for (const digits of await namesIn(join(this.home, company))) yield* this.listFolder(company, digits);
    }
  }

  async dropUnfinished(before: number): Promise<void> {
    const folder = join(this.home, INCOMING);
    for (const name of await namesIn(folder)) {
      const found = await orNull(stat(join(folder, name)));
      if (found && found.mtimeMs < before) await rm(join(folder, name), { force: true });
    }
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private async *listFolder(company: string, digits: string): AsyncGenerator<Listed> {
    const folder = join(this.home, company, digits);
    const entries = await orNull(opendir(folder));
    if (!entries) return;
    for await (const { name } of entries) {
      const found = await orNull(stat(join(folder, name)));
      if (found?.isFile()) yield { name: `${company}/${name}`, writtenAt: found.mtimeMs };
    }
  }

  private pathOf(name: string): string {
    const [company = '', hash = ''] = name.split('/');
    return join(this.home, company, hash.slice(0, 2), hash);
  }

  /** Distinguishes a missing root from a missing object. */
  private async requireRoot(): Promise<void> {
    await stat(this.root);
  }

  private async makeFolder(path: string): Promise<void> {
    try {
      await mkdir(path, { mode: 0o700 });
    } catch (error) {
      if (hasCode(error, 'EEXIST')) return;
      if (!hasCode(error, 'ENOENT') || dirname(path) === this.root) throw error;
      await this.makeFolder(dirname(path));
      return this.makeFolder(path);
    }
    await syncFolder(dirname(path));
  }
}

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  await using(await open(path, 'wx', 0o600), async (file) => {
    await file.writeFile(bytes);
    await file.sync();
  });
}

/** A file name is durable once its folder is synced. */
async function syncFolder(path: string): Promise<void> {
  await using(await open(path, 'r'), (folder) => folder.sync());
}

async function using(file: FileHandle, act: (file: FileHandle) => Promise<void>): Promise<void> {
  try {
    await act(file);
  } finally {
    await file.close();
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return (await orNull(readdir(folder))) ?? [];
}

async function orNull<Result>(found: Promise<Result>, otherwise?: () => Promise<void>): Promise<Result | null> {
  try {
    return await found;
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
    await otherwise?.();
    return null;
  }
}

const hasCode = (error: unknown, code: string): boolean => (error as NodeJS.ErrnoException).code === code;

import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { type BackupFile, readFileOf, sha256 } from './manifest.js';
import type { BackupStore } from './backup-store.js';

const CHUNK_BYTES = 8 * 1024 * 1024;
const [compress, decompress] = [promisify(gzip), promisify(gunzip)];

/** Numbered compressed files; several callers may append concurrently. */
export class ChunkWriter {
  private readonly files: BackupFile[] = [];
  private pending: Buffer[] = [];
  private size = 0;
  private written: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: BackupStore,
    private readonly name: string,
    private readonly chunkBytes = CHUNK_BYTES,
  ) {}

  async append(bytes: Buffer): Promise<void> {
    this.pending.push(bytes);
    this.size += bytes.length;
    if (this.size >= this.chunkBytes) await this.flush();
  }

  async end(): Promise<BackupFile[]> {
    await this.flush();
    return this.files;
  }

  private flush(): Promise<void> {
    const text = Buffer.concat(this.pending);
    [this.pending, this.size] = [[], 0];
    if (text.length > 0) this.written = this.written.then(() => this.write(text));
    return this.written;
  }

  private async write(text: Buffer): Promise<void> {
    const bytes = await compress(text);
    const name = `${this.name}.${String(this.files.length + 1).padStart(6, '0')}.gz`;
    await this.store.write(name, bytes);
    this.files.push({ name, bytes: bytes.length, sha256: sha256(bytes) });
  }
}

export async function* readChunks(store: BackupStore, files: readonly BackupFile[]): AsyncGenerator<Buffer> {
  for (const file of files) yield decompress(await readFileOf(store, file));
}

export async function* readLines(store: BackupStore, files: readonly BackupFile[]): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of readChunks(store, files)) {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

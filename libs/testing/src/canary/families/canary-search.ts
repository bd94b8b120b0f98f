import { lstat, open, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Pool } from 'pg';
import type { Encoding } from '../canaries.js';

export interface CanaryMatch {
  place: string;
  where: string;
  encoding: string;
  around: string;
}

const AROUND = 60;
const PIECE = 1 << 20;

/** Searches bytes, files and tables by chunks, because they may be larger than memory. */
export class CanarySearch {
  readonly matches: CanaryMatch[] = [];
  /** Bytes searched by place: a place of which nothing was read proves nothing. */
  readonly searched: Record<string, number> = {};
  private readonly overlap: number;
  /** Shared by thousands of files: allocating one for each costs more than the search. */
  private readonly chunk: Buffer;

  constructor(private readonly encodings: readonly Encoding[]) {
    this.overlap = Math.max(...encodings.map(({ bytes }) => bytes.length)) - 1;
    this.chunk = Buffer.allocUnsafeSlow(this.overlap + PIECE);
  }

  places(): string[] {
    return [...new Set(this.matches.map(({ place }) => place))].sort();
  }

  bytes(place: string, where: string, bytes: Buffer, counted = bytes.length): void {
    this.searched[place] = (this.searched[place] ?? 0) + counted;
    for (const { name, bytes: wanted } of this.encodings) {
      const at = bytes.indexOf(wanted);
      if (at < 0) continue;
      const around = bytes.subarray(Math.max(0, at - AROUND), at + wanted.length + AROUND).toString('latin1');
      this.matches.push({ place, where, encoding: name, around });
    }
  }

  text(place: string, where: string, text: string): void {
    this.bytes(place, where, Buffer.from(text));
  }

  /** The place is the first folder. Files deleted during the search are skipped. */
  async tree(root: string, directory = root): Promise<void> {
    for (const entry of await readdir(directory, { withFileTypes: true }).catch(() => [])) {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) await this.tree(root, path);
      else if (entry.isFile()) await this.file(root, path);
    }
  }

  private async file(root: string, path: string): Promise<void> {
    const where = relative(root, path);
    const place = where.includes('/') ? (where.split('/', 1)[0] ?? '') : 'files';
    const size = await lstat(path).then(
      (known) => known.size,
      () => 0,
    );
    if (size === 0) return;
    let file;
    try {
      file = await open(path);
      // The end of a chunk is kept for matches that span two.
      for (let kept = 0; ;) {
        const { bytesRead } = await file.read(this.chunk, kept, PIECE);
        if (bytesRead === 0) return;
        const end = kept + bytesRead;
        this.bytes(place, where, this.chunk.subarray(0, end), bytesRead);
        kept = Math.min(this.overlap, end);
        this.chunk.copyWithin(0, end - kept, end);
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    } finally {
      await file?.close();
    }
  }

  async dump(sql: Pool): Promise<void> {
    const client = await sql.connect();
    try {
      const { rows } = await client.query<{ name: string }>(
        `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
         WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`,
      );
      for (const { name } of rows) {
        await client.query(`BEGIN; DECLARE every CURSOR FOR SELECT t::text AS row FROM ${name} t`);
        for (;;) {
          const part = await client.query<{ row: string }>('FETCH 500 FROM every');
          if (part.rows.length === 0) break;
          this.text('dump', name, part.rows.map(({ row }) => row).join('\n'));
        }
        await client.query('COMMIT');
      }
    } finally {
      client.release();
    }
  }
}

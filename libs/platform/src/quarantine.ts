import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** A recorded model call that the database refuses. */
export interface QuarantinedRecord {
  id: string;
  quarantined_at: number;
  company_id: number;
  request_id: string | null;
  reason: string;
  /** The record as it was in the spool. */
  line: string;
}

/** Limits of a quarantine. */
export interface QuarantineLimits {
  records: number;
  bytes: number;
}

const LIMITS: QuarantineLimits = { records: 10_000, bytes: 1024 * 1024 * 1024 };
const ENDING = '.json';
const ID = /^[0-9a-f-]{36}$/;

/** The folders of the request log below the data directory. */
export const requestLogFolders = (dataDir: string): { spool: string; quarantine: string } => ({
  spool: join(dataDir, 'spool', 'traffic'),
  quarantine: join(dataDir, 'quarantine', 'traffic'),
});

/** Recorded model calls that the database refuses, one file each, until an operator replays or drops them. */
export class Quarantine {
  private adding: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly folder: string,
    private readonly limits = LIMITS,
  ) {}

  /** Stores a record, on disk when this resolves with its id; null when the quarantine is full and drops it. */
  add(record: Omit<QuarantinedRecord, 'id' | 'quarantined_at'>): Promise<string | null> {
    // One after the other, so that together they stay within the limits.
    const added = this.adding.then(() => this.addNext(record));
    this.adding = added.catch(() => undefined);
    return added;
  }

  private async addNext(record: Omit<QuarantinedRecord, 'id' | 'quarantined_at'>): Promise<string | null> {
    const id = randomUUID();
    const text = JSON.stringify({ id, quarantined_at: Date.now(), ...record });
    const { records, bytes } = await this.size();
    if (records >= this.limits.records || bytes + Buffer.byteLength(text) > this.limits.bytes) return null;
    await writeWhole(this.folder, `${id}${ENDING}`, text);
    return id;
  }

  /** The number of records, and their bytes. */
  async size(): Promise<QuarantineLimits> {
    const ids = await this.ids();
    let bytes = 0;
    // A record may be dropped in the meantime.
    for (const id of ids) bytes += (await stat(this.pathOf(id)).catch(() => ({ size: 0 }))).size;
    return { records: ids.length, bytes };
  }

  /** The ids of all records. */
  async ids(): Promise<string[]> {
    const names = await readdir(this.folder).catch(() => []);
    return names.filter((name) => name.endsWith(ENDING)).map((name) => name.slice(0, -ENDING.length));
  }

  /** Throws when there is no such record. */
  async read(id: string): Promise<QuarantinedRecord> {
    const text = ID.test(id) ? await readFile(this.pathOf(id), 'utf8').catch(() => null) : null;
    if (text === null) throw new Error(`no record ${id} is in quarantine`);
    return JSON.parse(text) as QuarantinedRecord;
  }

  /** Moves a record back to the spool, from which a running process stores it. */
  async replay(id: string, spool: string): Promise<void> {
    const { line } = await this.read(id);
    await writeWhole(spool, `${randomUUID()}.1.log`, `${line}\n`);
    await this.drop(id);
  }

  /** Deletes a record permanently. */
  async drop(id: string): Promise<void> {
    await this.read(id);
    await rm(this.pathOf(id));
  }

  private pathOf(id: string): string {
    return join(this.folder, `${id}${ENDING}`);
  }
}

/** Creates a file that appears with all of its content, and survives a loss of power. */
async function writeWhole(folder: string, name: string, text: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const part = join(folder, `${name}.part`);
  const file = await open(part, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(part, join(folder, name));
  const entries = await open(folder, 'r');
  await entries.sync().finally(() => entries.close());
}

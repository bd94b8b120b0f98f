import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

export interface QuarantinedRecord {
  id: string;
  quarantined_at: number;
  company_id: number;
  request_id: string | null;
  reason: string;
  line: string;
}

export interface QuarantineLimits {
  records: number;
  bytes: number;
}

const LIMITS: QuarantineLimits = { records: 10_000, bytes: 1024 * 1024 * 1024 };
const ENDING = '.json';
const ID = /^[0-9a-f-]{36}$/;

export const requestLogFolders = (dataDir: string): { spool: string; quarantine: string } => ({
  spool: join(dataDir, 'spool', 'traffic'),
  quarantine: join(dataDir, 'quarantine', 'traffic'),
});

/** One file per record, until an operator replays or drops it. */
export class Quarantine {
  private adding: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly folder: string,
    private readonly limits = LIMITS,
  ) {}

  /** Resolves with the id once the record is on disk; null when the quarantine is full and drops it. */
  add(record: Omit<QuarantinedRecord, 'id' | 'quarantined_at'>): Promise<string | null> {
    // Sequential, so that concurrent calls stay within the limits.
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

  async size(): Promise<QuarantineLimits> {
    const ids = await this.ids();
    let bytes = 0;
    // A record may be dropped meanwhile.
    for (const id of ids) bytes += (await stat(this.pathOf(id)).catch(() => ({ size: 0 }))).size;
    return { records: ids.length, bytes };
  }

  async ids(): Promise<string[]> {
    const names = await readdir(this.folder).catch(() => []);
    return names.filter((name) => name.endsWith(ENDING)).map((name) => name.slice(0, -ENDING.length));
  }

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

  async drop(id: string): Promise<void> {
    await this.read(id);
    await rm(this.pathOf(id));
  }

  private pathOf(id: string): string {
    return join(this.folder, `${id}${ENDING}`);
  }
}

/** The file appears with all of its content and survives a loss of power. */
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

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Quarantine } from './quarantine.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarantine-'));
});
afterEach(() => rm(folder, { recursive: true }));

const record = (line: string) => ({ company_id: 1, request_id: null, reason: 'why', line });

describe('a quarantine', () => {
  it('stores no more records than its limit, also when they arrive at once, and accepts the next after a drop', async () => {
    const quarantine = new Quarantine(folder, { records: 3, bytes: 100_000 });
    const ids = await Promise.all(Array.from({ length: 5 }, (_, n) => quarantine.add(record(`${n}`))));
    expect(ids.filter((id) => id === null)).toHaveLength(2);
    expect((await quarantine.size()).records).toBe(3);
    await quarantine.drop(ids.find((id) => id !== null) ?? '');
    expect(await quarantine.add(record('next'))).not.toBeNull();
  });

  it('stores no more bytes than its limit', async () => {
    const quarantine = new Quarantine(folder, { records: 100, bytes: 10_000 });
    expect(await quarantine.add(record('x'.repeat(9_000)))).not.toBeNull();
    expect(await quarantine.add(record('x'.repeat(1_000)))).toBeNull();
    const { records, bytes } = await quarantine.size();
    expect([records, bytes < 10_000]).toEqual([1, true]);
  });
});

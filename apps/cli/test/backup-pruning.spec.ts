import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folderOf, addressBelow } from '../src/admin/backup/backup-store.js';
import { backUpNightly } from '../src/admin/backup/nightly.js';
import { nameOf, prune } from '../src/admin/backup/pruning.js';
import { placeOf } from '../src/admin/backup/sources.js';
import { Options } from '../src/usage.js';
import { readSettings } from '../src/settings/settings.js';

const NOW = Date.parse('2026-03-10T03:00:00Z');
const HOUR_MS = 3_600_000;

describe('the folder of nightly backups', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'signalbox-backups-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const made = (kind: string, hoursAgo: number, isComplete = true): string => {
    const name = nameOf(kind, NOW - hoursAgo * HOUR_MS);
    mkdirSync(join(folder, name));
    if (isComplete) writeFileSync(join(folder, name, 'manifest.json'), '{}');
    return name;
  };

  it('keeps the latest complete backups of each kind, what is being written, and what operators have made', async () => {
    made('nightly', 96);
    const nightly = [made('nightly', 48), made('nightly', 24), made('nightly', 0)];
    made('before-upgrade', 960);
    const upgrades = [made('before-upgrade', 720), made('before-upgrade', 480), made('before-upgrade', 240)];
    const written = made('before-upgrade', 1, false);
    made('before-upgrade', 600, false);
    made('nightly', 30, false);
    mkdirSync(join(folder, 'nightly-of-mine'));
    mkdirSync(join(folder, '2026-03-01'));
    await prune(folder, 3, NOW);
    expect(readdirSync(folder).sort()).toEqual(
      [...nightly, ...upgrades, written, 'nightly-of-mine', '2026-03-01'].sort(),
    );
  });

  it('is pruned without a backup by --prune, which a bucket refuses', async () => {
    const [, latest] = [made('nightly', 24), made('nightly', 0)];
    const pruned = (to: string): Promise<unknown> =>
      backUpNightly(
        Options.read(['--to', to, '--keep', '1', '--prune'], ['to', 'keep'], ['once', 'prune']),
        readSettings({}),
      );
    await pruned(folder);
    expect(readdirSync(folder)).toEqual([latest]);
    await expect(pruned('s3://A:B@store.example/bucket')).rejects.toThrow('--prune takes a folder');
  });

  it('leaves what it cannot read, and files', async () => {
    const file = nameOf('nightly', NOW - 900 * HOUR_MS);
    writeFileSync(join(folder, file), 'no folder');
    const unreadable = made('nightly', 800, false);
    mkdirSync(join(folder, unreadable, 'manifest.json'));
    made('nightly', 700);
    const latest = made('nightly', 0);
    await prune(folder, 1, NOW);
    expect(readdirSync(folder).sort()).toEqual([file, unreadable, latest]);
  });
});

describe('the address of a nightly backup', () => {
  it('is below a folder or below the prefix of a bucket', () => {
    expect(addressBelow('/backups', 'nightly-1')).toBe('/backups/nightly-1');
    expect(addressBelow('file:/backups/', 'nightly-1')).toBe('/backups/nightly-1');
    expect(addressBelow('s3://KEY:s%2Fe@store.example:9000/bucket/signalbox/?region=eu', 'nightly-1')).toBe(
      's3://KEY:s%2Fe@store.example:9000/bucket/signalbox/nightly-1?region=eu',
    );
    const [name, bucket] = ['nightly-2026-03-10T03-00-00-000Z', 's3://A:B@store.example/bucket'];
    const given = (from: string, backupUrl: string | null): string =>
      placeOf(Options.read(['--from', from], ['from'], []), 'from', { backupUrl });
    expect(given(name, bucket)).toBe(`${bucket}/${name}`);
    expect([given(name, null), given('nightly', bucket), given('/backups/mine', bucket)]).toEqual([
      name,
      'nightly',
      '/backups/mine',
    ]);
    expect([folderOf('file:/backups'), folderOf('s3://A:B@store.example/bucket')]).toEqual(['/backups', null]);
  });
});

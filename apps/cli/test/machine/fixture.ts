import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '../../src/settings/settings.js';
import { up } from '../../src/machine/up.js';

export const { jest } = import.meta;

/** Says what docker says, notes each call, and fails at one that has the words of the file `fails` in it. */
export const DOCKER = `#!/bin/sh
words=$(echo "$*" | sed 's/-f docker-compose[^ ]* //g')
echo "$words" >> "$FAKE_DOCKER/calls"
fails=$(cat "$FAKE_DOCKER/fails")
[ -n "$fails" ] && case "$words" in *"$fails"*) exit 1 ;; esac
case "$words" in
  *create-company*) echo '[{"company_id":1}]' > "$FAKE_DOCKER/companies"; echo '{"company_id":1,"api_key":"svk_first"}' ;;
  *list-companies*) cat "$FAKE_DOCKER/companies" ;;
  *'cli portal') echo 'https://x.example.com/sign-in#t=once' ;;
esac
exit 0
`;

export let home: string;
export let folder: string;
export const path = process.env.PATH;
export const settings = readSettings({});
export const place = (name: string): string => join(home, name);
export const calls = (): string[] => readFileSync(place('calls'), 'utf8').trim().split('\n');
export const generated = (name: string): string => join(folder, 'generated', name);
export const fails = (words: string): void => writeFileSync(place('fails'), words);

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'signalbox-machine-'));
  folder = place('installed');
  mkdirSync(place('bin'));
  writeFileSync(place('bin/docker'), DOCKER);
  chmodSync(place('bin/docker'), 0o755);
  writeFileSync(place('calls'), '');
  writeFileSync(place('companies'), '[]\n');
  fails('');
  process.env.PATH = `${place('bin')}:${path}`;
  process.env.FAKE_DOCKER = home;
});
afterEach(() => {
  process.env.PATH = path;
  delete process.env.FAKE_DOCKER;
  rmSync(home, { recursive: true, force: true });
});

export const started = (...more: string[]): Promise<number> =>
  up(settings, ['--domain', 'x.example.com', '--folder', folder, '--force', ...more]);

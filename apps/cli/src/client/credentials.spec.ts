import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { credentialsFile, findCredentials, readProfiles, removeProfile, storeProfile } from './credentials.js';

const CREDENTIALS = { url: 'https://platform.example/api/v1', key: 'svk_one' };

let folder: string;
let environment: Record<string, string>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'credentials-'));
  environment = { XDG_CONFIG_HOME: folder };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(text: string): string {
  const file = credentialsFile(environment);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

describe('the file of keys', () => {
  it('begins with the first profile and ends with the last', () => {
    expect(readProfiles(environment)).toEqual({ profiles: {} });
    storeProfile(environment, 'one', CREDENTIALS, false);
    expect(readProfiles(environment)).toEqual({ current: 'one', profiles: { one: CREDENTIALS } });
    expect(findCredentials(environment)).toEqual(CREDENTIALS);
    expect(removeProfile(environment, 'one')).toBe(true);
    expect(readProfiles(environment)).toEqual({ profiles: {} });
  });

  it('of an earlier release holds one key', () => {
    write(JSON.stringify(CREDENTIALS));
    expect(readProfiles(environment)).toEqual({ current: 'default', profiles: { default: CREDENTIALS } });
  });

  it('is not replaced, nor taken for an absent one, when it cannot be read', () => {
    const cut = JSON.stringify({ current: 'one', profiles: { one: CREDENTIALS } }).slice(0, -2);
    const file = write(cut);
    expect(() => storeProfile(environment, 'two', CREDENTIALS, true)).toThrow(`${file} cannot be read`);
    expect(() => findCredentials(environment)).toThrow(`${file} cannot be read`);
    expect(readFileSync(file, 'utf8')).toBe(cut);
    expect(findCredentials({ ...environment, SIGNALBOX_URL: CREDENTIALS.url, SIGNALBOX_API_KEY: 'svk_two' })).toEqual({
      url: CREDENTIALS.url,
      key: 'svk_two',
    });
  });
});

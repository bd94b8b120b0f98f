import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { TestCompany } from '@signalbox/testing';
import { startCommand } from '../command-line.js';
import { company, folder, platform, signalbox } from './fixture.js';

describe('login', () => {
  const none = { SIGNALBOX_API_KEY: '', DATA_DIR: '/nowhere' };
  const file = (): string => join(folder, 'signalbox', 'credentials.json');

  it('stores a key that works, readable by its owner alone, and refuses another', async () => {
    expect(await signalbox(['login'], { stdin: 'svk_wrong', env: none })).toMatchObject({ code: 3 });
    expect(() => statSync(file())).toThrow('ENOENT');
    const login = startCommand(
      ['login', '--url', platform.baseUrl],
      folder,
      { XDG_CONFIG_HOME: folder, ...none },
      null,
    );
    // The key may arrive long after the command has begun to read.
    await pause(2_000);
    login.child.stdin?.end(`${company.key}\n`);
    const stored = await login.ended;
    expect(stored).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`company ${company.companyId}`) as string,
    });
    expect((statSync(file()).mode & 0o777).toString(8)).toBe('600');
    expect(stored.stdout).not.toContain(company.key);
  });

  it('lets commands find the key, which no other address receives, until logout', async () => {
    const who = await signalbox(['whoami'], { env: none });
    expect(who.stdout).toContain(`of company ${company.companyId}`);
    const elsewhere = await signalbox(['whoami'], { env: { ...none, SIGNALBOX_URL: 'http://127.0.0.1:1' } });
    expect(elsewhere).toMatchObject({ code: 2, stderr: expect.stringContaining('no API key') as string });
    await signalbox(['logout'], { env: none });
    expect(await signalbox(['whoami'], { env: none })).toMatchObject({ code: 2 });
  });
});

describe('profiles', () => {
  const none = { SIGNALBOX_API_KEY: '', SIGNALBOX_URL: '', DATA_DIR: '/nowhere' };
  const profile = (words: string[], stdin = '') => signalbox(['profile', ...words], { stdin, env: none });
  const whoami = async (words: string[] = [], env = {}) =>
    (await signalbox(['whoami', ...words], { env: { ...none, ...env } })).stdout;
  const file = (): string => join(folder, 'signalbox', 'credentials.json');
  let other: TestCompany;
  beforeAll(async () => {
    other = await platform.company();
  });

  it('keep keys under names, readable by their owner alone and never shown', async () => {
    const add = ['add', 'first', '--url', platform.baseUrl];
    expect(await profile(add, 'svk_wrong')).toMatchObject({ code: 3 });
    expect(await profile(add, company.key)).toMatchObject({ code: 0 });
    const more = ['--url', platform.baseUrl, '--portal-url', 'https://portal.example/'];
    expect(await profile(['add', 'second', ...more], other.key)).toMatchObject({ code: 0 });
    expect((statSync(file()).mode & 0o777).toString(8)).toBe('600');
    const listed = await profile(['list', '--json']);
    expect(JSON.parse(listed.stdout)).toMatchObject([
      { profile: 'first', current: true, url: platform.baseUrl, portal: platform.baseUrl.replace('api/v1', '') },
      { profile: 'second', current: false, portal: 'https://portal.example/' },
    ]);
    for (const { key } of [company, other]) expect(listed.stdout).not.toContain(key);
  });

  it('are chosen by --profile, else by the variables, else by use', async () => {
    const [first, second] = [company, other].map(({ companyId }) => `of company ${companyId} `);
    expect(await whoami()).toContain(first);
    expect(await whoami([], { SIGNALBOX_PROFILE: 'second' })).toContain(second);
    const variables = { SIGNALBOX_API_KEY: company.key, SIGNALBOX_URL: platform.baseUrl };
    expect(await whoami([], { ...variables, SIGNALBOX_PROFILE: 'second' })).toContain(first);
    expect(await whoami(['--profile', 'second'], variables)).toContain(second);
    const agents = await signalbox(['agents', 'list', '--profile=second'], { env: variables });
    expect(agents).toMatchObject({ code: 0, stdout: '(none)\n' });
    expect((await profile(['use', 'second'])).code).toBe(0);
    expect(await whoami()).toContain(second);
  });

  it('are errors when they do not exist, and can be removed', async () => {
    for (const words of [
      ['use', 'third'],
      ['remove', 'third'],
      ['add', '../x'],
      ['rename', 'a'],
    ])
      expect({ words, ...(await profile(words, 'k')) }).toMatchObject({ words, code: 2 });
    const unknown = await signalbox(['agents', 'list', '--profile', 'third'], { env: none });
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('no profile "third"') as string });
    await profile(['remove', 'second']);
    expect(await whoami(['--profile', 'first'])).toContain(`of company ${company.companyId}`);
    await profile(['remove', 'first']);
    expect(() => statSync(file())).toThrow('ENOENT');
  });

  it('read a file from before there were names', async () => {
    writeFileSync(file(), JSON.stringify({ url: platform.baseUrl, key: company.key }));
    expect(await whoami()).toContain(`of company ${company.companyId}`);
    rmSync(file());
  });
});

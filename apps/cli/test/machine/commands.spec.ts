import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { freePort } from '@signalbox/servers';
import { nextAt } from '../../src/admin/backup/nightly.js';
import { findComposer } from '../../src/machine/engine.js';
import { imageOfSources } from '../../src/machine/image.js';
import { preflight } from '../../src/machine/preflight.js';
import { main } from '../../src/main.js';
import { home, place, jest } from './fixture.js';

describe('the commands of a machine', () => {
  it.each([
    [['up', '--help'], '--domain NAME'],
    [['upgrade', '-h'], '--plan'],
    [['admin', '--help'], 'create-company'],
    [['admin', 'doctor', 'help'], 'signalbox admin doctor'],
  ])('%j prints its own help', async (words, text) => {
    const printed = jest.spyOn(console, 'log').mockImplementation(() => undefined);
    expect(await main(words)).toBe(0);
    const page = printed.mock.calls.join('\n');
    printed.mockRestore();
    expect(page).toContain(text);
    expect(page).not.toContain('signalbox <command>');
  });

  it('exit with 2 after a wrong use, also of a value that reads as help', async () => {
    const printed = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    expect(await main(['up', '--company', 'help'])).toBe(2);
    expect(await main(['up', '--no-such'])).toBe(2);
    expect(await main(['upgrade', '--plan=1'])).toBe(2);
    printed.mockRestore();
  });
});

describe('the program that composes', () => {
  const says = (version: string): void => {
    writeFileSync(place('bin/docker'), '#!/bin/sh\nexit 1\n');
    for (const name of ['docker-compose', 'podman']) writeFileSync(place(`bin/${name}`), '#!/bin/sh\nexit 1\n');
    writeFileSync(place('bin/podman-compose'), `#!/bin/sh\necho '${version}'\n`);
    for (const name of ['docker-compose', 'podman', 'podman-compose']) chmodSync(place(`bin/${name}`), 0o755);
  };

  it.each(['podman-composer version  1.0.3', 'podman-compose version 1.2.0'])('is not %s', async (version) => {
    says(version);
    await expect(findComposer()).rejects.toThrow('podman-compose 1.3 or later');
  });

  it('is a later podman-compose', async () => {
    says('podman-compose version 1.6.0');
    expect(await findComposer()).toEqual({ composer: ['podman-compose'], engine: 'podman' });
  });
});

describe('the image of sources', () => {
  it('is named after their commit, and after the time where they are none', async () => {
    const sources = place('sources');
    const git = (...words: string[]): string =>
      execFileSync('git', ['-C', sources, '-c', 'user.name=t', '-c', 'user.email=t@x.example', ...words], {
        encoding: 'utf8',
      }).trim();
    mkdirSync(sources);
    expect(await imageOfSources(sources)).toMatch(/^signalbox:\d+\.\d+\.\d+$/);
    writeFileSync(join(sources, 'package-lock.json'), '{}');
    const at = new Date('2026-03-01T02:59:00Z');
    expect(await imageOfSources(sources, at)).toMatch(/-20260301025900$/);
    git('init', '--quiet');
    git('add', '.');
    git('commit', '--quiet', '-m', 'first');
    const first = await imageOfSources(sources, at);
    expect(first).toMatch(new RegExp(`-${git('rev-parse', '--short=12', 'HEAD')}$`));
    git('commit', '--quiet', '--allow-empty', '-m', 'second');
    expect(await imageOfSources(sources, at)).not.toBe(first);
    writeFileSync(join(sources, 'package-lock.json'), '{"changed":true}');
    expect(await imageOfSources(sources, at)).toMatch(/-20260301025900$/);
  });
});

describe('the check before', () => {
  const servers: Server[] = [];
  const serve = async (listener: Parameters<typeof createServer>[1]): Promise<number> => {
    const server = createServer(listener);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, resolve));
    return (server.address() as { port: number }).port;
  };
  afterEach(() => servers.splice(0).forEach((server) => server.close()));

  const look = async (options: Partial<Parameters<typeof preflight>[0]>): Promise<Record<string, string>> => {
    const found = await preflight({
      domain: 'x.example.com',
      folder: home,
      httpPort: await freePort(),
      httpsPort: await freePort(),
      clockUrl: 'http://127.0.0.1:9/',
      addressesOf: () => Promise.resolve(['127.0.0.1']),
      ...options,
    });
    return Object.fromEntries(
      found.map(({ area, state, found: text }) => [area.replace(/\d+/, ''), `${state}: ${text}`]),
    );
  };

  it('is content with free ports, a name that leads here and a clock that is right', async () => {
    const clock = await serve((_, response) => response.end());
    const found = await look({ clockUrl: `http://127.0.0.1:${clock}/` });
    expect(found).toMatchObject({ 'port ': 'ok: free', name: 'ok: x.example.com is 127.0.0.1 and leads here' });
    expect(found.clock).toMatch(/^ok: differs from 127\.0\.0\.1:\d+ by 0 s$/);
    expect(found.disk).toMatch(/GiB are free$/);
  });

  it('names a taken port, a name without an address or for another machine, and a wrong clock', async () => {
    const taken = await serve((_, response) => response.end('other'));
    expect(await look({ httpsPort: taken })).toMatchObject({ 'port ': 'problem: another program listens on it' });
    const nameless = await look({ addressesOf: () => Promise.resolve([]) });
    expect(nameless.name).toBe('problem: x.example.com has no address');
    // Nothing listens at this address of the machine: the check listens on all of them but is asked elsewhere.
    const elsewhere = await look({ addressesOf: () => Promise.resolve(['192.0.2.1']) });
    expect(elsewhere.name).toMatch(/^warning: x\.example\.com is 192\.0\.2\.1, where this machine was not reached/);
    const wrong = await serve((_, response) => {
      response.setHeader('date', new Date(Date.now() - 300_000).toUTCString()).end();
    });
    expect((await look({ clockUrl: `http://127.0.0.1:${wrong}/` })).clock).toMatch(
      /^problem: differs .* by (299|300|301) s$/,
    );
  }, 90_000);
});

describe('the time of the nightly backup', () => {
  it('is today or tomorrow, in UTC', () => {
    const at = (text: string): number => Date.parse(text);
    expect(nextAt('03:00', at('2026-03-01T02:59:00Z'))).toBe(at('2026-03-01T03:00:00Z'));
    expect(nextAt('03:00', at('2026-03-01T03:00:00Z'))).toBe(at('2026-03-02T03:00:00Z'));
    expect(nextAt('00:30', at('2026-12-31T23:00:00Z'))).toBe(at('2027-01-01T00:30:00Z'));
  });
});

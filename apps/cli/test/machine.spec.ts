import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@signalbox/servers';
import { parse } from 'yaml';
import { nextAt } from '../src/admin/backup/nightly.js';
import { DEPLOYED } from '../src/launcher/services.js';
import { findComposer } from '../src/machine/engine.js';
import { imageOfSources } from '../src/machine/image.js';
import { preflight } from '../src/machine/preflight.js';
import { main } from '../src/main.js';
import { readSettings } from '../src/settings/settings.js';
import { up } from '../src/machine/up.js';
import { upgrade } from '../src/machine/upgrade.js';

const { jest } = import.meta;

/** Says what docker says, notes each call, and fails at one that has the words of the file `fails` in it. */
const DOCKER = `#!/bin/sh
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

let home: string;
let folder: string;
const path = process.env.PATH;
const settings = readSettings({});
const place = (name: string): string => join(home, name);
const calls = (): string[] => readFileSync(place('calls'), 'utf8').trim().split('\n');
const generated = (name: string): string => join(folder, 'generated', name);
const fails = (words: string): void => writeFileSync(place('fails'), words);

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

const started = (...more: string[]): Promise<number> =>
  up(settings, ['--domain', 'x.example.com', '--folder', folder, '--force', ...more]);

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

describe('up', () => {
  it('makes the files and secrets of a domain once, and starts everything with a first company and a link', async () => {
    expect(await started('--image', 'signalbox:1', '--monitoring')).toBe(0);
    expect(calls().filter((call) => !call.includes('exec'))).toEqual([
      'compose version',
      'image inspect signalbox:1',
      'compose up -d',
      'compose run --rm cli admin list-companies',
      'compose run --rm cli admin create-company --name Main',
      'compose run --rm -e PUBLIC_URL=https://x.example.com cli portal',
    ]);
    const key = readFileSync(generated('master-key.env'), 'utf8');
    expect(key).toMatch(/^MASTER_KEY=[0-9a-f]{64}\n$/);
    const modeOf = (file: string): number => statSync(file).mode & 0o777;
    expect(['master-key.env', 'owner.env', 'traffic.env', 'cli.env'].map((name) => modeOf(generated(name)))).toEqual(
      Array.from({ length: 4 }, () => 0o600),
    );
    expect([modeOf(join(folder, 'generated')), modeOf(join(folder, '.env'))]).toEqual([0o700, 0o600]);
    await started('--image', 'signalbox:1');
    expect(readFileSync(generated('master-key.env'), 'utf8')).toBe(key);
    expect(calls().filter((call) => call.includes('create-company'))).toHaveLength(1);
  });

  it('makes the first company when an earlier run ended before it did', async () => {
    fails('compose up -d');
    await expect(started('--image', 'signalbox:1')).rejects.toThrow(/up -d ended with 1/);
    fails('');
    expect(await started()).toBe(0);
    expect(calls().filter((call) => call.includes('create-company'))).toHaveLength(1);
  });

  it('prepares a folder for a restore and starts nothing', async () => {
    expect(await started('--image', 'signalbox:1', '--prepare')).toBe(0);
    expect(calls()).toEqual(['compose version', 'image inspect signalbox:1']);
    writeFileSync(place('companies'), '[{"company_id":7}]\n');
    expect(await started()).toBe(0);
    expect(calls().filter((call) => call.includes('create-company'))).toEqual([]);
  });

  it('keeps what an operator has changed in an override, and the image that runs', async () => {
    await started('--image', 'signalbox:1');
    const override = join(folder, 'docker-compose.override.yml');
    writeFileSync(override, 'services: {}\n');
    writeFileSync(place('bin/docker'), DOCKER.replace("| sed 's/-f docker-compose[^ ]* //g'", ''));
    await started();
    expect(readFileSync(override, 'utf8')).toBe('services: {}\n');
    expect(calls().at(-1)).toContain('-f docker-compose.monitoring.yml -f docker-compose.override.yml run');
    expect(calls().filter((call) => call.startsWith('image'))).toEqual(Array(2).fill('image inspect signalbox:1'));
  });

  it('has the alerts of the release in the folder that Prometheus reads', async () => {
    await started('--image', 'signalbox:1');
    const alerts = readFileSync(join(folder, 'monitoring/alerts/signalbox.yaml'), 'utf8');
    expect(alerts).toContain('SignalboxServiceGone');
    expect(readFileSync(join(folder, 'monitoring/alerts/signalbox-backups.yaml'), 'utf8')).toContain(
      'SignalboxBackupMissing',
    );
    const prometheus = parse(readFileSync(join(folder, 'monitoring/prometheus.yml'), 'utf8')) as object;
    expect(prometheus).toMatchObject({ rule_files: ['alerts/*.yaml'] });
    const { services } = parse(readFileSync(join(folder, 'docker-compose.monitoring.yml'), 'utf8'), {
      merge: true,
    }) as {
      services: { prometheus: { volumes: string[] } };
    };
    expect(services.prometheus.volumes).toContain('./monitoring/alerts:/etc/prometheus/alerts:ro');
  });

  it('gives services both keys while the master key changes', async () => {
    await started('--image', 'signalbox:1');
    const former = readFileSync(generated('master-key.env'), 'utf8').trim().replace('MASTER_KEY=', '');
    const lines = [`MASTER_KEY=${'n'.repeat(64)}`, `MASTER_KEY_PREVIOUS=${former}`, ''];
    writeFileSync(generated('master-key.env'), lines.join('\n'));
    await started('--image', 'signalbox:1');
    const traffic = readFileSync(generated('traffic.env'), 'utf8');
    expect(traffic).toMatch(/^PROVIDER_SEAL_KEY=[0-9a-f]{64},[0-9a-f]{64}$/m);
    expect(traffic).toMatch(/^NATS_URL=nats:\/\/traffic-[0-9a-f]{8}:/m);
    expect(readFileSync(generated('master-key.env'), 'utf8')).toBe(lines.join('\n'));
    const [bus, all] = calls()
      .filter((call) => call.startsWith('compose up'))
      .slice(-2);
    expect([bus, all]).toEqual(['compose up -d --no-deps --force-recreate nats', 'compose up -d']);
  });

  it('makes no logins without a master key', async () => {
    mkdirSync(generated(''), { recursive: true });
    writeFileSync(generated('master-key.env'), `${'k'.repeat(64)}\n`);
    await expect(started('--image', 'signalbox:1')).rejects.toThrow('master-key.env has no line MASTER_KEY=');
    expect(existsSync(generated('traffic.env'))).toBe(false);
  });

  it('writes what a compose program accepts', async () => {
    await started('--image', 'signalbox:1');
    const base = join(folder, 'docker-compose.yml');
    const { services } = parse(readFileSync(base, 'utf8'), { merge: true }) as {
      services: Record<string, { env_file?: string[] }>;
    };
    const named = Object.values(services).flatMap(({ env_file = [] }) => env_file);
    expect(named.length).toBeGreaterThanOrEqual(DEPLOYED.length);
    for (const file of named) expect(readFileSync(join(folder, file), 'utf8')).toMatch(/^[A-Z_]+=/);
    if (spawnSync('docker-compose', ['version'], { env: { PATH: path } }).status !== 0)
      return console.warn('NO COMPOSE PROGRAM HAS READ THE FILES: docker-compose is not on this machine');
    // The first version of the program knows no name of a project in its file.
    writeFileSync(base, readFileSync(base, 'utf8').replace(/^name: .*$/m, ''));
    const files = ['docker-compose.yml', 'docker-compose.domain.yml', 'docker-compose.monitoring.yml'];
    const words = [...files.flatMap((file) => ['-f', file]), 'config', '--quiet'];
    const read = spawnSync('docker-compose', words, { cwd: folder, encoding: 'utf8', env: { PATH: path } });
    expect([read.status, read.stderr]).toEqual([0, '']);
  }, 60_000);

  it('says so where there is no compose program', async () => {
    process.env.PATH = place('empty');
    await expect(started()).rejects.toThrow(/neither docker compose, .* is there/);
  });

  it('refuses what is no domain', async () => {
    await expect(up(settings, ['--domain', 'localhost'])).rejects.toThrow('--domain takes a name');
  });
});

describe('upgrade', () => {
  const changed = (): string[] => calls().filter((call) => !call.includes('exec') && !call.includes('version'));
  const imageNow = (): string => /^SIGNALBOX_IMAGE=(.*)$/m.exec(readFileSync(join(folder, '.env'), 'utf8'))![1]!;
  const upgraded = (...more: string[]): Promise<number> =>
    upgrade(settings, ['--folder', folder, '--image', 'signalbox:2', ...more]);
  beforeEach(async () => {
    await started('--image', 'signalbox:1');
    writeFileSync(place('calls'), '');
  });

  it('backs up and verifies, migrates, and replaces one service after the other, the entrances last', async () => {
    expect(await upgraded()).toBe(0);
    const [image, backup, verified, bus, migrated, ...rolled] = changed();
    expect(rolled.pop()).toBe('compose run --rm backup admin backups --prune --to /backups --keep 7');
    expect(image).toBe('image inspect signalbox:2');
    expect(backup).toMatch(/^compose run --rm backup admin backup --to \/backups\/before-upgrade-/);
    expect(verified).toMatch(/^compose run --rm backup admin verify --from \/backups\/before-upgrade-/);
    // A reload would read the file that was mounted when the container was made.
    expect([bus, migrated]).toEqual(['compose up -d --no-deps --force-recreate nats', 'compose run --rm migrate']);
    const services = rolled.map((call) => call.replace('compose up -d --no-deps ', ''));
    expect(services.toSorted()).toEqual([...DEPLOYED.map(({ name }) => name), 'front backup'].toSorted());
    expect(services.slice(-3)).toEqual(['gateway', 'completions', 'front backup']);
    expect(calls().filter((call) => call.includes('exec -T')).length).toBeGreaterThanOrEqual(DEPLOYED.length);
    expect(imageNow()).toBe('signalbox:2');
  });

  it('replaces what holds files that a release has changed', async () => {
    writeFileSync(join(folder, 'front/Caddyfile'), '# of the former release');
    writeFileSync(join(folder, '.env'), `${readFileSync(join(folder, '.env'), 'utf8')}COMPOSE_PROFILES=monitoring\n`);
    expect(await upgraded()).toBe(0);
    expect(changed().slice(-4, -1)).toEqual([
      'compose up -d --no-deps front backup',
      'compose up -d --no-deps --force-recreate front',
      'compose up -d --no-deps --force-recreate prometheus grafana collector',
    ]);
    writeFileSync(place('calls'), '');
    expect(await upgraded('--image', 'signalbox:3')).toBe(0);
    expect(changed()).not.toContain('compose up -d --no-deps --force-recreate front');
  });

  it('goes back to the former Caddyfile, also of a front that has the new one', async () => {
    writeFileSync(join(folder, 'front/Caddyfile'), '# of the former release');
    fails('compose run --rm migrate');
    expect(await upgraded()).toBe(1);
    expect(changed().at(-1)).toBe('compose up -d --no-deps --force-recreate front');
    expect(readFileSync(join(folder, 'front/Caddyfile'), 'utf8')).toBe('# of the former release');
  });

  it('keeps as many backups as are asked for, and succeeds when old ones cannot be deleted', async () => {
    writeFileSync(join(folder, '.env'), `${readFileSync(join(folder, '.env'), 'utf8')}BACKUPS_KEPT=3\n`);
    fails('admin backups --prune');
    expect(await upgraded()).toBe(0);
    expect(changed().at(-1)).toMatch(/--prune --to \/backups --keep 3$/);
    expect(imageNow()).toBe('signalbox:2');
  });

  it('succeeds when the monitoring cannot be replaced', async () => {
    writeFileSync(join(folder, '.env'), `${readFileSync(join(folder, '.env'), 'utf8')}COMPOSE_PROFILES=monitoring\n`);
    fails('--force-recreate prometheus');
    expect(await upgraded()).toBe(0);
    expect(imageNow()).toBe('signalbox:2');
  });

  it('goes back to the former image and files when a service does not start', async () => {
    const compose = join(folder, 'docker-compose.yml');
    const former = `${readFileSync(compose, 'utf8')}# of the former release\n`;
    writeFileSync(compose, former);
    fails('compose up -d --no-deps gateway');
    // The way back meets the same failure here: what counts is the image it is tried with.
    await expect(upgraded()).rejects.toThrow(/gateway ended with 1/);
    expect(imageNow()).toBe('signalbox:1');
    const kept = join(folder, 'generated/former-release');
    expect(readFileSync(join(folder, '.env'), 'utf8')).toContain('PREVIOUS_IMAGE=signalbox:1\n');
    expect(existsSync(kept)).toBe(true);
    fails('compose run --rm migrate');
    expect(await upgraded()).toBe(1);
    expect(readFileSync(compose, 'utf8')).toBe(former);
    expect(readFileSync(join(folder, '.env'), 'utf8')).toContain('PREVIOUS_IMAGE=\n');
    expect(existsSync(kept)).toBe(false);
    expect([imageNow(), changed().at(-1)]).toEqual(['signalbox:1', 'compose up -d --no-deps front backup']);
  });

  it('goes back to the files of the image that ran, after an upgrade that ended while it cleaned up', async () => {
    const compose = join(folder, 'docker-compose.yml');
    const former = `${readFileSync(compose, 'utf8')}# of the former release\n`;
    writeFileSync(compose, former);
    mkdirSync(generated('former-release'));
    writeFileSync(generated('former-release/docker-compose.yml'), '# of the release before that\n');
    fails('compose run --rm migrate');
    expect(await upgraded()).toBe(1);
    expect(readFileSync(compose, 'utf8')).toBe(former);
  });

  it('takes every other service back when one does not start, and says which did not', async () => {
    fails('compose up -d --no-deps monitors');
    await expect(upgraded()).rejects.toThrow(/monitors ended with 1/);
    const tried = changed().flatMap((call) => /^compose up -d --no-deps (?!.*nats)(.*)$/.exec(call)?.[1] ?? []);
    const back = tried.slice(tried.indexOf('monitors') + 1);
    expect(back.toSorted()).toEqual([...DEPLOYED.map(({ name }) => name), 'front backup'].toSorted());
    // It may have stopped with the configuration that it has.
    expect(changed()).toContain('compose up -d --no-deps nats');
  });

  it('goes back to the former configuration of NATS with the logins that are in it', async () => {
    const files = [generated('nats.conf'), generated('traffic.env')];
    for (const file of files) writeFileSync(file, '# of the former release\n');
    fails('compose run --rm migrate');
    expect(await upgraded()).toBe(1);
    expect(files.map((file) => readFileSync(file, 'utf8'))).toEqual(Array(2).fill('# of the former release\n'));
    expect(files.map((file) => statSync(file).mode & 0o777)).toEqual([0o644, 0o600]);
    const back = changed().slice(changed().indexOf('compose run --rm migrate') + 1);
    expect(back[0]).toBe('compose up -d --no-deps --force-recreate nats');
  });

  it('changes nothing without a backup, and nothing at all for a plan', async () => {
    expect(await upgraded('--plan')).toBe(0);
    expect(changed()).toEqual(['']);
    fails('admin verify');
    await expect(upgraded()).rejects.toThrow(/admin verify/);
    expect(imageNow()).toBe('signalbox:1');
    expect(changed().some((call) => call.includes('migrate'))).toBe(false);
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

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { DEPLOYED } from '../../src/launcher/services.js';
import { up } from '../../src/machine/up.js';
import { DOCKER, folder, path, settings, place, calls, generated, fails, started } from './fixture.js';

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

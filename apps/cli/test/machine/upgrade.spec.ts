import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEPLOYED } from '../../src/launcher/services.js';
import { upgrade } from '../../src/machine/upgrade.js';
import { folder, settings, place, calls, generated, fails, started } from './fixture.js';

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

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validate } from 'dockerfile-utils';
import { readSettings, shutdownGraceMs } from '@signalbox/platform';
import { parse } from 'yaml';
import { AT_ONCE } from '../src/admin/backup/objects.js';
import { readSettings as settingsOfCommands } from '../src/settings/settings.js';
import { commandOf, DEPLOYED, serviceOf, SERVICES } from '../src/launcher/services.js';
import {
  AFTER_GRACE_SECONDS,
  loginsOf,
  NOT_PASSED,
  OF_THE_LAUNCHER,
  settingsOfPage,
  settingsReadBy,
} from './deployed-settings.js';
import { ROOT } from './manifests.js';

const read = (name: string): string => readFileSync(join(ROOT, 'docker', name), 'utf8');
const dockerfile = read('Dockerfile');

interface ComposeService {
  image?: string;
  command?: string[];
  env_file?: string[];
  environment?: Record<string, string>;
  networks?: string[];
  volumes?: string[];
  healthcheck?: { test: string[] };
  mem_limit?: string;
  logging?: { options: object };
  ports?: string[];
  stop_grace_period?: string;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  depends_on?: Record<string, { condition: string }>;
}
const composition = parse(read('docker-compose.yml'), { merge: true }) as {
  services: Record<string, ComposeService>;
  networks: Record<string, { ipam?: { config: [{ subnet: string }] } } | null>;
};
const { services, networks } = composition;

/** Variables that only the SDK of OpenTelemetry reads. */
const OF_EXPORTER = /^OTEL_(EXPORTER_OTLP_HEADERS|RESOURCE_ATTRIBUTES|TRACES_SAMPLER|TRACES_SAMPLER_ARG)$/;

/** What compose makes of `${NAME:-default}` when the name is not set. */
const defaultOf = (text: string): string => /^\$\{[A-Z_]+:-(.*)\}$/.exec(text)?.[1] ?? text;
const defaultsOf = (environment: Record<string, string> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(environment).map(([name, text]) => [name, defaultOf(text)]));
/** What the image sets for every process. */
const OF_THE_IMAGE = [...(/^ENV DATA_DIR=.*$/m.exec(dockerfile)?.[0] ?? '').matchAll(/([A-Z_]+)=/g)].map(
  ([, name]) => name!,
);

describe('the page of settings', () => {
  const read = new Set(DEPLOYED.flatMap(settingsReadBy));

  it('are read by a service, or by the launcher alone', () => {
    expect(settingsOfPage().length).toBeGreaterThan(20);
    const ownLogins = ['DATABASE_URL', 'NATS_URL'];
    const unread = settingsOfPage().filter((name) => !read.has(name) && !ownLogins.includes(name));
    expect(unread.sort()).toEqual(Object.keys(OF_THE_LAUNCHER).sort());
  });

  it('are all that services read', () => {
    const derived = new Set(DEPLOYED.flatMap(loginsOf));
    const named = new Set(settingsOfPage());
    const tracing = readFileSync(join(ROOT, 'docs/operations/tracing.md'), 'utf8');
    const unnamed = [...read].filter((name) => !named.has(name) && !derived.has(name));
    expect(unnamed.filter((name) => !tracing.includes(`\`${name}\``))).toEqual([]);
  });
});

describe('the image', () => {
  const lines = dockerfile.split('\n');

  it('has a Dockerfile without mistakes', () => {
    expect(validate(dockerfile).map(({ message }) => message)).toEqual([]);
    expect(validate('FROM a\nRUNN b')).not.toEqual([]);
  });

  it('has the code of the services compiled for the flags that it starts them with', () => {
    const flagsIn = (line: string | undefined): string[] =>
      [...(line ?? '').matchAll(/--[a-z-]+=\d+/g)].map(([flag]) => flag);
    const flags = flagsIn(lines.find((line) => line.startsWith('ENTRYPOINT')));
    expect(flags.length).toBeGreaterThan(0);
    expect(flagsIn(lines.find((line) => line.includes('node tools/bundle.mjs')))).toEqual(flags);
  });

  it('holds no more than its budget', () => {
    const measured = spawnSync(process.execPath, [join(ROOT, 'tools/image-size.mjs')], { encoding: 'utf8' });
    expect([measured.status, measured.stdout]).toEqual([0, expect.stringContaining('MB  dist')]);
    expect(spawnSync(process.execPath, [join(ROOT, 'tools/image-size.mjs'), '1']).status).toBe(1);
  });

  it('copies only what the build may see', () => {
    const seen = read('Dockerfile.dockerignore')
      .split('\n')
      .flatMap((line) => /^!(.+)$/.exec(line)?.[1] ?? []);
    const copied = lines
      .flatMap((line) => /^COPY (?!--from)(.+) \S+$/.exec(line)?.[1]?.split(' ') ?? [])
      .map((path) => path.replace(/\/$/, ''));
    expect(copied.length).toBeGreaterThan(5);
    expect(copied.filter((path) => !seen.includes(path))).toEqual([]);
  });

  it('is built from stages that exist', () => {
    const stages = lines.flatMap((line) => /^FROM \S+ AS (\S+)$/.exec(line)?.[1] ?? []);
    expect(stages).toEqual(['base', 'manifests', 'build', 'node', 'runtime']);
    const used = [...dockerfile.matchAll(/--from=(\S+)/g)].map(([, name]) => name!);
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((name) => !stages.includes(name))).toEqual([]);
    expect(lines.find((line) => line.startsWith('FROM node:'))).toContain('node:24-');
  });

  it('installs what the lockfile names, runs no script of a package, and has an unprivileged user', () => {
    expect(dockerfile).toContain('npm ci --ignore-scripts');
    expect(dockerfile).toContain('USER 1000:1000');
    expect(lines.find((line) => line.startsWith('ENTRYPOINT'))).toMatch(/"apps\/cli\/bin\/signalbox\.mjs"\]$/);
    expect(lines).toContain('CMD ["help"]');
  });

  it('has the command of operators on its path', () => {
    expect(lines).toContain('RUN ln -s /app/apps/cli/bin/signalbox.mjs /usr/local/bin/signalbox');
  });

  it('compiles every service', () => {
    const compile = lines.find((line) => line.includes('tsc -b'));
    for (const { dir } of SERVICES) expect(compile).toContain(dir);
  });
});

describe('the composition', () => {
  it.each(DEPLOYED)('runs $name with its own logins, hardened and watched', (declared) => {
    const { name, database, completions, entrance } = declared;
    const service = services[name]!;
    expect(service.command).toEqual(['service', ...commandOf(declared)]);
    expect(service.env_file).toEqual([`generated/${serviceOf(declared)}.env`]);
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
    expect(service.healthcheck?.test).toEqual(['CMD', 'node', 'apps/cli/bin/ready.mjs']);
    expect(service.mem_limit).toMatch(entrance ? /:-896m\}$/ : /:-(640m|2g)\}$/);
    expect(service.logging?.options).toEqual({ 'max-size': '20m', 'max-file': '5' });
    expect(service.networks?.includes('database')).toBe(database || completions);
    expect(service.networks?.includes('internet')).toBe(
      ['accounts', 'completions', 'traffic', 'agents', 'workflows'].includes(serviceOf(declared)),
    );
    expect(service.networks?.includes('front')).toBe(entrance);
    if (name === 'runner') expect(service.networks).toEqual(['bus']);
    expect(service.environment?.HEALTH_PORT).toBe('8081');
    const defaults = defaultsOf(service.environment);
    const grace = shutdownGraceMs(readSettings(['INVOKE_TIMEOUT_SECONDS', 'SHUTDOWN_GRACE_SECONDS'], defaults)) / 1000;
    expect(grace).toBeGreaterThanOrEqual(Number(defaults.INVOKE_TIMEOUT_SECONDS));
    const period = Number.parseInt(defaultOf(String(service.stop_grace_period)), 10);
    expect(period).toBeGreaterThanOrEqual(grace + AFTER_GRACE_SECONDS);
    expect(period).toBe(Number(defaults.INVOKE_TIMEOUT_SECONDS) + 30);
    expect(service.depends_on).toMatchObject({
      migrate: { condition: 'service_completed_successfully' },
      nats: { condition: 'service_healthy' },
    });
  });

  it.each(DEPLOYED)('gives $name the volumes of its data', ({ name, objects, completions }) => {
    const { volumes = [], environment } = services[name]!;
    const spools = completions || name === 'traffic';
    expect(volumes).toEqual([...(objects ? ['objects:/objects'] : []), ...(spools ? ['spool:/spool'] : [])]);
    expect(environment?.OBJECT_STORE_URL).toBe(objects ? '$' + '{OBJECT_STORE_URL:-file:/objects}' : undefined);
    expect(environment?.DATA_DIR).toBe(spools ? '/spool' : undefined);
    // A volume takes its owner from the folder in the image.
    expect(dockerfile).toContain('-o 1000 -g 1000 /objects /spool /backups');
  });

  it.each(DEPLOYED)('passes $name every setting that it reads', (declared) => {
    const passed = [...Object.keys(services[declared.name]?.environment ?? {}), ...OF_THE_IMAGE];
    // The logins and keys of the process stand in its file of docker/generated; those of another role in none.
    const expected = settingsReadBy(declared).filter(
      (name) => !loginsOf(declared).includes(name) && !name.startsWith('COMPLETIONS_'),
    );
    expect(expected.length).toBeGreaterThan(10);
    expect(expected.filter((name) => !passed.includes(name) && !(name in NOT_PASSED))).toEqual([]);
  });

  it('takes each setting from the environment, with a default that the platform accepts', () => {
    for (const { name } of DEPLOYED) {
      const { environment = {} } = services[name]!;
      const open = Object.entries(environment).filter(([, text]) => text.startsWith('${'));
      // The address of clients is taken from the front, whose network has a separate name.
      const variableOf = (setting: string): string => (setting === 'TRUSTED_PROXIES' ? 'FRONT_SUBNET' : setting);
      for (const [setting, text] of open) expect(text.startsWith(`$` + `{${variableOf(setting)}:-`)).toBe(true);
      const ours = open.map(([setting]) => setting).filter((setting) => !OF_EXPORTER.test(setting));
      expect(ours.length).toBeGreaterThan(10);
      expect(() => readSettings(ours as 'PORT'[], defaultsOf(environment))).not.toThrow();
    }
  });

  it('sets nothing that is not read', () => {
    const names = DEPLOYED.flatMap(({ name }) => Object.keys(services[name]?.environment ?? {}));
    expect(names.length).toBeGreaterThan(0);
    const ours = names.filter((name) => !OF_EXPORTER.test(name));
    // None of them is a required one, so the platform only throws at a name it does not know.
    expect(() => readSettings(ours as 'PORT'[], {})).not.toThrow();
    expect(() => readSettings(['LOG_LEVLE' as 'PORT'], {})).toThrow();
  });

  it('has room for the heap and the bodies of an entrance', () => {
    const flag = (name: string): number => Number(new RegExp(`--${name}=(\\d+)`).exec(dockerfile)![1]);
    for (const name of ['gateway', 'completions']) {
      const { mem_limit: limit = '', environment } = services[name]!;
      const bodies = Number(defaultsOf(environment).BODY_MEMORY_MIB);
      const heap = flag('max-old-space-size') + 3 * flag('max-semi-space-size');
      expect(Number.parseInt(defaultOf(limit), 10)).toBeGreaterThanOrEqual(heap + bodies + 128);
    }
  });

  it('has one service for what operators do with keys and both servers, which does not migrate', () => {
    const { operator } = services;
    expect(operator).toMatchObject({
      profiles: ['tools'],
      networks: ['bus', 'database', 'internet'],
      env_file: ['generated/owner.env', 'generated/master-key.env'],
      volumes: ['objects:/objects', 'backups:/backups', 'spool:/spool'],
      depends_on: { postgres: { condition: 'service_healthy' } },
    });
    expect(Object.keys(operator?.depends_on ?? {})).toEqual(['postgres']);
    expect(() =>
      settingsOfCommands({ ...defaultsOf(operator?.environment), MASTER_KEY: 'm'.repeat(32) }),
    ).not.toThrow();
  });

  it('backs up into a folder or a bucket, and is unhealthy while that fails', () => {
    const { services: further } = parse(read('docker-compose.domain.yml'), { merge: true }) as typeof composition;
    const { backup } = further;
    expect(Number.parseInt(backup?.mem_limit ?? '', 10)).toBeGreaterThanOrEqual(AT_ONCE * 2 * 64 + 100);
    expect(backup?.networks).toEqual(['database', 'internet']);
    expect(backup?.environment?.BACKUP_URL).toBe('$' + '{BACKUP_URL:-file:/backups}');
    expect(backup?.healthcheck?.test).toEqual(['CMD', 'test', '!', '-e', '/tmp/backup-failed']);
  });

  it('has one entrance', () => {
    expect(Object.keys(services).filter((name) => services[name]?.ports !== undefined)).toEqual(['front']);
    expect(services.front).toMatchObject({ read_only: true, cap_drop: ['ALL'], networks: ['front', 'entrance'] });
    expect(services.front?.env_file).toBeUndefined();
    // It waits for calls as long as the engine waits for it.
    expect(services.front?.environment?.STOP_GRACE_PERIOD).toBe(services.front?.stop_grace_period);
    const period = defaultOf(String(services.front?.stop_grace_period));
    expect(read('front/Caddyfile')).toContain(`grace_period {$STOP_GRACE_PERIOD:${period}}`);
    // The processes behind it trust the client address of the entrance alone.
    const [{ subnet }] = networks.front!.ipam!.config;
    for (const name of ['gateway', 'completions']) expect(services[name]?.environment?.TRUSTED_PROXIES).toBe(subnet);
  });

  it('runs on the supported versions of the servers', () => {
    expect(defaultOf(services.postgres?.image ?? '')).toMatch(/^postgres:18\b/);
    expect(defaultOf(services.nats?.image ?? '')).toMatch(/^nats:2\.12\b/);
    expect(services.migrate?.command).toEqual(['migrate']);
  });

  it('is prepared for every service', () => {
    const loop = /for service in ([^;]+);/.exec(read('prepare.sh'))?.[1]?.split(' ');
    expect(loop?.sort()).toEqual([...new Set(DEPLOYED.map(serviceOf)), 'cli'].sort());
  });
});

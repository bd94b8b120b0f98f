import { PROCESS_SETTINGS } from '@signalbox/platform';
import { serviceCredentials, serviceKey } from '@signalbox/servers';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSettings } from '../settings/settings.js';
import { serviceEnvironment } from './service-environment.js';
import { REPOSITORY, serviceOf, SERVICES } from './services.js';

const platform = {
  settings: readSettings({ OBJECT_STORE_URL: 's3://key:hidden@store/bucket' }),
  masterKey: 'm'.repeat(32),
  databaseUrl: 'postgres://owner@127.0.0.1:1/signalbox',
  natsUrl: 'nats://127.0.0.1:2',
};

const URLS = Object.fromEntries(
  ['NATS_URL', 'DATABASE_URL', 'OBJECT_STORE_URL', 'PUBLIC_URL', 'EGRESS_ALLOW'].map((name) => [name, '']),
);

describe('the environment of a service', () => {
  it('gives the object store only to services that store objects', () => {
    const receivers = SERVICES.filter((service) =>
      JSON.stringify(serviceEnvironment(platform, service)).includes('hidden'),
    );
    expect(receivers.map(({ name }) => name)).toEqual(['traffic', 'workflows']);
  });

  const given = (name: string) =>
    JSON.stringify(
      serviceEnvironment(
        platform,
        SERVICES.find((each) => each.name === name)!,
      ),
    );
  /** Served by another process with their logins. */
  const lent = (name: string): string[] =>
    name === 'traffic' ? SERVICES.filter(({ completions }) => completions).map((each) => each.name) : [];

  it.each(SERVICES)('gives what belongs to $name to no other process', (service) => {
    const { keys } = service;
    const name = serviceOf(service);
    const { password, workerPassword, natsPassword } = serviceCredentials(platform.masterKey, name);
    const own = [natsPassword, password, workerPassword, ...keys.map((key) => serviceKey(platform.masterKey, key))];
    for (const secret of own) {
      const holders = SERVICES.filter((each) => given(each.name).includes(secret)).map(serviceOf);
      expect(holders.filter((holder) => holder !== name && !lent(name).includes(holder))).toEqual([]);
    }
    expect(given(name)).toContain(natsPassword);
    expect(given(name)).not.toContain(platform.masterKey);
  });

  const VALUES: Record<string, string> = { LOG_LEVEL: 'warn', MASTER_KEY: 'm'.repeat(32) };

  /** Set elsewhere: logins, and the health port, which on one machine only the gateway has, on loopback. */
  const notFromOperators = /^(COMPLETIONS_.*|.*_KEY|(API_)?KEY_PEPPER|HEALTH_(HOST|PORT))$/;

  it.each(SERVICES)('passes on every setting that the program of $name reads', (service) => {
    const source = readFileSync(join(REPOSITORY, service.dir, 'src/main.ts'), 'utf8');
    const [, listed = ''] = /readSettings\(\[([^\]]+)\]/.exec(source) ?? [];
    const reads = [...PROCESS_SETTINGS, ...[...listed.matchAll(/'([A-Z_]+)'/g)].map(([, name]) => name!)];
    expect(listed).toContain('...PROCESS_SETTINGS');
    const given = Object.fromEntries(reads.map((name) => [name, VALUES[name] ?? '1']));
    const environment = serviceEnvironment({ ...platform, settings: readSettings({ ...given, ...URLS }) }, service);
    expect(reads.filter((name) => !notFromOperators.test(name) && !(name in environment))).toEqual([]);
  });

  it('passes on the authorities that Node.js is told to trust', () => {
    const settings = readSettings({ NODE_EXTRA_CA_CERTS: '/etc/ca.pem' });
    const given = SERVICES.map((each) => serviceEnvironment({ ...platform, settings }, each).NODE_EXTRA_CA_CERTS);
    expect(given).toEqual(SERVICES.map(() => '/etc/ca.pem'));
  });

  it('names a folder below the data directory by default, whatever the directory is called', () => {
    const settings = readSettings({ DATA_DIR: '/data/50% #1' });
    const [service] = SERVICES.filter(({ objects }) => objects);
    const environment = serviceEnvironment({ ...platform, settings }, service!);
    expect(new URL(environment.OBJECT_STORE_URL!).pathname).toBe('/data/50%25%20%231/objects');
  });

  it('gives the settings of the gateway to it alone', () => {
    const settings = readSettings({ TRUSTED_PROXIES: '10.0.0.0/8', CORS_ORIGINS: ' ' });
    const receivers = SERVICES.filter(
      (service) => 'TRUSTED_PROXIES' in serviceEnvironment({ ...platform, settings }, service),
    );
    expect(receivers.map(({ name }) => name)).toEqual(['gateway']);
    const [gateway] = receivers.map((service) => serviceEnvironment({ ...platform, settings }, service));
    expect([gateway?.TRUSTED_PROXIES, gateway && 'CORS_ORIGINS' in gateway]).toEqual(['10.0.0.0/8', false]);
  });
});

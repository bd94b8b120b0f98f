import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type MasterKeys, NATS_MAX_PAYLOAD, renderNatsConfig } from '@signalbox/servers';
import { natsUsers } from '../launcher/nats-users.js';
import { masterKeysOf, natsUrlFor, type Platform, secretsOf } from '../launcher/service-environment.js';
import { DEPLOYED, REPOSITORY, serviceOf } from '../launcher/services.js';
import { ADMIN_USER } from '../settings/admin-user.js';
import { readIfExists, readOrCreateSecret, writeDurably } from '../settings/private-files.js';
import type { Settings } from '../settings/settings.js';

const COMPOSE_FILES = ['docker-compose.yml', 'docker-compose.domain.yml', 'docker-compose.monitoring.yml'];
/** Changes of the operator; no release brings or replaces it. */
const OVERRIDE = 'docker-compose.override.yml';

const COPIED = [...COMPOSE_FILES, 'front', 'monitoring'];
/** Follows from the secrets; the users in the configuration of NATS and the logins of the services belong together. */
const DERIVED = ['nats.conf', 'owner.env', 'cli.env', ...DEPLOYED.map((service) => `${serviceOf(service)}.env`)].map(
  (name) => `generated/${name}`,
);
/** Files of the former release until an upgrade is complete. */
const FORMER = 'generated/former-release';
const PRIVATE = 0o600;
/** Read by servers in containers, which run as other users. */
const READABLE = 0o644;

/** In the order of `.env`. */
export type ComposeSettings = Record<string, string>;

/** The operator's file comes last. */
export const composeFilesOf = (folder: string): string[] =>
  existsSync(join(folder, OVERRIDE)) ? [...COMPOSE_FILES, OVERRIDE] : COMPOSE_FILES;

/** What was made for this machine, or by its operator, stays. */
export async function copyRelease(folder: string): Promise<void> {
  await mkdir(join(folder, 'generated'), { recursive: true, mode: 0o700 });
  for (const name of COPIED) await cp(join(REPOSITORY, 'docker', name), join(folder, name), { recursive: true });
  const files = join(REPOSITORY, 'k8s/chart/files');
  await cp(join(files, 'dashboards'), join(folder, 'monitoring/dashboards'), { recursive: true });
  await cp(join(files, 'alerts.yaml'), join(folder, 'monitoring/alerts/signalbox.yaml'));
  await cp(join(files, 'backup-alerts.yaml'), join(folder, 'monitoring/alerts/signalbox-backups.yaml'));
}

/** An interrupted upgrade has kept them already. */
export async function keepFormerFiles(folder: string): Promise<void> {
  const [kept, unfinished] = [join(folder, FORMER), join(folder, `${FORMER}.unfinished`)];
  if (existsSync(kept)) return;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  for (const name of [...COPIED, ...DERIVED])
    if (existsSync(join(folder, name))) await cp(join(folder, name), join(unfinished, name), { recursive: true });
  await rename(unfinished, kept);
}

export const restoreFormerFiles = (folder: string): Promise<void> =>
  cp(join(folder, FORMER), folder, { recursive: true });

/** After a complete upgrade or rollback. */
export const dropFormerFiles = (folder: string): Promise<void> =>
  rm(join(folder, FORMER), { recursive: true, force: true });

/** Whether a file of the release that is being installed differs from the former one. */
export async function differsFromFormer(folder: string, name: string): Promise<boolean> {
  const [former, now] = await Promise.all([readIfExists(join(folder, FORMER, name)), readIfExists(join(folder, name))]);
  return former !== now;
}

/** Returns whether NATS has got another configuration than it had. */
export async function makeSecrets(folder: string, settings: Settings): Promise<boolean> {
  const place = (name: string): string => join(folder, 'generated', name);
  const password = await readOrCreateSecret(place('postgres-password'), () => random(), READABLE);
  await readOrCreateSecret(place('grafana-password'), () => random(), READABLE);
  const keys = linesIn(await readOrCreateSecret(place('master-key.env'), () => `MASTER_KEY=${random()}\n`, PRIVATE));
  const { MASTER_KEY: masterKey, MASTER_KEY_NEXT: masterKeyNext = null } = keys;
  const { MASTER_KEY_PREVIOUS: masterKeyPrevious = null } = keys;
  if (!masterKey) throw new Error(`${place('master-key.env')} has no line MASTER_KEY=…: every login follows from it`);
  const databaseUrl = `postgres://signalbox:${password.trim()}@postgres:5432/signalbox`;
  const platform: Platform = {
    settings: { ...settings, masterKeyNext, masterKeyPrevious },
    masterKey,
    databaseUrl,
    natsUrl: 'nats://nats:4222',
  };
  const write = (name: string, text: string, mode: number): Promise<void> => writeDurably(place(name), text, mode);
  await write('owner.env', `DATABASE_URL=${databaseUrl}\n`, PRIVATE);
  const [formerConfig, config] = [await readIfExists(place('nats.conf')), natsConfigOf(masterKeysOf(platform))];
  await write('nats.conf', config, READABLE);
  for (const service of DEPLOYED)
    await write(`${serviceOf(service)}.env`, asLines(secretsOf(platform, service)), PRIVATE);
  await write('cli.env', asLines({ NATS_URL: natsUrlFor(platform, ADMIN_USER) }), PRIVATE);
  return formerConfig !== null && formerConfig !== config;
}

export async function readEnv(folder: string): Promise<ComposeSettings> {
  return linesIn((await readIfExists(join(folder, '.env'))) ?? '');
}

const SETTING = /^([A-Z_][A-Z0-9_]*)=(.*)$/;

function linesIn(text: string): ComposeSettings {
  const settings = text.split('\n').map((line) => SETTING.exec(line));
  return Object.fromEntries(settings.flatMap((found) => (found ? [[found[1]!, found[2]!.trim()]] : [])));
}

/** Other lines, such as comments of the operator, stay. */
export async function writeEnv(folder: string, changed: ComposeSettings): Promise<void> {
  const path = join(folder, '.env');
  const text = (await readIfExists(path)) ?? '';
  const added = Object.fromEntries(Object.entries(changed).filter(([name]) => !(name in linesIn(text))));
  const lines = text.split('\n').map((line) => {
    const name = SETTING.exec(line)?.[1];
    return name !== undefined && name in changed ? `${name}=${changed[name]}` : line;
  });
  const kept = lines.join('\n').replace(/\n*$/, '');
  await writeDurably(path, `${kept === '' ? '' : `${kept}\n`}${asLines(added)}`, PRIVATE);
}

const random = (): string => randomBytes(32).toString('hex');

const natsConfigOf = (keys: MasterKeys): string =>
  renderNatsConfig({
    host: '0.0.0.0',
    port: 4222,
    monitorPort: 8222,
    storeDir: '/data',
    maxPayload: NATS_MAX_PAYLOAD,
    users: natsUsers(keys),
    anonymous: false,
  });

const asLines = (values: Record<string, string>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');

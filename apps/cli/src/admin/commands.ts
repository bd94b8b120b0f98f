import { type Scope, SCOPES } from '@signalbox/contracts';
import type { AdminCommand } from '@signalbox/openapi';
import { isEgressList, type Settings } from '../settings/settings.js';
import { busAddress } from '../launcher/bus-address.js';
import { DEAD_LETTER_COMMANDS } from './dead-letters.js';
import { DISCARDED_EVENT_COMMANDS } from './discarded-events.js';
import { Operator } from '../operator/operator.js';
import { QUARANTINE_COMMANDS } from './quarantine.js';
import { BadUsage, type Command, type Options } from '../usage.js';

async function ask<T>(settings: Settings, work: (operator: Operator) => Promise<T>): Promise<T> {
  return Operator.during(await busAddress(settings), work);
}

function scopesOf(options: Options): Scope[] {
  const scopes = options.list('scopes');
  const unknown = scopes.find((scope) => !(SCOPES as readonly string[]).includes(scope));
  if (scopes.length === 0 || unknown !== undefined) throw new BadUsage(`--scopes takes some of ${SCOPES.join(',')}`);
  return [...new Set(scopes)] as Scope[];
}

function allowedPlaces(options: Options): string[] {
  if (options.has('clear') === (options.find('allow') !== null))
    throw new BadUsage('give either --allow host:port[,…] or --clear');
  if (options.has('clear')) return [];
  if (!isEgressList(options.get('allow'))) throw new BadUsage('--allow takes host:port or CIDR, comma-separated');
  return options.list('allow');
}

export const COMMANDS: Record<AdminCommand, Command> = {
  'create-company': {
    texts: ['name'],
    run: (options, settings) => {
      const name = options.get('name');
      return ask(settings, (operator) => operator.createCompany(name));
    },
  },
  'create-key': {
    texts: ['company', 'name', 'scopes'],
    run: (options, settings) => {
      const [company, name, scopes] = [options.id('company'), options.get('name'), scopesOf(options)];
      return ask(settings, (operator) => operator.createKey(company, name, scopes));
    },
  },
  'list-companies': {
    texts: [],
    run: (_options, settings) => ask(settings, (operator) => operator.listCompanies()),
  },
  'allow-egress': {
    texts: ['company', 'allow'],
    switches: ['clear'],
    run: (options, settings) => {
      const [company, places] = [options.id('company'), allowedPlaces(options)];
      return ask(settings, async (operator) => ({
        company_id: company,
        egress_allow: await operator.allowEgress(company, places),
      }));
    },
  },
  ...DEAD_LETTER_COMMANDS,
  ...DISCARDED_EVENT_COMMANDS,
  ...QUARANTINE_COMMANDS,
  doctor: {
    texts: [],
    switches: ['json'],
    run: async (options, settings) => (await import('./doctor/doctor.js')).doctor(options, settings),
  },
  backup: {
    texts: ['to'],
    run: async (options, settings) => (await import('./backup/backup.js')).backUp(options, settings),
  },
  backups: {
    texts: ['to', 'at', 'keep'],
    switches: ['once', 'prune'],
    run: async (options, settings) => (await import('./backup/nightly.js')).backUpNightly(options, settings),
  },
  verify: {
    texts: ['from'],
    run: async (options, settings) => (await import('./backup/verify.js')).verify(options, settings),
  },
  restore: {
    texts: ['from'],
    run: async (options, settings) => (await import('./backup/restore.js')).restore(options, settings),
  },
  'rotate-master-key': {
    texts: [],
    switches: ['check'],
    run: async (options, settings) =>
      (await import('./rotation/rotate-master-key.js')).rotateMasterKey(options, settings),
  },
  'nats-config': {
    texts: ['host', 'port', 'monitor-port', 'store-dir', 'routes', 'tls-cert', 'tls-key', 'tls-client-ca'],
    run: async (options, settings) => (await import('./deployment.js')).natsConfig(options, settings),
  },
  'role-urls': {
    texts: ['service'],
    switches: ['env'],
    run: async (options, settings) => (await import('./deployment.js')).roleUrls(options, settings),
  },
};

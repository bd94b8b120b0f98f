import { type Scope, SCOPES } from '@signalbox/contracts';
import { isEgressList, type Settings } from '../settings.js';
import { busAddress } from './bus-address.js';
import { DEAD_LETTER_COMMANDS } from './dead-letters.js';
import { Operator } from './operator.js';
import { QUARANTINE_COMMANDS } from './quarantine.js';
import { BadUsage, type Command, type Options } from './usage.js';

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

export const COMMANDS: Record<string, Command> = {
  'create-company': {
    usage: '--name NAME',
    description: 'create a company and print its first key, which has every scope',
    texts: ['name'],
    run: (options, settings) => {
      const name = options.get('name');
      return ask(settings, (operator) => operator.createCompany(name));
    },
  },
  'create-key': {
    usage: '--company ID --name NAME --scopes read,write',
    description: 'add a key to a company and print it',
    texts: ['company', 'name', 'scopes'],
    run: (options, settings) => {
      const [company, name, scopes] = [options.id('company'), options.get('name'), scopesOf(options)];
      return ask(settings, (operator) => operator.createKey(company, name, scopes));
    },
  },
  'list-companies': {
    usage: '',
    description: 'print all companies',
    texts: [],
    run: (_options, settings) => ask(settings, (operator) => operator.listCompanies()),
  },
  'allow-egress': {
    usage: '--company ID (--allow host:port[,…] | --clear)',
    description: 'replace the list of private addresses a company may call',
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
  ...QUARANTINE_COMMANDS,
  'nats-config': {
    usage: '[--host 0.0.0.0] [--port 4222] [--monitor-port 8222] [--store-dir /data]',
    description: 'print the configuration of a nats-server with the users and rights of all services',
    texts: ['host', 'port', 'monitor-port', 'store-dir'],
    run: async (options, settings) => (await import('./deployment.js')).natsConfig(options, settings),
  },
  'role-urls': {
    usage: '[--service NAME] [--env]',
    description: 'print the logins and keys of each service',
    texts: ['service'],
    switches: ['env'],
    run: async (options, settings) => (await import('./deployment.js')).roleUrls(options, settings),
  },
};

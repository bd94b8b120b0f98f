import { fileURLToPath } from 'node:url';
import type { ServiceKey } from '@signalbox/servers';

/** Its own process, from its bundle (`tools/bundle.mjs`). */
export interface Service {
  name: string;
  /** The divided service of which this is a role, and whose logins it has. */
  of?: string;
  /** Absolute or below the repository. */
  dir: string;
  /** Absolute, of a program that is not bundled. */
  program?: string;
  words?: readonly string[];
  database: boolean;
  /** Derived keys; only the launcher and the operator's commands have the master key. */
  keys: ServiceKey[];
  objects: boolean;
  /** Serves completions itself, with the logins of the traffic service. */
  completions: boolean;
  /** Clients connect here, so it stops before the services it calls. */
  entrance: boolean;
}

/** Whose NATS user and database roles the process has. */
export const serviceOf = ({ name, of = name }: Service): string => of;

export const commandOf = ({ name, of, words = [] }: Service): string[] => (of === undefined ? [name] : [of, ...words]);

export const schemaOwners = (services: readonly Service[]): Service[] =>
  services.filter((service) => service.database && service.name === serviceOf(service));

/** The directory with `apps` and `libs`. */
export const REPOSITORY = fileURLToPath(new URL('../../../../../', import.meta.url));

/** On one machine the gateway serves chat completions itself. */
export const SERVICES: Service[] = [
  {
    name: 'gateway',
    dir: 'apps/gateway',
    database: false,
    keys: ['IDEMPOTENCY_KEY'],
    objects: false,
    completions: true,
    entrance: true,
  },
  {
    name: 'accounts',
    dir: 'apps/accounts',
    database: true,
    keys: ['API_KEY_PEPPER', 'KEY_PEPPER', 'WEBHOOK_SEAL_KEY'],
    objects: false,
    completions: false,
    entrance: false,
  },
  {
    name: 'traffic',
    dir: 'apps/traffic',
    database: true,
    keys: ['PROVIDER_SEAL_KEY'],
    objects: true,
    completions: false,
    entrance: false,
  },
  {
    name: 'agents',
    dir: 'apps/agents',
    of: 'agents',
    words: ['api'],
    database: true,
    keys: [],
    objects: false,
    completions: false,
    entrance: false,
  },
  {
    name: 'agents-worker',
    of: 'agents',
    dir: 'apps/agents',
    words: ['worker'],
    database: true,
    keys: [],
    objects: false,
    completions: false,
    entrance: false,
  },
  {
    name: 'test-runs',
    dir: 'apps/test-runs',
    database: true,
    keys: [],
    objects: false,
    completions: false,
    entrance: false,
  },
  {
    name: 'training',
    dir: 'apps/training',
    database: true,
    keys: [],
    objects: false,
    completions: false,
    entrance: false,
  },
  {
    name: 'monitors',
    dir: 'apps/monitors',
    database: true,
    keys: [],
    objects: false,
    completions: false,
    entrance: false,
  },
  {
    name: 'workflows',
    dir: 'apps/workflows',
    database: true,
    keys: [],
    objects: true,
    completions: false,
    entrance: false,
  },
  {
    name: 'runner',
    dir: 'apps/runner',
    database: false,
    keys: [],
    objects: false,
    completions: false,
    entrance: false,
  },
];

/** Only this process needs the logins of the traffic service. */
const COMPLETIONS: Service = {
  name: 'completions',
  dir: 'apps/gateway',
  words: ['completions'],
  database: false,
  keys: ['IDEMPOTENCY_KEY'],
  objects: false,
  completions: true,
  entrance: true,
};

/** In containers no process that serves the whole API has a provider's key. */
export const DEPLOYED: Service[] = [...SERVICES.map((service) => ({ ...service, completions: false })), COMPLETIONS];

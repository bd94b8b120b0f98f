import { fileURLToPath } from 'node:url';
import type { ServiceKey } from '@signalbox/servers';

/** One service of the platform, run as its own process from its bundle (`tools/bundle.mjs`). */
export interface Service {
  name: string;
  /** A service whose processes have roles, with its logins. By default the service of this name, undivided. */
  of?: string;
  /** The service's directory, absolute or below the repository. */
  dir: string;
  /** A program that is not bundled, absolute. */
  program?: string;
  /** Arguments of its program, which has more than one role. */
  words?: readonly string[];
  /** It gets the database roles of its service, which owns a schema that is migrated. */
  database: boolean;
  /** The derived keys of the service; the master key itself stays with the launcher and the operator's commands. */
  keys: ServiceKey[];
  /** It stores large objects, and gets the address of the object store. */
  objects: boolean;
  /** It serves completions in its own process, with the logins of the traffic service. */
  completions: boolean;
  /** Clients connect here, so it stops before the services it calls. */
  entrance: boolean;
}

/** The service whose user of the bus and database roles a process has. */
export const serviceOf = ({ name, of = name }: Service): string => of;

/** The words that start it: `signalbox service …`. */
export const commandOf = ({ name, of, words = [] }: Service): string[] => (of === undefined ? [name] : [of, ...words]);

/** The services that own a schema, each once. */
export const schemaOwners = (services: readonly Service[]): Service[] =>
  services.filter((service) => service.database && service.name === serviceOf(service));

/** The directory that holds `apps` and `libs`. */
export const REPOSITORY = fileURLToPath(new URL('../../../../../', import.meta.url));

/** The processes of one machine: the gateway serves chat completions itself. */
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

/** The process that serves chat completions where the gateway does not; only it needs the logins of the traffic service. */
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

/** The processes of a deployment in containers: no process that serves the whole API has a provider's key. */
export const DEPLOYED: Service[] = [...SERVICES.map((service) => ({ ...service, completions: false })), COMPLETIONS];

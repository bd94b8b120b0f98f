import { fileURLToPath } from 'node:url';
import type { ServiceKey } from '@signalbox/servers';

/** One service of the platform, run as its own process from its bundle (`tools/bundle.mjs`). */
export interface Service {
  name: string;
  /** The service's directory, absolute or below the repository. */
  dir: string;
  /** A program that is not bundled, absolute. */
  program?: string;
  /** Arguments of its program, which has more than one role. */
  words?: readonly string[];
  /** It owns a schema: it is migrated and gets its database roles. */
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
    keys: ['KEY_PEPPER', 'WEBHOOK_SEAL_KEY'],
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

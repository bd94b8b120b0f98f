import { fileURLToPath } from 'node:url';

/** One service of the platform, run as its own process from `<dir>/dist/src/main.js`. */
export interface Service {
  name: string;
  /** The service's directory, absolute or below the repository. */
  dir: string;
  /** It owns a schema: it is migrated and gets its database roles. */
  database: boolean;
  /** It handles secrets that are encrypted with the master key. */
  masterKey: boolean;
  /** It keeps large objects, and is told where. */
  objects: boolean;
  /** It serves completions in its own process, with the logins of the traffic service. */
  completions: boolean;
  /** Clients enter here, so it stops before the services it calls. */
  entrance: boolean;
}

/** The directory that holds `apps` and `libs`. */
export const REPOSITORY = fileURLToPath(new URL('../../../../../', import.meta.url));

export const SERVICES: Service[] = [
  {
    name: 'gateway',
    dir: 'apps/gateway',
    database: false,
    masterKey: true,
    objects: false,
    completions: true,
    entrance: true,
  },
  {
    name: 'accounts',
    dir: 'apps/accounts',
    database: true,
    masterKey: true,
    objects: false,
    completions: false,
    entrance: false,
  },
  {
    name: 'traffic',
    dir: 'apps/traffic',
    database: true,
    masterKey: true,
    objects: true,
    completions: false,
    entrance: false,
  },
  {
    name: 'agents',
    dir: 'apps/agents',
    database: true,
    masterKey: false,
    objects: false,
    completions: false,
    entrance: false,
  },
];

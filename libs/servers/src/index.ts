export { type PostgresBinaries } from './postgres/postgres-binaries.js';
export { startPostgres, type PostgresOptions, type PostgresServer, type StopMode } from './postgres/postgres.js';
export { findNatsServer, type NatsSearch } from './nats-binary.js';
export {
  NATS_MAX_PAYLOAD,
  renderNatsConfig,
  type NatsCluster,
  type NatsTls,
  type NatsConfig,
  type NatsPermissions,
  type NatsUser,
} from './nats-config.js';
export { startNats, type NatsOptions, type NatsServer } from './nats.js';
export { freePort } from './ports.js';
export { endProcess, findProcess, findProcesses, isAlive, type RunningProcess } from './processes.js';
export { exitOf, stopChild, type Exit, type ServerProblem } from './server-child.js';
export {
  serviceCredentials,
  type ServiceCredentials,
  SERVICE_KEY_NAMES,
  serviceKey,
  type ServiceKey,
} from './credentials.js';
export {
  acceptedLogins,
  isRotating,
  keyedCredentials,
  type MasterKeys,
  loginOf,
  masterKeyId,
  routePasswords,
  serviceKeys,
} from './master-keys.js';
export { hmacOf } from './hmac-state.js';
export { nodeFlagsOf } from './node-flags.js';
export { writeServerLog, type ServerLog } from './server-log.js';

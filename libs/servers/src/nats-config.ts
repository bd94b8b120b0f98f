export interface NatsPermissions {
  publish: string[];
  subscribe: string[];
  allowResponses?: { max: number; expires: string };
}

export interface NatsUser {
  user: string;
  password: string;
  permissions: NatsPermissions;
}

export interface NatsCluster {
  /** Unique in the cluster; `$NAME` takes it from an environment variable. */
  serverName: string;
  host?: string;
  port: number;
  /** `host:port` of the route of each server, including its own. */
  routes: string[];
  password: string;
  /** Of servers of the cluster that have not been restarted with this one. */
  otherPassword?: string;
}

export interface NatsTls {
  certFile: string;
  keyFile: string;
  clientCaFile?: string;
}

export interface NatsConfig {
  port: number;
  host?: string;
  monitorPort?: number;
  storeDir: string;
  maxPayload: number;
  users: NatsUser[];
  anonymous: false;
  cluster?: NatsCluster;
  tls?: NatsTls;
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

function renderUser({ user, password, permissions }: NatsUser): string {
  const { publish, subscribe, allowResponses } = permissions;
  const responses = allowResponses
    ? `, allow_responses: { max: ${allowResponses.max}, expires: ${quoted(allowResponses.expires)} }`
    : '';
  // The server reads an empty list as the right to all subjects.
  const subjects = (list: string[]): string =>
    list.length === 0 ? '{ deny: [">"] }' : `{ allow: [${list.map(quoted).join(', ')}] }`;
  return (
    `    { user: ${quoted(user)}, password: ${quoted(password)}, permissions: ` +
    `{ publish: ${subjects(publish)}, subscribe: ${subjects(subscribe)}${responses} } }`
  );
}

/** The largest body of the API is 10 MiB, plus its envelope. */
export const NATS_MAX_PAYLOAD = 16 * 1024 * 1024;

/**
 * Bytes pending for a connection before the server closes it as too slow: above what several processes send a runner at
 * once (48 MiB each of replies to host calls), and the time of one write on a busy machine.
 */
const MAX_PENDING = 128 * 1024 * 1024;
const WRITE_DEADLINE = '30s';

const ROUTE_USER = 'route';

/** A stopping server lets its clients move before it closes their connections. */
function clusterLines({ host = '127.0.0.1', port, routes, password, otherPassword }: NatsCluster): string[] {
  const passwords = [password, ...(otherPassword === undefined ? [] : [otherPassword])];
  const logins = passwords.map((each) => `${ROUTE_USER}:${encodeURIComponent(each)}`);
  const addresses = logins.flatMap((login) => routes.map((route) => quoted(`nats-route://${login}@${route}`)));
  return [
    'cluster {',
    '  name: "signalbox"',
    `  listen: ${quoted(`${host}:${port}`)}`,
    `  authorization { user: ${quoted(ROUTE_USER)}, password: ${quoted(password)}, timeout: 5 }`,
    `  routes: [${addresses.join(', ')}]`,
    '}',
    'lame_duck_grace_period: "5s"',
    'lame_duck_duration: "30s"',
  ];
}

function tlsLine({ certFile, keyFile, clientCaFile }: NatsTls): string {
  const client = clientCaFile === undefined ? '' : `, ca_file: ${quoted(clientCaFile)}, verify: true`;
  return `tls { cert_file: ${quoted(certFile)}, key_file: ${quoted(keyFile)}, timeout: 10${client} }`;
}

/** An environment variable is written without quotes. */
const nameOf = (cluster: NatsCluster | undefined): string => {
  const name = cluster?.serverName ?? 'signalbox';
  return name.startsWith('$') ? name : quoted(name);
};

/** For nats-server 2.9 and later: JetStream on, every user with a password. */
export function renderNatsConfig({
  port,
  storeDir,
  maxPayload,
  users,
  host = '127.0.0.1',
  monitorPort,
  cluster,
  tls,
}: NatsConfig): string {
  if (users.length === 0) throw new Error('refusing to write a NATS configuration without users');
  return [
    `listen: ${quoted(`${host}:${port}`)}`,
    ...(monitorPort === undefined ? [] : [`http: ${quoted(`${host}:${monitorPort}`)}`]),
    `server_name: ${nameOf(cluster)}`,
    `max_payload: ${maxPayload}`,
    `max_pending: ${MAX_PENDING}`,
    `write_deadline: "${WRITE_DEADLINE}"`,
    `jetstream { store_dir: ${quoted(storeDir)}, max_mem: 64MB }`,
    ...(cluster ? clusterLines(cluster) : []),
    ...(tls ? [tlsLine(tls)] : []),
    'authorization {',
    '  users = [',
    users.map(renderUser).join(',\n'),
    '  ]',
    '}',
    '',
  ].join('\n');
}

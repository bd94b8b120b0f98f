import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, serviceCredentials } from '@signalbox/servers';
import { eventually, Platform, startModelProvider, startServers, TEST_MASTER_KEY } from '@signalbox/testing';
import { models, providers } from '@signalbox/contracts';

const SERVICES = ['accounts', 'traffic', 'agents', 'gateway'];
/** Of a user that may not do anything; PgBouncer refuses to run as root. */
const NOBODY = 65_534;

function versionHere(): string | null {
  try {
    return /PgBouncer (\S+)/.exec(execFileSync('pgbouncer', ['--version'], { encoding: 'utf8' }))?.[1] ?? null;
  } catch {
    return null;
  }
}

const version = versionHere();

if (version === null) {
  it('is not tested: there is no pgbouncer here', () =>
    void process.stderr.write(
      'THE PLATFORM WAS NOT RUN BEHIND PGBOUNCER: there is none here (apt install pgbouncer)\n',
    ));
} else {
  describe(`behind PgBouncer ${version} in transaction mode`, behindPgBouncer);
}

/** Starts PgBouncer in front of a server; the address of the server through it. */
async function startPgBouncer(url: string, dir: string): Promise<{ url: string; process: ChildProcess }> {
  const { hostname, port, username, password } = new URL(url);
  const listen = await freePort();
  const logins = ['accounts', 'traffic', 'agents'].flatMap((service) => {
    const { role, workerRole, ...made } = serviceCredentials(TEST_MASTER_KEY, service);
    return [`"${role}" "${made.password}"`, `"${workerRole}" "${made.workerPassword}"`];
  });
  writeFileSync(join(dir, 'users.txt'), [`"${username}" "${password}"`, ...logins, ''].join('\n'));
  writeFileSync(
    join(dir, 'pgbouncer.ini'),
    `[databases]
* = host=${hostname} port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listen}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(dir, 'users.txt')}
pool_mode = transaction
max_client_conn = 500
# Fewer than the services open towards it: they share them.
default_pool_size = 4
`,
  );
  chmodSync(dir, 0o755);
  const isRoot = process.getuid?.() === 0;
  const child = spawn('pgbouncer', [join(dir, 'pgbouncer.ini')], {
    stdio: 'ignore',
    ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
  });
  await eventually('PgBouncer listens', async () => {
    const socket = connect(listen, '127.0.0.1');
    const isOpen = once(socket, 'connect').then(
      () => true,
      () => false,
    );
    return isOpen.finally(() => socket.destroy());
  });
  const through = new URL(url);
  through.port = String(listen);
  return { url: through.href, process: child };
}

function behindPgBouncer(): void {
  let dir: string;
  let bouncer: ChildProcess;
  let platform: Platform;
  let key: string;
  let companyId: number;
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'signalbox-pgbouncer-'));
    const servers = await startServers({ migrated: true });
    const { url, process } = await startPgBouncer(servers.postgres.url, dir);
    bouncer = process;
    const behind = { ...servers, postgres: { ...servers.postgres, url } };
    platform = await Platform.start({
      services: SERVICES,
      servers: behind,
      env: { DATABASE_PGBOUNCER: 'unnamed', EGRESS_ALLOW: '127.0.0.0/8' },
    });
    ({ key, companyId } = await platform.company());
  }, 180_000);
  afterAll(async () => {
    await platform?.stop();
    bouncer?.kill('SIGKILL');
    rmSync(dir, { recursive: true, force: true });
  }, 60_000);

  const call = (method: string, path: string, body?: object) => platform.api(key).send(method, path, body);

  it('reads and writes, records calls, runs agents and keeps companies apart', async () => {
    const provider = await startModelProvider();
    const caller = platform.caller(companyId);
    const made = { provider_name: 'outside', kind: 'openai_compatible', base_url: provider.url } as const;
    const { id: provider_id } = await platform.bus.call(
      providers.endpoints.createProvider,
      { ...made, api_key: 'sk-anything', default_headers: {}, timeout_ms: 60_000, status: 'ENABLED' },
      caller,
    );
    const able = { supports_tools: true, supports_json_schema: true, trainable: false, status: 'ENABLED' } as const;
    await platform.bus.call(models.endpoints.createModel, { model_name: 'm', provider_id, ...able }, caller);
    const applications = await Promise.all(
      Array.from({ length: 30 }, (_, at) => call('POST', '/applications', { application_name: `app ${at}` })),
    );
    expect(applications.map(({ status }) => status)).toEqual(applications.map(() => 200));
    const application_id = (applications[0]!.body.data as { id: number }).id;
    const agent = { application_id, agent_name: 'Plain', model: 'm', system_prompt: 'You help.' };
    const { id } = (await call('POST', '/agents', agent)).body.data as { id: number };
    const invoked = await Promise.all(
      Array.from({ length: 6 }, () => call('POST', `/agents/${id}/invoke`, { message: 'hello' })),
    );
    expect(invoked.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    const chat = { model: 'm', messages: [{ role: 'user', content: 'hello' }] };
    const { status, body } = await call('POST', '/chat/completions', chat);
    expect(status).toBe(200);
    const { request_id } = body as { request_id: string };
    await eventually('the call is in the request log', async () => {
      const found = (await call('GET', `/requests/${request_id}`)).status;
      return found === 200;
    });
    await eventually('a write is in the audit log', async () => {
      const { rowCount } = await platform.sql.query(
        `SELECT 1 FROM accounts.audit_log WHERE company_id = $1 AND resource_type = 'application' LIMIT 1`,
        [companyId],
      );
      return rowCount === 1;
    });
    const other = await platform.company();
    const foreign = await platform.api(other.key).send('GET', `/agents/${id}`);
    expect(foreign.status).toBe(404);
    await provider.close();
  }, 120_000);

  it('ends a long statement of a service, whose limit is that of its role', async () => {
    const { rows } = await platform.sql.query<{ rolname: string; rolconfig: string[] }>(
      `SELECT rolname, rolconfig FROM pg_roles WHERE rolname IN ('svc_agents', 'svc_agents_worker') ORDER BY 1`,
    );
    expect(rows.map(({ rolconfig }) => rolconfig)).toEqual(
      rows.map(() => expect.arrayContaining(['statement_timeout=10000', 'idle_in_transaction_session_timeout=10000'])),
    );
    expect(rows).toHaveLength(2);
  });
}

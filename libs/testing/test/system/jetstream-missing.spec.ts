import { type ChildProcess, spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exitOf, findNatsServer, stopChild } from '@signalbox/servers';
import { eventually, Platform } from '@signalbox/testing';

let platform: Platform;
let bare: ChildProcess | undefined;
beforeAll(async () => {
  platform = await Platform.start({ services: ['gateway', 'accounts'] });
}, 90_000);
afterAll(async () => {
  if (bare) await end(bare);
  await platform.stop();
});

const end = (server: ChildProcess) => stopChild(server, exitOf(server), [{ signal: 'SIGTERM', patienceMs: 3000 }]);

interface Report {
  status: string;
  checks: { nats: string; services: Record<string, string> };
}
const report = async (): Promise<Report> => {
  const response = await fetch(`http://127.0.0.1:${platform.port}/readyz`);
  return (await response.json()) as Report;
};
const streamLogs = async () => (await platform.logOf('accounts')).match(/JetStream is not enabled/g)?.length ?? 0;

/** The server of the platform on its port, without JetStream. */
async function startWithoutJetStream(): Promise<ChildProcess> {
  const configFile = join(platform.servers.dir, 'nats-bare.conf');
  const config = await readFile(join(platform.servers.dir, 'nats.conf'), 'utf8');
  expect(config).toContain('jetstream {');
  await writeFile(configFile, config.replace(/^jetstream \{.*$/m, ''), { mode: 0o600 });
  return spawn(findNatsServer(), ['-c', configFile], { stdio: 'ignore' });
}

it('a bus without JetStream is reported and logged, and calls are served', async () => {
  await eventually('the streams exist', async () => (await report()).checks.nats === 'ok');
  await platform.servers.nats.stop();
  bare = await startWithoutJetStream();
  const lacking = await eventually('the report names the missing streams', async () => {
    const found = await report();
    return found.checks.services.accounts === 'ok' && found.checks.nats === 'down' ? found : null;
  });
  expect(lacking.status).toBe('degraded');
  expect((await platform.company()).key).not.toBe('');
  await eventually('both streams are logged', async () => (await streamLogs()) >= 2);

  await end(bare);
  bare = undefined;
  await platform.servers.restartNats({ forget: true });
  await eventually('the streams exist again', async () => (await report()).checks.nats === 'ok');
}, 90_000);

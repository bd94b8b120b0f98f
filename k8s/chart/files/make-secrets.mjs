// Makes the Secrets of the services from the master key, in the cluster. The master key is made once and never replaced.

import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

const { NAMESPACE, MASTER_KEY_SECRET, MASTER_KEY_KEY, SECRETS, NATS_ROUTES, NATS_STATEFULSET } = process.env;
// While the master key changes: the key of the same Secret with the one to come, or with the former one.
const { MASTER_KEY_NEXT_KEY, MASTER_KEY_PREVIOUS_KEY } = process.env;
const { CLUSTER_URL = 'https://kubernetes.default.svc', SIGNALBOX = 'apps/cli/bin/signalbox.mjs' } = process.env;
const { TOKEN_FILE = '/var/run/secrets/kubernetes.io/serviceaccount/token' } = process.env;
const secretsPath = `/api/v1/namespaces/${NAMESPACE}/secrets`;

async function call(method, path, body, type = 'application/json') {
  const reply = await fetch(`${CLUSTER_URL}${path}`, {
    method,
    headers: { authorization: `Bearer ${readFileSync(TOKEN_FILE, 'utf8').trim()}`, 'content-type': type },
    body: body && JSON.stringify(body),
  });
  const content = await reply.json();
  if (reply.ok) return content;
  throw Object.assign(new Error(`${method} ${path}: ${reply.status} ${content.message}`), { status: reply.status });
}

const orUndefined = (status) => (error) => {
  if (error.status !== status) throw error;
};
const secretNamed = (name) => call('GET', `${secretsPath}/${name}`).catch(orUndefined(404));
const valueOf = (secret, key) => secret?.data?.[key] && Buffer.from(secret.data[key], 'base64').toString();
const secretOf = (name, stringData) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, labels: { 'app.kubernetes.io/part-of': 'signalbox' } },
  type: 'Opaque',
  stringData,
});

/** The master key of the cluster. One that was lost is not replaced: what it sealed could never be read again. */
async function masterKey(existing) {
  const found = await secretNamed(MASTER_KEY_SECRET);
  const key = valueOf(found, MASTER_KEY_KEY);
  if (key) return key;
  if (found) throw new Error(`the Secret ${MASTER_KEY_SECRET} has no ${MASTER_KEY_KEY}`);
  const derived = [...existing.keys()];
  if (derived.length > 0)
    throw new Error(`the Secret ${MASTER_KEY_SECRET} is missing, and ${derived} follow from it: restore it`);
  const made = secretOf(MASTER_KEY_SECRET, { [MASTER_KEY_KEY]: randomBytes(32).toString('hex') });
  // Another Job that was faster has made it: its key is the one.
  await call('POST', secretsPath, made).catch(orUndefined(409));
  return valueOf(await secretNamed(MASTER_KEY_SECRET), MASTER_KEY_KEY);
}

/** A second master key that is accepted, as a setting of commands. */
async function otherKey(setting, key) {
  if (!key) return {};
  const value = valueOf(await secretNamed(MASTER_KEY_SECRET), key);
  if (!value) throw new Error(`the Secret ${MASTER_KEY_SECRET} has no ${key}`);
  return { [setting]: value };
}

/** Not synchronous: meanwhile the cluster may close connections that were idle, and they must not be used again. */
async function admin(keys, ...words) {
  const env = { ...process.env, ...keys };
  return (await promisify(execFile)(process.execPath, [SIGNALBOX, 'admin', ...words], { env })).stdout;
}

/** Writes a Secret whether it exists or not. */
const apply = (name, data) =>
  call(
    'PATCH',
    `${secretsPath}/${name}?fieldManager=signalbox-secrets&force=true`,
    secretOf(name, data),
    'application/apply-patch+yaml',
  );

async function main() {
  const names = SECRETS.split(',');
  const existing = new Map();
  for (const name of names) {
    const secret = await secretNamed(name);
    if (secret) existing.set(name, secret);
  }
  const keys = {
    MASTER_KEY: await masterKey(existing),
    ...(await otherKey('MASTER_KEY_NEXT', MASTER_KEY_NEXT_KEY)),
    ...(await otherKey('MASTER_KEY_PREVIOUS', MASTER_KEY_PREVIOUS_KEY)),
  };
  const logins = JSON.parse(await admin(keys, 'role-urls'));
  for (const name of names.filter((each) => each !== 'signalbox-nats'))
    await apply(name, logins[name.replace('signalbox-', '')]);
  const config = await admin(keys, 'nats-config', ...(NATS_ROUTES ? ['--routes', NATS_ROUTES] : []));
  await apply('signalbox-nats', { 'nats.conf': config });
  if (NATS_STATEFULSET) await restartNats(config);
  console.log(`made ${names.join(', ')}`);
}

/**
 * The server reads its users when it starts. Its pods are replaced when the hash is another one: also when a run before
 * this one has written the Secret and failed here.
 */
async function restartNats(config) {
  const annotations = { 'signalbox/nats-config': createHash('sha256').update(config).digest('hex') };
  const patch = { spec: { template: { metadata: { annotations } } } };
  const path = `/apis/apps/v1/namespaces/${NAMESPACE}/statefulsets/${NATS_STATEFULSET}`;
  await call('PATCH', path, patch, 'application/merge-patch+json');
}

await main();

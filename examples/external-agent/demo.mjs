// Watches, tests and releases an agent that runs in another process, by the command line alone. Every command is printed.
//   node examples/external-agent/demo.mjs
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startModel } from './model.mjs';

const run = promisify(execFile);
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const [GOOD, WORSE, FIXED] = ['1.0.0', '1.1.0', '1.1.1'];
/** Enough for a comparison to say more than that there are too few. */
const ORDERS = [7, 8, 9, 10, 11, 12, 13, 14];
const AGENT = 'Order clerk';
const RELEASE = 'production';
/** A trace is closed ten seconds after its last span. */
const CLOSED_MS = 120_000;
const BELOW_THE_BAR = 5;

const quoted = (word) => (/^[\w./:=,@-]+$/.test(word) ? word : `'${word}'`);
const shown = (word) => (word.length > 90 ? `${word.slice(0, 90)}…` : word);

/** Runs a command of `signalbox`; returns its exit code and what it has printed. */
async function signalbox(...words) {
  const bin = here('../../apps/cli/bin/signalbox.mjs');
  const ended = await run(process.execPath, [bin, ...words]).catch((error) => error);
  return { code: ended.code ?? 0, text: `${ended.stdout}${ended.stderr}`.trim() };
}

const say = (text) => console.log(text);
const title = (text) => say(`\n## ${text}`);

/** Runs a command and shows it. Throws unless it ends with the expected code. */
async function command(words, expected = 0) {
  say(`$ signalbox ${words.map((word) => quoted(shown(word))).join(' ')}`);
  const { code, text } = await signalbox(...words);
  if (text !== '') say(text.replace(/^/gm, '  '));
  if (code !== expected) throw new Error(`it ended with ${code}, not with ${expected}: ${text}`);
  if (expected !== 0) say(`  (exit code ${code})`);
  return text;
}

/** Asks a command again until it says what is wanted. */
async function until(what, words, isThere) {
  for (const end = Date.now() + CLOSED_MS; Date.now() < end; await pause(500)) {
    const { code, text } = await signalbox(...words);
    if (code === 0 && isThere(text)) return text;
  }
  throw new Error(`${what}: not within ${CLOSED_MS / 1000} s`);
}

/** Starts a version of the agent as a process of its own, with nothing but variables that its libraries document. */
async function start(version, { modelUrl, endpoint, key }) {
  const child = spawn(process.execPath, [here('agent.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      PORT: process.env.AGENT_PORT ?? '7801',
      VERSION: version,
      OPENAI_BASE_URL: modelUrl,
      OPENAI_API_KEY: 'none',
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: `x-service-api-key=${key}`,
      OTEL_SERVICE_NAME: 'shop',
      OTEL_RESOURCE_ATTRIBUTES: `service.version=${version}`,
    },
  });
  const ended = once(child, 'exit');
  const [url] = await Promise.race([
    once(child.stdout, 'data'),
    ended.then(() => Promise.reject(new Error('no agent'))),
  ]);
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  return { url: url.toString().trim(), stop };
}

async function ask(url, order) {
  const messages = [{ role: 'user', content: `Where is order ${order}?` }];
  const reply = await fetch(url, { method: 'POST', body: JSON.stringify({ messages }) });
  const { answer } = await reply.json();
  return answer.text;
}

/** Lets customers ask, and waits until the traces of their questions have become tasks; returns the ids of those tasks. */
async function watch(agent, version) {
  say(`${ORDERS.length} customers ask version ${version}:`);
  for (const order of ORDERS) say(`  Where is order ${order}? ${await ask(agent.url, order)}`);
  await until(
    'the agent has appeared',
    ['agents', 'list', '--search', AGENT, '--kind', 'EXTERNAL', '--only', 'id'],
    Boolean,
  );
  const id = await command(['agents', 'list', '--search', AGENT, '--kind', 'EXTERNAL', '--only', 'id']);
  const done = ['agents', 'list-tasks', id, '--version', version, '--status', 'COMPLETED', '--trigger', 'EXTERNAL'];
  say('A trace is closed ten seconds after its last span.');
  const tasks = await until(
    'the traces are closed',
    [...done, '--only', 'id'],
    (text) => text.split('\n').length >= ORDERS.length,
  );
  await command([
    'agents',
    'list-tasks',
    id,
    '--version',
    version,
    '--limit',
    '3',
    '--columns',
    'status,version,trigger,duration_ms,cost',
  ]);
  return { id, tasks: tasks.split('\n').slice(0, ORDERS.length) };
}

/** A test set of what the good version has answered; each answer is to be looked up, not guessed. */
async function makeSet(tasks) {
  const checks = [{ kind: 'called', tool: 'look_up', min_times: 1 }];
  const steps = ['--config', JSON.stringify({ checks }), '--only', 'id'];
  const text = ['--only', 'id'];
  const lookedUp = await command(['evaluation-criteria', 'create', 'Looks the order up', 'BOOLEAN', 'STEPS', ...steps]);
  const same = await command(['evaluation-criteria', 'create', 'Says the same', 'BOOLEAN', 'EXACT', ...text]);
  const set = await command([
    'test-sets',
    'create',
    'Orders of customers',
    '--criteria-ids',
    `${lookedUp},${same}`,
    ...text,
  ]);
  const sources = tasks.map((source_id) => ({ source_type: 'AGENT_TASK', source_id }));
  await command(['test-sets', 'import-bulk', set, JSON.stringify(sources), '--only', 'created']);
  return set;
}

/** Runs the test set against what runs now. */
const evaluate = ({ url }, { id, set, version, expected }) =>
  command(
    ['eval', '--set', set, '--url', url, '--agent', id, '--version', version, '--output-path', 'answer.text'],
    expected,
  );

const gate = (id, version, expected) =>
  command(['gate', '--agent', id, '--release', RELEASE, '--version', version], expected);

const move = (id, version, expected) =>
  command(['agents', 'update-release', id, RELEASE, '--version', version, '--only', 'version_number'], expected);

async function main() {
  const baseUrl = process.env.SIGNALBOX_URL ?? 'http://127.0.0.1:3000/api/v1';
  const model = await startModel();
  let agent;
  try {
    title('Watched: a key for the exporter is all that the agent is given');
    const key = await command(['api-keys', 'create', 'order-clerk-exporter', '--scopes', 'ingest', '--only', 'key']);
    const settings = { modelUrl: model.url, endpoint: `${baseUrl.replace(/\/api\/v1$/, '')}/otel`, key };
    agent = await start(GOOD, settings);
    const { id, tasks } = await watch(agent, GOOD);

    title(`Tested: what customers have asked becomes a test set, and ${GOOD} passes it`);
    const set = await makeSet(tasks);
    await evaluate(agent, { id, set, version: GOOD, expected: 0 });
    const policy = { test_set_id: Number(set), min_match_rate: 0.9, max_age_ms: 86_400_000 };
    await command(['agents', 'create-release', id, RELEASE, GOOD, '--only', 'version_number']);
    await command([
      'agents',
      'update-release',
      id,
      RELEASE,
      '--gate-policy',
      JSON.stringify(policy),
      '--only',
      'version_number',
    ]);

    title(`A regression: ${WORSE} no longer looks orders up`);
    await agent.stop();
    agent = await start(WORSE, settings);
    await watch(agent, WORSE);
    await evaluate(agent, { id, set, version: WORSE, expected: BELOW_THE_BAR });

    title('Refused: neither the gate nor the release lets it through');
    await gate(id, WORSE, BELOW_THE_BAR);
    await move(id, WORSE, BELOW_THE_BAR);

    title(`Let through: ${FIXED} looks orders up again`);
    await agent.stop();
    agent = await start(FIXED, settings);
    await command(['agents', 'publish-version', id, '--version', FIXED, '--only', 'version']);
    await evaluate(agent, { id, set, version: FIXED, expected: 0 });
    await gate(id, FIXED, 0);
    await move(id, FIXED, 0);
    say('\nThe demo is complete.');
  } finally {
    await agent?.stop();
    model.stop();
  }
}
await main();

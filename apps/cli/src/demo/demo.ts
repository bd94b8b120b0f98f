import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Task } from '@signalbox/contracts';
import { findEndpoints } from '../launcher/data-directory.js';
import { type Progress, showProgress } from '../launcher/supervisor/progress.js';
import type { Settings } from '../settings.js';
import { answerOf, timelineLines } from './timeline-report.js';
import { connectActions, formerPort, openOrderDesk, publish, RELEASE, release } from './order-desk.js';
import { correctNewest, type GoldenSet, importTasks } from './golden-set.js';
import { type OrderService, startOrderService } from './order-service.js';
import { whileAllowed } from './permission.js';
import { PublicApi } from './public-api.js';
import { openReturnsDesk, routeMessages } from './routing.js';
import { collect, guard, move, test, TESTED } from './tested-release.js';
import { verdictsOf, watchAgent } from './watching.js';

/** One for the agent, one for its sub-agent, one for the courier. */
const QUESTIONS = [
  'Where is my order?',
  'I want to return my order.',
  'Please ask the courier to come on another day.',
];

interface DemoContext {
  api: PublicApi;
  natsUrl: string;
  keyFile: string;
  progress: Progress;
  /** Prints a title, runs the work, and prints its outcome. */
  step<T>(title: string, work: () => Promise<T>, outcome: (result: T) => string): Promise<T>;
}

function narrator(progress: Progress, stop: AbortSignal): DemoContext['step'] {
  let number = 0;
  return async (title, work, outcome) => {
    stop.throwIfAborted();
    number += 1;
    // Without an animation the line with the outcome is enough.
    if (process.stdout.isTTY) progress.step(title);
    const result = await work();
    progress.log(`${number}. ${title}: ${outcome(result)}`);
    return result;
  };
}

async function openContext({ dataDir }: Settings, progress: Progress, stop: AbortSignal): Promise<DemoContext> {
  const endpoints = await findEndpoints(dataDir);
  const keyFile = join(dataDir, 'admin-key');
  const key = (await readFile(keyFile, 'utf8').catch(() => '')).trim();
  if (endpoints === null) throw new Error(`no platform runs on ${dataDir}: start it with "npm start" first`);
  if (key === '') throw new Error(`${keyFile} holds no key: it is written at the first start of the platform`);
  const api = new PublicApi(endpoints.base_url, key, stop);
  return { api, natsUrl: endpoints.nats_url, keyFile, progress, step: narrator(progress, stop) };
}

async function prepareAgent({ api, step }: DemoContext, start: (port: number | null) => Promise<OrderService>) {
  const desk = await step(
    'An agent for customers who ask about orders',
    () => openOrderDesk(api),
    ({ application, agent, reused }) =>
      `${reused ? 'found' : 'created'} agent ${agent.id} in "${application.application_name}"`,
  );
  const service = await step(
    'A system the agent can call, run by this demo',
    () => start(formerPort(desk)),
    ({ url }) => url,
  );
  const actions = await step(
    'Three actions: one calls that system, one waits for its callback, one calls a model',
    () => connectActions(api, desk, service.url),
    (created) => Object.keys(created).join(', '),
  );
  const returns = await step(
    'A sub-agent that handles returns',
    () => openReturnsDesk(api, desk),
    ({ id }) => `agent ${id}`,
  );
  await step(
    'Two rules that select the agent',
    () => routeMessages(api, desk, actions, returns),
    () => '"return" selects the sub-agent, "courier" selects the courier',
  );
  const { version } = await step(
    'Publish the draft as a version that never changes',
    () => publish(api, desk.agent.id),
    (published) => `${published.version}${published.fresh ? '' : ', which equals the draft'}`,
  );
  await step(
    `Point the release "${RELEASE}" at it`,
    () => release(api, desk.agent.id, version),
    () => `callers of "${RELEASE}" now get ${version}`,
  );
  await step(
    'Try one action alone',
    () =>
      api.call('POST /agents/actions/{action_id}/test', {
        action_id: actions.say_it_kindly.id,
        arguments: { input: 'Thanks' },
      }),
    ({ status, output }) => `${status}: ${JSON.stringify(output)}`,
  );
  const monitor = await step(
    'A monitor that finds answers which only echo the question',
    () => watchAgent(api, desk.agent.id),
    ({ id, status }) => `monitor ${id} is ${status} and judges every task of the agent`,
  );
  return { agentId: desk.agent.id, monitorId: monitor.id, service, version };
}

async function ask({ api, step, progress }: DemoContext, agentId: number, message: string): Promise<Task> {
  const { task_id: id } = await step(
    `Invoke the release "${message}"`,
    () => api.call('POST /agents/{agent_id}/invoke', { agent_id: agentId, message, release: RELEASE, wait: false }),
    ({ task_id }) => `task ${task_id}`,
  );
  const place = { agent_id: agentId, task_id: id };
  const seen: string[] = [];
  for await (const event of api.events(`/agents/${agentId}/tasks/${id}/stream`)) {
    seen.push(event);
    progress.step(`   ${event}`);
  }
  const task = await api.call('GET /agents/{agent_id}/tasks/{task_id}', { ...place, wait_seconds: 10 });
  const events = await api.call('GET /agents/{agent_id}/tasks/{task_id}/timeline', { ...place, limit: 100 });
  progress.log(`   It is ${task.status} with the reply: ${answerOf(task)}`);
  progress.log(`   ${seen.length} events arrived while it ran; this is what happened:`);
  for (const line of timelineLines(events)) progress.log(line);
  return task;
}

async function importIntoSet({ api, step }: DemoContext, tasks: Task[]): Promise<GoldenSet> {
  const golden = await step(
    'Import the tasks into a test set',
    () =>
      importTasks(
        api,
        tasks.map(({ id }) => id),
      ),
    ({ set, created, existing }) => `set ${set.id}: ${created} new items, ${existing} known, ${set.item_count} in all`,
  );
  await step(
    'Override an expected output, whose baseline stays',
    () => correctNewest(api, golden),
    ({ id, response_sub }) => `item ${id} expects ${JSON.stringify(response_sub?.expected_output)}`,
  );
  return golden;
}

/** Guards a release by a test set of two tasks: an untested version is refused, a tested one moves. */
async function guardRelease({ api, step }: DemoContext, agentId: number, version: string, tasks: Task[]) {
  const set = await step(
    'Collect the first two tasks in a test set',
    () => collect(api, tasks.slice(0, 2)),
    ({ id, items }) => `test set ${id} with ${items} items`,
  );
  const candidate = await step(
    `Guard the release "${TESTED}" by that set, and publish another version`,
    () => guard(api, agentId, set.id, version),
    (published) => `${published} waits`,
  );
  const refused = await step(
    `Move "${TESTED}" to ${candidate} without a test`,
    () => move(api, agentId, candidate),
    (reason) => `refused: ${reason}`,
  );
  const run = await step(
    `Run the test set against ${candidate}`,
    () => test(api, agentId, set.id, candidate),
    ({ id, status, matched_items, total_items }) =>
      `test run ${id} is ${status}, ${matched_items} of ${total_items} items match`,
  );
  const moved = await step(
    `Move "${TESTED}" to ${candidate} again`,
    () => move(api, agentId, candidate),
    (reason) => (reason === null ? 'the gate lets it pass' : `refused: ${reason}`),
  );
  return refused !== null && run.match_rate === 1 && moved === null;
}

function conclude({ api, keyFile, progress }: DemoContext, tasks: Task[], monitorId: number, { set }: GoldenSet): void {
  const { origin } = new URL(api.baseUrl);
  const [first] = tasks;
  const url = `${api.baseUrl}/agents/${first?.agent_id}/tasks`;
  const lines = [
    '',
    '   (the built-in model only echoes; with a model of a real provider the agent gives a real reply)',
    '',
    `   All endpoints   ${origin}/docs`,
    `   The tasks       ${url}`,
    `   The verdicts    ${api.baseUrl}/monitors/${monitorId}/runs`,
    ...tasks.map(({ id }) => `   This task       ${url}/${id}`),
    `   The test set    ${api.baseUrl}/unified-test-sets/${set.id}/items`,
    `   To look at one  curl -s -H "X-Service-Api-Key: $(cat '${keyFile}')" ${url}/${first?.id}`,
  ];
  for (const line of lines) progress.log(line);
}

async function run(context: DemoContext): Promise<boolean> {
  const { api, natsUrl, step } = context;
  const { company } = await step(
    'The company of the key',
    () => api.call('GET /api-keys/current', {}),
    (key) => `the company "${key.company.name}"`,
  );
  let service: OrderService | null = null;
  try {
    const start = (port: number | null) => startOrderService(port, (url, payload) => api.callBack(url, payload));
    const ready = await prepareAgent(context, async (port) => (service = await start(port)));
    const { tasks, guarded } = await whileAllowed(natsUrl, company.id, ready.service.place, async () => {
      const done: Task[] = [];
      for (const question of QUESTIONS) done.push(await ask(context, ready.agentId, question));
      return { tasks: done, guarded: await guardRelease(context, ready.agentId, ready.version, done) };
    });
    const verdicts = await step(
      'What the monitor found',
      () => verdictsOf(api, ready.monitorId, tasks),
      (runs) => runs.map(({ source_id, outcome }) => `${outcome} for task ${source_id}`).join(', '),
    );
    conclude(context, tasks, ready.monitorId, await importIntoSet(context, tasks));
    const good = tasks.every(({ status }) => status === 'COMPLETED') && verdicts.length === tasks.length;
    return good && guarded && ready.service.asked() > 0 && ready.service.calledBack() > 0;
  } finally {
    await (service as OrderService | null)?.close();
  }
}

/** Runs the main job against the running platform; everything it creates can be inspected afterwards. */
export async function runDemo(settings: Settings): Promise<number> {
  const stop = new AbortController();
  const printed = (): void => stop.abort(new Error('stopped'));
  process.once('SIGINT', printed).once('SIGTERM', printed);
  const progress = showProgress(process.stdout);
  const context = await openContext(settings, progress, stop.signal);
  try {
    const complete = await run(context);
    progress.end();
    progress.log(complete ? '\nThe demo is complete.' : '\nNot every task ended as expected: see the timelines above.');
    return complete ? 0 : 1;
  } finally {
    progress.end();
    await context.api.close();
    process.off('SIGINT', printed).off('SIGTERM', printed);
  }
}

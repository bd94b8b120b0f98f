import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Task } from '@signalbox/contracts';
import { findEndpoints } from '../launcher/data-directory.js';
import { type Progress, showProgress } from '../launcher/supervisor/progress.js';
import type { Settings } from '../settings.js';
import { answerOf, timelineLines } from './account.js';
import { connectActions, formerPort, openOrderDesk, publish, RELEASE, release } from './order-desk.js';
import { type OrderService, startOrderService } from './order-service.js';
import { whileAllowed } from './permission.js';
import { PublicApi } from './public-api.js';
import { openReturnsDesk, routeMessages } from './who-answers.js';

/** One for the agent itself, one for its sub-agent, one for the courier. */
const QUESTIONS = [
  'Where is my order?',
  'I want to return my order.',
  'Please ask the courier to come on another day.',
];

interface Scene {
  api: PublicApi;
  natsUrl: string;
  keyFile: string;
  progress: Progress;
  /** Says what is going on, does it, and says what came out. */
  chapter<T>(title: string, work: () => Promise<T>, outcome: (result: T) => string): Promise<T>;
}

function narrator(progress: Progress, stop: AbortSignal): Scene['chapter'] {
  let number = 0;
  return async (title, work, outcome) => {
    stop.throwIfAborted();
    number += 1;
    // Where nothing moves, the line with the outcome says it all.
    if (process.stdout.isTTY) progress.step(title);
    const result = await work();
    progress.say(`${number}. ${title}: ${outcome(result)}`);
    return result;
  };
}

async function openScene({ dataDir }: Settings, progress: Progress, stop: AbortSignal): Promise<Scene> {
  const endpoints = await findEndpoints(dataDir);
  const keyFile = join(dataDir, 'admin-key');
  const key = (await readFile(keyFile, 'utf8').catch(() => '')).trim();
  if (endpoints === null) throw new Error(`no platform runs on ${dataDir}: start it with "npm start" first`);
  if (key === '') throw new Error(`${keyFile} holds no key: it is written at the first start of the platform`);
  const api = new PublicApi(endpoints.base_url, key, stop);
  return { api, natsUrl: endpoints.nats_url, keyFile, progress, chapter: narrator(progress, stop) };
}

async function prepareAgent({ api, chapter }: Scene, start: (port: number | null) => Promise<OrderService>) {
  const desk = await chapter(
    'An agent for customers who ask about orders',
    () => openOrderDesk(api),
    ({ application, agent, reused }) =>
      `${reused ? 'found' : 'made'} agent ${agent.id} in "${application.application_name}"`,
  );
  const service = await chapter(
    'A system the agent can ask, played by this demo',
    () => start(formerPort(desk)),
    ({ url }) => url,
  );
  const actions = await chapter(
    'Three actions: one asks that system, one waits to be called back, one asks a model',
    () => connectActions(api, desk, service.url),
    (made) => Object.keys(made).join(', '),
  );
  const returns = await chapter(
    'A sub-agent that takes goods back',
    () => openReturnsDesk(api, desk),
    ({ id }) => `agent ${id}`,
  );
  await chapter(
    'Two rules that decide who answers',
    () => routeMessages(api, desk, actions, returns),
    () => 'who says "return" gets the sub-agent, who says "courier" gets the courier',
  );
  const { version } = await chapter(
    'Publish the draft as a version that never changes',
    () => publish(api, desk.agent.id),
    (published) => `${published.version}${published.fresh ? '' : ', which is still what the draft says'}`,
  );
  await chapter(
    `Point the release "${RELEASE}" at it`,
    () => release(api, desk.agent.id, version),
    () => `callers of "${RELEASE}" now get ${version}`,
  );
  await chapter(
    'Try one action alone',
    () =>
      api.call('POST /agents/actions/{action_id}/test', {
        action_id: actions.say_it_kindly.id,
        arguments: { input: 'Thanks' },
      }),
    ({ status, output }) => `${status}: ${JSON.stringify(output)}`,
  );
  return { agentId: desk.agent.id, service };
}

async function ask({ api, chapter, progress }: Scene, agentId: number, message: string): Promise<Task> {
  const { task_id: id } = await chapter(
    `Ask the release "${message}"`,
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
  progress.say(`   It is ${task.status} and says: ${answerOf(task)}`);
  progress.say(`   ${seen.length} events came while it ran; this is what happened:`);
  for (const line of timelineLines(events)) progress.say(line);
  return task;
}

function conclude({ api, keyFile, progress }: Scene, tasks: Task[]): void {
  const { origin } = new URL(api.baseUrl);
  const [first] = tasks;
  const url = `${api.baseUrl}/agents/${first?.agent_id}/tasks`;
  const lines = [
    '',
    '   (the built-in model only echoes; give the agent a model of a real provider and it will answer)',
    '',
    `   All endpoints   ${origin}/docs`,
    `   The tasks       ${url}`,
    ...tasks.map(({ id }) => `   This task       ${url}/${id}`),
    `   To look at one  curl -s -H "X-Service-Api-Key: $(cat '${keyFile}')" ${url}/${first?.id}`,
  ];
  for (const line of lines) progress.say(line);
}

async function play(scene: Scene): Promise<boolean> {
  const { api, natsUrl, chapter } = scene;
  const { company } = await chapter(
    'Who we are',
    () => api.call('GET /api-keys/current', {}),
    (key) => `the company "${key.company.name}"`,
  );
  let service: OrderService | null = null;
  try {
    const start = (port: number | null) => startOrderService(port, (url, payload) => api.callBack(url, payload));
    const ready = await prepareAgent(scene, async (port) => (service = await start(port)));
    const tasks = await whileAllowed(natsUrl, company.id, ready.service.place, async () => {
      const done: Task[] = [];
      for (const question of QUESTIONS) done.push(await ask(scene, ready.agentId, question));
      return done;
    });
    conclude(scene, tasks);
    const good = tasks.every(({ status }) => status === 'COMPLETED');
    return good && ready.service.asked() > 0 && ready.service.calledBack() > 0;
  } finally {
    await (service as OrderService | null)?.close();
  }
}

/** Walks the main job against the running platform; everything it makes can be looked at afterwards. */
export async function runDemo(settings: Settings): Promise<number> {
  const stop = new AbortController();
  const told = (): void => stop.abort(new Error('stopped'));
  process.once('SIGINT', told).once('SIGTERM', told);
  const progress = showProgress(process.stdout);
  const scene = await openScene(settings, progress, stop.signal);
  try {
    const complete = await play(scene);
    progress.end();
    progress.say(
      complete ? '\nThe demo is complete.' : '\nNot every task ended as it should: see the timelines above.',
    );
    return complete ? 0 : 1;
  } finally {
    progress.end();
    await scene.api.close();
    process.off('SIGINT', told).off('SIGTERM', told);
  }
}

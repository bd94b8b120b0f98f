import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CurrentApiKey, Invocation, Task, TimelineEvent } from '@signalbox/contracts';
import { findEndpoints } from '../launcher/data-directory.js';
import { type Progress, showProgress } from '../launcher/progress.js';
import type { Settings } from '../settings.js';
import { actionResult, answerOf, timelineLines } from './account.js';
import { connectAction, formerPort, openOrderDesk, publish, RELEASE, release } from './order-desk.js';
import { type OrderService, startOrderService } from './order-service.js';
import { whileAllowed } from './permission.js';
import { PublicApi } from './public-api.js';

const QUESTION = 'Where is my order?';

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
  await chapter(
    'An action that asks it',
    () => connectAction(api, desk, service.url),
    ({ action_name: name, action_type: type }) => `"${name}", of type ${type}, the default action`,
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
  return { agentId: desk.agent.id, service };
}

async function invoke({ api, natsUrl, chapter }: Scene, agentId: number, companyId: number, service: OrderService) {
  const work = () => api.post<Invocation>(`/agents/${agentId}/invoke`, { message: QUESTION, release: RELEASE });
  return chapter(
    `Ask the release "${QUESTION}"`,
    () => whileAllowed(natsUrl, companyId, service.place, work),
    ({ task_id: id }) => `task ${id}; ${service.place} was allowed for this call only`,
  );
}

async function tell({ api, keyFile, progress }: Scene, agentId: number, invocation: Invocation): Promise<boolean> {
  const path = `/agents/${agentId}/tasks/${invocation.task_id}`;
  const task = await api.get<Task>(path);
  const events = await api.get<TimelineEvent[]>(`${path}/timeline?limit=100`);
  const result = actionResult(events);
  const { origin } = new URL(api.baseUrl);
  const lines = [
    '',
    `   The answer      ${answerOf(invocation, task)}`,
    `   From the system ${JSON.stringify(result?.output ?? result?.message ?? null)}`,
    '   (the built-in model only echoes; give the agent a model of a real provider and it will answer)',
    '',
    '   What happened, step by step',
    ...timelineLines(events),
    '',
    `   All endpoints   ${origin}/docs`,
    `   This task       ${api.baseUrl}${path}`,
    `   To look at it   curl -s -H "X-Service-Api-Key: $(cat '${keyFile}')" ${api.baseUrl}${path}`,
  ];
  for (const line of lines) progress.say(line);
  return task.status === 'COMPLETED' && result !== undefined;
}

async function play(scene: Scene): Promise<boolean> {
  const { api, chapter } = scene;
  const { company } = await chapter(
    'Who we are',
    () => api.get<CurrentApiKey>('/api-keys/current'),
    (key) => `the company "${key.company.name}"`,
  );
  let service: OrderService | null = null;
  try {
    const ready = await prepareAgent(scene, async (port) => (service = await startOrderService(port)));
    const invocation = await invoke(scene, ready.agentId, company.id, ready.service);
    const told = await tell(scene, ready.agentId, invocation);
    return told && ready.service.asked() > 0;
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
    progress.say(complete ? '\nThe demo is complete.' : '\nThe task did not end as it should: see the timeline above.');
    return complete ? 0 : 1;
  } finally {
    progress.end();
    await scene.api.close();
    process.off('SIGINT', told).off('SIGTERM', told);
  }
}
